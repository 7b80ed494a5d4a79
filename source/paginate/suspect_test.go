package paginate_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/request"
)

func TestTheNumbersOfARequestMayBeAnywhereInIt(t *testing.T) {
	n := func(name string, value int64) evidence.Number { return evidence.Number{Name: name, Value: value} }
	for _, c := range []struct {
		endpoint, params string
		want             evidence.Numbers
	}{
		{"users", `{}`, nil},
		{"users/20?limit=100&q=a#size=3", `{}`, evidence.Numbers{n("limit", 100)}},
		{"users?page%5Bsize%5D=50", `{}`, evidence.Numbers{n("page[size]", 50)}},
		{"users", `{"limit":100,"top":"20","ratio":1.5,"q":"x","flag":true,"none":null}`, evidence.Numbers{n("limit", 100), n("top", 20)}},
		{"graph", `{"variables":{"first":50,"page":{"size":20,"deep":{"size":10}}}}`, evidence.Numbers{n("first", 50), n("size", 20)}},
		{"graph", `{"query":"{ orders(first: 50, year: 2026) { id items(limit:5) } }"}`, evidence.Numbers{n("first", 50), n("limit", 5)}},
		{"query", `{"q":"SELECT * FROM x WHERE size > 3 LIMIT 200"}`, evidence.Numbers{n("LIMIT", 200)}},
		{"users", `{"ids":[10,20]}`, nil},
	} {
		r := &paginate.Request{Method: request.Post, Endpoint: c.endpoint, Params: params(c.params)}
		if d := cmp.Diff(c.want, r.Numbers()); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.endpoint, c.params, d)
		}
	}
}

// pageOf is an answer with so many items, and members beside them.
func pageOf(t *testing.T, items int, beside string) string {
	t.Helper()
	all := make([]int, items)
	for i := range all {
		all[i] = i
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return `{"a":` + string(text) + `,` + beside + `}`
}

func TestAsManyItemsAsWereAskedFor(t *testing.T) {
	const (
		url = `{"method":"response.url","urlKey":"next"}`
		ten = `[1,2,3,4,5,6,7,8,9,10]`
	)
	runAll(t, map[string]walkCase{
		"without paging": {
			pagination: `null`, params: `{"limit":3}`, pages: []string{`[1,2,3]`}, want: []string{"e?limit=3"},
			stop: "no paging: unverified", warning: "exactly 3 items came, as many as the parameter `limit` asks for, so there may be more",
		},
		"a page that can be counted": {
			pagination: `null`, params: `{"limit":3,"page":1}`, pages: []string{`[1,2,3]`}, want: []string{"e?limit=3&page=1"},
			stop:    "no paging: unverified",
			warning: "exactly 3 items came, as many as the parameter `limit` asks for, so there may be more",
		},
		"fewer": {pagination: `null`, params: `{"limit":3}`, pages: []string{`[1,2]`}, want: []string{"e?limit=3"}, stop: "no paging"},
		"one":   {pagination: `null`, params: `{"limit":1}`, pages: []string{`[1]`}, want: []string{"e?limit=1"}, stop: "no paging"},
		"a total of one page": {
			pagination: `null`, params: `{"limit":2}`, pages: []string{`{"a":[1,2],"total":2}`}, want: []string{"e?limit=2"},
			stop: "no paging: unverified", warning: "exactly 2 items came, as many as the parameter `limit` asks for, so there may be more",
		},
		"a total and a flag": {
			pagination: `null`, params: `{"limit":2}`, pages: []string{`{"a":[1,2],"total":2,"more":false}`}, want: []string{"e?limit=2"}, stop: "no paging",
		},
		"a part of all": {pagination: `null`, params: `{"limit":2}`, pages: []string{`{"a":[1,2],"total":"1-2/2"}`}, want: []string{"e?limit=2"}, stop: "no paging"},
		"as many as a cap, and as a total says": {
			pagination: `{"method":"offset","limit":400}`, pages: []string{pageOf(t, 100, `"total":100`)}, want: []string{"e?limit=400&offset=0"},
			stop: "underflow: unverified", warning: "the first page has exactly 100 items where the limit is 400: if the API gives no more than 100 at a time, set the limit to 100",
		},
		"as few as a list may have, and as a total says": {
			pagination: `{"method":"offset","limit":400}`, pages: []string{pageOf(t, 50, `"total":50`)}, want: []string{"e?limit=400&offset=0"}, stop: "underflow",
		},
		"a total of what is below all parents": {
			pagination: `null`, params: `{"limit":2}`, pages: []string{`{"a":[1,2],"totalCount":9}`}, want: []string{"e?limit=2"},
			stop: "no paging: unverified", warning: "exactly 2 items came, as many as the parameter `limit` asks for, so there may be more",
		},
		"no next page":       {pagination: `null`, params: `{"limit":2}`, pages: []string{`{"a":[1,2],"next":null}`}, want: []string{"e?limit=2"}, stop: "no paging"},
		"a path not there":   {pagination: url, pages: []string{ten}, want: []string{"e"}, stop: "no next page: unverified", warning: "exactly 10 items came, which is a usual page size, so there may be more"},
		"a path that is":     {pagination: url, pages: []string{`{"a":` + ten + `,"next":null}`}, want: []string{"e"}, stop: "no next page"},
		"more asked for":     {pagination: url, params: `{"limit":99}`, pages: []string{ten}, want: []string{"e?limit=99"}, stop: "no next page"},
		"one that ends well": {pagination: url, pages: []string{`{"a":[0],"next":"e2"}`, `{"a":` + ten + `}`}, want: []string{"e", "given e2"}, stop: "no next page"},
		"trusted":            {pagination: `{"method":"response.url","trustEnd":true}`, pages: []string{ten}, want: []string{"e"}, stop: "no next page"},
		"a flag":             {pagination: `{"method":"response.url","nextPageFlag":{"field":"more","stopOn":false}}`, pages: []string{`{"a":` + ten + `,"more":false}`}, want: []string{"e"}, stop: "nextPageFlag"},
	})
}
