// Package paginate decides which page comes next and when a walk ends: one file
// per paging method, and stop.go for the conditions that all methods share. It
// is pure: between two pages a walk is a [State], plain data.
package paginate

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/request"
)

// methods are the paging methods by the name that api.pagination.method has.
var methods = map[string]func(*config.Object, *config.Problems) Method{
	"offset":  newOffset,
	"pagenum": newPagenum,
}

// A Method is one way of paging. It is immutable and shared by all walks.
type Method interface {
	// First returns the request for the first page of the job.
	First(s *State, j *Job) (*Request, error)

	// Next judges the page that the facts tell of, by the method's own rule. If
	// the walk ends the stop says why; a request that comes with it is what one
	// page more would be.
	Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error)
}

// A Picker is a method that wants values of the response.
type Picker interface {
	Wants() []item.Path // Facts.Picked has their values, in this order
}

// A Guesser is a method whose pages can be asked for before the earlier ones
// are known. At is pure: the request of the k-th page, from 1.
type Guesser interface {
	At(j *Job, k int) *Request
}

// A Job is what paging knows of a job: its requests without paging. Parameters
// are evaluated.
type Job struct {
	Method   request.Method
	Endpoint string
	Defaults request.Params // of api.http.defaultOptions
	Params   request.Params // the job's own
}

// request returns the job's request with own parameters over the defaults, and
// paging parameters over both. Each takes the place of what it overrides.
func (j *Job) request(own, paging request.Params) *Request {
	return &Request{Method: j.Method, Endpoint: j.Endpoint, Params: j.Defaults.Merge(own).Merge(paging)}
}

// A Request is what a page is asked for with, before headers and authentication.
type Request struct {
	Method   request.Method
	Endpoint string
	Params   request.Params
}

// State is where a walk stands between two pages. It is plain data, so that it
// can be written down and gone on with.
type State struct {
	Pages   int       // judged so far
	Items   int64     // of those pages
	Bytes   int64     // of those pages as compact JSON
	Started time.Time // of the walk's first request
	Hash    uint64    // of the last page
	Number  int64     // the method's own: the last offset or page number
}

// Facts are what paging needs to know of a page.
type Facts struct {
	Items  int
	Bytes  int64 // as compact JSON
	Hash   uint64
	Picked []jsontext.Value // values of [Paging.Wants], nil where there is none
	At     time.Time        // when the page had come
}

// Paging is the paging of a configuration: a method and the common stop
// conditions. It is immutable.
type Paging struct {
	method Method
	stops  stops
	wants  []item.Path // of the method, then of the stop conditions
	own    int         // how many of wants are the method's
}

// New decodes api.pagination; a nil node is one request per job.
func New(n *config.Node, p *config.Problems) *Paging {
	o := config.NewObject(n, p)
	if o.Node() == nil {
		return &Paging{method: single{}}
	}
	name := o.Text("method", "", "How the next page is asked for.")
	o.Require("method")
	paging := &Paging{method: single{}}
	known := slices.Sorted(maps.Keys(methods))
	switch decode, ok := methods[name]; {
	case ok:
		paging.method = decode(o, p)
	case slices.Contains(unsupported, name):
		p.Errorf(n.Member("method"), "the method %q is not implemented (have %s)", name, strings.Join(known, ", "))
		return paging
	case name != "":
		p.Errorf(n.Member("method"), "unknown method %q (have %s)%s", name, strings.Join(known, ", "), config.Suggest(name, known))
		return paging
	}
	if w, ok := paging.method.(Picker); ok {
		paging.wants = w.Wants()
	}
	paging.own = len(paging.wants)
	paging.stops = newStops(o, p)
	paging.wants = append(paging.wants, paging.stops.wants()...)
	o.Done()
	return paging
}

// unsupported are the methods of the dialect that are still to come.
var unsupported = []string{"response.url", "response.param", "cursor", "multiple", "zendesk.response.url"}

// Wants lists the values of each response that the paging must be told.
func (p *Paging) Wants() []item.Path { return p.wants }

// Unpaged tells whether a job is one request.
func (p *Paging) Unpaged() bool { return p.method == single{} }

// First returns the request for the first page of a job's walk, which begins
// with s.
func (p *Paging) First(s *State, j *Job) (*Request, error) { return p.method.First(s, j) }

// Guess returns the request of the k-th page, from 1, if it can be known
// beforehand.
func (p *Paging) Guess(j *Job, k int) (*Request, bool) {
	if g, ok := p.method.(Guesser); ok {
		r := g.At(j, k)
		return r, r != nil
	}
	return nil, false
}

// An Outcome is what became of a page.
type Outcome struct {
	Emit    bool           // the items belong to the output
	Stop    *pipeline.Stop // nil: the walk goes on with Next
	Next    *Request       // what would come next; with a Stop it may be nil
	Warning string
	Verdict pipeline.Verdict // what the warning means
}

// Judge takes the facts of the page that was asked for last, and says what
// follows: first the conditions that all methods share, then the method's own.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (Outcome, error) {
	if s.Pages > 0 && f.Hash == s.Hash {
		return Outcome{
			Stop:    &pipeline.Stop{Reason: RepeatedPage, Verdict: pipeline.Unverified},
			Warning: "the page is the same as the one before it: the API may ignore the paging parameters",
			Verdict: pipeline.Unverified,
		}, nil
	}
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Hash = f.Hash
	out := Outcome{Emit: true}
	own, common := f.Picked[:p.own], f.Picked[p.own:]
	facts := *f
	facts.Picked = common
	p.stops.judge(s, &facts, &out)
	if out.Stop != nil {
		return out, nil
	}
	if l, ok := p.method.(limiter); ok {
		warnOfLength(&out, s, l.limitOf(j), f.Items)
	}
	facts.Picked = own
	next, stop, err := p.method.Next(s, j, &facts)
	if err != nil {
		return Outcome{}, err
	}
	out.Next, out.Stop = next, stop
	if stop != nil && stop.Reason == Underflow {
		p.stops.doubt(s, common, &out)
	}
	return out, nil
}

// Stop reasons of the methods; those of the common conditions stand in stop.go.
const (
	Underflow    = "underflow"     // fewer items than the limit
	EmptyPage    = "empty page"    // no items, where there is no limit
	RepeatedPage = "repeated page" // the same page as before
	NoPaging     = "no paging"     // one request, and that was it
)

// single is the absence of paging: one request per job.
type single struct{}

func (single) First(_ *State, j *Job) (*Request, error) { return j.request(j.Params, nil), nil }

func (single) Next(*State, *Job, *Facts) (*Request, *pipeline.Stop, error) {
	return nil, &pipeline.Stop{Reason: NoPaging}, nil
}

// Same tells whether both ask for the same page.
func (r *Request) Same(o *Request) bool {
	return r.Method == o.Method && r.Endpoint == o.Endpoint && r.Params.Equal(o.Params)
}
