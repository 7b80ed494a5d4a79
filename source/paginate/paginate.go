// Package paginate decides which page comes next and when a walk ends: one file
// per paging method, stop.go for the conditions that all methods share, judge.go
// for what becomes of a page. It is pure: between two pages a walk is a [State],
// plain data.
package paginate

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// methods are the paging methods by the name that api.pagination.method has.
var methods = map[string]func(*config.Object, Env, *config.Problems) Method{
	"cursor":               newCursor,
	"multiple":             newMultiple,
	"offset":               newOffset,
	"pagenum":              newPagenum,
	"response.param":       newResponseParam,
	"response.url":         newResponseURL,
	"zendesk.response.url": newZendesk,
}

// Names lists the methods, in order.
func Names() []string { return slices.Sorted(maps.Keys(methods)) }

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

// A Linker is a [Picker] whose first value leads to the next page.
type Linker interface {
	Link() (option, path string) // which option says where the value is, and what it says
}

// An ItemPicker is a method that wants the least and the greatest number that
// the items of a page have at a path: [Facts.Range].
type ItemPicker interface {
	Item() item.Path
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
	Scroll   request.Params // of pages after the first; see [Paging.Evaluate]
}

// request returns the job's request with own parameters over the defaults, and
// paging parameters over both. Each takes the place of what it overrides.
func (j *Job) request(own, paging request.Params) *Request {
	return &Request{Method: j.Method, Endpoint: j.Endpoint, Params: j.Defaults.Merge(own).Merge(paging)}
}

// A Request is what a page is asked for with, before headers and authentication.
// It is plain data.
type Request struct {
	Method   request.Method
	Endpoint string
	Given    bool // Endpoint comes from a response, not from the configuration
	Params   request.Params
	Header   http.Header // over the job's own; mostly nil
}

// Paging is the paging of a configuration: a method and the common stop
// conditions. It is immutable.
type Paging struct {
	method Method
	stops  []stops     // of api.pagination, then of the scroller that a job chose
	wants  []item.Path // of the method, then of each of stops
	own    int         // how many of wants are the method's
}

// Env is what methods draw upon beside their own options. Its zero value does
// for those that neither evaluate nor request anything of their own.
type Env struct {
	Expr    expr.Env                                                // of expressions in parameters
	Headers func(n *config.Node) http.Header                        // evaluates an object of headers, and reports its problems; nil: headers have no effect
	Resolve func(endpoint string) (*url.URL, request.Params, error) // makes an address of an endpoint; nil: endpoints are not checked
	nested  func(n *config.Node) *Paging                            // decodes a scroller of multiple
}

// New decodes api.pagination; a nil node is one request per job.
func New(n *config.Node, env Env, p *config.Problems) *Paging {
	o := config.NewObject(n, p)
	if o.Node() == nil {
		return assemble(single{})
	}
	name := o.Text("method", "", "How the next page is asked for.")
	o.Require("method")
	decode, ok := methods[name]
	if !ok {
		if name != "" {
			p.Errorf(n.Member("method"), "unknown method %q%s", name, config.Have(name, Names()))
		}
		return assemble(single{})
	}
	env.nested = func(n *config.Node) *Paging { return New(n, env, p) }
	method := decode(o, env, p)
	stops := newStops(o, p)
	o.Done()
	return assemble(method, stops)
}

func assemble(m Method, s ...stops) *Paging {
	p := &Paging{method: m, stops: s}
	if w, ok := m.(Picker); ok {
		p.wants = w.Wants()
	}
	p.own = len(p.wants)
	for i := range s {
		p.wants = append(p.wants[:len(p.wants):len(p.wants)], s[i].wants()...)
	}
	return p
}

// For returns the paging of a job whose member scroller is n, nil if it has
// none; problems are reported there. Walks use it, not the paging that [New]
// returned.
func (p *Paging) For(n *config.Node, problems *config.Problems) *Paging {
	m, ok := p.method.(*multiple)
	if !ok {
		if n != nil {
			problems.Warnf(n, "has no effect, since api.pagination.method is not multiple")
		}
		return p
	}
	name := ""
	if n != nil {
		name = n.Text()
	}
	chosen := m.choose(name)
	if chosen == nil {
		if n != nil { // else it is the default, and reported there
			problems.Errorf(n, "%s", m.unknown(name))
		}
		return assemble(single{})
	}
	return assemble(chosen.method, slices.Concat(p.stops, chosen.stops)...)
}

// Wants lists the values of each response that the paging must be told.
func (p *Paging) Wants() []item.Path { return p.wants }

// Range returns what must be shown each item of a page, nil if nothing must. It
// is for one reading of one page.
func (p *Paging) Range() *Range {
	if m, ok := p.method.(ItemPicker); ok {
		return &Range{path: m.Item()}
	}
	return nil
}

// Evaluate completes j by what the method's own requests hold of expressions: it
// is called once per job, before [Paging.First].
func (p *Paging) Evaluate(j *Job) error {
	if m, ok := p.method.(evaluator); ok {
		return m.evaluate(j)
	}
	return nil
}

// An evaluator is a method with expressions.
type evaluator interface{ evaluate(j *Job) error }

// First returns the request for the first page of a job's walk, which begins
// with s.
func (p *Paging) First(s *State, j *Job) (*Request, error) {
	r, err := p.method.First(s, j)
	s.Asked = r
	return r, err
}

// Guess returns the request of the k-th page, from 1, if it can be known
// beforehand.
func (p *Paging) Guess(j *Job, k int) (*Request, bool) {
	if g, ok := p.method.(Guesser); ok {
		r := g.At(j, k)
		return r, r != nil
	}
	return nil, false
}

// Stop reasons of the methods; those of the common conditions stand in stop.go.
const (
	Underflow    = "underflow"     // fewer items than the limit
	EmptyPage    = "empty page"    // no items, where there is no limit
	NoNextPage   = "no next page"  // the response does not lead to another one
	EndOfExport  = "end of export" // the next page would begin too recently (Zendesk)
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
	return r.Method == o.Method && r.Endpoint == o.Endpoint && r.Given == o.Given && r.Params.Equal(o.Params) &&
		maps.EqualFunc(r.Header, o.Header, slices.Equal)
}
