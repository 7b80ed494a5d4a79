package paginate_test

import (
	"testing"
	"time"

	"sluice/source/request"
)

func TestResponseURL(t *testing.T) {
	runAll(t, map[string]walkCase{
		"the value is the next endpoint, without the job's parameters": {
			pagination: `{"method":"response.url"}`, defaults: `{"key":"k"}`, params: `{"a":1}`,
			pages: []string{`{"next_page":"e?page=2","d":[1]}`, `{"next_page":" https://h/x ","d":[]}`, `{"d":[3]}`},
			want:  []string{"e?key=k&a=1", "given e?page=2?key=k", "given https://h/x?key=k"},
			stop:  "no next page",
		},
		"includeParams sends them for every page": {
			pagination: `{"method":"response.url","includeParams":true}`, params: `{"a":1}`,
			pages: []string{`{"next_page":"e?page=2","d":[1]}`, `{"next_page":null,"d":[]}`},
			want:  []string{"e?a=1", "given e?page=2?a=1"},
			stop:  "no next page",
		},
		"urlKey is a path": {
			pagination: `{"method":"response.url","urlKey":"links.next"}`,
			pages:      []string{`{"links":{"next":"b"},"d":[1]}`, `{"links":{"next":""},"d":[2]}`},
			want:       []string{"e", "given b"},
			stop:       "no next page",
		},
		"with steps between delimiters": {
			pagination: `{"method":"response.url","urlKey":"@odata.nextLink/0","delimiter":"/"}`,
			pages:      []string{`{"@odata.nextLink":{"0":"b"},"d":[1]}`, `{"@odata.nextLink":{"0":false},"d":[2]}`},
			want:       []string{"e", "given b"},
			stop:       "no next page",
		},
		"paramIsQuery": {
			pagination: `{"method":"response.url","paramIsQuery":true}`, endpoint: "e", defaults: `{"key":"k"}`, params: `{"a":1}`,
			pages: []string{`{"next_page":"?x=%20a&x=b","d":[1]}`, `{"next_page":"key=l&x=3","d":[2]}`, `{"d":[3]}`},
			want:  []string{"e?key=k&a=1", "e?key=k&x=%20a&x=b", "e?key=l&x=3"},
			stop:  "no next page",
		},
		"paramIsQuery with includeParams is over the job's parameters": {
			pagination: `{"method":"response.url","paramIsQuery":true,"includeParams":true}`, params: `{"page":1,"a":1}`,
			pages: []string{`{"next_page":"page=2","d":[1]}`, `{"d":[2]}`},
			want:  []string{"e?page=1&a=1", "e?page=2&a=1"},
			stop:  "no next page",
		},
		"paramIsQuery of a POST goes into its body": {
			pagination: `{"method":"response.url","paramIsQuery":true}`, method: request.Post, params: `{"a":1}`,
			pages: []string{`{"next_page":"?p=a+b&q","d":[1]}`, `{"d":[2]}`},
			want:  []string{"POST e a=1", `POST e p="a b" q=""`},
			stop:  "no next page",
		},
		"what is no text is no address": {
			pagination: `{"method":"response.url","urlKey":"meta.next"}`, pages: []string{`{"meta":{"next":7},"d":[1]}`},
			err: "urlKey: the response has a number at meta.next, and not the address of the next page",
		},
		"an address that leads to its own page ends with the repetition": {
			pagination: `{"method":"response.url"}`,
			pages:      []string{`{"next_page":"b","d":[1]}`, `{"next_page":"b","d":[2]}`, `{"next_page":"b","d":[2]}`},
			want:       []string{"e", "given b", "given b"},
			stop:       "repeated page: unverified", warning: "the page is the same as the one before it: the API may ignore the paging parameters",
		},
		"even if each answer differs beside its items": {
			pagination: `{"method":"response.url"}`,
			pages:      []string{`{"next_page":"b","d":[1]}`, `{"next_page":"b","t":1,"d":[2]}`, `{"next_page":"b","t":2,"d":[2]}`},
			stop:       "repeated page: unverified", warning: "the page is the same as the one before it: the API may ignore the paging parameters",
		},
	})
}

func TestZendeskResponseURL(t *testing.T) {
	const pagination = `{"method":"zendesk.response.url"}`
	// The walk begins at 1772366400; the dialect does not ask for the last six minutes.
	runAll(t, map[string]walkCase{
		"addresses are followed until one begins too recently": {
			pagination: pagination, params: `{"start_time":1}`,
			pages: []string{`{"next_page":"e?start_time=1772366039","d":[1]}`, `{"next_page":"e?a=1&start_time=1772366041","d":[2]}`},
			want:  []string{"e?start_time=1", "given e?start_time=1772366039"},
			stop:  "end of export",
		},
		"recently is before the page, not before the walk": {
			pagination: pagination,
			pages:      []string{`{"next_page":"e?start_time=1772366400","d":[1]}`, `{"next_page":"e?start_time=1772366401","d":[2]}`},
			after:      []time.Duration{6 * time.Minute, 6 * time.Minute},
			stop:       "end of export",
		},
		"an address without a time is followed": {
			pagination: pagination,
			pages:      []string{`{"next_page":"e?start_time=now","d":[1]}`, `{"next_page":"e?cursor=x","d":[2]}`, `{"next_page":"","d":[3]}`},
			want:       []string{"e", "given e?start_time=now", "given e?cursor=x"},
			stop:       "no next page",
		},
		"a query has a time, too": {
			pagination: `{"method":"zendesk.response.url","paramIsQuery":true}`,
			pages:      []string{`{"next_page":"start_time=1772366400","d":[1]}`},
			stop:       "end of export",
		},
		"what is no text is no address": {
			pagination: pagination, pages: []string{`{"next_page":{"a":1},"d":[1]}`},
			err: "urlKey: the response has an object at next_page, and not the address of the next page",
		},
	})
}

func TestResponseParam(t *testing.T) {
	const token = `"method":"response.param","responseParam":"meta.next","queryParam":"token"`
	runAll(t, map[string]walkCase{
		"the value is a parameter, without the job's": {
			pagination: `{` + token + `}`, defaults: `{"key":"k"}`, params: `{"a":1}`,
			pages: []string{`{"meta":{"next":"x y"},"d":[1]}`, `{"meta":{"next":12345678901234567890},"d":[2]}`, `{"meta":{},"d":[3]}`},
			want:  []string{"e?key=k&a=1", "e?key=k&token=x+y", "e?key=k&token=12345678901234567890"},
			stop:  "no next page",
		},
		"includeParams sends them for every page": {
			pagination: `{` + token + `,"includeParams":true}`, params: `{"token":0,"a":1}`,
			pages: []string{`{"meta":{"next":1},"d":[1]}`, `{"meta":{"next":0},"d":[2]}`},
			want:  []string{"e?token=0&a=1", "e?token=1&a=1"},
			stop:  "no next page",
		},
		"a structured value is sent like any other": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"meta":{"next":["2026-01-01",7]},"d":[1]}`, `{"meta":{"next":[]},"d":[2]}`},
			want:       []string{"e", "e?token%5B0%5D=2026-01-01&token%5B1%5D=7"},
			stop:       "no next page",
		},
		"but not one that is longer than a parameter": {
			pagination: `{` + token + `}`, pages: []string{`{"meta":{"next":[null]},"d":[1]}`},
			err: "responseParam: what the response has at meta.next is empty, or longer than a parameter can be",
		},
		"scrollRequest is merged deeply over the job's request": {
			pagination: `{` + token + `,"includeParams":true,"scrollRequest":{"endpoint":"scroll","method":"post","headers":{"X-Scroll":"1"},
				"params":{"q":{"b":{"y":3},"z":[9]},"c":null,"secret":{"function":"concat","args":[{"attr":"#key"},"!"]}}}}`,
			params: `{"q":{"a":1,"b":{"x":1,"y":2},"z":[1,2]},"c":5,"d":6}`,
			pages:  []string{`{"meta":{"next":"x"},"d":[1]}`, `{"meta":{"next":""},"d":[2]}`},
			want: []string{
				"e?q%5Ba%5D=1&q%5Bb%5D%5Bx%5D=1&q%5Bb%5D%5By%5D=2&q%5Bz%5D%5B0%5D=1&q%5Bz%5D%5B1%5D=2&c=5&d=6",
				`POST scroll q={"a":1,"b":{"x":1,"y":3},"z":[9]} c=null d=6 secret="#key of config!" token="x" X-Scroll: 1`,
			},
			stop: "no next page",
		},
		"without includeParams it stands alone": {
			pagination: `{` + token + `,"scrollRequest":{"params":{"scroll":"1m"}}}`, params: `{"q":1}`,
			pages: []string{`{"meta":{"next":"x"},"d":[1]}`, `{"meta":{"next":""},"d":[2]}`},
			want:  []string{"e?q=1", "e?scroll=1m&token=x"},
			stop:  "no next page",
		},
		"a token that stays the same is used while it brings new items": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"meta":{"next":"x"},"d":[1]}`, `{"meta":{"next":"x"},"d":[2]}`, `{"meta":{"next":"x"},"d":[3]}`, `{"meta":{"next":"x"},"t":1,"d":[]}`, `{"meta":{"next":"x"},"t":2,"d":[]}`},
			want:       []string{"e", "e?token=x", "e?token=x", "e?token=x", "e?token=x"},
			stop:       "nothing new",
		},
	})
}
