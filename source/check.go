package source

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// Checked is what the first page of a job showed, without secrets.
type Checked struct {
	Job      string         `json:"job,omitempty"`
	DataType string         `json:"dataType,omitempty"`
	Above    string         `json:"above,omitempty"`   // id of the job that it is a child of
	Login    bool           `json:"login,omitempty"`   // it is about the login request, not a job
	Error    string         `json:"error,omitempty"`   // why there is no page; all below is empty then
	Skipped  string         `json:"skipped,omitempty"` // why nothing was asked
	Method   string         `json:"method,omitempty"`
	URL      string         `json:"url,omitempty"`
	Status   int            `json:"status,omitempty"`
	Seconds  float64        `json:"seconds,omitempty"` // of the last attempt, body included
	Bytes    int64          `json:"bytes,omitempty"`
	Expires  string         `json:"expires,omitempty"` // of the session; RFC 3339
	Page     *CheckedPage   `json:"page,omitempty"`
	Stop     *pipeline.Stop `json:"stop,omitempty"` // nil: the walk would go on with Next
	Next     string         `json:"next,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`

	Pagination json.RawMessage `json:"pagination,omitempty"` // that would follow what the answer says

	Err     error    `json:"-"` // that Error tells
	Guesses []string `json:"-"` // api.pagination to be tried where none is known
	Others  int      `json:"-"` // items of the second page, which [Options.Second] asks for, that the first lacks, if most do
}

// CheckedPage is what a page holds.
type CheckedPage struct {
	Items    int             `json:"items"`
	Array    string          `json:"array"`           // where they are: dataField, or the member that was detected, or "."
	Detected bool            `json:"detected"`        // there is no dataField
	First    string          `json:"first,omitempty"` // kind of the first item
	Members  []Member        `json:"members,omitempty"`
	Looks    []paginate.Look `json:"looks"` // what the stop rule looks at

	Arrays   []string           `json:"arrays,omitempty"` // of a response that is taken whole, the likeliest items first
	Evidence []evidence.Finding `json:"evidence,omitempty"`
	Verdict  pipeline.Verdict   `json:"verdict"` // of a run that ended with this page, or of what it holds so far
	Item     []byte             `json:"-"`       // the first one
	Object   bool               `json:"-"`       // what the items were looked for in is an object
}

// Member is a member of the first item.
type Member struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Check logs in, and tells found what the first page of each job showed; a page that cannot be had is no error.
func (s *Source) Check(ctx context.Context, found func(Checked) error) error {
	for _, it := range s.iterations {
		if err := it.checkAll(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

func (it *iteration) checkAll(ctx context.Context, found func(Checked) error) error {
	defer it.client.Close()
	it.run = ctx
	for i, j := range it.jobs {
		if j.windows == nil {
			if err := found(Checked{Job: j.id, DataType: j.dataType, Skipped: "it has no window of time"}); err != nil {
				return err
			}
			continue
		}
		w, err := it.newWalk(j, nil, ancestors{}, &j.windows[0])
		if err == nil && i == 0 {
			if err := w.login(ctx); err != nil {
				return err
			}
		}
		if err := it.check(ctx, j, func(yield func(*walk, error) bool) { yield(w, err) }, found); err != nil {
			return err
		}
	}
	return nil
}

// mostParents is below how many items a child job is asked for until one has items.
const mostParents = 20

// login makes the session that the walk's first request needs.
func (w *walk) login(ctx context.Context) error {
	r, err := w.request(w.first)
	if err != nil {
		return err
	}
	s := w.job.iteration.signerOf(r)
	if s == nil || s.Apply == nil {
		return nil
	}
	r = r.Clone()
	if err = s.Apply(ctx, r); err == nil && s.Done != nil {
		s.Done(r)
	}
	return err
}

// check asks for the first pages of walks, until one has items, and then for what is below it.
func (it *iteration) check(ctx context.Context, j *job, walks iter.Seq2[*walk, error], found func(Checked) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	about := Checked{Job: j.id, DataType: j.dataType}
	if j.parent != nil {
		about.Above = j.parent.id
	}
	c := about
	c.Skipped = "no item on the first page of " + c.Above + " leads here"
	var last *walk
	var parents []byte
	asked := 0
	for w, err := range walks {
		c, last, parents = about, w, nil
		if err == nil {
			parents, err = w.checkFirst(ctx, &c)
		}
		if err != nil {
			c = about
			c.Err, c.Error = err, it.o.Secrets.Redact(err.Error())
			break
		}
		if asked++; asked == mostParents || c.Page.Items > 0 || c.Stop == nil {
			break
		}
	}
	if err := found(c); err != nil {
		return err
	}
	for _, child := range j.children {
		if err := it.check(ctx, child.job, last.below(1, parents, child), found); err != nil {
			return err
		}
	}
	return nil
}

// checkFirst enters what the first page showed, and returns what the jobs below need of its items.
func (w *walk) checkFirst(ctx context.Context, c *Checked) (parents []byte, err error) {
	it := w.job.iteration
	w.state.Started = it.o.Now()
	s := &slot{walk: w, number: 1, ask: w.first, ctx: ctx, check: true}
	if it.o.Second {
		s.hashes = make(map[uint64]bool)
	}
	if err := pipeline.Guard(func() error { return it.fetch(s) }); err != nil {
		return nil, err
	}
	defer s.page.Close()
	if s.unready != "" {
		c.Page = &CheckedPage{Array: s.page.Field, Looks: []paginate.Look{}}
		c.Next = it.o.Secrets.Redact(s.address)
		c.Warnings = append(c.Warnings, s.unready+": a run asks again "+w.job.again())
	} else if err := w.describe(c, s); err != nil {
		return nil, err
	} else if it.o.Second && c.Stop == nil {
		second := &slot{walk: w, number: 2, ask: w.state.Asked, ctx: ctx, hashes: make(map[uint64]bool)}
		if err := pipeline.Guard(func() error { return it.fetch(second) }); err != nil {
			return nil, err
		}
		defer second.page.Close()
		maps.DeleteFunc(second.hashes, func(hash uint64, _ bool) bool { return s.hashes[hash] })
		if others := len(second.hashes); others > second.page.Items/2 {
			c.Others = others
		}
	}
	return s.parents, nil
}

func (w *walk) describe(c *Checked, s *slot) error {
	it, j := w.job.iteration, w.job
	redact := it.o.Secrets.Redact
	facts := s.facts()
	c.Page = &CheckedPage{Items: s.page.Items, Array: redact(s.page.Field), Detected: j.spec.Detect && j.spec.Format.JSON(), Looks: []paginate.Look{}}
	for _, l := range j.paging.Looks(&w.state, facts) {
		c.Page.Looks = append(c.Page.Looks, paginate.Look{At: redact(l.At), Found: pipeline.Shorten(redact(l.Found), 80)})
	}
	for _, e := range j.paging.Evidence(facts) {
		c.Page.Evidence = append(c.Page.Evidence, evidence.Finding{Kind: e.Kind, At: redact(e.At), Value: pipeline.Shorten(redact(e.Value), 80), Used: e.Used})
	}
	asked := w.state
	out, err := j.paging.Judge(&w.state, w.pages, facts)
	if err != nil {
		return err
	}
	warn := func(text string, v pipeline.Verdict) {
		c.Warnings = append(c.Warnings, redact(text))
		c.Page.Verdict = max(c.Page.Verdict, v)
	}
	for _, odd := range w.warnings(s, &out) {
		warn(odd.Text, odd.Verdict)
	}
	for _, text := range j.found.Misplaced() {
		warn(text, pipeline.Unverified)
	}
	if out.More != nil {
		warn(out.More.Warning(redact), out.More.Verdict())
	}
	if c.Stop = out.Stop; c.Stop != nil {
		c.Page.Verdict = max(c.Page.Verdict, c.Stop.Verdict)
		c.Stop.Verdict = c.Page.Verdict
	}
	if out.Follow != "" && redact(out.Follow) == out.Follow { // else it could not be pasted
		c.Pagination = json.RawMessage(out.Follow)
	}
	c.Guesses, c.Page.Item, c.Page.Object = paginate.Guesses(&asked, w.pages, facts), s.first, s.page.Selected == '{'
	if out.Stop == nil {
		next, err := w.request(out.Next)
		if err != nil {
			return err
		}
		c.Next = next.Redacted(it.o.Secrets)
	}
	if s.first == nil {
		return nil
	}
	c.Page.First = kind(s.first)
	if j.spec.Field == "." && c.Page.Object {
		c.Page.Arrays = arrays(nil, s.first, map[string]int64{})
	}
	if item.Kind(s.first) == '{' {
		for name, value := range item.Members(s.first) {
			c.Page.Members = append(c.Page.Members, Member{redact(item.Unquote(name)), kind(value)})
		}
	}
	isMap := s.page.Selected == '{' && j.spec.Members == "" && len(c.Page.Members) > 1
	if isMap && !slices.ContainsFunc(c.Page.Members, func(m Member) bool { return m.Kind != "object" }) {
		field := redact(string(item.Quote(j.spec.Field)))
		warn("an object of objects is one item: if these are the items, write \"dataField\": {\"path\": "+field+", \"members\": \"id\"}", pipeline.Complete)
	}
	return nil
}

// usualItems are what arrays of items are mostly called.
const usualItems = " data items results records value values entry entries hits nodes edges rows content elements list "

// arrays finds the paths of those in an object that are not empty: first those of objects, of a usual name, or long.
func arrays(at item.Path, object []byte, ranks map[string]int64) []string {
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		path, first := append(slices.Clip(at), name), item.Lookup(value, item.Path{"0"})
		switch kind := item.Kind(value); {
		case kind == '{' && len(at) < 4:
			arrays(path, value, ranks)
		case kind == '[' && first != nil && !strings.Contains(name, "."): // which would divide dataField
			if ranks[path.String()] = int64(len(value)); item.Kind(first) == '{' {
				ranks[path.String()] += 1 << 40
			}
			if strings.Contains(usualItems, " "+strings.ToLower(name)+" ") {
				ranks[path.String()] += 1 << 41
			}
		}
	}
	return slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return cmp.Or(cmp.Compare(ranks[b], ranks[a]), cmp.Compare(a, b)) })
}

// kind is the kind of a value in one word, such as object.
func kind(value []byte) string {
	noun := item.Noun(item.Kind(value))
	return noun[strings.IndexByte(noun, ' ')+1:]
}
