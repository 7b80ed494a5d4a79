package paginate_test

import (
	"testing"
	"time"
)

func TestTheCommonStopConditions(t *testing.T) {
	offset := func(more string) string { return `{"method":"offset","limit":2,` + more + `}` }
	runAll(t, map[string]walkCase{
		"the same page ends the job": {
			pagination: offset(`"forceStop":{"pages":9}`), pages: []string{`[1,2]`, `[1, 2]`}, stop: "repeated page: unverified",
			warning: "the page is the same as the one before it: the API may ignore the paging parameters",
		},
		"even where the method's rule would": {
			pagination: `{"method":"pagenum"}`, pages: []string{`[]`}, stop: "empty page",
		},
		"a page that came earlier does not": {
			pagination: offset(`"forceStop":{"pages":9}`), pages: []string{`[1,2]`, `[3,4]`, `[1,2]`, `[]`}, stop: "underflow",
		},
		"limitStop.count": {
			pagination: offset(`"limitStop":{"count":3}`), pages: []string{`[1,2]`, `[3,4]`}, stop: "limitStop.count: unverified",
		},
		"limitStop.field": {
			pagination: offset(`"limitStop":{"field":"meta.total"}`),
			pages:      []string{`{"meta":{"total":4},"d":[1,2]}`, `{"meta":{"total":"4"},"d":[3,4]}`}, stop: "limitStop.field",
		},
		"limitStop.field beyond 2^53": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":1e999,"d":[1,2]}`, `{"n":1e999,"d":[3,4]}`, `[]`}, stop: "limitStop.field missing: unverified",
			warning: "limitStop.field: the response has no number at n: check the path",
		},
		"limitStop.field that becomes less while paging is warned of once": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":6,"d":[1,2]}`, `{"n":" 5 ","d":[3,4]}`, `{"n":4.5,"d":[5,6]}`}, stop: "limitStop.field: unverified",
			warning: "limitStop.field: n fell from 6 to 5 while the pages were read: items may have been removed, and others missed because of that",
		},
		"limitStop.field that grows while paging is followed": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":2.5,"d":[1,2]}`, `{"n":4,"d":[3,4]}`}, stop: "limitStop.field",
		},
		"limitStop.field without a number": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":"Inf","d":[1,2]}`}, stop: "limitStop.field missing: unverified",
			warning: "limitStop.field: the response has no number at n: check the path",
		},
		"limitStop.field with a number that is out of all bounds": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":1e999999999,"d":[1]}`}, stop: "limitStop.field missing: unverified",
			warning: "limitStop.field: the response has no number at n: check the path",
		},
		"an end before limitStop.field is reached is incomplete": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"n":4,"d":[1,2]}`, `{"n":4.0,"d":[3]}`}, stop: "underflow: incomplete",
			warning: "3 items came where the response says 4.0 at n",
		},
		"whatever the method": {
			pagination: `{"method":"response.url","limitStop":{"field":"n"}}`, pages: []string{`{"n":4,"d":[1,2]}`}, stop: "no next page: incomplete",
			warning: "2 items came where the response says 4 at n",
		},
		"forceStop.pages": {
			pagination: offset(`"forceStop":{"pages":2}`), pages: []string{`[1,2]`, `[3,4]`}, stop: "forceStop.pages: unverified",
		},
		"forceStop.time": {
			pagination: offset(`"forceStop":{"time":60}`), pages: []string{`[1,2]`, `[3,4]`},
			after: []time.Duration{59 * time.Second, 60 * time.Second}, stop: "forceStop.time: unverified",
		},
		"forceStop.time as text": {
			pagination: offset(`"forceStop":{"time":"2 minutes"}`), pages: []string{`[1,2]`, `[3,4]`},
			after: []time.Duration{119 * time.Second, 2 * time.Minute}, stop: "forceStop.time: unverified",
		},
		"forceStop.volume counts compact JSON": {
			pagination: offset(`"forceStop":{"volume":9}`), pages: []string{`[1,         2]`, `[3,4]`}, stop: "forceStop.volume: unverified",
		},
		"nextPageFlag as a text": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":false}`),
			pages:      []string{`{"more":"Yes","d":[1,2]}`, `{"more":"True","d":[3,4]}`, `{"more":"N","d":[5,6]}`}, stop: "nextPageFlag",
		},
		"nextPageFlag at its value": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":false}`),
			pages:      []string{`{"more":1,"d":[1,2]}`, `{"more":"0","d":[3,4]}`}, stop: "nextPageFlag",
		},
		"nextPageFlag missing counts as stopOn": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":true}`), pages: []string{`{"more":null,"d":[1,2]}`}, stop: "nextPageFlag missing: unverified",
			warning: "nextPageFlag: the response has no more, and a missing member ends the paging: check field, or set ifNotSet to false",
		},
		"nextPageFlag missing at last is no surprise": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":false}`), pages: []string{`{"more":true,"d":[1,2]}`, `{"d":[3,4]}`}, stop: "nextPageFlag",
		},
		"nextPageFlag missing where there is no array, which may be an error": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":false}`), pages: []string{`{"more":true,"d":[1,2]}`, `{}`}, stop: "nextPageFlag missing: unverified",
		},
		"nextPageFlag that never was there leaves the method's own end as it is": {
			pagination: offset(`"nextPageFlag":{"field":"last","stopOn":true,"ifNotSet":false}`), pages: []string{`{"d":[1,2]}`, `{"d":[3]}`}, stop: "underflow",
			warning: "nextPageFlag: no response had the member last: check field",
		},
		"an item that comes again at once is told, once": {
			pagination: `{"method":"pagenum"}`, pages: []string{`[1,2]`, `[2,3]`, `[3,4]`, `[]`, `[4]`}, stop: "empty page: unverified",
			warning: "page 2 begins with the item that the page before it ended with, so pages may overlap and items come twice: check firstPage, limit and the paging parameters",
		},
		"nextPageFlag missing counts as ifNotSet": {
			pagination: offset(`"nextPageFlag":{"field":"last","stopOn":true,"ifNotSet":false}`),
			pages:      []string{`{"d":[1,2]}`, `{"last":true,"d":[3,4]}`}, stop: "nextPageFlag",
		},
		"nextPageFlag is at the root, whatever dots it has": {
			pagination: offset(`"nextPageFlag":{"field":"a.b","stopOn":true,"ifNotSet":false}`),
			pages:      []string{`{"a":{"b":true},"d":[1,2]}`, `{"a.b":true,"d":[3,4]}`}, stop: "nextPageFlag",
		},
		"a page that is longer than the limit makes any end doubtful": {
			pagination: offset(`"nextPageFlag":{"field":"more","stopOn":false}`), pages: []string{`{"more":false,"d":[1,2,3]}`}, stop: "nextPageFlag: unverified",
			warning: "a page has 3 items where the limit is 2, so pages may overlap or leave gaps: set limit to the page size of the API, or correct limitParam",
		},
		"and no warning hides another": {
			pagination: offset(`"limitStop":{"field":"n"}`), pages: []string{`{"d":[1,2,3]}`}, stop: "limitStop.field missing: unverified",
			warning: "a page has 3 items where the limit is 2, so pages may overlap or leave gaps: set limit to the page size of the API, or correct limitParam; limitStop.field: the response has no number at n: check the path",
		},
		"the first of several is the reason": {
			pagination: offset(`"limitStop":{"count":2},"forceStop":{"pages":1,"volume":1},"nextPageFlag":{"field":"f","stopOn":true}`),
			pages:      []string{`{"f":true,"d":[1,2]}`}, stop: "limitStop.count: unverified",
		},
		"and the method's own rule is the last": {
			pagination: offset(`"forceStop":{"pages":1}`), pages: []string{`[1]`}, stop: "forceStop.pages: unverified",
		},
		"pages without items go round in a circle": {
			pagination: `{"method":"response.url","urlKey":"n"}`,
			pages:      []string{`{"n":"a","d":[]}`, `{"n":"b","d":[]}`, `{"n":"a","t":1,"d":[]}`, `{"n":"b","t":2,"d":[]}`},
			err: "the pages repeat: the next request would be that of page 2 again: check " +
				"api.pagination, or end it with forceStop",
		},
		"a page without items is part of a circle": {
			pagination: `{"method":"response.url","urlKey":"n"}`,
			pages: []string{
				`{"n":"a","d":[1]}`, `{"n":"b","d":[]}`, `{"n":"a","d":[3]}`, `{"n":"b","t":1,"d":[]}`, `{"n":"a","t":1,"d":[3]}`,
			},
			err: "the pages repeat: the next request would be that of page 3 again: check " +
				"api.pagination, or end it with forceStop",
		},
		"a token that stays the same may bring no items now and then": {
			pagination: `{"method":"response.param","responseParam":"n","queryParam":"q"}`,
			pages: []string{
				`{"n":"a","d":[1]}`, `{"n":"a","d":[]}`, `{"n":"a","d":[2]}`, `{"n":"a","t":1,"d":[]}`, `{"n":"a","d":[3]}`, `{"n":"a","t":2,"d":[]}`, `{"d":[4]}`,
			},
			stop: "no next page",
		},
		"pages go round in a circle": {
			pagination: `{"method":"response.url","urlKey":"n"}`,
			pages: []string{
				`{"n":"a","d":[1]}`, `{"n":"b","d":[2]}`, `{"n":"a","d":[3]}`, `{"n":"b","d":[2],"t":1}`,
			},
			err: "the pages repeat: the next request would be that of page 2 again: check " +
				"api.pagination, or end it with forceStop",
		},
	})
}
