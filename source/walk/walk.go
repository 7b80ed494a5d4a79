package walk

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"sync"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/request"
)

// A Scope is what a walk is about. Nothing changes it, so that workers may read it.
type Scope struct {
	options *Options
	Job     *job.Job
	// Child is what the parent says of the job; nil for a root walk.
	Child *job.Child
	Above job.Ancestors
	// Window is that of the job, which says nothing if it has none; nil below items.
	Window *job.Window
	Pages  *paginate.Job
	// own is where Pages stand.
	own resolved
	// place is that among all walks, for the journal.
	place  string
	shared *shared
}

// resolved is an endpoint at a base. Nothing changes it.
type resolved struct {
	base  *url.URL
	url   *url.URL
	query request.Params
	// hide hides what is secret in the path; nil: nothing is.
	hide request.Hider
}

// shared is what all walks of a job have in common.
type shared struct {
	*job.Evaluated
	// collectors look at the items.
	collectors []newCollector
	// renew gives headers and parameters of a request their values of now; nil: none has
	// another one.
	renew func(*request.Request) error
	// foreign is for the warning of another origin.
	foreign sync.Once
}

// newShared is what all walks of a job have in common, which is evaluated.
func newShared(o *Options, j *job.Job, e *job.Evaluated) *shared {
	s := &shared{Evaluated: e, collectors: collectorsOf(j)}
	renewed := slices.Concat(e.Renewed, o.API.Renewed)
	if len(renewed) > 0 {
		s.renew = func(r *request.Request) error { return o.API.Renew(r, renewed) }
	}
	return s
}

// A Walk is a job that goes over pages. What lasts from one page to the next is in
// State and Above: plain data. It is the coordinator's.
type Walk struct {
	*Scope
	State paginate.State
	First *paginate.Request

	// progress is that of all walks of the job.
	progress *progress
	// slots are what is asked for or to be asked for, in page order; the first is
	// the next to be judged.
	slots []*slot
	// certainOnly tells that no page is known before the one before it.
	certainOnly bool
	// confirm is how the walk ended, while --confirm-end looks at the page
	// after the end.
	confirm *report.Stop
	// more is what the last answer said against the end; nil: nothing.
	more *evidence.Sign
	// suspicion is about the end, unless a page beyond proves it.
	suspicion paginate.Suspicion
	// told is what a root walk tells of itself, for publishing.
	told  report.WalkEnd
	ended bool
}

// Begin begins a walk without a request. Without c it is a root walk, for
// the window of.
func (r *Run) Begin(
	j *job.Job, c *job.Child, above job.Ancestors, of *job.Window,
) (*Walk, error) {
	p := r.progress[j]
	pages, err := p.evaluate(of)
	if err != nil {
		return nil, err
	}
	scope := &Scope{
		options: r.options,
		Job:     j,
		Child:   c,
		Above:   above,
		Window:  of,
		Pages:   pages,
		shared:  p.shared,
	}
	w := &Walk{Scope: scope, progress: p}
	if c == nil {
		scope.place = strconv.Itoa(of.Place)
		w.told = report.WalkEnd{
			Job:    j.ID,
			Walk:   of.Place,
			Whole:  j.Whole,
			Stride: j.Strided(),
		}
	} else {
		own := *pages
		if err := c.Fill(&own, above.Values); err != nil {
			return nil, err
		}
		scope.Pages = &own
	}
	base := r.options.API.Addresses.Last()
	// An error is that of the request.
	if own, err := resolveAt(base, scope.Pages.Endpoint, scope.Pages.Shown); err == nil {
		scope.own = own
	}
	w.First, err = j.Paging.First(&w.State, w.Pages)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Like begins a walk of the same items without a request, by the paging of a copy of
// its job.
func (w *Walk) Like(j *job.Job) (like *Walk, err error) {
	p := newProgress(w.options, j)
	p.shared = newShared(w.options, j, w.shared.Evaluated)
	scope := *w.Scope
	scope.Job, scope.shared = j, p.shared
	like = &Walk{Scope: &scope, progress: p}
	like.First, err = j.Paging.First(&like.State, scope.Pages)
	return like, err
}

// roots begins the walks of the root jobs, each when it is wanted.
func (r *Run) roots() iter.Seq2[*Walk, error] {
	return func(yield func(*Walk, error) bool) {
		for _, j := range r.options.API.Jobs {
			for i := range j.Windows {
				w, err := r.Begin(j, nil, job.Ancestors{}, &j.Windows[i])
				if err != nil {
					err = fmt.Errorf("job %s: %w", j.ID, err)
				}
				if !yield(w, err) {
					return
				}
			}
		}
	}
}

// wrap says which job, item above and page an error belongs to.
func (s *Scope) wrap(number int, err error) error {
	where := ""
	for i, j := 0, s.Job.Parent; j != nil; i, j = i+1, j.Parent {
		where += fmt.Sprintf(" below item %d of %s", s.Above.Item[i], j.ID)
	}
	if s.Job.Windowed {
		where = ", " + s.Window.Name()
	}
	return fmt.Errorf("job %s%s: page %d: %w", s.Job.ID, where, number, err)
}
