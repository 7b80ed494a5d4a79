package walk

import (
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
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
	// Paused is how much time has passed between the attempts at the run, in which no process worked on it.
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

// How many keys, and how many first and last items of pages, a shard tells of one walk at most.
const (
	mostKeys  = evidence.KnownOfRoot
	mostEdges = 1 << 13
)

// shares are how much this shard tells of one walk.
type shares struct{ keys, edges int }

// sharesOf divides what all shards tell of all walks together.
func sharesOf(o *Options) shares {
	walks := 0
	for _, j := range o.API.Jobs {
		if j.Strided() {
			walks += len(j.Windows)
		}
	}
	parts := max(1, o.Shards*walks*o.Documents)
	return shares{
		keys:  min(mostKeys, report.MostKeys/parts),
		edges: min(mostEdges, report.MostEdges/parts),
	}
}

// now is the run's clock. It leaves out the time in which no process worked on the run.
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
