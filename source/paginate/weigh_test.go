package paginate_test

import (
	"strings"
	"testing"

	"sluice/source/paginate"
)

// A moreCase says what the last of some pages says against the end.
type moreCase struct {
	pagination, endpoint, params string
	pages                        []string
	want                         string // where it says it, and the cure; empty: nothing
}

func (c moreCase) run(t *testing.T) {
	t.Helper()
	j := paginate.Job{Endpoint: c.endpoint, Params: params(c.params)}
	tr := walk(t, mustCompile(t, c.pagination, ""), j, false, func(n int, _ *paginate.Request) answer {
		return answer{body: c.pages[n-1]}
	})
	if tr.more != c.want || tr.err != nil {
		t.Errorf("got %q, want %q: %v", tr.more, c.want, tr.err)
	}
}

func TestANumberOfPagesSaysNothingOfAWalkThatBeginsLater(t *testing.T) {
	const links = `{"method":"response.url","urlKey":"next"}`
	pages := []string{`{"total_pages":5,"next":"b","d":[{"id":3}]}`, `{"total_pages":5,"next":null,"d":[{"id":4}]}`}
	counted := append(pages[:2:2], `{"total_pages":5,"d":[]}`)
	const all = "total_pages: "
	for name, c := range map[string]moreCase{
		"at the first page":               {pagination: links, pages: pages, want: all},
		"at the first by its number":      {pagination: links, params: `{"page":1}`, pages: pages, want: all},
		"by a parameter of the job":       {pagination: links, params: `{"page":3}`, pages: pages},
		"by one in its address":           {pagination: links, endpoint: "e?page%5Bnumber%5D=3", pages: pages},
		"by the number of the first page": {pagination: `{"method":"pagenum","pageParam":"at","firstPage":3}`, pages: counted},
	} {
		t.Run(name, c.run)
	}
}

func TestAFlagThatSaysMoreIsCuredByWhatLeadsOn(t *testing.T) {
	const (
		token  = `{"method":"response.param","responseParam":"t","queryParam":"t","nextPageFlag":{"field":"more","stopOn":false}}`
		offset = `{"method":"offset","limit":2,"nextPageFlag":{"field":"more","stopOn":false}}`
		astray = "more: look for what leads there, or correct nextPageFlag in api.pagination"
	)
	for name, c := range map[string]moreCase{
		"an empty page without a token": {
			pagination: token, pages: []string{`{"t":"a","more":true,"d":[1]}`, `{"more":true,"d":[]}`}, want: astray,
		},
		"an empty page that leads to itself": {
			pagination: token, want: astray,
			pages: []string{`{"t":"a","more":true,"d":[1]}`, `{"t":"a","more":true,"d":[]}`, `{"t":"a","n":2,"more":true,"d":[]}`},
		},
		"an empty page by number": {
			pagination: offset, pages: []string{`{"more":true,"d":[1,2]}`, `{"more":true,"d":[]}`},
			want: "more: to go on after pages without items set emptyStop in api.pagination to a number of them",
		},
		"a short page": {
			pagination: strings.Replace(offset, "more", "weitere", 1), pages: []string{`{"weitere":true,"d":[1]}`},
			want: "weitere: to go on after a short page set emptyStop in api.pagination to true",
		},
	} {
		t.Run(name, c.run)
	}
}
