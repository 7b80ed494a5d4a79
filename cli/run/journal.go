package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/transport/record"
)

// A checkpointJournal keeps the answers of a run at the place of --checkpoint.
// It is there once it is opened, and may be none.
type checkpointJournal struct {
	console *console
	path    string
	every   time.Duration

	// The data goes to stdout: who continues wants all of it again.
	streams bool

	// nil: there is none.
	kept  *record.Journal
	store target.Store

	// It is closed.
	over bool

	// How long the run has lain still.
	paused time.Duration

	// Ends what earlier attempts have left beside the reports.
	endBeside func(context.Context) error
}

// A turn says what is left to do for a process: its part, by what the first process of the run has decided, or nothing,
// since done is the report of the process that did it.
type turn struct {
	first *runIdentity
	done  *report.Report
}

// theJournal is how people are told where something is tried again.
const theJournal = "the journal"

// openStore opens a place for what processes share.
func openStore(place string, bucket s3.Options, m target.Mark) (target.Store, error) {
	if strings.HasPrefix(place, "s3://") {
		return s3.New(bucket, place)
	}
	folder := target.NewFolder(place, true)
	folder.Mode, folder.Mark = 0o600, m
	return folder, nil
}

// open reads what earlier processes have kept.
func (j *checkpointJournal) open(ctx context.Context, bucket s3.Options, m target.Mark) error {
	bucket.Again = j.console.again(theJournal)
	store, err := openStore(j.path, bucket, m)
	if err != nil {
		return Usagef("--checkpoint: %w", err)
	}
	kept, err := record.OpenJournal(ctx, store)
	if err != nil {
		return fmt.Errorf("--checkpoint %s: %w", j.path, errors.Join(err, store.Close()))
	}
	j.kept, j.store = kept, store
	return nil
}

// join makes this process one of the run whose journal is there, or begins one.
func (j *checkpointJournal) join(ctx context.Context, own *runIdentity, isShard bool) (turn, error) {
	if j.kept.Run == nil {
		return j.first(own)
	}
	there := &runIdentity{}
	if err := json.Unmarshal(j.kept.Run, there); err != nil {
		return turn{}, fmt.Errorf("--checkpoint %s: %w", j.path, err)
	}
	hasEnded := j.kept.Report != nil
	sameRun := own.RunID == there.RunID
	// Of shards that have begun anew nothing is left of what they had before.
	sameTry := own.StartedAt.Equal(there.StartedAt) && !hasEnded
	isOver := hasEnded && !sameRun
	if isShard && sameRun {
		isOver = !sameTry
	}
	if isOver {
		j.kept.Forget()
		return j.first(own)
	}
	if differs := own.differs(there); differs != "" {
		return turn{}, Usagef("--checkpoint %s has the journal of another run: %s; name another place, or "+
			"remove that journal with sluice sweep", j.path, differs)
	}
	if hasEnded && !j.streams {
		return j.ended(ctx, there)
	}
	j.kept.Attempts = append(j.kept.Attempts, report.Continuation{At: j.console.world.Now().UTC(), Pages: j.kept.Pages})
	if !j.kept.Last.IsZero() {
		j.paused = j.console.world.Now().Sub(j.kept.Last)
	}
	return turn{first: own.following(there)}, nil
}

// first makes this process the first of the run.
func (j *checkpointJournal) first(own *runIdentity) (turn, error) {
	first := own.following(own)
	text, err := json.Marshal(first)
	j.kept.Run = text
	return turn{first: first}, err
}

// ended returns the report of a run of which all is visible.
func (j *checkpointJournal) ended(ctx context.Context, there *runIdentity) (turn, error) {
	kept := j.kept
	j.kept = nil
	j.console.notAll(errors.Join(j.endBeside(ctx), j.endOwn(ctx)))
	j.console.log.Observe(pipeline.Continued{Since: there.StartedAt, Ended: true})
	j.console.tidied(kept.Tidy())
	done := &report.Report{}
	err := errors.Join(json.Unmarshal(kept.Report, done), kept.Close())
	return turn{done: done}, err
}

// begin says that this process has the run; another that has it too cancels ctx. sum are the costs so far.
func (j *checkpointJournal) begin(start time.Time, sum func() map[string]report.Costs, cancel context.CancelCauseFunc) {
	if j.kept == nil {
		return
	}
	j.kept.Every, j.kept.Sum = j.every, sum
	j.kept.Fail = func(err error) {
		if errors.Is(err, record.ErrContinued) {
			cancel(err)
			return
		}
		j.console.warn("", "--checkpoint: "+err.Error()+": the run goes on without the journal, and answers "+
			"from now on are not kept")
	}
	again := j.console.again(theJournal)
	j.kept.Again = func(err error, pause time.Duration) { again(err.Error(), pause) }
	j.kept.Warn = func(text string) { j.console.warn("", "--checkpoint "+j.path+": "+text) }
	if len(j.kept.Attempts) > 0 {
		j.console.Observe(
			pipeline.Continued{
				Since:    start,
				Items:    j.kept.Items,
				Pages:    j.kept.Pages,
				Attempts: len(j.kept.Attempts),
			},
		)
	}
	j.kept.Begin()
}

// isClaimed tells whether no earlier process of the run can publish any more.
func (j *checkpointJournal) isClaimed() bool {
	return j.kept != nil && *j.kept.Begun && !j.kept.Showing
}

func (j *checkpointJournal) prepare(context.Context) error { return nil }

func (j *checkpointJournal) ready(ctx context.Context, _ *report.Report) error {
	return j.kept.Seal(ctx)
}

// place says that all is visible.
func (j *checkpointJournal) place(_ context.Context, r *report.Report) error {
	if j.kept == nil || j.over {
		return nil
	}
	j.over = true
	ctx := context.Background()
	j.console.notAll(errors.Join(j.endBeside(ctx), j.endOwn(ctx)))
	text, err := json.Marshal(r)
	if err == nil {
		err = j.kept.Done(text, j.streams)
	}
	return errors.Join(err, j.kept.Close())
}

// discard writes what is still to be kept, for a process that continues.
func (j *checkpointJournal) discard(r *report.Report) error {
	if j.kept == nil || j.over {
		return nil
	}
	j.over = true
	r.Resumable = j.kept.Begun
	return j.kept.Close()
}

// endOwn ends what earlier attempts have left beside the journal.
func (j *checkpointJournal) endOwn(ctx context.Context) error {
	return target.EndEarlier(ctx, j.store, "journal")
}

// notAll warns of what stays: it does not harm the run.
func (c *console) notAll(err error) {
	if err != nil {
		c.warn("", "some of what earlier attempts left could not be removed: "+err.Error())
	}
}

// tidied tells of a journal of a run that has ended which could not be removed.
func (c *console) tidied(err error) {
	if err != nil {
		c.warn("", "--checkpoint: the run has ended, and not all of its journal could be removed: "+err.Error())
	}
}

// clear removes the journal of a shard that has ended, which its process could not remove any more.
func (j *checkpointJournal) clear(ctx context.Context, id string, bucket s3.Options, m target.Mark) {
	if j.path == "" {
		return
	}
	store, err := openStore(j.path, bucket, m)
	if err != nil {
		// There is none.
		return
	}
	// It ends idle connections.
	defer func() { _ = store.Close() }()
	j.console.tidied(record.Clear(ctx, store, func(run []byte) bool {
		there := &runIdentity{}
		return json.Unmarshal(run, there) == nil && there.RunID == id
	}))
}
