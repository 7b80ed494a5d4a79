package paginate

import (
	"net/http"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/expr"
)

// A Method is one way of paging. It is immutable and shared by all walks. What it
// may offer beyond these four stands in optional.go.
type Method interface {
	// Needs says what the method wants to know of each page.
	Needs() Needs

	// First returns the request for the first page, and sets what the method
	// remembers in s.Own.
	First(s *State, j *Job) (*Request, error)

	// Next judges the page by the method's own rule. If the walk ends the stop says
	// why; a request with it is what one page more would be.
	Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error)

	// At is the request of the k-th page, from 1, of a walk that stands where s
	// says; nil: there is none, or it is not known before the one before it.
	At(j *Job, s *State, k int) *Request
}

// Needs are what paging wants to know beside what every page and job tells.
type Needs struct {
	// Values are paths in the response: [Facts].Values, in this order.
	Values []item.Path
	// NoLink is a warning for jobs none of whose pages has the first of Values;
	// empty: none.
	NoLink string
	// Range is a path in each item: [Facts].Range; nil: nothing.
	Range item.Path
	// Take says which of the values at Range.
	Take Take
	// Scroll is evaluated once per job: [Job].Scroll.
	Scroll []Group
}

// NewRange returns a Range for what is needed; nil if that is nothing.
func NewRange(n Needs) *Range {
	if n.Range == nil {
		return nil
	}
	return &Range{path: n.Range, take: n.Take}
}

// Env is what methods draw upon; with the zero value headers and endpoints have no
// effect.
type Env struct {
	// Expr is that of expressions in parameters.
	Expr expr.Env
	// Headers evaluates an object of headers, and reports its problems.
	Headers func(n *config.Node) http.Header
	// Endpoint evaluates one, and reports its problems. Shown has no secrets; it is empty
	// if the endpoint has none.
	Endpoint func(n *config.Node) (endpoint, shown string)
	// nested decodes a scroller of multiple.
	nested func(n *config.Node) *Paging
}

// single is one request per job. Other methods embed it for what they have in common
// with it: the first request, no needs, or no page that is known beforehand.
type single struct{}

// onePage is a job of one request.
type onePage struct {
	single
	// declared: the configuration says that there is one page.
	declared bool
}

// newNone is one request a job, which the configuration says is all.
func newNone(*config.Object, Env, *config.Problems) Method { return onePage{declared: true} }

func (m onePage) isDeclared() bool { return m.declared }

func (single) Needs() Needs { return Needs{} }

func (single) First(_ *State, j *Job) (*Request, error) { return j.request(j.Params, nil), nil }

func (single) Next(*State, *Job, *Facts) (*Request, *report.Stop, error) {
	return nil, report.EndedBy(report.StopNoPaging), nil
}

func (single) At(*Job, *State, int) *Request { return nil }
