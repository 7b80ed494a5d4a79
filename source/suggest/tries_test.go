package suggest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/source/request"
	"sluice/source/suggest"
)

func TestUsualWaysAreTriedWhereNothingSaysHowItGoesOn(t *testing.T) {
	const (
		page0 = `{"method": "pagenum", "firstPage": 0, "firstPageParams": false}`
		page1 = `{"method": "pagenum"}`
		ten   = `{"method": "offset", "limit": 10, "advance": "items", "firstPageParams": false}`
		three = `{"method": "offset", "limit": 3, "advance": "items", "firstPageParams": false}`
	)
	after := func(key, param string) string {
		return `{"method": "cursor", "idKey": "` + key + `", "param": "` + param + `", "take": "last"}`
	}
	get := func(params string) endingCase {
		return endingCase{params: params, method: request.Get, items: 10}
	}
	full, few, withIDs := endingCase{items: 10}, endingCase{items: 3}, endingCase{items: 10, id: true}
	rising := []string{`{"id":1}`, `{"id":2}`, `{"id":3}`}
	falling := slices.Clone(rising)
	slices.Reverse(falling)
	for name, c := range map[string]struct {
		endingCase
		last   string
		items  []string
		always bool
		want   []string
	}{
		"by pages or items": {endingCase: full, want: []string{page0, page1, ten}},
		"by what goes with the size of pages": {endingCase: get(`{"limit":10}`), want: []string{
			`{"method": "offset", "limit": 10, "firstPageParams": false}`,
			`{"method": "pagenum", "limit": 10, "firstPage": 0, "firstPageParams": false}`,
			`{"method": "pagenum", "limit": 10}`,
		}},
		"by what stands in a group with it": {endingCase: get(`{"page[size]":10}`), want: []string{
			`{"method": "pagenum", "limit": 10, "limitParam": "page[size]", "pageParam": "page[number]"}`,
			`{"method": "offset", "limit": 10, "limitParam": "page[size]", "offsetParam": "page[offset]", "firstPageParams": false}`,
		}},
		"by the number that the request has": {endingCase: get(`{"page":3}`), want: []string{`{"method": "pagenum", "firstPage": 3}`}},
		"by what the request begins behind": {
			endingCase: get(`{"since":"2026-01-01T00:00:00Z"}`), last: `{"at":"2026-02-01T00:00:00Z"}`,
			want: []string{after("at", "since"), page0, page1, ten},
		},
		"after ids that rise":                  {endingCase: withIDs, items: rising, want: []string{page0, page1, ten, after("id", "after")}},
		"before ids that fall":                 {endingCase: withIDs, items: falling, want: []string{page0, page1, ten, after("id", "before")}},
		"not after a few items":                {endingCase: few},
		"always, if that is wanted":            {endingCase: few, always: true, want: []string{page0, page1, three}},
		"not where a pagination is configured": {endingCase: endingCase{paging: `{"method":"none"}`, items: 10}, always: true},
		"not by what is no GET":                {endingCase: endingCase{params: `{"limit":10}`, items: 10}},
	} {
		t.Run(name, func(t *testing.T) {
			ending, out := c.ending(t)
			tail := suggest.Tail{Last: []byte(c.last)}
			for _, text := range c.items {
				tail.Order.Enter([]byte(text))
			}
			var got []string
			for _, way := range ending.Tries(out, ending.Ways(out), tail, c.always) {
				got = append(got, way.Pagination)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
