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

func TestSeveralValuesOfAnAnswerAreParametersOfTheNext(t *testing.T) {
	const two = `"method":"response.param","params":{"pk":{"path":"m.p"},"rk":{"path":"m.r"}}`
	runAll(t, map[string]walkCase{
		"each by its name, and the job's own with includeParams": {
			pagination: `{` + two + `,"includeParams":true}`, params: `{"a":1,"rk":"own"}`,
			pages: []string{`{"m":{"p":"x y","r":7},"d":[1]}`, `{"m":{"p":"z"},"d":[2]}`, `{"m":{"r":0,"p":""},"d":[3]}`},
			want:  []string{"e?a=1&rk=own", "e?a=1&rk=7&pk=x+y", "e?a=1&rk=own&pk=z"},
			stop:  "no next page",
		},
		"it ends where all are empty, and not before": {
			pagination: `{` + two + `}`,
			pages:      []string{`{"m":{"p":null,"r":"a"},"d":[1]}`, `{"m":{"p":0,"r":"b"},"d":[]}`, `{"m":{"p":" ","r":false},"d":[3]}`},
			want:       []string{"e", "e?rk=a", "e?pk=0&rk=b"},
			stop:       "no next page",
		},
		"parts of the request, and types": {
			pagination: `{"method":"response.param","params":{"n":{"path":"n","as":"number","to":"body"},"t":{"path":"t","as":"text","to":"body"},
				"b":{"path":"b","as":"boolean","to":"body"},"q":{"path":"n","to":"query"},"X-Next":{"path":"t","to":"header"}},
				"scrollRequest":{"method":"POST","headers":{"X":"y"}}}`,
			pages: []string{`{"n":" 12","t":34,"b":"TRUE","d":[1]}`, `{"d":[2]}`},
			want:  []string{"e", `POST e n=12 t="34" b=true ?q=" 12" X: y X-Next: 34`},
			stop:  "no next page",
		},
		"a text that is no number": {
			pagination: `{"method":"response.param","params":{"n":{"path":"n","as":"number"}}}`,
			pages:      []string{`{"n":"abc","d":[1]}`}, want: []string{"e"},
			err: `params.n: the response has a string at n that cannot be sent as a number`,
		},
		"an object that is no text": {
			pagination: `{"method":"response.param","params":{"n":{"path":"n","as":"text"}}}`,
			pages:      []string{`{"n":{"a":1},"d":[1]}`}, want: []string{"e"},
			err: `params.n: the response has an object at n that cannot be sent as a text`,
		},
		"one that is longer than a parameter": {
			pagination: `{` + two + `}`, pages: []string{`{"m":{"p":[null]},"d":[1]}`}, want: []string{"e"},
			err: `params.pk: what the response has at m.p is empty, or longer than a parameter can be`,
		},
		"the first item of the next page may be the one that was named": {
			pagination: `{` + two + `}`,
			pages: []string{`{"m":{"r":"q","p":"3"},"d":[{"id":1},{"id":2}]}`, `{"m":{"r":"q","p":"4"},"d":[{"id":3}]}`,
				`{"m":{},"d":[{"id":4}]}`},
			stop: "no next page",
		},
		"values that stay the same bring the same page": {
			pagination: `{` + two + `}`,
			pages:      []string{`{"m":{"p":1,"r":2},"d":[1]}`, `{"m":{"p":1,"r":2},"d":[2]}`, `{"m":{"p":1,"r":2},"d":[2]}`},
			stop:       "repeated page: unverified", warning: "the page is the same as the one before it: the API may ignore the paging parameters",
		},
		"values that go in a ring": {
			pagination: `{` + two + `}`,
			pages: []string{`{"m":{"p":1},"d":[1]}`, `{"m":{"r":2},"d":[2]}`, `{"m":{"p":1},"d":[3]}`,
				`{"m":{"r":2},"d":[2]}`},
			err: "the pages repeat: the next request would be that of page 2 again: check api.pagination, or end it with forceStop",
		},
	})
}

func TestANextPageIsComputedOfNumbersOfTheAnswer(t *testing.T) {
	const sum = `"method":"response.param","includeParams":true,"params":{"startAt":{"add":[{"path":"startAt"},{"path":"max"}]}}`
	runAll(t, map[string]walkCase{
		"it ends with a page without items": {
			pagination: `{` + sum + `}`, params: `{"max":2}`,
			pages: []string{`{"startAt":0,"max":2,"d":[1,2]}`, `{"startAt":"2","max":2,"d":[3]}`, `{"startAt":4,"max":2,"d":[]}`},
			want:  []string{"e?max=2", "e?max=2&startAt=2", "e?max=2&startAt=4"},
			stop:  "empty page",
		},
		"where a number is missing": {
			pagination: `{` + sum + `}`,
			pages:      []string{`{"startAt":0,"max":2,"d":[1,2]}`, `{"startAt":2,"max":null,"d":[3]}`},
			want:       []string{"e", "e?startAt=2"},
			stop:       "no next page",
		},
		"where it does not grow, which is no end": {
			pagination: `{` + sum + `}`, params: `{"startAt":10}`,
			pages: []string{`{"startAt":10,"max":2,"d":[1,2]}`, `{"startAt":10,"max":2,"d":[3,4]}`},
			want:  []string{"e?startAt=10", "e?startAt=12"},
			stop:  "no growth: unverified",
			warning: "the sum of startAt and max is not greater than what its page was asked for with: " +
				"check the paths of add in api.pagination, or page on by offset or pagenum",
		},
		"nor on the first page": {
			pagination: `{` + sum + `}`, params: `{"startAt":10}`,
			pages: []string{`{"startAt":0,"max":2,"d":[1,2]}`},
			want:  []string{"e?startAt=10"},
			stop:  "no growth: unverified",
			warning: "the sum of startAt and max is not greater than what its page was asked for with: " +
				"check the paths of add in api.pagination, or page on by offset or pagenum",
		},
		"an empty page that stands still is the end": {
			pagination: `{` + sum + `}`,
			pages:      []string{`{"startAt":0,"max":2,"d":[1,2]}`, `{"startAt":2,"max":0,"d":[]}`},
			stop:       "empty page",
		},
		"with emptyStop it goes on": {
			pagination: `{` + sum + `,"emptyStop":2}`,
			pages: []string{`{"startAt":0,"max":2,"d":[1,2]}`, `{"startAt":2,"max":2,"d":[]}`, `{"startAt":4,"max":2,"d":[1]}`,
				`{"startAt":6,"max":2,"d":[]}`, `{"startAt":8,"max":2,"d":[]}`},
			want: []string{"e", "e?startAt=2", "e?startAt=4", "e?startAt=6", "e?startAt=8"},
			stop: "empty page",
		},
		"a number of the configuration, beside a token that leads on": {
			pagination: `{"method":"response.param","params":{"page":{"add":[{"path":"page"},1],"as":"text","to":"body"},"c":{"path":"c"}}}`,
			method:     "POST",
			pages:      []string{`{"page":1,"c":"x","d":[1]}`, `{"page":2,"c":"y","d":[]}`, `{"page":3,"c":null,"d":[4]}`},
			want:       []string{"POST e", `POST e page="2" c="x"`, `POST e page="3" c="y"`},
			stop:       "no next page",
		},
		"below a number of the answer": {
			pagination: `{"method":"response.param","params":{"at":{"add":[{"path":"at"},{"path":"n"}],"below":{"path":"total"}}}}`,
			pages:      []string{`{"at":0,"n":2,"total":3,"d":[1,2]}`, `{"at":2,"n":2,"total":"3","d":[3]}`},
			want:       []string{"e", "e?at=2"},
			stop:       "bound of add",
		},
		"up to a number that one answer lacks": {
			pagination: `{"method":"response.param","params":{"page":{"add":[{"path":"page"},1],"upTo":{"path":"pages"}}}}`,
			pages:      []string{`{"page":1,"d":[1,2]}`, `{"page":2,"pages":3,"d":[3]}`, `{"page":3,"pages":3,"d":[4]}`},
			want:       []string{"e", "e?page=2", "e?page=3"},
			stop:       "bound of add",
		},
		"a bound that is no number": {
			pagination: `{"method":"response.param","params":{"page":{"add":[{"path":"page"},1],"upTo":{"path":"pages"}}}}`,
			pages:      []string{`{"page":1,"pages":"many","d":[1,2]}`}, want: []string{"e"},
			err: `params.page: the response has a string at pages that is no integer, and it is to bound a sum`,
		},
		"what is no number": {
			pagination: `{` + sum + `}`, pages: []string{`{"startAt":true,"max":2,"d":[1]}`}, want: []string{"e"},
			err: `params.startAt: the response has a boolean at startAt that is no integer, so nothing can be added`,
		},
		"what is too great": {
			pagination: `{` + sum + `}`, pages: []string{`{"startAt":9223372036854775807,"max":2,"d":[1]}`}, want: []string{"e"},
			err: `params.startAt: the sum of startAt and max is greater than a number can be`,
		},
		"pages of the API that ignores it": {
			pagination: `{` + sum + `}`,
			pages:      []string{`{"startAt":0,"max":2,"d":[1,2]}`, `{"startAt":0,"max":2,"d":[1,2]}`},
			stop:       "repeated page: unverified", warning: "the page is the same as the one before it: the API may ignore the paging parameters; " +
				"startAt is 0 on each page: the API ignores the parameter startAt",
		},
	})
}
