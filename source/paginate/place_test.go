package paginate_test

import "testing"

func TestAParameterGoesWhereItsPathLeads(t *testing.T) {
	const offset = `"method":"offset","limit":1`
	runAll(t, map[string]walkCase{
		"what is not there is made": {
			pagination: `{` + offset + `,"limitParam":["a","b","n"],"offsetParam":["a","c",0,"o"]}`, method: "POST",
			pages: []string{`[]`},
			want:  []string{`POST e a={"b":{"n":1},"c":[{"o":0}]}`},
			stop:  "underflow",
		},
		"null and an empty array are nothing": {
			pagination: `{` + offset + `,"limitParam":["a","n"],"offsetParam":["b","o"]}`, method: "POST", params: `{"a":null,"b":[]}`,
			pages: []string{`[]`},
			want:  []string{`POST e a={"n":1} b={"o":0}`},
			stop:  "underflow",
		},
		"the job's own are found, and one is taken out": {
			pagination: `{` + offset + `,"limitParam":["a","n"],"offsetParam":["a","o"],"firstPageParams":false}`, method: "POST", params: `{"a":{"o":7,"x":1,"n":"2"}}`,
			pages: []string{`[1,2]`, `[]`},
			want:  []string{`POST e a={"x":1,"n":"2"}`, `POST e a={"o":2,"x":1,"n":"2"}`},
			stop:  "underflow",
		},
		"an index after the end": {
			pagination: `{` + offset + `,"offsetParam":["a",2]}`, method: "POST", params: `{"a":[1]}`,
			err: "params.a has 1 elements, and paging puts a parameter at a.2: write those before it",
		},
		"a name in an array": {
			pagination: `{` + offset + `,"offsetParam":["a","b"]}`, params: `{"a":[1]}`,
			err: "params.a is an array, and paging puts a parameter at a.b: make it an object",
		},
		"a value in the way, deep": {
			pagination: `{` + offset + `,"offsetParam":["a","b","c"]}`, params: `{"a":{"b":1}}`,
			err: "params.a.b is a number, and paging puts a parameter at a.b.c: make it an object",
		},
		"a value in the way of a cursor": {
			pagination: `{"method":"cursor","idKey":"i","param":["a","b"]}`, params: `{"a":true}`,
			err: "params.a is a boolean, and paging puts a parameter at a.b: make it an object",
		},
		"a template without a number": {
			pagination: `{` + offset + `,"template":true}`, params: `{"q":"limit {limit}"}`,
			err: "with api.pagination.template the endpoint, or a text of params, must have {offset} where the number goes",
		},
		"a template with another number": {
			pagination: `{` + offset + `,"template":true}`, params: `{"q":"{offset} {page}"}`,
			err: "params.q: {page} is there, and api.pagination has no such number",
		},
		"a template without a limit": {
			pagination: `{"method":"pagenum","template":true}`, params: `{"q":"{page} {limit}"}`,
			err: "params.q: {limit} is there, and api.pagination has no such number",
		},
	})
}

func TestAParameterGoesIntoThePartThatItsPlaceNames(t *testing.T) {
	const sized = `"method":"offset","limit":3,"limitParam":{"query":"n"},"offsetParam":{"query":"o"}`
	const header = `"limitParam":{"header":"x-size"},"pageParam":{"header":"X-Page"}`
	const cursor = `"method":"response.param","responseParam":"c"`
	runAll(t, map[string]walkCase{
		"the query of a POST": {
			pagination: `{` + sized + `}`, method: "POST", params: `{"n":9}`,
			pages: []string{`[1,2,3]`, `[4]`},
			want:  []string{`POST e n=9 ?n=3 ?o=0`, `POST e n=9 ?n=3 ?o=3`},
			stop:  "underflow",
		},
		"the job's own there": {
			pagination: `{` + sized + `,"offsetFromJob":true}`, method: "POST", params: `{"n":9,"o":9}`, query: `{"o":5,"n":"2"}`,
			pages: []string{`[1,2]`, `[4]`},
			want:  []string{`POST e n=9 o=9 ?o=5 ?n="2"`, `POST e n=9 o=9 ?o=7 ?n="2"`},
			stop:  "underflow",
		},
		"the job's own of a GET, whichever member has it": {
			pagination: `{` + sized + `}`, params: `{"n":2}`, query: `{"o":5}`,
			pages: []string{`[1,2]`, `[4]`},
			want:  []string{`e?n=2&o=0`, `e?n=2&o=2`},
			stop:  "underflow",
		},
		"none on the first page": {
			pagination: `{` + sized + `,"firstPageParams":false}`, method: "POST", query: `{"o":5,"n":1}`,
			pages: []string{`[1]`, `[]`},
			want:  []string{`POST e ?n=1`, `POST e ?o=1 ?n=1`},
			stop:  "underflow",
		},
		"a header": {
			pagination: `{"method":"pagenum","limit":2,` + header + `}`,
			pages:      []string{`[1,2]`, `[3]`},
			want:       []string{`e X-Page: 1 X-Size: 2`, `e X-Page: 2 X-Size: 2`},
			stop:       "underflow",
		},
		"a path in the body of a GET": {
			pagination: `{"method":"offset","limit":9,"limitParam":["p","n"],"offsetParam":["o"]}`, params: `{"o":1}`, body: `{"p":{"n":2}}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{`e?o=1 {"p":{"n":2},"o":0}`, `e?o=1 {"p":{"n":2},"o":2}`},
			stop:  "underflow",
		},
		"a name beside one": {
			pagination: `{"method":"pagenum","limit":1}`, body: `{}`,
			pages: []string{`[]`},
			want:  []string{`e?page=1&limit=1 {}`},
			stop:  "underflow",
		},
		"a cursor, and nothing else of the job": {
			pagination: `{` + cursor + `,"queryParam":{"query":"c"}}`, method: "POST", query: `{"a":1}`, body: `{"b":1}`,
			pages: []string{`{"d":[1],"c":"x"}`, `{"d":[2]}`},
			want:  []string{`POST e ?a=1 b=1`, `POST e ?c="x"`},
			stop:  "no next page",
		},
		"all of the job with it": {
			pagination: `{` + cursor + `,"queryParam":["c"],"includeParams":true}`, query: `{"a":1}`, body: `{"b":1}`,
			pages: []string{`{"d":[1],"c":{"x":7}}`, `{"d":[2]}`},
			want:  []string{`e?a=1 {"b":1}`, `e?a=1 {"b":1,"c":{"x":7}}`},
			stop:  "no next page",
		},
		"of another method": {
			pagination: `{` + cursor + `,"queryParam":{"header":"X-C"},"includeParams":true,
				"scrollRequest":{"method":"POST","query":{"a":2},"body":{"b":{"y":2}},"headers":{"X":"y"}}}`,
			query: `{"a":1}`, body: `{"b":{"x":1}}`,
			pages: []string{`{"d":[1],"c":7}`, `{"d":[2]}`},
			want:  []string{`e?a=1 {"b":{"x":1}}`, `POST e ?a=2 b={"x":1,"y":2} X: y X-C: 7`},
			stop:  "no next page",
		},
		"a header of a value that none can have": {
			pagination: `{` + cursor + `,"queryParam":{"header":"X-C"}}`,
			pages:      []string{`{"d":[1],"c":"a\nb"}`},
			want:       []string{`e`},
			err:        "header X-C: the value has a line break or another character that no header can have",
		},
		"an address, over the body": {
			pagination: `{"method":"response.url","urlKey":"n","includeParams":true}`, query: `{"a":1}`, body: `{"b":1}`,
			pages: []string{`{"d":[1],"n":"e?a=2"}`, `{"d":[2]}`},
			want:  []string{`e?a=1 {"b":1}`, `given e?a=2?a=1 {"b":1}`},
			stop:  "no next page",
		},
		"several": {
			pagination: `{` + cursor + `,"includeParams":true}`, params: `{"x":1,"y":2}`,
			pages: []string{`{"d":[1],"c":{"y":"Y","z":null,"w":[1]}}`, `{"d":[2],"c":{"z":3}}`, `{"d":[4],"c":{}}`},
			want:  []string{`e?x=1&y=2`, `e?x=1&y=Y&w%5B0%5D=1`, `e?x=1&y=2&z=3`},
			stop:  "no next page",
		},
		"several, and no object": {
			pagination: `{` + cursor + `}`,
			pages:      []string{`{"d":[1],"c":true}`},
			want:       []string{`e`},
			err: "responseParam: the response has a boolean at c, and only the members of an object are parameters " +
				"by themselves: say with queryParam which parameter carries it",
		},
		"a template": {
			pagination: `{"method":"offset","limit":1,"template":true}`, method: "POST", query: `{"q":"{offset}"}`, body: `{"l":"{limit}"}`,
			pages: []string{`[1]`, `[]`},
			want:  []string{`POST e ?q="0" l="1"`, `POST e ?q="1" l="1"`},
			stop:  "underflow",
		},
		"a template of another number": {
			pagination: `{"method":"offset","limit":1,"template":true}`, method: "POST", params: `{"o":"{offset}"}`, query: `{"q":"{page}"}`,
			err: "query.q: {page} is there, and api.pagination has no such number",
		},
	})
}
