package suggest_test

import (
	"strings"
	"testing"

	"sluice/source/request"
	"sluice/source/verdict"
)

// What is said of an end about which only the number of items is odd.
func TestAPersonIsToldHowToGetWhatMayBeMissing(t *testing.T) {
	const (
		asked  = "exactly 3 items came, as many as the parameter `limit` asks for, so there may be more; if you want just these, set \"trustEnd\": true in the job; else "
		onward = asked + "page on with api.pagination"
		number = ` {"method": "pagenum", "limit": 3}`
	)
	limit := endingCase{params: `{"limit":3}`, method: request.Get, items: 3}
	page := endingCase{params: `{"limit":3,"page":1}`, method: request.Get, items: 3}
	unled := endingCase{paging: `{"method":"response.url","urlKey":"next"}`, items: 10}
	capped := endingCase{paging: `{"method":"offset","limit":100}`, items: 10}
	for name, c := range map[string]struct {
		endingCase
		// holds is what does of so many that were tried.
		holds string
		tries int
		want  string
	}{
		"no way is known":               {endingCase: limit, want: onward + ", such as pagenum or offset"},
		"one may do":                    {endingCase: page, want: onward + number},
		"one does":                      {endingCase: limit, holds: number[1:], tries: 2, want: onward + number},
		"none of those that were tried": {endingCase: page, tries: 2, want: onward + ", but in none of the ways that were tried: docs/paging.md lists all"},
		"no answer has what leads on":   {endingCase: unled, want: "exactly 10 items came, which is a usual page size, so there may be more; if you want just these, set \"trustEnd\": true in the job; else api.pagination looks for the next page in the wrong place: no answer has next"},
		"the limit is the cure":         {endingCase: capped, want: "the first page has exactly 10 items where the limit is 100: if the API gives no more than 10 at a time, set the limit to 10"},
	} {
		t.Run(name, func(t *testing.T) {
			ending, out := c.ending(t)
			ways := ending.Ways(out)
			if c.tries > 0 {
				ending.TellTried(out, ways, c.holds, c.tries)
			} else {
				ending.Tell(out, ways)
			}
			if out.Suspicion.Text != c.want {
				t.Errorf("got  %s\nwant %s", out.Suspicion.Text, c.want)
			}
		})
	}
}

// What is said of an end where the answer says that there is more.
func TestAWarningNamesTheWayThatFollowsTheAnswer(t *testing.T) {
	const link = `{"method": "response.url", "urlKey": "next", "emptyStop": 3}`
	ending, out := endingCase{answer: `{"next":"/x?page=2"}`}.ending(t)
	ways := ending.Ways(out)
	clean := func(text string) string { return text }
	said := func() string {
		_, cure, _ := strings.Cut(verdict.Said(out.More, clean).Text, "; ")
		return cure
	}
	ending.Tell(out, ways)
	if got, want := said(), "api.pagination "+link+" may follow it, which sluice check tries; if the API always says so, set \"trustEnd\": true in the job"; got != want {
		t.Errorf("not tried: got %s, want %s", got, want)
	}
	ending.TellTried(out, ways, link, 1)
	if got, want := said(), "api.pagination "+link+" follows it; if the API always says so, set \"trustEnd\": true in the job"; got != want {
		t.Errorf("tried: got %s, want %s", got, want)
	}
}
