package paginate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/pipeline/report"
	"sluice/source/paginate"
	"sluice/source/request"
)

func TestAWalkThatBringsNothingNewEnds(t *testing.T) {
	const token = `"method":"response.param","responseParam":"next","queryParam":"t"`
	emptyPages := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(`{"next":%d,"d":[]}`, i+1))
		}
		return all
	}
	const told = `page 100 is the 100th in a row without items, and leads to a next one: ` +
		`to end earlier set "emptyStop": true, or a number of such pages, in api.pagination`
	runAll(t, map[string]walkCase{
		"at an empty page after as many items as an answer with items has said": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total_count":2,"d":[1]}`, `{"next":2,"total_count":2,"d":[2]}`, `{"next":3,"d":[]}`},
			stop:       "empty page",
		},
		"not where only an empty page has said it": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"d":[1]}`, `{"next":2,"total_count":1,"d":[]}`, `{"next":3,"total_count":1,"d":[]}`, `{}`},
			stop:       "no next page",
		},
		"nor where there are at least so many": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total":{"value":1,"relation":"gte"},"d":[1,2]}`, `{"next":2,"d":[]}`, `{}`},
			stop:       "no next page",
		},
		"nor where the total is that of each page": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total_count":2,"d":[1,2]}`, `{"next":2,"total_count":1,"d":[3]}`, `{"next":3,"d":[]}`, `{"d":[4]}`},
			stop:       "no next page",
		},
		"also where empty pages say that there are none": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total_count":2,"d":[1]}`, `{"next":2,"total_count":2,"d":[2]}`, `{"next":3,"total_count":0,"d":[]}`},
			stop:       "empty page",
		},
		"but not after one page, whose own number it may be": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total_count":1,"d":[1]}`, `{"next":2,"total_count":0,"d":[]}`, `{"total_count":1,"d":[2]}`},
			stop:       "no next page",
		},
		"nor where there are more now": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"total_count":1,"d":[1]}`, `{"next":2,"total_count":2,"d":[]}`, `{"total_count":2,"d":[2]}`},
			stop:       "no next page",
		},
		"nor where a flag says that there is more": {
			pagination: `{` + token + `,"nextPageFlag":{"field":"f","stopOn":false,"ifNotSet":true}}`,
			pages:      []string{`{"next":1,"total_count":1,"f":true,"d":[1]}`, `{"next":2,"f":true,"d":[]}`, `{"f":false,"d":[2]}`},
			stop:       "nextPageFlag",
		},
		"nor with emptyStop false": {
			pagination: `{` + token + `,"emptyStop":false}`,
			pages:      []string{`{"next":1,"total_count":1,"d":[1]}`, `{"next":2,"d":[]}`, `{"d":[2]}`},
			stop:       "no next page",
		},
		"where an empty page leads to itself, twice": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"d":[1]}`, `{"next":1,"d":[]}`, `{"next":1,"now":2,"d":[]}`},
			want:       []string{"e", "e?t=1", "e?t=1"},
			stop:       "nothing new",
		},
		"not where it goes on at the second time": {
			pagination: `{` + token + `}`,
			pages:      []string{`{"next":1,"d":[]}`, `{"next":1,"d":[]}`, `{"next":2,"d":[]}`, `{"next":2,"d":[]}`, `{"next":3,"d":[2]}`, `{}`},
			stop:       "no next page",
		},
		"with emptyStop at the first empty page": {
			pagination: `{` + token + `,"emptyStop":1}`,
			pages:      []string{`{"next":1,"d":[1]}`, `{"next":2,"d":[]}`},
			stop:       "empty page",
		},
		"at the third in a row": {
			pagination: `{` + token + `,"emptyStop":3}`,
			pages:      []string{`{"next":1,"d":[]}`, `{"next":2,"d":[]}`, `{"next":3,"d":[1]}`, `{"next":4,"d":[]}`, `{"next":5,"d":[]}`, `{"next":6,"d":[]}`},
			stop:       "empty page",
		},
		"by an offset, where a short page is no end either": {
			pagination: `{"method":"offset","limit":3,"emptyStop":"2"}`,
			pages:      []string{`[1]`, `[]`, `[2]`, `[]`, `[]`},
			want:       []string{"e?limit=3&offset=0", "e?limit=3&offset=3", "e?limit=3&offset=6", "e?limit=3&offset=9", "e?limit=3&offset=12"},
			stop:       "empty page",
		},
		"by page numbers without a limit": {
			pagination: `{"method":"pagenum","emptyStop":2}`, pages: []string{`[1]`, `[]`, `[]`}, stop: "empty page",
		},
		"whatever the number, where nothing leads on": {
			pagination: `{"method":"multiple","emptyStop":3,"default":"c","scrollers":{"c":{"method":"cursor","idKey":"id","param":"since"}}}`,
			pages:      []string{`[{"id":1}]`, `[]`}, stop: "empty page",
		},
		"nor the offset moves": {
			pagination: `{"method":"multiple","emptyStop":3,"default":"o","scrollers":{"o":{"method":"offset","limit":2,"advance":"items","emptyStop":false}}}`,
			pages:      []string{`[1]`, `[]`}, stop: "empty page",
		},
		"by the least number, beside the scrollers or in one": {
			pagination: `{"method":"multiple","emptyStop":3,"default":"p","scrollers":{"p":{"method":"pagenum","emptyStop":2}}}`,
			pages:      []string{`[]`, `[]`}, stop: "empty page",
		},
		"after 400 empty pages in a row it may go on": {
			pagination: `{` + token + `}`, pages: append(emptyPages(400), `{"d":[1]}`), stop: "no next page", warning: told,
		},
		"after 1,000 it may not": {
			pagination: `{` + token + `}`, pages: emptyPages(1000), stop: "empty pages: unverified",
			warning: told + "\n1000 pages in a row have no items, and each leads to a next one: if the first of them is the end, " +
				`set "emptyStop": true in api.pagination; if items follow, set it to false or to a greater number`,
		},
		"but for a person": {
			pagination: `{` + token + `,"emptyStop":false}`, pages: append(emptyPages(1001), `{}`), stop: "no next page", warning: told,
		},
		"who is told nothing after a number": {
			pagination: `{` + token + `,"emptyStop":101}`, pages: emptyPages(101), stop: "empty page",
		},
		"at twice as many items as there are": {
			pagination: `{"method":"cursor","idKey":"id","param":"since"}`,
			pages:      []string{`{"total_count":2,"d":[{"id":1}]}`, `{"total_count":2,"d":[{"id":2}]}`, `{"d":[{"id":3}]}`, `{"d":[{"id":4}]}`},
			stop:       "beyond the total: unverified",
			warning: "4 items came, where the answers say that there are 2, at total_count: the API may give the same items again: " +
				"check param (since) and idKey of api.pagination; if that number is not the total, set \"trustEnd\": true in the job",
		},
		"which a total may mean as pages, up to that many": {
			pagination: `{"method":"pagenum"}`,
			pages: []string{
				`{"paging":{"current":1,"total":3},"d":[1,2]}`, `{"paging":{"current":2,"total":3},"d":[3,4]}`,
				`{"paging":{"current":3,"total":3},"d":[5,6]}`, `{"paging":{"current":4,"total":3},"d":[7,8]}`,
			},
			stop: "beyond the total: unverified",
			warning: "8 items came, where the answers say that there are 3, at paging.total: the API may give the same items again: " +
				"check pageParam (page) and limitParam (limit) of api.pagination; if that number is not the total, set \"trustEnd\": true in the job",
		},
		"not if there are so many pages": {
			pagination: `{"method":"pagenum"}`,
			pages: []string{
				`{"paging":{"current":1,"total":3},"d":[1,2]}`, `{"paging":{"current":2,"total":3},"d":[3,4]}`,
				`{"paging":{"current":3,"total":3},"d":[5,6]}`, `{"paging":{"current":4,"total":3},"d":[]}`,
			},
			stop: "empty page",
		},
		"not if that is the number of the first page": {
			pagination: `{"method":"pagenum"}`,
			pages:      []string{`{"total_count":1,"d":[1]}`, `{"total_count":1,"d":[2]}`, `{"d":[]}`}, stop: "empty page",
		},
		"nor if the number is of what is left": {
			pagination: `{"method":"pagenum"}`,
			pages:      []string{`{"total_count":4,"d":[1]}`, `{"total_count":3,"d":[2]}`, `{"total_count":2,"d":[3]}`, `{"total_count":1,"d":[4]}`, `{"d":[]}`},
			stop:       "empty page",
		},
		"nor if the end is trusted": {
			pagination: `{"method":"pagenum","trustEnd":true}`,
			pages:      []string{`{"total_count":2,"d":[1]}`, `{"d":[2]}`, `{"d":[3]}`, `{"d":[4]}`, `{"d":[]}`}, stop: "empty page",
		},
	})
}

func TestEmptyStopIsANumberOfPages(t *testing.T) {
	for text, want := range map[string]string{
		`{"method":"pagenum","emptyStop":-1}`:    `must be true, false or a positive number of pages, not -1`,
		`{"method":"pagenum","emptyStop":1.5}`:   `must be true, false or a positive number of pages, not 1.5`,
		`{"method":"pagenum","emptyStop":"yes"}`: `must be true, false or a positive number of pages, not "yes"`,
		`{"method":"offset","limit":1,"advance":"items","emptyStop":2}`: `must be true: a page without items leads to no other page here, ` +
			`so the same one would be asked for again`,
		`{"method":"cursor","idKey":"id","param":"p","emptyStop":2}`: `must be true: a page without items leads to no other page here, ` +
			`so the same one would be asked for again`,
		`{"method":"pagenum","emptyStop":null}`:                                          "",
		`{"method":"pagenum","emptyStop":0}`:                                             "",
		`{"method":"offset","limit":1,"advance":"items","emptyStop":true}`:               "",
		`{"method":"response.param","responseParam":"a","queryParam":"b","emptyStop":9}`: "",
	} {
		_, p := compile(text, "")
		got := ""
		for _, problem := range p.All() {
			got += problem.Text
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestTheEndIsConfirmedWhereItemsMayBeMissing(t *testing.T) {
	for name, c := range map[string]struct {
		pagination, page string
		want             string
	}{
		"a short first page: right after it": {`{"method":"offset","limit":5,"offsetFromJob":true}`, `[1,2,3]`, "e?offset=10&limit=5"},
		"an empty one: a limit further":      {`{"method":"offset","limit":5}`, `[]`, "e?offset=5&limit=5"},
		"page numbers: the next":             {`{"method":"pagenum","limit":5}`, `[1,2,3]`, "e?offset=7&page=2&limit=5"},
		"after an empty page":                {`{"method":"pagenum"}`, `[]`, "e?offset=7&page=2"},
		"where the answers lead on":          {`{"method":"response.param","responseParam":"n","queryParam":"t","emptyStop":true}`, `{"n":1,"d":[]}`, "e?t=1"},
		"nothing leads on from no items":     {`{"method":"cursor","idKey":"id","param":"p"}`, `[]`, ""},
		"nor does the offset":                {`{"method":"offset","limit":5,"advance":"items"}`, `[]`, ""},
		"a bound of a person":                {`{"method":"pagenum","forceStop":{"pages":1}}`, `[1]`, ""},
	} {
		paging := mustCompile(t, c.pagination, "")
		j := &paginate.Job{Method: request.Get, Endpoint: "e", Params: params(`{"offset":7}`)}
		s := &paginate.State{Started: began}
		if _, err := paging.First(s, j); err != nil {
			t.Fatal(err)
		}
		f, err := read(paging, s, answer{body: c.page})
		if err != nil {
			t.Fatal(err)
		}
		out, err := paging.Judge(s, j, f)
		if err != nil || out.Stop == nil {
			t.Fatalf("%s: %v, %+v", name, err, out)
		}
		got := ""
		if next := paging.Beyond(s, j, f, &out); next != nil {
			got = show(next)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A fickle API has three pages of items. What follows is up to its kind, whatever it is asked for.
type fickle struct {
	random *rand.Rand
	// Says how many items there are; keeps what stands around them.
	total, still bool
	// What tells its items apart; whether one member of each changes from answer to answer.
	key     string
	ticking bool
	// Is after the last page: empty pages, the last one, or the first again.
	after string
	// Ignores all parameters.
	deaf bool
	// Page that was given last.
	page int
}

func (a *fickle) answer(n int, r *paginate.Request) answer {
	a.page = n
	if a.deaf {
		a.page = 1
	} else if p := number(r.Params, "page", 0) + number(r.Params, "offset", 0)/3; p > 0 {
		a.page = p
	}
	first := 3*(a.page-1) + 1
	switch {
	case a.page <= 3:
	case a.after == "last":
		first = 7
	case a.after == "round":
		first = 3*((a.page-1)%3) + 1
	default:
		first = 0
	}
	var items []string
	for i := range 3 {
		if first > 0 {
			items = append(items, a.item(first+i, n))
		}
	}
	text := `{"d":[` + strings.Join(items, ",") + `]`
	if a.total {
		text += `,"total_count":9`
	}
	next := a.page + 1
	if a.after == "last" {
		next = min(a.page, 3) + 1
	}
	if !a.still {
		next = []int{n + 1, a.page + 1, 4}[a.random.IntN(3)]
		text += fmt.Sprintf(`,"now":%d,"gone":%t`, n, a.random.IntN(2) > 0)
	}
	return answer{body: text + fmt.Sprintf(`,"next":%d,"link":"page=%[1]d"}`, next)}
}

// item is one of the nth answer.
func (a *fickle) item(number, n int) string {
	clock := 0
	if a.ticking {
		clock = n
	}
	return fmt.Sprintf(`{%q:%d,"state":"open","at":%d}`, a.key, number, clock)
}

func TestEachWalkOverABoundedListEnds(t *testing.T) {
	methods := []string{
		`"method":"offset","limit":3`, `"method":"offset","limit":2`, `"method":"offset","limit":3,"offsetParam":"wrong"`,
		`"method":"offset","limit":5,"advance":"items"`, `"method":"pagenum"`, `"method":"pagenum","limit":3`, `"method":"pagenum","pageParam":"wrong"`,
		`"method":"pagenum","firstPage":0`, `"method":"cursor","idKey":"id","param":"page"`, `"method":"cursor","idKey":"id","param":"wrong","take":"last"`,
		`"method":"response.param","responseParam":"next","queryParam":"page"`, `"method":"response.param","responseParam":"next","queryParam":"wrong"`,
		`"method":"response.url","urlKey":"link","paramIsQuery":true`, `"method":"zendesk.response.url","urlKey":"link","paramIsQuery":true`,
		`"method":"response.url","urlKey":"wrong"`, `"method":"multiple","default":"p","scrollers":{"p":{"method":"pagenum","limit":3}}`, `"method":"response.param","responseParam":"now","queryParam":"page"`,
	}
	stops := []string{``, `,"emptyStop":true`, `,"emptyStop":7`, `,"nextPageFlag":{"field":"gone","stopOn":true,"ifNotSet":false}`, `,"limitStop":{"field":"total_count"}`}
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 13))
		pagination := `{` + methods[random.IntN(len(methods))] + stops[random.IntN(len(stops))] + `}`
		paging, p := compile(pagination, "")
		if len(p.All()) > 0 {
			continue
		}
		api := &fickle{
			random: random, total: random.IntN(2) > 0, still: random.IntN(2) > 0, deaf: random.IntN(2) > 0,
			after: []string{"empty", "last", "round"}[random.IntN(3)],
			key:   []string{"id", "gid"}[random.IntN(2)], ticking: random.IntN(2) > 0,
		}
		// Members are compared with those of the page before only.
		isUnseen := api.ticking && api.key == "gid"
		api.total = api.total || isUnseen && api.after == "round"
		requests := 0
		tr := walk(t, paging, paginate.Job{Params: params(`{"a":1}`)}, true, func(n int, r *paginate.Request) answer {
			requests = n
			if n > 1200 {
				t.Fatalf("seed %d: %s of %+v: %d requests", seed, pagination, api, n)
			}
			return api.answer(n, r)
		})
		isSilent := tr.err == nil && tr.stop.Verdict == report.Complete && len(tr.warnings) == 0
		if isSilent && tr.items > 18 {
			t.Errorf("seed %d: %s of %+v: %d items of 9 in %d requests are complete", seed, pagination, api, tr.items, requests)
		}
	}
}

// The pages between two of a shard count as full, also those beyond the end.
func TestAShardIsNotBeyondTheTotalForPagesOfOthers(t *testing.T) {
	paging := mustCompile(t, `{"method":"offset","limit":1}`, "").Stride(0, 8)
	j, s := &paginate.Job{Method: request.Get, Endpoint: "e"}, &paginate.State{Started: began}
	if _, err := paging.First(s, j); err != nil {
		t.Fatal(err)
	}
	var stop *report.Stop
	for _, body := range []string{`{"total_count":3,"d":[1]}`, `{"total_count":3,"d":[]}`} {
		f, err := read(paging, s, answer{body: body})
		if err != nil {
			t.Fatal(err)
		}
		out, err := paging.Judge(s, j, f)
		if err != nil {
			t.Fatal(err)
		}
		stop = out.Stop
	}
	if stop == nil || *stop != *report.EndedBy(report.StopUnderflow) {
		t.Errorf("ended by %+v", stop)
	}
}
