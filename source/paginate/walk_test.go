package paginate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
)

// began is when the walks of these tests begin.
var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// compile reads api.pagination, and what a job with that scroller makes of it.
func compile(text, scroller string) (*paginate.Paging, *config.Problems) {
	p := &config.Problems{}
	exprs := expr.Env{Contexts: expr.Contexts{"attr": func(path string) (expr.Value, bool) {
		return expr.Value{JSON: []byte(`"` + path + ` of config"`), Secret: strings.HasPrefix(path, "#")}, true
	}}}
	env := paginate.Env{
		Expr: exprs,
		Headers: func(n *config.Node) http.Header {
			h := http.Header{}
			for _, m := range n.Members {
				h.Set(m.Name, m.Value.Text())
			}
			return h
		},
		Endpoint: func(n *config.Node) (endpoint, shown string) {
			if _, err := url.Parse(n.Text()); err != nil {
				p.Errorf(n, "%v", err)
			}
			return n.Text(), ""
		},
	}
	root := config.Parse("config.json", []byte(`{"pagination":`+text+`,"scroller":`+string(item.Quote(scroller))+`}`), p)
	paging := paginate.New(root.Member("pagination"), env, p)
	if scroller == "" {
		return paging.For(nil, false, p), p
	}
	return paging.For(root.Member("scroller"), false, p), p
}

func mustCompile(t testing.TB, text, scroller string) *paginate.Paging {
	t.Helper()
	paging, p := compile(text, scroller)
	for _, problem := range p.All() {
		t.Fatal(problem)
	}
	return paging
}

// params reads the members of a JSON object.
func params(object string) request.Params {
	var all request.Params
	for name, value := range item.Members([]byte(object)) {
		all = append(all, request.Param{Name: item.Unquote(name), Value: value})
	}
	return all
}

// show writes a request down: method, endpoint, parameters, header.
func show(r *paginate.Request) string {
	text := r.Endpoint
	if r.Method == request.Post {
		text = "POST " + text
		for _, q := range r.Params {
			text += " "
			if q.In != "" {
				text += "?"
			}
			text += fmt.Sprintf("%s=%s", q.Name, q.Value)
		}
	} else {
		sent := request.Request{Method: request.Get, URL: &url.URL{}, Params: r.Params}
		text += sent.Address()
		if sent.HasBody() {
			text += " " + string(sent.Body().Object())
		}
	}
	if r.Given {
		text = "given " + text
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		text += " " + name + ": " + r.Header.Get(name)
	}
	return text
}

// An answer is a page that came after a time.
type answer struct {
	body  string
	after time.Duration // since the walk began
}

// A trace is what a walk did.
type trace struct {
	requests []string
	emitted  int // pages
	items    int
	stop     report.Stop
	again    int64  // items that came twice
	more     string // what the last answer says against the end: where it says it
	warnings []string
	err      error
}

// walk walks over what serve answers, to the end. Between two pages its state is
// written down and read back, unless keep is set.
func walk(t testing.TB, paging *paginate.Paging, j paginate.Job, keep bool, serve func(page int, r *paginate.Request) answer) (tr trace) {
	t.Helper()
	if j.Method == "" {
		j.Method = request.Get
	}
	if j.Endpoint == "" {
		j.Endpoint = "e"
	}
	for _, g := range paging.Needs.Scroll {
		err := expr.EvalMembers(g.Members, expr.Env{}, func(name string, v expr.Value) {
			j.Scroll = append(j.Scroll, request.Param{Name: name, In: g.In, Value: v.JSON, Secret: v.Secret})
		})
		if err != nil {
			return trace{err: err}
		}
	}
	s := &paginate.State{Started: began}
	if _, err := paging.First(s, &j); err != nil {
		return trace{err: err}
	}
	for {
		if !keep {
			s = again(t, s)
		}
		tr.requests = append(tr.requests, show(s.Asked))
		f, err := read(paging, s, serve(len(tr.requests), s.Asked))
		if err != nil {
			tr.err = err
			return tr
		}
		asked := s.Asked
		out, err := paging.Judge(s, &j, f)
		if err != nil {
			tr.err = err
			return tr
		}
		if out.Emit {
			tr.emitted++
			tr.items += f.Items
		}
		if out.Warning != "" {
			tr.warnings = append(tr.warnings, out.Warning)
		}
		tr.again += out.Again
		if out.Stop != nil {
			tr.stop = *out.Stop
			if out.More != nil {
				tr.more = out.More.At + ": " + out.More.Cure
			}
			if out.Suspicion.Text != "" { // no page beyond proves the end here
				tr.warnings = append(tr.warnings, out.Suspicion.Text)
				tr.stop.Verdict = max(tr.stop.Verdict, report.Unverified)
			}
			checkDivision(t, paging, tr.stop.Reason)
			return tr
		}
		if out.Next == asked || out.Next != s.Asked {
			t.Fatal("the state does not hold the request that comes next")
		}
	}
}

// checkDivision finds out whether shards share the pages of a walk that may end so.
func checkDivision(t testing.TB, paging *paginate.Paging, reason report.StopReason) {
	t.Helper()
	if !reason.Rule().Divisible && paging.Stride(0, 2) != paging {
		t.Errorf("shards would divide a walk that ends by %q: does mayEndBy of stop.go have it?", reason)
	}
}

// again writes a state down and reads it back.
func again(t testing.TB, s *paginate.State) *paginate.State {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back := &paginate.State{}
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s, back) {
		t.Fatalf("the state became another: %s", cmp.Diff(s, back))
	}
	return back
}

// read makes the facts of a page, as the program does.
func read(paging *paginate.Paging, s *paginate.State, a answer) (*paginate.Facts, error) {
	spec := &page.Spec{Detect: true, Wants: paging.Needs.Values, Notable: evidence.Notable}
	ids := paginate.NewRange(paging.Needs)
	finder := evidence.NewKeyFinder(paging.Unique, s.Seen.Sought(), s.Pages == 0, evidence.KnownOfRoot)
	spec.Top = finder.Top()
	spec.Each = func(text []byte) error {
		if ids != nil {
			ids.Add(text)
		}
		finder.Add(text)
		return nil
	}
	p, err := new(page.Decoder).Decode(strings.NewReader(a.body), spec)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return &paginate.Facts{
		Answer: evidence.Answer{
			Items: p.Items, Bytes: p.Bytes, Hash: p.Hash, Around: p.Beside.Notable, Array: p.Selected == '[', Listed: p.Selected == '[',
			First: p.First, Last: p.Last, Texts: p.Texts, Set: p.Set, Varied: p.Varied, Keys: finder.Keys(), Marks: finder.Marks(),
		},
		Values: p.Wanted, Range: ids, At: began.Add(a.after),
	}, nil
}

// A walkCase says which requests a walk sends, and why it ends.
type walkCase struct {
	pagination string
	scroller   string
	unique     evidence.Unique
	method     request.Method
	endpoint   string
	defaults   string
	params     string
	query      string
	body       string
	pages      []string // bodies; the walk must not ask for more
	after      []time.Duration

	want    []string // requests
	stop    string   // "reason" or "reason: verdict"
	warning string   // of the walk, all joined
	again   int64    // items that came twice
	err     string
}

func (c walkCase) run(t *testing.T) {
	t.Helper()
	paging := mustCompile(t, c.pagination, c.scroller)
	paging.Unique = c.unique
	j := paginate.Job{Method: c.method, Endpoint: c.endpoint, Defaults: params(c.defaults), Params: params(c.params)}
	j.Params = append(j.Params, params(c.query).Into(request.InQuery)...)
	if c.body != "" {
		j.Params = append(j.Params, params(c.body).Group(request.InBody)...)
	}
	tr := walk(t, paging, j, false, func(n int, r *paginate.Request) answer {
		if n > len(c.pages) {
			t.Fatalf("page %d was asked for: %s", n, show(r))
		}
		a := answer{body: c.pages[n-1]}
		if n <= len(c.after) {
			a.after = c.after[n-1]
		}
		return a
	})
	if d := cmp.Diff(c.want, tr.requests); c.want != nil && d != "" {
		t.Errorf("requests (-want +got):\n%s", d)
	}
	if tr.again != c.again {
		t.Errorf("%d items came twice, want %d", tr.again, c.again)
	}
	stop := string(tr.stop.Reason)
	if tr.stop.Verdict != report.Complete {
		stop += ": " + tr.stop.Verdict.String()
	}
	got, want := [3]string{stop, strings.Join(tr.warnings, "\n"), ""}, [3]string{c.stop, c.warning, c.err}
	if tr.err != nil {
		got[2] = tr.err.Error()
	}
	if got != want {
		t.Errorf("got stop %q, warning %q, error %q\nwant     %q,         %q,       %q", got[0], got[1], got[2], want[0], want[1], want[2])
	}
}

func runAll(t *testing.T, cases map[string]walkCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, c.run)
	}
}
