// Package job holds a document of the configuration, compiled. Nothing changes it
// while it runs, but for the addresses that logins give.
package job

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/transform"
)

// An API is a document of the configuration: its jobs, and what they share.
type API struct {
	Jobs []*Job
	// Rest are the jobs that are not to run.
	Rest []*Job

	Addresses *request.Addresses
	Shape     request.ValueStyle
	// Ignored are statuses whose answers are data, api.http.ignoreErrors.
	Ignored []int
	// Started is time.currentStart.
	Started time.Time
	// Signer is nil without authentication.
	Signer *request.Signer
	// Renewed are headers of all jobs and of the login.
	Renewed []Renewed

	// Clock is the time that the configuration sees.
	Clock   func() time.Time
	Secrets *secret.Set
	// Made, if set, is told each text that a function made of secrets.
	Made func(function, text string)
}

// SignerOf returns what signs r: nothing if it goes to another origin
// than the API's.
func (a *API) SignerOf(r *request.Request) *request.Signer {
	if !r.Trusted {
		return nil
	}
	return a.Signer
}

// Tree is jobs and all below them, parents first.
func Tree(jobs []*Job) (all []*Job) {
	for _, j := range jobs {
		all = append(all, j)
		for _, c := range j.Children {
			all = append(all, Tree([]*Job{c.Job})...)
		}
	}
	return all
}

// A Job is a job of the configuration, compiled.
type Job struct {
	API          *API
	ID, DataType string
	Request      RequestSpec
	// Windows are those of this shard. Of a job without windows it is one
	// that says nothing; of one whose parents have their own it is none.
	Windows []Window
	// Timing is what windows divide; nil: the job has none.
	Timing *Timing
	Paging *paginate.Paging
	// Before is the bound at which walks end that go until what is known; nil: they do not.
	Before     *expr.Expr
	Spec       page.Spec
	Conditions Conditions
	Items      Items

	Nesting

	// wanted has where in Spec.Wants a path stands first, by its key.
	wanted map[string]int

	// Lasts are what the function last follows, as the last run left it; in a child job
	// without values.
	Lasts []Greatest
	// Known are the parents of a child job of which the last run left values; nil: the
	// function last follows nothing in it.
	Known *Parents
	// Most is the greatest number of items that a page had in an earlier run; 0: none is known.
	Most int
	// Whole tells that every shard does all walks of this root job.
	Whole bool
}

// Nesting is where a job stands among the others.
type Nesting struct {
	// Parent is nil for a root job.
	Parent   *Job
	Children []*Child
	// Keeps are paths in the job's items that jobs below need.
	Keeps []string

	// kept has the places in Keeps.
	kept map[string]int
}

// A Child is a child job at the place where its parent has it.
type Child struct {
	Job *Job
	// Filter is nil if every item of the parent has the child.
	Filter *expr.Filter
	// Placeholders are the inherited ones first.
	Placeholders []Placeholder

	names placeholderNames
}

// placeholderNames finds the placeholders of a child by their names.
type placeholderNames struct {
	// own are the child's own, by the name as it stands.
	own map[string]int
	// bare are all, by the name without a level: of equal names the nearest level.
	bare map[string]int
	// longest is how many bytes a name has at most.
	longest int
}

// A Placeholder is what stands for {name} in a child's endpoint.
type Placeholder struct {
	// Name is that of the configuration, a level before it included.
	Name string
	// Path is that in the item.
	Path string
	// Level 1 is the item right above, 2 the one above that.
	Level int
	// Kept is the index of the value among those that are kept of that item.
	Kept int
	// Above is its number among the placeholders of the job above, which it is
	// inherited from; 0: it is the child's own.
	Above int
	// Value is what is made of the value; nil: nothing.
	Value *expr.Expr
	// Optional: an item without a value has no walk.
	Optional bool
	// Escaped tells that Value escapes it for a URL.
	Escaped bool
	// Member is its name in the child's items.
	Member string
}

// BareName is the name without a level.
func (p *Placeholder) BareName() string {
	return p.Name[strings.IndexByte(p.Name, ':')+1:]
}

// A RequestSpec is what all pages of a job are asked for with.
type RequestSpec struct {
	Method   request.Method
	Endpoint *expr.Expr
	Header   http.Header
	// Headers are those that each walk has its own values of; they go over Header.
	Headers  []expr.NamedValue
	Defaults []expr.NamedValue
	Params   []expr.NamedValue
	// Parts are those of query and body.
	Parts []paginate.Group
	// Env is that of Endpoint, Headers, Defaults, Params and Parts.
	Env expr.Env
	// Attributes are those of config by which the API knows who asks: of the authentication, and secrets.
	Attributes []string
	// Names tells which of a walk's own values the expressions of the job name.
	Names ReferencedValues
	// Own is an address whose origin may see credentials, as that
	// of api.baseUrl may.
	Own *url.URL
	// Sample are the pieces of Endpoint, with others in place of those values that each
	// walk has of its own.
	Sample []request.EndpointPiece
	// Followed tells that a value which items had, by the function last, stands in
	// Endpoint.
	Followed bool
}

// ReferencedValues tell which values that each walk has of its own the expressions of a job name.
type ReferencedValues struct {
	Window, Placeholder bool
	// Last tells that the function last stands below items.
	Last bool
}

// Items is what the configuration says about each item of a job.
type Items struct {
	// Where holds for those that are emitted; nil: all are.
	Where *expr.Filter
	// UserData are members that each item gets.
	UserData []expr.NamedValue
	// Filter has values become their JSON text; nil: none.
	Filter *transform.MemberTexts
}

// Evaluated is what is evaluated of a job: once for all its walks, or, where these
// vary, for each of them.
type Evaluated struct {
	Pages *paginate.Job
	// Header is that of each request, which nobody may change.
	Header http.Header
	// Added are the members that each item gets.
	Added []transform.AddedMember
	// Renewed are the headers and parameters that are evaluated for each request.
	Renewed []Renewed
	// Secrets are what must not be shown while requests are in flight: of a job whose
	// walks vary. Those of other jobs are known before.
	Secrets []string
}

// Renewed is a header or parameter that is evaluated for each request.
type Renewed struct {
	expr.NamedValue
	Env expr.Env
	// First is its first value: the text of a header, the JSON of a parameter.
	First []byte
}

// Keep has the values at a path kept of each item for the jobs below, and returns
// their place among those that are.
func (n *Nesting) Keep(path string) int {
	at, known := n.kept[path]
	if known {
		return at
	}
	if n.kept == nil {
		n.kept = map[string]int{}
	}
	at = len(n.Keeps)
	n.kept[path] = at
	n.Keeps = append(n.Keeps, path)
	return at
}

// Want has paging and the conditions look at the answers: it fills in Spec.Wants, and so completes Spec.
func (j *Job) Want() {
	j.Spec.Wants = slices.Concat(j.Paging.Needs.Values, j.Conditions.Paths())
	j.wanted = map[string]int{}
	for i, path := range slices.Backward(j.Spec.Wants) {
		j.wanted[keyOf(path)] = i
	}
	j.Spec.Plan()
}

// WithPaging is a copy of the job that pages in another way.
func (j *Job) WithPaging(p *paginate.Paging) *Job {
	own := *j
	own.Paging = p
	own.Want()
	return &own
}

// keyOf is a path as a key of a map.
func keyOf(path item.Path) string { return strings.Join(path, "\x00") }

// HeaderPaths are what paging and conditions want of the headers of an answer.
func (j *Job) HeaderPaths() []item.Path {
	all := slices.Clone(j.Spec.Wants)
	isOfBody := func(path item.Path) bool { return path[0] != "$header" }
	return slices.DeleteFunc(all, isOfBody)
}

// Up is the job so many levels above, nil if there is none.
func (j *Job) Up(levels int) *Job {
	for ; levels > 0 && j != nil; levels-- {
		j = j.Parent
	}
	return j
}

// Windowed tells whether the job has windows, if only none that is not empty.
func (j *Job) Windowed() bool { return j.Timing != nil }

// Strided tells whether this shard does only some of the pages of a walk of the job.
func (j *Job) Strided() bool { return j.Paging.Every() > 1 }

// Found is the value in an answer that a path of Spec.Wants leads to.
func (j *Job) Found(wanted []jsontext.Value, path item.Path) []byte {
	if wanted == nil {
		return nil
	}
	return wanted[j.wanted[keyOf(path)]]
}
