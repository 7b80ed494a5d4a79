// Package walk goes over the pages of jobs: it asks for them, judges each, and emits
// their items in order.
package walk

import (
	"fmt"
	"iter"
	"strconv"

	"sluice/pipeline/report"
	"sluice/source/job"
)

// A Run is what the walks of one document do. It runs once.
type Run struct {
	options  *Options
	progress map[*job.Job]*progress
}

// New prepares a run. It asks for nothing.
func New(o Options) *Run {
	o.tells = sharesOf(&o)
	r := &Run{options: &o, progress: map[*job.Job]*progress{}}
	o.places = o.Journal != nil
	for _, j := range job.Tree(o.API.Jobs) {
		r.progress[j] = newProgress(&o, j)
		o.places = o.places || j.HasOwnHeaders()
	}
	return r
}

// Begin begins a walk for the window named of, and sends nothing. Without c it is a root walk.
func (r *Run) Begin(
	j *job.Job, c *job.Child, above job.Ancestors, of *job.Window,
) (*Walk, error) {
	p := r.progress[j]
	own := job.Own{Window: of, Child: c, Values: above.Values, Unknown: above.Unknown}
	v, err := p.evaluate(own)
	if err != nil {
		return nil, err
	}
	scope := &Assignment{
		options: r.options,
		Job:     j,
		Child:   c,
		Above:   above,
		Window:  of,
		Pages:   v.Pages,
		shared:  p.shared,
		values:  v,
	}
	w := &Walk{Assignment: scope, progress: p, windows: &p.windows}
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
	// An error need not be returned here: the first request fails with the same one.
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
	scope := *w.Assignment
	scope.Job, scope.shared = j, p.shared
	like = &Walk{Assignment: &scope, progress: p, windows: &p.windows}
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

// Options are those that the run was made with.
func (r *Run) Options() *Options { return r.options }

// Lasts is what the function last follows, of the jobs below no other.
func (r *Run) Lasts() (all []job.Followed) {
	for _, j := range r.options.API.Jobs {
		for _, g := range r.progress[j].lasts {
			all = append(all, job.Followed{Job: j.ID, Greatest: g})
		}
	}
	return all
}

// Parents is what the function last follows below items, by the id of the job.
func (r *Run) Parents() map[string]*job.Parents {
	all := map[string]*job.Parents{}
	for j, p := range r.progress {
		if p.parents != nil {
			all[j.ID] = p.parents
		}
	}
	return all
}

// Most has for each job the greatest number of items that the first page of a walk had, where it is not one
// that a page may be cut to.
func (r *Run) Most() map[string]int {
	all := map[string]int{}
	for j, p := range r.progress {
		all[j.ID] = max(all[j.ID], p.most)
	}
	return all
}
