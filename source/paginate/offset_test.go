package paginate_test

import (
	"testing"

	"sluice/source/request"
)

func TestOffset(t *testing.T) {
	runAll(t, map[string]walkCase{
		"rule 1: each request carries page size and offset": {
			pagination: `{"method":"offset","limit":2}`,
			pages:      []string{`[1,2]`, `[3]`},
			want:       []string{"e?limit=2&offset=0", "e?limit=2&offset=2"},
			stop:       "underflow",
		},
		"rule 1: under names of their own": {
			pagination: `{"method":"offset","limit":"2","limitParam":"count","offsetParam":"from"}`,
			pages:      []string{`[]`},
			want:       []string{"e?count=2&from=0"},
			stop:       "underflow",
		},
		"rule 2: the offset grows by the page size": {
			pagination: `{"method":"offset","limit":3}`,
			pages:      []string{`[1,2,3]`, `[4,5,6]`, `[7,8,9]`, `[]`},
			want:       []string{"e?limit=3&offset=0", "e?limit=3&offset=3", "e?limit=3&offset=6", "e?limit=3&offset=9"},
			stop:       "underflow",
		},
		"rule 3: a job's parameter overrides the page size, with its own digits": {
			pagination: `{"method":"offset","limit":2}`, params: `{"a":1,"limit":3.0}`,
			pages: []string{`[1,2,3]`, `[4]`},
			want:  []string{"e?a=1&limit=3.0&offset=0", "e?a=1&limit=3.0&offset=3"},
			stop:  "underflow",
		},
		"emptyStop: a short page is not the last": {
			pagination: `{"method":"offset","limit":3,"emptyStop":true}`,
			pages:      []string{`[1,2,3]`, `[4]`, `[7,8,9]`, `[]`},
			want:       []string{"e?limit=3&offset=0", "e?limit=3&offset=3", "e?limit=3&offset=6", "e?limit=3&offset=9"},
			stop:       "empty page",
		},
		"advance: a capped page leaves no gap": {
			pagination: `{"method":"offset","limit":1000,"advance":"items"}`,
			pages:      []string{`[1,2,3,4,5,6,7,8,9,10]`, `[11,12]`, `[]`},
			want:       []string{"e?limit=1000&offset=0", "e?limit=1000&offset=10", "e?limit=1000&offset=12"},
			stop:       "empty page",
		},
		"advance: a page that is longer than the limit does not overlap": {
			pagination: `{"method":"offset","limit":1,"advance":"items","offsetFromJob":true}`, params: `{"offset":5}`,
			pages: []string{`[1,2]`, `[]`},
			want:  []string{"e?offset=5&limit=1", "e?offset=7&limit=1"},
			stop:  "empty page",
		},
		"advance: without emptyStop a short page is the last": {
			pagination: `{"method":"offset","limit":2,"advance":"items","emptyStop":false}`,
			pages:      []string{`[1,2]`, `[3]`},
			want:       []string{"e?limit=2&offset=0", "e?limit=2&offset=2"},
			stop:       "underflow",
		},
		"rule 3: a string that is a number does, too": {
			pagination: `{"method":"offset","limit":2}`, params: `{"limit":"1"}`,
			pages: []string{`[1]`, `[]`},
			want:  []string{"e?limit=1&offset=0", "e?limit=1&offset=1"},
			stop:  "underflow",
		},
		"rule 3: what is no positive number does not": {
			pagination: `{"method":"offset","limit":2}`, params: `{"limit":-1}`,
			pages: []string{`[1]`},
			want:  []string{"e?limit=2&offset=0"},
			stop:  "underflow",
		},
		"rule 3: a default parameter does not": {
			pagination: `{"method":"offset","limit":2}`, defaults: `{"limit":5,"b":1}`,
			pages: []string{`[1]`},
			want:  []string{"e?limit=2&b=1&offset=0"},
			stop:  "underflow",
		},
		"rule 4: the job's offset is ignored": {
			pagination: `{"method":"offset","limit":2}`, params: `{"offset":7,"z":1}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{"e?offset=0&z=1&limit=2", "e?offset=2&z=1&limit=2"},
			stop:  "underflow",
		},
		"rule 4: offsetFromJob begins there": {
			pagination: `{"method":"offset","limit":2,"offsetFromJob":true}`, params: `{"offset":"7"}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{"e?offset=7&limit=2", "e?offset=9&limit=2"},
			stop:  "underflow",
		},
		"rule 4: offsetFromJob without one begins at 0": {
			pagination: `{"method":"offset","limit":2,"offsetFromJob":true}`,
			pages:      []string{`[3]`},
			want:       []string{"e?limit=2&offset=0"},
			stop:       "underflow",
		},
		"rule 4: offsetFromJob needs a number": {
			pagination: `{"method":"offset","limit":2,"offsetFromJob":true}`, params: `{"offset":-1}`,
			err: "params.offset: offsetFromJob is true, so this must be a number that is not negative",
		},
		"rule 5: the first page goes without": {
			pagination: `{"method":"offset","limit":2,"firstPageParams":false}`, params: `{"a":1,"offset":9}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{"e?a=1", "e?a=1&offset=2&limit=2"},
			stop:  "underflow",
		},
		"rule 5: but for the job's own offset with offsetFromJob": {
			pagination: `{"method":"offset","limit":2,"firstPageParams":false,"offsetFromJob":true}`, params: `{"offset":9}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{"e?offset=9", "e?offset=11&limit=2"},
			stop:  "underflow",
		},
		"rule 5: underflow applies to the first page as well": {
			pagination: `{"method":"offset","limit":2,"firstPageParams":false}`,
			pages:      []string{`[1]`},
			want:       []string{"e"},
			stop:       "underflow",
		},
		"rule 6: no items": {
			pagination: `{"method":"offset","limit":2}`, pages: []string{`{"total":9,"list":[]}`}, stop: "underflow",
		},
		"rule 6: an empty response": {
			pagination: `{"method":"offset","limit":2}`, pages: []string{``}, stop: "underflow",
		},
		"rule 9: underflow compares with the job's limit": {
			pagination: `{"method":"offset","limit":2}`, params: `{"limit":3}`,
			pages: []string{`[1,2]`}, want: []string{"e?limit=3&offset=0"}, stop: "underflow",
		},
		"in a body the parameters are numbers": {
			pagination: `{"method":"offset","limit":2}`, method: request.Post, params: `{"limit":1,"q":"x"}`,
			pages: []string{`[1]`, `[]`},
			want:  []string{"POST e limit=1 q=\"x\" offset=0", "POST e limit=1 q=\"x\" offset=1"},
			stop:  "underflow",
		},
		"a page longer than the limit is doubtful": {
			pagination: `{"method":"offset","limit":2}`, pages: []string{`[1,2,3]`, `[]`}, stop: "underflow: unverified",
			warning: "a page has 3 items where the limit is 2, so pages may overlap or leave gaps: set limit to the page size of the API, or correct limitParam",
		},
		"a first page that looks cut is doubtful": {
			pagination: `{"method":"offset","limit":50}`, pages: []string{`[1,2,3,4,5,6,7,8,9,10]`}, stop: "underflow: unverified",
			warning: "the first page has exactly 10 items where the limit is 50: if the API gives no more than 10 at a time, set the limit to 10",
		},
		"a later one is not": {
			pagination: `{"method":"offset","limit":11}`, pages: []string{`[1,2,3,4,5,6,7,8,9,10,11]`, `[1,2,3,4,5,6,7,8,9,10]`}, stop: "underflow",
		},
		"an offset beyond all numbers ends with an error": {
			pagination: `{"method":"offset","limit":1,"offsetFromJob":true}`, params: `{"limit":9223372036854775807,"offset":1}`,
			pages: []string{`[1]`}, err: "the offset after 1 is out of range",
		},
	})
}

func TestPagenum(t *testing.T) {
	runAll(t, map[string]walkCase{
		"rule 1: each request carries page number and size": {
			pagination: `{"method":"pagenum","limit":2}`,
			pages:      []string{`[1,2]`, `[3]`},
			want:       []string{"e?page=1&limit=2", "e?page=2&limit=2"},
			stop:       "underflow",
		},
		"rule 1: no size where there is none": {
			pagination: `{"method":"pagenum","pageParam":"p"}`,
			pages:      []string{`[1,2]`, `[3]`, `[]`},
			want:       []string{"e?p=1", "e?p=2", "e?p=3"},
			stop:       "empty page",
		},
		"rule 2: numbers begin with firstPage": {
			pagination: `{"method":"pagenum","limit":1,"firstPage":0,"limitParam":"n"}`,
			pages:      []string{`[1]`, `[2]`, `[]`},
			want:       []string{"e?page=0&n=1", "e?page=1&n=1", "e?page=2&n=1"},
			stop:       "underflow",
		},
		"rule 2: even below zero": {
			pagination: `{"method":"pagenum","limit":1,"firstPage":-1}`,
			pages:      []string{`[1]`, `[]`},
			want:       []string{"e?page=-1&limit=1", "e?page=0&limit=1"},
			stop:       "underflow",
		},
		"rule 3: a job's parameter overrides the page size": {
			pagination: `{"method":"pagenum","limit":2}`, params: `{"limit":3}`,
			pages: []string{`[1,2]`},
			want:  []string{"e?limit=3&page=1"},
			stop:  "underflow",
		},
		"rule 3: also where none is configured": {
			pagination: `{"method":"pagenum"}`, params: `{"limit":3,"page":8}`,
			pages: []string{`[1,2]`},
			want:  []string{"e?limit=3&page=1"},
			stop:  "underflow",
		},
		"rule 4: the first page goes without": {
			pagination: `{"method":"pagenum","limit":2,"firstPageParams":false,"firstPage":0}`, params: `{"page":4,"a":1}`,
			pages: []string{`[1,2]`, `[3]`},
			want:  []string{"e?a=1", "e?page=1&a=1&limit=2"},
			stop:  "underflow",
		},
		"rule 6: the job's own size goes out with it": {
			pagination: `{"method":"pagenum","limit":2,"firstPageParams":false}`, params: `{"limit":1}`,
			pages: []string{`[1]`, `[]`},
			want:  []string{"e?limit=1", "e?limit=1&page=2"},
			stop:  "underflow",
		},
		"a number beyond all numbers ends with an error": {
			pagination: `{"method":"pagenum","firstPage":9223372036854775807}`,
			pages:      []string{`[1]`}, err: "the page after 9223372036854775807 is out of range",
		},
	})
}
