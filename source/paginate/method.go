package paginate

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/expr"
)

// A Method is one way of paging. It is immutable and shared by all walks. What it
// may offer beyond these four are the small interfaces below it.
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
func newNone(*config.ObjectDecoder, Env, *config.Problems) Method { return onePage{declared: true} }

func (m onePage) isDeclared() bool { return m.declared }

func (single) Needs() Needs { return Needs{} }

func (single) First(_ *State, j *Job) (*Request, error) { return j.request(j.Params, nil), nil }

func (single) Next(*State, *Job, *Facts) (*Request, *report.Stop, error) {
	return nil, report.EndedBy(report.StopNoPaging), nil
}

func (single) At(*Job, *State, int) *Request { return nil }

// What a method may offer beyond [Method] is asked for by these interfaces, each
// found by a type assertion.

// A scrollerChooser lets each job choose its way of paging by its member scroller.
type scrollerChooser interface {
	// chosen returns that of a job that names it by n, which may be nil.
	chosen(n *config.Node, p *config.Problems) *Paging
}

// A valueSender sends a value of one page with the request for the next.
type valueSender interface {
	at(j *Job, value []byte) (*Request, error)
}

// A pageNamer can say by which parameter it asks for a page; without a path: by none.
type pageNamer interface {
	pageParam() config.ParameterDestination
}

// A pageCounter can say whether it counts pages from 0 on.
type pageCounter interface {
	countsFromZero() bool
}

// An includer has cursors that may name the first items of the next page.
type includer interface {
	// included is how many items at the front of a page are named by what it was asked
	// for with.
	included(s *State, f *Facts) int
}

// A placer puts parameters into requests.
type placer interface{ places() []NamedPlace }

// A sizer has pages of a size.
type sizer interface {
	// pageSize stands in the configuration; 0: none does.
	pageSize() int64
	// sizeParam carries it; without a path: nothing does.
	sizeParam() config.ParameterDestination
}

// An offsetter can go on with the first item that has not come yet.
type offsetter interface {
	// byOffset tells whether it counts items, and not pages.
	byOffset() bool
	// advancesByItems tells whether it goes on by the items that came, and not by
	// those that were asked for.
	advancesByItems() bool
	// itemParam is the parameter that counts items; empty: none does.
	itemParam() string
}

// An itemLed method may find the next page by the items of the one before.
type itemLed interface {
	// needsItems tells whether a page without items leads to no other.
	needsItems() bool
}

// An answerLed method goes where the answer leads, also after a page without items.
type answerLed interface{ byAnswer() }

// A counter may count its pages, or their items, and does not go where answers lead.
type counter interface{ countsPages() bool }

// A multiLed method looks for the next page at several places.
type multiLed interface {
	// atNext is one of the values there, one that leads on if there is one; nil: there is nothing.
	atNext(f *Facts) jsontext.Value
	// leads are the paths of these places. A bound is none, so what is there counts as a total.
	leads() []item.Path
	// nextPlace names the places, for people.
	nextPlace() string
}

// A culprit names the options to look at where the same items come again.
type culprit interface{ lookAt() string }

// A preceder can ask for the page before its first one.
type preceder interface {
	// preceding is nil where none can be named.
	preceding(j *Job) *Request
}

// A resumer can ask for the items right after a short first page.
type resumer interface {
	// after is the request for what follows so many items of the first page; nil: it
	// cannot be asked for.
	after(j *Job, items int) *Request
}

// A divider has pages that are known beforehand, so that shards can share those of a
// walk.
type divider interface {
	divisible() bool
	// skip counts so many pages of other shards as if they were full, and asks for
	// the one after them.
	skip(s *State, j *Job, pages int) error
}

// A onePager has one page a walk.
type onePager interface {
	// isDeclared tells whether the configuration says so.
	isDeclared() bool
}

// A repeater goes to addresses that answers have, where items may come again.
type repeater interface {
	// mayRepeat tells whether they do in a list that is whole.
	mayRepeat() bool
}

// A linkChooser may follow one element of a list of links.
type linkChooser interface {
	follows(list item.Path, element []byte) bool
}

// An overlapper can ask for a page that begins at any item of the list.
type overlapper interface {
	// early is how many items early each page but the first is asked for; 0: pages do not overlap.
	early() int64
	// mayOverlap tells whether they could be.
	mayOverlap() bool
	// limitOf is how many items a page of the job is asked for with; 0: that is unknown.
	limitOf(j *Job) int64
	// from is the request for a page that is not the first, and begins at the offset.
	from(j *Job, offset int64) (*Request, error)
}
