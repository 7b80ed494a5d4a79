// Package paginate decides which page comes next and when a walk ends. It is pure.
package paginate

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/request"
)

// A variant is a paging method: a sentence for the schema, and what reads its
// options.
type variant struct {
	doc    string
	decode func(*config.Object, Env, *config.Problems) Method
}

// methods are the paging methods by name.
var methods = map[string]variant{
	"cursor": {
		"The next page begins after the greatest, or before the least, number in the items, " +
			"or after the last item.",
		newCursor,
	},
	"multiple": {
		"Several ways of paging; each job names its own with scroller.",
		newMultiple,
	},
	"none": {
		"There is one page: the configuration says so, where without api.pagination it is only assumed.",
		newNone,
	},
	"offset": {
		"The next page begins limit items later; a page with fewer is the last.",
		newOffset,
	},
	"pagenum": {
		"The next page has the next number; a page with fewer items than limit is the last.",
		newPagenum,
	},
	"response.param": {
		"A value of the response leads to the next page, as a parameter; without it there is none.",
		newResponseParam,
	},
	"response.url": {
		"The response holds the address of the next page; without it there is none.",
		newResponseURL,
	},
	"zendesk.response.url": {
		"As response.url, for the incremental exports of Zendesk, " +
			"whose last page has a next address too.",
		newZendesk,
	},
}

// Names lists the methods, in order.
func Names() []string { return slices.Sorted(maps.Keys(methods)) }

// Definitions describe the methods for the JSON Schema, and urlKey where it is an
// object.
func Definitions() (all map[string]*config.Object, urlKey *config.Object) {
	var p config.Problems
	all, urlKey = map[string]*config.Object{}, config.NewObject(nil, &p)
	new(linkChoice).decode(urlKey, &p)
	for name, m := range methods {
		o := config.NewObject(nil, &p)
		o.Text("method", "", m.doc)
		o.Require("method")
		newStops(o, m.decode(o, Env{}, &p), &p)
		o.Done()
		all[name] = o
	}
	return all, urlKey
}

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

// A Group is parameters of the configuration that stand in one part of a request.
type Group struct {
	// In is empty for parameters that stand where the HTTP method puts them.
	In      request.RequestPart
	Members []expr.NamedValue
}

// Groups compiles members query and body of an object.
func Groups(parts config.ParameterParts, env expr.Env, p *config.Problems) (all []Group) {
	for _, part := range []struct {
		in request.RequestPart
		n  *config.Node
	}{
		{request.InQuery, parts.Query},
		{request.InBody, parts.Body},
	} {
		if part.n != nil {
			all = append(all, Group{part.in, expr.CompileMembers(part.n, env, p)})
		}
	}
	return all
}

// A Job is what paging knows of a job. Parameters are evaluated.
type Job struct {
	Method   request.Method
	Endpoint string
	// Shown is Endpoint without secrets, empty if it has none.
	Shown string
	// Pieces are those that Endpoint was made of.
	Pieces []request.EndpointPiece
	// Defaults are those of api.http.defaultOptions.
	Defaults request.Params
	// Params are the job's own. Those of its members query and body name the part.
	Params request.Params
	// Scroll are those of pages after the first, likewise; see [Needs].
	Scroll request.Params
}

// request returns the job's request, own parameters over the defaults, and paging's
// over both.
func (j *Job) request(own, paging request.Params) *Request {
	params := j.Defaults.Merge(own.For(j.Method)).Merge(paging)
	return &Request{Method: j.Method, Endpoint: j.Endpoint, Shown: j.Shown, Params: params}
}

// A Request is what a page is asked for with, before authentication. It is plain
// data.
type Request struct {
	Method   request.Method
	Endpoint string
	// Shown is Endpoint without the secrets of the configuration, empty if it has none.
	Shown string
	// Given: Endpoint comes from a response, not from the configuration.
	Given  bool
	Params request.Params
	// Header goes over the job's own; it is mostly nil.
	Header http.Header
}

// Same tells whether both ask for the same page.
func (r *Request) Same(o *Request) bool {
	if r == nil || o == nil {
		return r == o
	}
	isSamePlace := r.Method == o.Method && r.Endpoint == o.Endpoint
	if !isSamePlace || r.Given != o.Given {
		return false
	}
	return slices.EqualFunc(r.Params, o.Params, isSame) && maps.EqualFunc(r.Header, o.Header, slices.Equal)
}

// isSame tells whether two parameters are sent alike.
func isSame(p, o request.Param) bool {
	isNamed := p.Name == o.Name && p.In == o.In
	isAlike := isNamed && p.Raw == o.Raw
	return isAlike && p.Secret == o.Secret && bytes.Equal(p.Value, o.Value)
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

// Paging is a method and the common stop conditions. It is immutable.
type Paging struct {
	method Method
	// stops are those of api.pagination, then of the scroller that a job chose.
	stops []stops
	// reads is what the method and the stop conditions read of an answer themselves.
	reads evidence.Reads
	// Needs are those of the method, then of each of stops.
	Needs Needs
	// nextPlace is where the method looks for the next page, for people; empty: nowhere.
	nextPlace string
	// inHeaders: the method puts a parameter into a header.
	inHeaders bool
	// TrustEnd: the end counts whatever the answers say.
	TrustEnd bool
	// Unique says what tells the items of the job apart.
	Unique evidence.Unique
	// Node names the method; nil: there is none.
	Node *config.Node
	// shard of shards asks for every shards-th page; 0 shards: every page is asked for.
	shard, shards int
}

// New decodes api.pagination; a nil node is one request per job.
func New(n *config.Node, env Env, p *config.Problems) *Paging {
	o := config.NewObject(n, p)
	name := o.Text("method", "", "How the next page is asked for.")
	o.Require("method")
	entry, ok := methods[name]
	if !ok {
		if name != "" {
			p.Errorf(n.Member("method"), "unknown method %q%s", name, config.Have(name, Names()))
		}
		return assemble(onePage{})
	}
	env.nested = func(n *config.Node) *Paging { return New(n, env, p) }
	refuseOverlap(name, o, p)
	method := entry.decode(o, env, p)
	all := assemble(method, newStops(o, method, p))
	all.Node = o.Node()
	o.Done()
	return all
}

// assemble puts the values that the stop conditions need after those of the method.
func assemble(m Method, all ...stops) *Paging {
	p := &Paging{method: m, stops: all, Needs: m.Needs()}
	want := func(path item.Path) (at int) {
		if path != nil {
			p.Needs.Values = append(slices.Clip(p.Needs.Values), path)
		}
		return len(p.Needs.Values) - 1
	}
	for i := range all {
		s := &all[i]
		s.limit.at = want(s.limit.field)
		s.flag.at = want(s.flag.field)
		if s.flag.field != nil {
			s.flag.place = evidence.Place(s.flag.field)
		}
		p.TrustEnd = p.TrustEnd || s.trustEnd
	}
	p.reads = reading(m, all, p.Needs)
	p.inHeaders = slices.ContainsFunc(p.Places(), isHeader)
	if values := m.Needs().Values; len(values) > 0 {
		p.nextPlace = evidence.Place(values[0])
	}
	return p
}

// For returns the paging of a job whose member scroller is n, which may be nil, and
// which may trust the end itself.
func (p *Paging) For(n *config.Node, trust bool, problems *config.Problems) *Paging {
	own := *p
	if m, ok := p.method.(chooser); ok {
		chosen := m.chosen(n, problems)
		own = *assemble(chosen.method, slices.Concat(p.stops, chosen.stops)...)
		own.Node = chosen.Node
		own.refuseEmptyStop(problems)
	} else if n != nil {
		problems.Warnf(n, "has no effect, since api.pagination.method is not multiple")
	}
	own.TrustEnd = own.TrustEnd || trust
	return &own
}

// Fills are the names that may stand in braces, in the endpoint and in the texts of the
// job's parameters, and become numbers; nil: there are none.
func (p *Paging) Fills() []string {
	if t := p.template(); t != nil {
		return t.names()
	}
	return nil
}

// Fill tells whether a name in braces becomes a number.
func (p *Paging) Fill(name string) bool {
	t := p.template()
	return t != nil && t.knows(name)
}

func (p *Paging) template() *template {
	if m, ok := p.method.(filler); ok {
		return m.fills()
	}
	return nil
}

// First returns the request for the first page of a walk, which begins with s. Where
// the second page could not be asked for in any case, it returns that error already.
func (p *Paging) First(s *State, j *Job) (*Request, error) {
	if m, ok := p.method.(valueSender); ok {
		if _, err := m.at(j, []byte("null")); err != nil {
			return nil, err
		}
	}
	if err := p.beginOverlap(s, j); err != nil {
		return nil, err
	}
	r, err := p.method.First(s, j)
	s.Asked = r
	if err != nil {
		return r, err
	}
	if s.Own.Skipped == 0 {
		s.Own.Skipped = r.skips(p.limitParam())
	}
	if !s.Own.Later {
		s.Own.Later = r.beginsLater()
	}
	if p.shard > 0 {
		err = p.method.(divider).skip(s, j, p.shard)
	}
	return s.Asked, err
}

// Guess returns the request of the k-th page, from 1, nil if it is not known
// beforehand.
func (p *Paging) Guess(j *Job, s *State, k int) *Request {
	return p.method.At(j, s, k)
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
