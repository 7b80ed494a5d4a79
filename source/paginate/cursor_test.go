package paginate_test

import (
	"strings"
	"testing"

	"sluice/source/paginate"
	"sluice/source/request"
)

func TestCursor(t *testing.T) {
	cursor := func(more string) string { return `{"method":"cursor","idKey":"id","param":"since"` + more + `}` }
	runAll(t, map[string]walkCase{
		"the greatest number so far leads on": {
			pagination: cursor(``), params: `{"a":1,"since":0}`,
			pages: []string{`[{"id":3},{"id":9},{"id":7}]`, `[{"id":4}]`, `[{"id":12}]`, `[]`},
			want:  []string{"e?a=1&since=0", "e?a=1&since=9", "e?a=1&since=9", "e?a=1&since=12"},
			stop:  "empty page",
		},
		"plus the increment": {
			pagination: cursor(`,"increment":1`),
			pages:      []string{`[{"id":"3"}]`, `[{"id":4.5}]`, `[]`},
			want:       []string{"e", "e?since=4", "e?since=5.5"},
			stop:       "empty page",
		},
		"reverse counts the least": {
			pagination: cursor(`,"reverse":true,"increment":-1`),
			pages:      []string{`[{"id":9},{"id":7},{"id":8}]`, `[{"id":6},{"id":9}]`, `[]`},
			want:       []string{"e", "e?since=6", "e?since=5"},
			stop:       "empty page: unverified", again: 1,
		},
		"numbers keep their digits, and their type": {
			pagination: cursor(``), method: request.Post,
			pages: []string{`[{"id":"007"}]`, `[{"id":1.50}]`, `[{"id":9.50}]`, `[]`},
			want:  []string{"POST e", `POST e since="007"`, `POST e since="007"`, `POST e since=9.50`},
			stop:  "empty page",
		},
		"beyond 2^53, and 2^63": {
			pagination: cursor(`,"increment":1`),
			pages: []string{
				`[{"id":9007199254740992},{"id":9007199254740993}]`, `[{"id":9223372036854775807}]`,
				`[{"id":9223372036854775808},{"id":99999999999999999999.25}]`, `[]`,
			},
			want: []string{"e", "e?since=9007199254740994", "e?since=9223372036854775808", "e?since=100000000000000000000.25"},
			stop: "empty page",
		},
		"negative, and with an exponent": {
			pagination: cursor(`,"reverse":true,"increment":"-1"`),
			pages:      []string{`[{"id":-1e2},{"id":-9}]`, `[{"id":-9223372036854775808}]`, `[]`},
			want:       []string{"e", "e?since=-101", "e?since=-9223372036854775809"},
			stop:       "empty page",
		},
		"idKey is a path in the item": {
			pagination: `{"method":"cursor","idKey":"meta.ids.0","param":"since"}`,
			pages:      []string{`[{"meta":{"ids":[5]}}]`, `[]`},
			want:       []string{"e", "e?since=5"},
			stop:       "empty page",
		},
		"a cursor that does not move ends with the repetition": {
			pagination: cursor(``), pages: []string{`[{"id":1},{"id":2}]`, `[{"id":2}]`, `[{"id":2}]`},
			stop: "repeated page: unverified",
			warning: "page 2 begins with 1 item that ended the page before, since the cursor names it: " +
				"\"inclusive\": true in api.pagination drops what comes again like this\n" +
				"the page is the same as the one before it: the API may ignore the paging parameters",
		},
		"inclusive ends with what came before": {
			pagination: cursor(`,"inclusive":true`), pages: []string{`[{"id":1},{"id":2}]`, `[{"id":2},{"id":3}]`, `[{"id":3}]`},
			want: []string{"e", "e?since=2", "e?since=3"},
			stop: "nothing new",
		},
		"the value of the last item leads on as it stands": {
			pagination: cursor(`,"take":"last"`), method: request.Post,
			pages: []string{`[{"id":"b"},{"id":"a"}]`, `[{},{"id":7.0}]`, `[{"id":[1,"x"]}]`, `[{"id":[1,"x"],"new":1}]`},
			want:  []string{"POST e", `POST e since="a"`, `POST e since=7.0`, `POST e since=[1,"x"]`},
			stop:  "nothing new",
		},
		"the last item without a value is an error": {
			pagination: cursor(`,"take":"last"`), pages: []string{`[{"id":1},{"id":[]}]`},
			err: "idKey: item 2 of the page has an array at id, where the cursor needs a text, a number or an array that is not empty",
		},
		"no number is an error": {
			pagination: cursor(``), pages: []string{`[{"id":1},{"id":"x1"}]`},
			err: "idKey: item 2 of the page has a string at id, where the cursor needs a number of at most 1000 digits",
		},
		"none at all is, too": {
			pagination: cursor(``), pages: []string{`[{"ID":1}]`},
			err: "idKey: item 1 of the page has nothing at id, where the cursor needs a number of at most 1000 digits",
		},
		"an endless number is": {
			pagination: cursor(``), pages: []string{`[{"id":1e999999999}]`},
			err: "idKey: item 1 of the page has a number at id, where the cursor needs a number of at most 1000 digits",
		},
	})
	for _, text := range []string{`"0x1f"`, `"1/2"`, `"1_0"`, `"NaN"`, `"Inf"`, `""`, `"+-1"`, `true`, `null`, `[]`, `{}`, `1e-1001`, `"` + strings.Repeat("9", 1000) + `"`} {
		paging := mustCompile(t, cursor(``), "")
		r := paginate.NewRange(paging.Needs)
		if r.Add([]byte(`{"id":` + text + `}`)); r.Err == nil {
			t.Errorf("%s is taken for a number", text)
		}
	}
}

func TestMultiple(t *testing.T) {
	const scrollers = `"scrollers":{"byUrl":{"method":"response.url","nextPageFlag":{"field":"end","stopOn":true,"ifNotSet":false}},
		"byId":{"method":"cursor","idKey":"id","param":"since"}}`
	const plain = `{"method":"multiple",` + scrollers + `}`
	runAll(t, map[string]walkCase{
		"a job has the scroller that it names": {
			pagination: plain, scroller: "byUrl",
			pages: []string{`{"next_page":"b","end":0,"d":[1]}`, `{"d":[2]}`},
			want:  []string{"e", "given b"},
			stop:  "no next page",
		},
		"another job another one": {
			pagination: plain, scroller: "byId",
			pages: []string{`[{"id":5}]`, `[]`},
			want:  []string{"e", "e?since=5"},
			stop:  "empty page",
		},
		"a job that names none is one request": {
			pagination: plain, pages: []string{`[{"id":5}]`}, want: []string{"e"}, stop: "no paging",
		},
		"unless there is a default": {
			pagination: `{"method":"multiple","default":"byId",` + scrollers + `}`,
			pages:      []string{`[{"id":5}]`, `[]`},
			want:       []string{"e", "e?since=5"},
			stop:       "empty page",
		},
		"stop conditions hold for all": {
			pagination: `{"method":"multiple","forceStop":{"pages":1},` + scrollers + `}`, scroller: "byId",
			pages: []string{`[{"id":5}]`}, stop: "forceStop.pages: unverified",
		},
		"before the scroller's own": {
			pagination: `{"method":"multiple","limitStop":{"field":"n"},` + scrollers + `}`, scroller: "byUrl",
			pages: []string{`{"n":9,"next_page":"b","d":[1]}`, `{"n":9,"next_page":"c","end":true,"d":[2]}`},
			want:  []string{"e", "given b"}, stop: "nextPageFlag",
		},
		"a doubt about the end, too": {
			pagination: `{"method":"multiple","limitStop":{"field":"n"},` + scrollers + `}`, scroller: "byUrl",
			pages: []string{`{"n":9,"d":[1]}`}, stop: "no next page: incomplete",
			warning: "1 item came where the response says 9 at n; nextPageFlag: no response had the member end: check field",
		},
	})
}
