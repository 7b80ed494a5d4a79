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
	"sluice/source/verdict"
)

// A Scope is what a walk is about. Nothing changes it, so that workers may read it.
type Scope struct {
	options *Options
	Job     *job.Job
	// Child is what the parent says of the job; nil for a root walk.
	Child *job.Child
	Above job.Ancestors
	// Window is that of the job, which says nothing if it has none.
	Window *job.Window
	Pages  *paginate.Job
	// own is the endpoint of Pages, resolved.
	own resolved
	// place is that among all walks, for the journal.
	place  string
	shared *shared
	values *values
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
	// collectors look at the items.
	collectors []newCollector
	// foreign is for the warning of another origin.
	foreign sync.Once
}

// values are what was evaluated: once for all walks of a job, or for one walk. Nothing
// changes them.
type values struct {
	*job.Evaluated
	// renew gives headers and parameters of a request their values of now; nil: none has
	// another one.
	renew func(*request.Request) error
}

// newValues are values whose secrets nobody shows from now on.
func newValues(o *Options, e *job.Evaluated) *values {
	if len(e.Secrets) > 0 {
		o.API.Secrets.AddSignature(e.Secrets...)
	}
	v := &values{Evaluated: e}
	renewed := slices.Concat(e.Renewed, o.API.Renewed)
	if len(renewed) > 0 || len(e.Secrets) > 0 {
		v.renew = func(r *request.Request) error {
			return o.API.Renew(r, renewed, e.Secrets...)
		}
	}
	return v
}

// A Walk is a job that goes over pages. What lasts from one page to the next is in
// State and Above: plain data. It is the coordinator's.
type Walk struct {
	*Scope
	State paginate.State
	First *paginate.Request

	// progress is that of all walks of the job.
	progress *progress
	// windows are those of the job that the walk is one of.
	windows *windows
	// slots are what is asked for or to be asked for, in page order; the first is
	// the next to be judged.
	slots []*slot
	// certainOnly tells that no page is known before the one before it.
	certainOnly bool
	// confirm is how the walk ended, while --confirm-end or --proof looks at the page
	// after the end; asked is how many such pages were asked for.
	confirm *report.Stop
	asked   int
	// more is what the last answer said against the end; nil: nothing.
	more *evidence.Sign
	// suspicion is about the end. It is dropped if a page beyond proves that.
	suspicion paginate.Suspicion
	// hollow are pages without items to be asked for again if items follow; isHollow: one of them had none again.
	hollow   []hollow
	isHollow bool
	// told is what a root walk tells of itself, for publishing.
	told report.WalkEnd
	// filtered is how many items where has left out.
	filtered int64
	// recorded is what is kept of the last answer.
	recorded verdict.Record
	// isAddressed: a value of the item above stands in its address.
	isAddressed bool
	ended       bool
}

// Begin begins a walk without a request, for the window of. Without c it is a root
// walk.
func (r *Run) Begin(
	j *job.Job, c *job.Child, above job.Ancestors, of *job.Window,
) (*Walk, error) {
	p := r.progress[j]
	own := job.Own{Window: of, Child: c, Values: above.Values, Unknown: above.Unknown}
	v, err := p.evaluate(own)
	if err != nil {
		return nil, err
	}
	scope := &Scope{
		options: r.options,
		Job:     j,
		Child:   c,
		Above:   above,
		Window:  of,
		Pages:   v.Pages,
		shared:  p.shared,
		values:  v,
	}
	w := &Walk{Scope: scope, progress: p, windows: &p.windows}
	if c == nil {
		scope.place = strconv.Itoa(of.Place)
		w.told = report.WalkEnd{
			Job:    j.ID,
			Walk:   of.Place,
			Whole:  j.Whole,
			Stride: j.Strided(),
		}
	} else {
		filled := *scope.Pages
		if err := c.Fill(&filled, above.Values); err != nil {
			return nil, err
		}
		w.isAddressed = filled.Endpoint != scope.Pages.Endpoint
		scope.Pages = &filled
	}
	base := r.options.API.Addresses.Last()
	// An error is not lost: the first request meets it again.
	if own, err := resolveAt(base, scope.Pages.Endpoint, scope.Pages.Shown); err == nil {
		scope.own = own
	}
	w.First, err = j.Paging.First(&w.State, w.Pages)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Like begins a walk over the same list, without a request, by the paging of j, a copy
// of its job.
func (w *Walk) Like(j *job.Job) (like *Walk, err error) {
	p := newProgress(w.options, j)
	scope := *w.Scope
	scope.Job, scope.shared = j, p.shared
	like = &Walk{Scope: &scope, progress: p, windows: &p.windows}
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
	if s.Job.Windowed() {
		where = ", " + s.Window.Name()
	}
	for i, j := 0, s.Job.Parent; j != nil; i, j = i+1, j.Parent {
		where += fmt.Sprintf(" below item %d of %s", s.Above.Item[i], j.ID)
	}
	return fmt.Errorf("job %s%s: page %d: %w%s", s.Job.ID, where, number, err, s.cureByEmptyOn(number, err))
}
