package suggest_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/suggest"
)

// An endingCase is an answer with which a walk ends, and what it should give.
type endingCase struct {
	name, asked, paging, params, link, header, answer, want string

	// method is that of a job with params, without one POST; items are two unless it says so.
	method request.Method
	items  int
	id     bool
}

// ending judges the answer as the first one of a walk.
func (c endingCase) ending(t *testing.T) (*suggest.LastAnswer, *paginate.PageOutcome) {
	t.Helper()
	job := &paginate.Job{Method: request.Get, Endpoint: "x"}
	if c.params != "" {
		job.Method = cmp.Or(c.method, request.Post)
		for name, value := range item.Members([]byte(c.params)) {
			job.Params = append(job.Params, request.Param{Name: item.Unquote(name), Value: value})
		}
	}
	facts := &paginate.Facts{Root: true}
	facts.Answer = evidence.Answer{
		Items:  cmp.Or(c.items, 2),
		Array:  true,
		Listed: true,
		Header: http.Header{},
		Asked:  at("https://a.test/x"),
	}
	if c.asked != "" {
		facts.Asked, job.Endpoint = at(c.asked), c.asked
	}
	if c.link != "" {
		facts.Header.Set("Link", c.link)
	}
	for line := range strings.SplitSeq(c.header, "\n") {
		if name, value, found := strings.Cut(line, ": "); found {
			facts.Header.Set(name, value)
		}
	}
	for name, value := range item.Members([]byte(c.answer)) {
		if !evidence.Notable(name) {
			t.Errorf("%s is not looked at", name)
		}
		found := item.Found{Path: item.Path{item.Unquote(name)}, Value: value}
		facts.Around = append(facts.Around, found)
	}
	var p config.Problems
	var configured *config.Node
	if c.paging != "" {
		configured = config.Parse("f", []byte(c.paging), &p)
	}
	paging := paginate.New(configured, paginate.Env{}, &p).For(nil, false, &p)
	for _, path := range paging.Needs.Values {
		facts.Values = append(facts.Values, item.Lookup([]byte(c.answer), path))
	}
	state := &paginate.State{}
	if _, err := paging.First(state, job); err != nil {
		t.Fatal(err)
	}
	out, err := paging.Judge(state, job, facts)
	if err != nil {
		t.Fatal(err)
	}
	first := suggest.First{HasID: c.id}
	return &suggest.LastAnswer{Paging: paging, Job: job, State: state, Facts: facts, First: first}, &out
}

// The suggestions for answers as APIs give them; an empty one where this version has
// no member that would follow the answer.
func TestWhatAnAnswerSaysBecomesAPaginationThatDecodes(t *testing.T) {
	const offset2 = `{"method": "offset", "limit": 2, `
	const link = `{"method": "response.url", "urlHeader": "Link"}`
	for _, c := range []endingCase{
		{name: "address", answer: `{"next":"https://a.test/x?page=2"}`, want: `{"method": "response.url", "urlKey": "next", "emptyStop": 3}`},
		{name: "address beside a number of pages", answer: `{"pagination":{"pages":4,"urls":{"next":"https://a.test/x?page=2"}}}`, want: `{"method": "response.url", "urlKey": "pagination.urls.next"}`},
		{name: "literal name", answer: `{"@odata.nextLink":"https://a.test/x?$skip=2"}`, want: `{"method": "response.url", "urlKey": "@odata.nextLink"}`},
		{name: "address without the job's parameters", params: `{"q":"a"}`, answer: `{"next":"/x?page=2"}`, want: `{"method": "response.url", "urlKey": "next", "includeParams": true, "emptyStop": 3}`},
		{name: "address with the job's parameters", params: `{"q":"a"}`, answer: `{"next":"/x?page=2&q=a"}`, want: `{"method": "response.url", "urlKey": "next", "emptyStop": 3}`},
		{name: "address that the job's parameters would undo", params: `{"q":"a","page":1}`, answer: `{"next":"/x?page=2"}`, want: `{"method": "response.url", "urlKey": "next", "emptyStop": 3}`},
		{name: "query", answer: `{"next":"?page=2"}`, want: `{"method": "response.url", "urlKey": "next", "paramIsQuery": true, "emptyStop": 3}`},
		{name: "token", answer: `{"meta":{"next_cursor":"a/b=="}}`, want: `{"method": "response.param", "responseParam": "meta.next_cursor", "queryParam": "cursor"}`},
		{name: "token with parameters", params: `{"q":"a"}`, answer: `{"nextPageToken":"t"}`, want: `{"method": "response.param", "responseParam": "nextPageToken", "queryParam": "pageToken", "includeParams": true}`},
		{name: "token beside isLast", answer: `{"nextPageToken":"t","isLast":false}`, want: `{"method": "response.param", "responseParam": "nextPageToken", "queryParam": "nextPageToken", "nextPageFlag": {"field": "isLast", "stopOn": true}}`},
		{name: "token with page_size", params: `{"page_size":2}`, answer: `{"next_cursor":"t"}`, want: `{"method": "response.param", "responseParam": "next_cursor", "queryParam": "start_cursor", "includeParams": true}`},
		{name: "token with a parameter about pages", params: `{"q":"a","pagination":{"per_page":2}}`, answer: `{"pages":{"next":{"starting_after":"t"}}}`, want: `{"method": "response.param", "responseParam": "pages.next.starting_after", "queryParam": ["pagination", "starting_after"], "includeParams": true}`},
		{name: "token with two parameters about pages", params: `{"a":{"limit":2},"b":{"limit":2}}`, answer: `{"next_cursor":"t"}`, want: `{"method": "response.param", "responseParam": "next_cursor", "queryParam": ["a", "cursor"], "includeParams": true}`},
		{name: "object", answer: `{"paging":{"next":{"after":"NTI"}}}`, want: `{"method": "response.param", "responseParam": "paging.next.after", "queryParam": "after"}`},
		{name: "object with a number and a cursor", answer: `{"pages":{"next":{"page":2,"starting_after":"NTI"}}}`, want: `{"method": "response.param", "responseParam": "pages.next.starting_after", "queryParam": "starting_after"}`},
		{name: "number of the next page", answer: `{"meta":{"next":2}}`, want: `{"method": "response.param", "responseParam": "meta.next", "queryParam": "page", "emptyStop": 3}`},
		{name: "cursor that is there at the end too", answer: `{"has_more":true,"cursor":"c"}`, want: `{"method": "response.param", "responseParam": "cursor", "queryParam": "cursor", "nextPageFlag": {"field": "has_more", "stopOn": false}}`},
		{name: "GraphQL without a variable", params: `{"query":"{}"}`, answer: `{"pageInfo":{"hasNextPage":true,"endCursor":"c"}}`},
		{name: "GraphQL", params: `{"query":"{x(after: $c){y}}"}`, answer: `{"pageInfo":{"hasNextPage":true,"endCursor":"c"}}`, want: `{"method": "response.param", "responseParam": "pageInfo.endCursor", "queryParam": ["variables", "c"], "includeParams": true, "nextPageFlag": {"field": "pageInfo.hasNextPage", "stopOn": false}}`},
		{name: "flag", answer: `{"has_more":true,"limit":2,"offset":0}`, want: offset2 + `"nextPageFlag": {"field": "has_more", "stopOn": false}}`},
		{name: "reversed flag", answer: `{"isLast":false,"startAt":0,"maxResults":2}`, want: offset2 + `"limitParam": "maxResults", "offsetParam": "startAt", "nextPageFlag": {"field": "isLast", "stopOn": true}}`},
		{name: "flag below the root", answer: `{"meta":{"has_more":true,"limit":2,"offset":0}}`, want: `{"method": "offset", "limit": 2, "nextPageFlag": {"field": "meta.has_more", "stopOn": false}}`},
		{name: "flag alone", answer: `{"has_more":true}`},
		{name: "total", answer: `{"total":9,"limit":2,"offset":0}`, want: `{"method": "offset", "limit": 2, "limitStop": {"field": "total"}}`},
		{name: "number of rows", answer: `{"rowCount":9,"limit":2,"offset":0}`, want: `{"method": "offset", "limit": 2, "limitStop": {"field": "rowCount"}}`},
		{name: "scroll", answer: `{"scroll_param":"c"}`, want: `{"method": "response.param", "responseParam": "scroll_param", "queryParam": "scroll_param"}`},
		{name: "total of pages", answer: `{"page":{"size":2,"number":0,"totalElements":9}}`, want: `{"method": "pagenum", "limit": 2, "limitParam": "size", "firstPage": 0, "limitStop": {"field": "page.totalElements"}}`},
		{name: "total in an object", asked: "https://a.test/x?size=2&from=0", answer: `{"page":1,"total":{"value":9,"relation":"eq"}}`, want: `{"method": "pagenum", "limit": 2, "limitParam": "size", "limitStop": {"field": "total.value"}}`},
		{name: "total, and a size that the API does not keep to", params: `{"limit":50}`, answer: `{"total":9,"limit":50,"offset":0}`, want: `{"method": "offset", "limit": 50, "advance": "items", "limitStop": {"field": "total"}}`},
		{name: "offset of the job", params: `{"offset":4,"limit":2}`, answer: `{"has_more":true}`, want: offset2 + `"offsetFromJob": true, "nextPageFlag": {"field": "has_more", "stopOn": false}}`},
		{name: "index that begins with 1", answer: `{"startIndex":1,"itemsPerPage":2,"totalResults":9}`},
		{name: "page number in a header", link: `<https://a.test/x?page=2>; rel="next"`, want: link},
		{name: "offset in a header", link: `<https://a.test/x?offset=2&limit=2>; rel="next"`, want: link},
		{name: "address in a header, without the job's parameters", params: `{"q":"a"}`, link: `</x?page=2>; rel="next"`, want: `{"method": "response.url", "urlHeader": "Link", "includeParams": true}`},
		{name: "query in a header", params: `{"q":"a"}`, link: `<?page=2>; rel="next"`, want: `{"method": "response.url", "urlHeader": "Link", "includeParams": true}`},
		{name: "address with a cursor, which stands for the job's parameters", params: `{"q":"a","limit":2}`, link: `</x?limit=2&after=c>; rel="next"`, want: link},
		{name: "address of another path, which stands for the job's parameters", params: `{"q":"a"}`, answer: `{"next":"/x/locator-2000"}`, want: `{"method": "response.url", "urlKey": "next"}`},
		{name: "list of links", answer: `{"links":[{"rel":"next","href":"https://a.test/x?page=2"}]}`, want: `{"method": "response.url", "urlKey": {"path": "links", "where": "rel==next", "value": "href"}}`},
		{name: "list of links below", answer: `{"meta":{"link":[{"relation":"next","url":"/x?page=2"}]}}`, want: `{"method": "response.url", "urlKey": {"path": "meta.link", "where": "relation==next", "value": "url"}}`},
		{name: "number of the next page in a header", header: "X-Next-Page: 2", want: `{"method": "response.param", "responseHeader": "X-Next-Page", "queryParam": "page"}`},
		{name: "token in a header", params: `{"q":"a"}`, header: "X-Ms-Continuationtoken: x", want: `{"method": "response.param", "responseHeader": "X-Ms-Continuationtoken", "queryParam": "continuationToken", "includeParams": true}`},
		{name: "flag and ids", answer: `{"has_more":true}`, id: true, want: `{"method": "cursor", "idKey": "id", "param": "starting_after", "take": "last", "nextPageFlag": {"field": "has_more", "stopOn": false}}`},
		{name: "capped page", paging: `{"method": "offset", "limit": 100, "offsetFromJob": true}`, items: 10, answer: `{"total":90}`, header: "X-Total-Count: 90", want: `{"method": "offset", "limit": 100, "offsetFromJob": true, "advance": "items"}`},
		{name: "short page with a number", paging: `{"method": "pagenum", "limit": 100}`, items: 7, answer: `{"total_count":90}`, want: `{"method": "pagenum", "limit": 100, "emptyStop": true}`},
		{name: "address beside a way back that leads nowhere", answer: `{"links":{"next":"https://a.test/x?page=2","previous":null}}`, want: `{"method": "response.url", "urlKey": "links.next"}`},
		{name: "address beside a way back on the first page", answer: `{"paging":{"previous":"https://a.test/x/b","next":"https://a.test/x/a"}}`, want: `{"method": "response.url", "urlKey": "paging.next", "emptyStop": 3}`},
		{name: "address that counts beside a total", answer: `{"_links":{"next":"/x?offset=2"},"total_count":9}`, want: `{"method": "offset", "limit": 2, "limitStop": {"field": "total_count"}}`},
		{name: "address of another path that counts, beside a total", answer: `{"nextUrl":"/envelopes?count=2&start_position=2","totalCount":9}`, want: `{"method": "offset", "limit": 2, "limitParam": "count", "offsetParam": "start_position", "limitStop": {"field": "totalCount"}}`},
		{
			name: "several values by the names of parameters", params: `{"committee":"C1","last_index":"","last_date":"","per_page":2}`, method: request.Get,
			answer: `{"pagination":{"count":9,"per_page":2,"last_indexes":{"last_index":"42","last_date":"2025-01-01"}}}`,
			want:   `{"method": "response.param", "params": {"last_index": {"path": "pagination.last_indexes.last_index"}, "last_date": {"path": "pagination.last_indexes.last_date"}}, "includeParams": true}`,
		},
		{
			name: "several values of the kinds that parameters have", params: `{"last_index":"7","last_date":"2024-12-31"}`, method: request.Get,
			answer: `{"pagination":{"count":9,"last_indexes":{"last_index":"42","last_date":"2025-01-01"}}}`,
			want:   `{"method": "response.param", "params": {"last_index": {"path": "pagination.last_indexes.last_index"}, "last_date": {"path": "pagination.last_indexes.last_date"}}, "includeParams": true}`,
		},
		{
			name: "parameters that the answer repeats", params: `{"sort":"name","limit":2,"q":""}`, method: request.Get,
			answer: `{"meta":{"sort":"name","limit":2,"q":"x","total":9,"offset":0}}`,
			want:   `{"method": "offset", "limit": 2, "limitStop": {"field": "meta.total"}}`,
		},
		{
			name: "headers that name parameters", params: `{"$filter":"a"}`, method: request.Get,
			header: "x-ms-continuation-NextPartitionKey: 1!8!YQ\nx-ms-continuation-NextRowKey: 1!4!Yg",
			want: `{"method": "response.param", "params": {"NextPartitionKey": {"header": "x-ms-continuation-NextPartitionKey"}, ` +
				`"NextRowKey": {"header": "x-ms-continuation-NextRowKey"}}, "includeParams": true}`,
		},
		{name: "nothing more", answer: `{"next":null,"has_more":false,"total":2,"limit":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ending, out := c.ending(t)
			best := ""
			if ways := ending.Ways(out); len(ways) > 0 {
				best = ways[0].Pagination
			}
			if best != c.want {
				t.Fatalf("got %s, want %s", best, c.want)
			}
			if c.want == "" {
				return
			}
			var p config.Problems
			suggested := paginate.New(config.Parse("f", []byte(c.want), &p), paginate.Env{}, &p)
			if err := p.Err(); err != nil {
				t.Fatal(err)
			}
			if _, err := suggested.First(&paginate.State{}, ending.Job); err != nil {
				t.Error(err)
			}
		})
	}
}

// at is an address that was asked for.
type at string

func (a at) Address() string { return string(a) }

func (a at) Numbers() evidence.Numbers { return nil }
