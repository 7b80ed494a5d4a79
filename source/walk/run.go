// Package walk goes over the pages of jobs: it asks for them, judges each, and emits
// their items in order.
package walk

import (
	"context"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// Options of a [Run]. Nothing changes them.
type Options struct {
	API      *job.API
	Client   *transport.Client
	Decoder  *page.Decoder
	Observer pipeline.Observer
	Now      func() time.Time
	// Paused is how long the run has lain still.
	Paused time.Duration
	// Concurrency is how many requests are in flight at most.
	Concurrency int
	// ConfirmEnd asks for one page more after an underflow with items.
	ConfirmEnd bool
	// Proof asks for at most two more where the end is only assumed, and doubts what stays so.
	Proof bool
	// Shard is the part of the run that this process does, from 0; 0 Shards:
	// all of it.
	Shard, Shards int
	// Journal is nil without a checkpoint.
	Journal *record.Journal
	// Documents is how many the run has.
	Documents int

	// tells is how much a shard tells of a walk.
	tells shares
	// places tells that walks know their place: for a journal, or for a recording in which
	// nothing else tells their requests apart.
	places bool
	// between sees each walk between two pages; nil but in tests.
	between func(*Walk)
}

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

// Options are those that the run was made with.
func (r *Run) Options() *Options { return r.options }

// Extract fetches and emits everything.
func (r *Run) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	defer r.options.Client.Close()
	return newCoordinator(r, emit).run(ctx)
}

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

// now is the run's clock: the time that the run has lain still is left out.
func (o *Options) now() time.Time { return o.Now().Add(-o.Paused) }

func (o *Options) redact(text string) string { return o.API.Secrets.Redact(text) }

// message is a text as a message may have it.
func (o *Options) message(text string) string { return pipeline.Brief(o.redact(text)) }

// tell tells of something odd about a job.
func (o *Options) tell(j *job.Job, r report.Remark) {
	r.Text = o.message(r.Text)
	o.Observer.Observe(pipeline.Warning(j.ID, r, o.Now()))
}

// quoted is a member for people, cut; nothing for nil.
func (o *Options) quoted(m *item.Found) string {
	if m == nil {
		return ""
	}
	value := pipeline.Shorten(o.redact(string(m.Value)), 500)
	return m.Path.String() + " is " + value
}
