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
