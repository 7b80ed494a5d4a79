package verdict_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// at is an address that was asked for.
type at string

func (a at) Address() string { return string(a) }

func (a at) Numbers() evidence.Numbers { return nil }

// answer has those members beside so many items.
func answer(items int, beside string) *evidence.Answer {
	a := &evidence.Answer{Items: items, Array: true, Header: http.Header{}, Asked: at("https://a.test/x?limit=2")}
	for name, value := range item.Members([]byte(beside)) {
		a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	return a
}

func TestWhatSpeaksAgainstAnEnd(t *testing.T) {
	type found struct {
		More    string
		Doubts  int
		Missing bool
	}
	next := found{More: "next", Missing: true}
	nothing := found{}
	for name, c := range map[string]struct {
		reason report.StopReason
		items  int
		beside string
		reads  string
		want   found
	}{
		"a link":                          {report.StopNoPaging, 2, `{"next":"/x?page=2"}`, "", next},
		"a link that paging reads":        {report.StopNoPaging, 2, `{"next":"/x?page=2"}`, "next", nothing},
		"a link after a short page":       {report.StopUnderflow, 1, `{"next":"/x?page=2"}`, "", next},
		"a link on an empty page":         {report.StopEmptyPage, 0, `{"next":"/x?page=2"}`, "", nothing},
		"a flag that says no more":        {report.StopNoPaging, 2, `{"next":"/x?page=2","has_more":false}`, "", nothing},
		"a total that was reached":        {report.StopUnderflow, 1, `{"next":"/x?page=2","total":5}`, "", nothing},
		"a reached total is no short one": {report.StopNoPaging, 1, `{"next":"/x?page=2","total":5}`, "", next},
		"a greater total":                 {report.StopUnderflow, 1, `{"total":9}`, "", found{Doubts: 1, Missing: true}},
		"a greater total that paging reads": {
			report.StopUnderflow, 1, `{"total":9}`, "total", found{Missing: true},
		},
		"as many pages as came": {report.StopUnderflow, 2, `{"page":3,"pages":3}`, "", nothing},
		"page numbers from 0":   {report.StopUnderflow, 2, `{"number":2,"totalPages":3}`, "", nothing},
		"another page":          {report.StopNoPaging, 2, `{"older":"?page=4"}`, "", found{More: "older", Missing: true}},
		"a number of pages":     {report.StopNoPaging, 2, `{"page":1,"pages":7}`, "", found{More: "pages", Missing: true}},
		"another page, on an empty one": {
			report.StopEmptyPage, 0, `{"older":"?page=4"}`, "", found{More: "older", Missing: true},
		},
		"a cursor":                    {report.StopNoNextPage, 2, `{"scroll_id":"c"}`, "", found{More: "scroll_id", Missing: true}},
		"a cursor after a short page": {report.StopUnderflow, 1, `{"scroll_id":"c"}`, "", nothing},
		"a cursor beside a flag":      {report.StopNextPageFlag, 2, `{"nextKey":"c"}`, "", nothing},
		"the word next":               {report.StopNoNextPage, 2, `{"nextKey":"c"}`, "", found{More: "nextKey", Missing: true}},
		"the word next, that paging reads": {
			report.StopNoNextPage, 2, `{"nextKey":"c"}`, "nextKey", nothing,
		},
		"a link where as many came": {report.StopLimitField, 2, `{"next":"/x?page=2"}`, "", nothing},
		"a flag where as many came": {report.StopLimitField, 2, `{"has_more":true}`, "", found{Doubts: 1}},
	} {
		reads := evidence.Reads{}
		if c.reads != "" {
			reads.Paths = []item.Path{{c.reads}}
		}
		last := answer(c.items, c.beside)
		signs := last.Signs(reads)
		var w evidence.WalkEvidence
		w.Hear(signs)
		got := verdict.AgainstEnd(&verdict.Ending{Reason: c.reason, Pages: 3, Items: 5, Root: true}, &w, last, signs)
		have := found{Doubts: len(got.Doubts), Missing: got.Missing}
		if got.More != nil {
			have.More = got.More.At
		}
		if d := cmp.Diff(c.want, have); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestACountBesideAFullPageCountsIfThereIsNoOther(t *testing.T) {
	for pages, want := range map[int]int{1: 1, 2: 0} {
		a := answer(20, `{"count":5000}`)
		a.Asked = at("https://a.test/x")
		signs := a.Signs(evidence.Reads{})
		var w evidence.WalkEvidence
		w.Hear(signs)
		end := verdict.Ending{Reason: report.StopNoNextPage, Pages: pages, Items: 20 * int64(pages), Root: true}
		if got := verdict.AgainstEnd(&end, &w, a, signs); len(got.Doubts) != want {
			t.Errorf("%d pages: %v", pages, got.Doubts)
		}
	}
}

func TestACountBesideTheSizeOfPagesCountsAll(t *testing.T) {
	for beside, want := range map[string]int{
		`{"meta":{"count":5000,"per_page":20,"next_cursor":null}}`: 1,
		`{"meta":{"count":5000,"page":3}}`:                         1,
		`{"meta":{"count":60,"per_page":20}}`:                      0,
		`{"meta":{"count":20,"per_page":20}}`:                      0,
		`{"meta":{"count":5000,"next_cursor":null}}`:               0,
		`{"pages":{"count":5000,"size":20,"next":null}}`:           0,
	} {
		a := answer(20, beside)
		signs := a.Signs(evidence.Reads{})
		var w evidence.WalkEvidence
		w.Hear(signs)
		end := verdict.Ending{Reason: report.StopNoNextPage, Pages: 3, Items: 60, Root: true}
		if got := verdict.AgainstEnd(&end, &w, a, signs); len(got.Doubts) != want {
			t.Errorf("%s: %v", beside, got.Doubts)
		}
	}
}

func TestAnAnswerMayProveItsEnd(t *testing.T) {
	for beside, want := range map[string]bool{
		`{}`:                                     false,
		`{"has_more":false}`:                     true,
		`{"has_more":true}`:                      false,
		`{"total":20}`:                           true,
		`{"total":19}`:                           true,
		`{"total":21}`:                           false,
		`{"total":0}`:                            false,
		`{"total":{"value":20,"relation":"eq"}}`: true,
		`{"total":{"value":20,"relation":"gte"}}`: false,
		`{"count":20}`:                false,
		`{"rowCount":20}`:             false,
		`{"pageCount":1}`:             true,
		`{"pageCount":2}`:             false,
		`{"next":null}`:               true,
		`{"next_cursor":""}`:          true,
		`{"links":{"next":false}}`:    true,
		`{"next":"/x?page=2"}`:        false,
		`{"next":"/x?limit=2"}`:       false,
		`{"next":{"title":"a page"}}`: false,
		`{"next_steps":null}`:         false,
	} {
		a := answer(20, beside)
		signs := a.Signs(evidence.Reads{})
		if verdict.Proves(a, signs, &verdict.Ending{Pages: 1, Items: 20}) != want {
			t.Errorf("%s: %t", beside, !want)
		}
	}
}

func TestHeadersMayProveTheEnd(t *testing.T) {
	for header, want := range map[string]bool{
		`Link: </x?page=1>; rel="prev", </x?page=5>; rel="last"`: true,
		`Link: </x?page=2>; rel="next"`:                          false,
		`Link: </about>; rel="help"`:                             false,
		`X-Next-Page: `:                                          true,
		`X-Next-Page: 2`:                                         false,
		`Last-Page: true`:                                        true,
		`Last-Page: false`:                                       false,
		`Total: 20`:                                              true,
		`Total: 21`:                                              false,
		`Content-Range: 0-19/20`:                                 true,
		`Content-Range: 0-19/*`:                                  false,
		`X-Total-Pages: 1`:                                       true,
	} {
		a := answer(20, `{}`)
		name, value, _ := strings.Cut(header, ": ")
		a.Header.Set(name, value)
		if verdict.Proves(a, a.Signs(evidence.Reads{}), &verdict.Ending{Pages: 1, Items: 20}) != want {
			t.Errorf("%s: %t", header, !want)
		}
	}
}

func TestAnAnswerThatIsAPartOfTheListMayNotBeTheLast(t *testing.T) {
	for name, c := range map[string]struct {
		reason report.StopReason
		items  int
		pages  int
		beside string
		header string
		want   string
	}{
		"nothing says so":           {report.StopNoPaging, 2, 1, `{}`, ``, "the status"},
		"no next page":              {report.StopNoNextPage, 2, 3, `{}`, ``, "the status"},
		"a range without a total":   {report.StopNoPaging, 2, 1, `{}`, `0-1/*`, "the status"},
		"a short page":              {report.StopUnderflow, 1, 1, `{}`, ``, "the status"},
		"a sign that there is more": {report.StopNoPaging, 2, 1, `{"next":"/x?page=2"}`, ``, "next"},
		"a greater total":           {report.StopNoPaging, 2, 1, `{}`, `0-1/9`, ""},
		"a total that was reached":  {report.StopNoPaging, 2, 1, `{}`, `0-1/2`, ""},
		"a flag":                    {report.StopNoPaging, 2, 1, `{"has_more":false}`, ``, ""},
		"an empty place":            {report.StopNoPaging, 2, 1, `{"next":null}`, ``, ""},
		"a configured flag":         {report.StopNextPageFlag, 2, 3, `{}`, ``, ""},
		"as many as were to come":   {report.StopLimitField, 2, 3, `{}`, ``, ""},
		"a short page after others": {report.StopUnderflow, 1, 3, `{}`, ``, ""},
		"no items":                  {report.StopUnderflow, 0, 1, `{}`, ``, ""},
	} {
		last := answer(c.items, c.beside)
		last.Status = http.StatusPartialContent
		if c.header != "" {
			last.Header.Set("Content-Range", c.header)
		}
		signs := last.Signs(evidence.Reads{})
		var w evidence.WalkEvidence
		w.Hear(signs)
		end := verdict.Ending{Reason: c.reason, Pages: c.pages, Items: int64(c.items), Root: true}
		got := ""
		if more := verdict.AgainstEnd(&end, &w, last, signs).More; more != nil {
			got = more.At
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTheLastAnswerWithItemsSpeaksAgainstAnEndWithoutOne(t *testing.T) {
	for name, c := range map[string]struct {
		reason report.StopReason
		beside string
		want   int
	}{
		"a flag":                        {report.StopEndOn, `{"has_more":true}`, 1},
		"more pages than came":          {report.StopEndOn, `{"totalPages":3}`, 1},
		"as many pages as came":         {report.StopEndOn, `{"totalPages":2}`, 0},
		"an empty page says it itself":  {report.StopEmptyPage, `{"totalPages":3}`, 0},
		"a flag that says that it ends": {report.StopEndOn, `{"has_more":false}`, 0},
	} {
		var w evidence.WalkEvidence
		signs := answer(2, c.beside).Signs(evidence.Reads{})
		w.Open.Hear(2, signs)
		w.Open.Hear(0, nil)
		end := verdict.Ending{Reason: c.reason, Pages: 3, Items: 4, Root: true}
		if got := verdict.AgainstEnd(&end, &w, answer(0, `{}`), nil); len(got.Doubts) != c.want {
			t.Errorf("%s: %v", name, got.Doubts)
		}
	}
}

func TestEmptyStopSilencesWhatLeadsOnButNotWhatIsStated(t *testing.T) {
	for beside, want := range map[string]string{
		`{"has_more":true}`:         "has_more",
		`{"totalPages":7}`:          "totalPages",
		`{"older":"?page=4"}`:       "",
		`{"next":"/x?page=2"}`:      "",
		`{"page":3,"totalPages":3}`: "",
	} {
		last := answer(0, beside)
		end := verdict.Ending{Reason: report.StopEmptyPage, Pages: 3, Items: 4, Root: true, ByEmpty: true}
		var w evidence.WalkEvidence
		got := ""
		if more := verdict.AgainstEnd(&end, &w, last, last.Signs(evidence.Reads{})).More; more != nil {
			got = more.At
		}
		if got != want {
			t.Errorf("%s: %q", beside, got)
		}
	}
}
