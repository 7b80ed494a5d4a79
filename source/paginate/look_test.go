package paginate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/source/evidence"
	"sluice/source/paginate"
)

func TestLooksNamesAllThatDecides(t *testing.T) {
	for _, c := range []struct {
		options string
		picked  []string // values of the response; empty is missing
		want    []paginate.Criterion
	}{
		{
			`{"method": "offset", "limit": 10, "limitStop": {"field": "total"}, "forceStop": {"pages": 3, "volume": 99, "time": 60}, "nextPageFlag": {"field": "more", "stopOn": false}}`,
			[]string{"7", ""},
			[]paginate.Criterion{
				{At: "items", Found: "2 of a limit of 10"}, {At: "total", Found: "7"}, {At: "more", Found: "missing"},
			},
		},
		{
			`{"method": "pagenum", "limitStop": {"count": 5}}`, nil,
			[]paginate.Criterion{{At: "items", Found: "2"}},
		},
		{
			`{"method": "response.param", "responseParam": "next.a", "queryParam": "p"}`, []string{`{"x":1}`},
			[]paginate.Criterion{{At: "items", Found: "2"}, {At: "next.a", Found: `{"x":1}`}},
		},
	} {
		paging := mustCompile(t, c.options, "")
		facts := &paginate.Facts{Answer: evidence.Answer{Items: 2, Bytes: 5}}
		for i := range paging.Needs.Values {
			var value []byte
			if c.picked[i] != "" {
				value = []byte(c.picked[i])
			}
			facts.Values = append(facts.Values, value)
		}
		s := &paginate.State{}
		if _, err := paging.First(s, &paginate.Job{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, paging.Criteria(s, facts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.options, diff)
		}
	}
}
