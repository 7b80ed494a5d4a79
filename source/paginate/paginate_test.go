package paginate_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/source/paginate"
	"sluice/source/request"
)

func TestAMistakeInPaginationIsToldWithItsPlace(t *testing.T) {
	const url = `{"method":"response.url"}`
	methods := strings.Join(paginate.Names(), ", ")
	for text, want := range map[string][]string{
		`{}`:                       {`pagination.method: is missing`},
		`[1]`:                      {`pagination: must be an object, not an array`},
		`{"method":"ofset"}`:       {`pagination.method: unknown method "ofset" (have ` + methods + `; did you mean offset?)`},
		`{"method":"offset"}`:      {`pagination.limit: is missing`},
		`{"method":"response.ur"}`: {`pagination.method: unknown method "response.ur" (have ` + methods + `; did you mean response.url?)`},
		`{"method":"offset","limit":0,"limitParam":"x","offsetParam":"x"}`: {
			`pagination: limitParam and offsetParam are both "x"`, `pagination.limit: must be positive`,
		},
		`{"method":"offset","limit":1.5,"page":1}`: {
			`pagination.limit: must be an integer, not 1.5`, `pagination.page: unknown member`,
		},
		`{"method":"pagenum","limit":-1,"pageParam":"x","limitParam":"x"}`: {
			`pagination: limitParam and pageParam are both "x"`, `pagination.limit: must be positive`,
		},
		`{"method":"pagenum","limitStop":{},"forceStop":{"pages":0,"volume":-1,"time":"tomorrow noon"},"nextPageFlag":{"field":"f"}}`: {
			`pagination.limitStop: must have exactly one of count, field and header`,
			`pagination.forceStop.pages: must be positive`,
			`pagination.forceStop.volume: must be positive`,
			`pagination.forceStop.time: must be a positive number of seconds, or a text such as "2 minutes", not "tomorrow noon"`,
			`pagination.nextPageFlag.stopOn: is missing`,
		},
		`{"method":"pagenum","limitStop":{"count":1,"field":"f"},"forceStop":{"time":0}}`: {
			`pagination.limitStop: must have exactly one of count, field and header`,
			`pagination.forceStop.time: must be a positive number of seconds, or a text such as "2 minutes", not 0`,
		},
		`{"method":"pagenum","forceStop":{"time":true}}`: {
			`pagination.forceStop.time: must be a positive number of seconds, or a text such as "2 minutes", not true`,
		},
		`{"method":"response.url","urlKey":"","delimiter":""}`: {
			`pagination.urlKey: must not be empty`, `pagination.delimiter: must not be empty`,
		},
		`{"method":"response.param","responseParam":""}`: {
			`pagination.responseParam: must not be empty`,
		},
		`{"method":"response.param","responseParam":"a","queryParam":"b","scrollRequest":{"endpoint":"http://[","method":"PUT","params":{"x":{"function":"md6"}},"dataField":"d"}}`: {
			`pagination.scrollRequest.endpoint: parse "http://[": missing ']' in host`,
			`pagination.scrollRequest.method: unknown method "PUT" (have GET, POST, FORM)`,
			`pagination.scrollRequest.params.x: unknown function "md6" (have`,
			`pagination.scrollRequest.dataField: unknown member`,
		},
		`{"method":"response.param","queryParam":"q","params":{}}`: {
			`pagination.params: must have at least one parameter`, `pagination.params: queryParam and params exclude each other`,
		},
		`{"method":"response.param","params":{"a":{},"b":{"path":"p","header":"h"},"c":{"path":"p","add":[1],"as":"boolean"},
			"d":{"add":[{"path":"a"},{"path":"b"},3,4]},"e":{"add":[{"path":"a"},0]},"f":{"add":[{}]},"g":{"path":"","to":"form"},
			"X-A":{"path":"x","to":"header"},"x-a":{"path":"x","to":"header"},"Y":{"path":"y","to":"header"},"h":3,"i":{"path":"p","in":1},
			"j":{"path":"p","below":{"path":"t"}},"k":{"add":[{"path":"p"},1],"below":{"path":"t"},"upTo":{}},"l":{"add":[{"path":"p"},1],"upTo":{}}},
			"scrollRequest":{"headers":{"Y":"1"}}}`: {
			`pagination.params.a: needs path, header or add: where the response has the value`,
			`pagination.params.b.header: path and header exclude each other`,
			`pagination.params.c.add: has no number of the response: write where it stands, such as {"path": "startAt"}`,
			`pagination.params.c.add: path and add exclude each other`,
			`pagination.params.c.as: is for what a response has, and a sum is a number`,
			`pagination.params.d.add: must have one to three numbers, not 4`,
			`pagination.params.e.add[1]: must be positive: the walk ends where the sum does not grow`,
			`pagination.params.f.add[0]: needs path, header or items: where the response has the number`,
			`pagination.params.g.path: must not be empty`,
			`pagination.params.g.to: unknown word "form" (have query, header, body)`,
			`pagination.params.x-a: is the header X-A, which carries another value already`,
			`pagination.params.h: must be an object, not a number`,
			`pagination.params.i.in: unknown member`,
			`pagination.params.j.below: is a bound of a sum: set add`,
			`pagination.params.k.upTo: below and upTo exclude each other`,
			`pagination.params.l.upTo: needs path, header or items: where the response has the number`,
			`pagination.scrollRequest.headers: has the header Y, which carries the value of params.Y: remove it there`,
		},
		`{"method":"none","nextPageFlag":[{"field":"more"},3],"sumStop":[{"add":[]},{"add":[{"items":true,"path":"p"}],"below":1},{"below":1}]}`: {
			`pagination.nextPageFlag[0].stopOn: is missing`,
			`pagination.nextPageFlag[1]: must be an object, not a number`,
			`pagination.sumStop[0]: needs below or upTo: what the sum is compared with`,
			`pagination.sumStop[0].add: must have one to three numbers, not 0`,
			`pagination.sumStop[1].add[0].items: path and items exclude each other`,
			`pagination.sumStop[2].add: is missing`,
		},
		`{"method":"cursor","idKey":"","param":""}`: {`pagination.idKey: must not be empty`, `pagination.param: must not be empty`},
		`{"method":"cursor"}`:                       {`pagination.idKey: is missing`, `pagination.param: is missing`},
		`{"method":"multiple"}`:                     {`pagination.scrollers: is missing`},
		`{"method":"multiple","scrollers":{}}`:      {`pagination.scrollers: must have at least one scroller`},
		`{"method":"multiple","scrollers":{"u":` + url + `,"m":{"method":"multiple"},"o":{"method":"offset"}},"default":"v"}`: {
			`pagination.scrollers.m.method: a scroller cannot be multiple itself`,
			`pagination.scrollers.o.limit: is missing`,
			`pagination.default: there is no scroller "v" (have o, u; did you mean o?)`,
		},
	} {
		_, p := compile(text, "")
		var got []string
		for _, problem := range p.All() {
			got = append(got, problem.Path+": "+problem.Text)
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %q", text, got)
			continue
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%s: got %q, want %q", text, got[i], want[i])
			}
		}
	}
}

func TestAScrollerMustBeOneThatThereIs(t *testing.T) {
	_, p := compile(`{"method":"multiple","scrollers":{"byUrl":{"method":"response.url"}}}`, "byURL")
	if all := p.All(); len(all) != 1 || all[0].Severity != "error" || all[0].Path != "scroller" || all[0].Text != `there is no scroller "byURL" (have byUrl; did you mean byUrl?)` {
		t.Errorf("got %v", all)
	}
	_, p = compile(`{"method":"response.url"}`, "x")
	if all := p.All(); len(all) != 1 || all[0].Severity != "warning" || all[0].Text != "has no effect, since api.pagination.method is not multiple" {
		t.Errorf("got %v", all)
	}
}

func TestAJobWithoutPaginationIsOneRequest(t *testing.T) {
	paging := mustCompile(t, `null`, "")
	if needs := paging.Needs; len(needs.Values) > 0 || needs.Range != nil {
		t.Errorf("got %+v", paging)
	}
	walkCase{
		pagination: `null`, defaults: `{"a":1,"b":1}`, params: `{"a":2}`,
		pages: []string{`[1]`}, want: []string{"e?a=2&b=1"}, stop: "no paging",
	}.run(t)
}

func TestAWalkThatIsWrittenDownGoesOnTheSame(t *testing.T) {
	next := func(n int) string { return string(rune('a' + n)) }
	for _, pagination := range []string{
		`{"method":"offset","limit":2}`,
		`{"method":"pagenum","limit":2,"firstPageParams":false}`,
		`{"method":"response.url"}`,
		`{"method":"zendesk.response.url","includeParams":true}`,
		`{"method":"response.param","responseParam":"next_page","queryParam":"q","scrollRequest":{"method":"POST","headers":{"X":"y"},"params":{"p":{"attr":"#k"}}}}`,
		`{"method":"cursor","idKey":"id","param":"since","increment":1}`,
		`{"method":"multiple","default":"c","scrollers":{"c":{"method":"cursor","idKey":"id","param":"since","limitStop":{"field":"total"}}}}`,
		`{"method":"pagenum","forceStop":{"volume":400,"time":4}}`,
	} {
		paging := mustCompile(t, pagination, "")
		serve := func(n int, _ *paginate.Request) answer {
			if n == 20 {
				return answer{body: `{"total":40,"d":[]}`}
			}
			id := string(rune('0'+n/10)) + string(rune('0'+n%10))
			return answer{body: `{"total":40,"next_page":"` + next(n) + `","d":[{"id":"1` + id + `"},{"id":100000000000000000` + "1" + id + `}]}`}
		}
		job := paginate.Job{Params: params(`{"a":"x"}`)}
		kept, written := walk(t, paging, job, true, serve), walk(t, paging, job, false, serve)
		if d := cmp.Diff(kept, written, cmp.AllowUnexported(trace{})); d != "" || kept.err != nil || kept.emitted < 4 {
			t.Errorf("%s: %d pages, %v\n%s", pagination, kept.emitted, kept.err, d)
		}
	}
}

func TestGuessesAreTheRequestsThatComeIfAllPagesAreFull(t *testing.T) {
	for _, pagination := range []string{
		`{"method":"offset","limit":2,"offsetFromJob":true}`,
		`{"method":"offset","limit":2,"firstPageParams":false}`,
		`{"method":"pagenum","limit":2,"firstPage":0}`,
		`{"method":"pagenum","firstPageParams":false}`,
	} {
		paging := mustCompile(t, pagination, "")
		j := &paginate.Job{Method: request.Get, Endpoint: "e", Params: params(`{"offset":5,"page":9}`)}
		tr := walk(t, paging, *j, true, func(n int, _ *paginate.Request) answer {
			if n == 5 {
				return answer{body: `[]`}
			}
			return answer{body: `[` + strings.Repeat("1,", n%2) + `2,` + strings.Repeat("3,", 1-n%2) + string(rune('0'+n)) + `]`}
		})
		if len(tr.requests) != 5 {
			t.Fatalf("%s: %d requests", pagination, len(tr.requests))
		}
		for k, want := range tr.requests {
			if r := paging.Guess(j, &paginate.State{}, k+1); r == nil || show(r) != want {
				t.Errorf("%s: page %d would be %v, but is %s", pagination, k+1, r, want)
			}
		}
	}
}

func TestAGuessOfAnOffsetByItemsIsAsLongAsTheLastPage(t *testing.T) {
	paging := mustCompile(t, `{"method":"offset","limit":500,"advance":"items"}`, "")
	j, s := &paginate.Job{Method: request.Get, Endpoint: "e"}, &paginate.State{}
	if r := paging.Guess(j, s, 2); r != nil {
		t.Errorf("before any page came: %s", show(r))
	}
	s.Pages, s.Own.Number, s.Seen.Pages.Last.Items = 2, 180, 80
	for page, want := range map[int]string{1: "e?limit=500&offset=0", 3: "e?limit=500&offset=180", 5: "e?limit=500&offset=340"} {
		if r := paging.Guess(j, s, page); r == nil || show(r) != want {
			t.Errorf("page %d would be %v, want %s", page, r, want)
		}
	}
}

func TestAGuessIsNotMadeOfWhatCannotBeKnownBefore(t *testing.T) {
	j := &paginate.Job{Params: params(`{"offset":9223372036854775800}`)}
	for pagination, page := range map[string]int{
		`{"method":"response.url"}`:                                         2,
		`{"method":"cursor","idKey":"id","param":"p"}`:                      2,
		`{"method":"offset","limit":5,"offsetFromJob":true}`:                3,
		`{"method":"pagenum","firstPage":"9223372036854775807"}`:            2,
		`{"method":"multiple","scrollers":{"a":{"method":"response.url"}}}`: 2,
	} {
		if r := mustCompile(t, pagination, "").Guess(j, &paginate.State{}, page); r != nil {
			t.Errorf("%s: got %s", pagination, show(r))
		}
	}
}

func TestRequestsAreTheSameIfTheyAskForTheSamePage(t *testing.T) {
	base := func() *paginate.Request {
		return &paginate.Request{Method: request.Get, Endpoint: "e", Params: params(`{"a":1}`), Header: map[string][]string{"X": {"1"}}}
	}
	for name, change := range map[string]func(*paginate.Request){
		"method":    func(r *paginate.Request) { r.Method = request.Form },
		"endpoint":  func(r *paginate.Request) { r.Endpoint = "f" },
		"source":    func(r *paginate.Request) { r.Given = true },
		"parameter": func(r *paginate.Request) { r.Params = params(`{"a":2}`) },
		"header":    func(r *paginate.Request) { r.Header = map[string][]string{"X": {"2"}} },
	} {
		a, b := base(), base()
		if !a.Same(b) {
			t.Fatal("a request is not the same as itself")
		}
		change(b)
		if a.Same(b) || reflect.DeepEqual(a, b) {
			t.Errorf("another %s is no difference", name)
		}
	}
}
