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
	Shape     request.Shape
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
	Request      Request
	// Windows are those of this shard. Of a job without windows it is one
	// that says nothing.
	Windows []Window
	// Windowed tells that the job has windows, if only none that is not empty.
	Windowed   bool
	Paging     *paginate.Paging
	Spec       page.Spec
	Conditions Conditions
	Items      Items

	Nesting

	// wanted has where in Spec.Wants a path stands first, by its key.
	wanted map[string]int

	// Lasts are what the function last follows, as the last run left it.
	Lasts []Greatest
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

// Request is what all pages of a job are asked for with.
type Request struct {
	Method   request.Method
	Endpoint *expr.Expr
	Header   http.Header
	Defaults []expr.Member
	Params   []expr.Member
	// Env is that of Endpoint, Defaults and Params.
	Env expr.Env
	// Own is an address whose origin may see credentials, as that
	// of api.baseUrl may.
	Own *url.URL
	// Followed tells that a value which items had, by the function last, stands in
	// Endpoint.
	Followed bool
}

// Items is what the configuration says about each item of a job.
type Items struct {
	// UserData are members that each item gets.
	UserData []expr.Member
	// Filter has values become their JSON text; nil: none.
	Filter *transform.Filter
}

// Evaluated is what all walks of a job share in a run.
type Evaluated struct {
	Pages *paginate.Job
	// Added are the members that each item gets.
	Added []transform.Member
	// Renewed are the parameters that are evaluated for each request.
	Renewed []Renewed
}

// Evaluate evaluates all parameters of a job, those of a window too.
func (j *Job) Evaluate(of *Window) (*Evaluated, error) {
	pages := &paginate.Job{Method: j.Request.Method}
	e := &Evaluated{Pages: pages}
	if err := j.address(pages, of); err != nil {
		return nil, err
	}
	var data request.Params
	for _, p := range []struct {
		into *request.Params
		from []expr.Member
	}{
		{&pages.Defaults, j.Request.Defaults},
		{&pages.Params, j.Request.Params},
		{&data, j.Items.UserData},
		{&pages.Scroll, j.Paging.Needs.Scroll},
	} {
		if err := j.members(p.into, p.from, of); err != nil {
			return nil, err
		}
		for _, m := range p.from {
			if m.Value.PerRequest() {
				first := p.into.Get(m.Name)
				e.Renewed = append(e.Renewed, Renewed{m, j.Request.Env, first})
			}
		}
	}
	for _, d := range data {
		added := transform.Member{Name: d.Name, Value: d.Value, Suffix: "_u"}
		e.Added = append(e.Added, added)
	}
	return e, nil
}

// EvaluateWindow is what e says of pages, with the address and the parameters of another window.
func (j *Job) EvaluateWindow(e *Evaluated, of *Window) (*paginate.Job, error) {
	own := *e.Pages
	own.Params = nil
	if err := j.address(&own, of); err != nil {
		return nil, err
	}
	err := j.members(&own.Params, j.Request.Params, of)
	return &own, err
}

// members evaluates members into parameters, of which there are none yet. Of one
// name the last counts, in the place of the first.
func (j *Job) members(into *request.Params, from []expr.Member, of *Window) error {
	env := j.Request.Env
	if j.Windowed {
		env = WindowEnv(env, j.API.Started, of)
	}
	places := make(map[string]int, len(from))
	return expr.EvalMembers(from, env, func(name string, v expr.Value) {
		param := request.Param{Name: name, Value: v.JSON, Secret: v.Secret}
		if at, again := places[name]; again {
			(*into)[at] = param
			return
		}
		places[name] = len(*into)
		*into = append(*into, param)
	})
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

// Strided tells whether this shard does only some of the pages of a walk of the job.
func (j *Job) Strided() bool { return j.Paging.Every() > 1 }

// Found is the value in an answer that a path of Spec.Wants leads to.
func (j *Job) Found(wanted []jsontext.Value, path item.Path) []byte {
	if wanted == nil {
		return nil
	}
	return wanted[j.wanted[keyOf(path)]]
}
