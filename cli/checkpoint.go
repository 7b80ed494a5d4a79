package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/config"
	"sluice/source/transport/record"
)

// checkpoint is what the flags say about the journal of the run.
type checkpoint struct {
	place   string // empty: none
	every   time.Duration
	journal *record.Journal // nil: none
	run     *identity       // of the first process
	begun   bool            // this process has the run
}

func (c *checkpoint) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "checkpoint", Destination: &c.place, Usage: "keep the answers in a journal at `PLACE`, DIR/ or s3://bucket/prefix/, and continue where a run with the same --run-id stopped"},
		&cli.DurationFlag{Name: "checkpoint-every", Value: 10 * time.Second, Destination: &c.every, Usage: "write what the journal has not yet at least each `DURATION`"},
	}
}

// check refuses what does not go together with a journal.
func (e *extraction) checkCheckpoint() error {
	c := &e.checkpoint
	switch {
	case c.place == "":
		return nil
	case !strings.HasSuffix(c.place, "/"):
		return usagef("--checkpoint %s: name a folder, DIR/ or s3://bucket/prefix/", c.place)
	case e.sink.RunID == "":
		return usagef("--checkpoint needs --run-id, which is the same for all processes of a run: tomorrow's must not continue today's")
	case e.record != "" || e.replay != "":
		return usagef("--checkpoint and --record or --replay: one of them, since what the journal has is not asked for")
	case c.every <= 0:
		return usagef("--checkpoint-every %v: must be more than 0", c.every)
	}
	return nil
}

// openStore opens a place for what processes share.
func openStore(place string, o s3.Options) (interface {
	target.Store
	io.Closer
}, error) {
	if strings.HasPrefix(place, "s3://") {
		return s3.New(o, place)
	}
	folder := target.NewFolder(place, true)
	folder.Mode = 0o600
	return folder, nil
}

// sweepJournal lists the journal that is at a place, or removes it if it was last written
// before a time.
func (w *world) sweepJournal(ctx context.Context, place string, o s3.Options, before time.Time) error {
	store, err := openStore(place, o)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // it ends idle connections
	left := target.Leftover{URI: place}
	all, err := store.List(ctx, "")
	maps.DeleteFunc(all, func(name string, _ time.Time) bool { return !record.IsSegment(name) })
	for _, at := range all {
		left.Since = time.Unix(max(left.Since.Unix(), at.Unix()), 0)
	}
	if len(all) == 0 {
		return err
	}
	if left.Removed = left.Since.Before(before); left.Removed {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			err = cmp.Or(err, store.Remove(ctx, name))
		}
	}
	return w.swept([]target.Leftover{left}, err, "journal", "left", "removed")
}

// continueRun makes this process one of the run whose journal is there. It returns the
// report if all of that is visible already.
func (e *extraction) continueRun(ctx context.Context, docs []*config.Document) (*pipeline.Report, error) {
	c, run := &e.checkpoint, e.identify(docs)
	if c.place == "" {
		return nil, nil
	}
	store, err := openStore(c.place, e.s3)
	if err != nil {
		return nil, usagef("--checkpoint: %w", err)
	}
	j, err := record.OpenJournal(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("--checkpoint: %w", errors.Join(err, store.Close()))
	}
	c.journal, c.run, e.source.Journal = j, run, j
	there := &identity{}
	if j.Run != nil {
		if err := json.Unmarshal(j.Run, there); err != nil {
			return nil, fmt.Errorf("--checkpoint %s: %w", c.place, err)
		}
	}
	differs := run.differs(there)
	switch {
	case j.Run == nil:
	case e.sink.Shards > 0 && run.RunID == there.RunID && (j.Report != nil || !run.StartedAt.Equal(there.StartedAt)), // nothing is left of what the shards had
		j.Report != nil && run.RunID != there.RunID:
		j.Forget()
	case differs != "":
		return nil, usagef("--checkpoint %s has another run: %s; name another place, or remove what nobody continues with sluice sweep", c.place, differs)
	case j.Report != nil && !isStdout(e.sink.Output, e.world.stdout):
		report := &pipeline.Report{}
		c.journal = nil
		e.log.Observe(pipeline.Continued{Since: there.StartedAt, Ended: true})
		return report, errors.Join(json.Unmarshal(j.Report, report), e.prepareReports(report), j.Close())
	default:
		c.run = there
		j.Attempts = append(j.Attempts, pipeline.Attempt{At: e.world.now().UTC(), Pages: j.Pages})
		if !j.Last.IsZero() {
			e.source.Paused = e.world.now().Sub(j.Last)
		}
	}
	e.adopt(c.run)
	return nil, nil
}

// beginJournal says that this process has the run; another that has it too cancels ctx.
func (e *extraction) beginJournal(r *pipeline.Reporter, cancel context.CancelCauseFunc) error {
	c := &e.checkpoint
	j := c.journal
	if j == nil {
		return nil
	}
	j.Every, j.Sum, j.Fail = c.every, r.Counts, func(err error) {
		if errors.Is(err, record.ErrContinued) {
			cancel(err)
			return
		}
		e.warn("", "--checkpoint: "+err.Error()+": the run goes on, and what comes from now on is not kept")
	}
	run, err := json.Marshal(c.run)
	if err != nil {
		return err
	}
	c.begun = true
	if len(j.Attempts) > 0 {
		e.source.Observer.Observe(pipeline.Continued{Since: c.run.StartedAt, Items: j.Items, Pages: j.Pages, Attempts: len(j.Attempts)})
	}
	j.Begin(run)
	return nil
}

// endJournal says that all is visible, or writes what is still to be kept.
func (e *extraction) endJournal(r *pipeline.Report, err error) error {
	j := e.checkpoint.journal
	if j == nil {
		return nil
	}
	if err == nil {
		text, wrong := json.Marshal(r)
		return errors.Join(wrong, j.Done(text, isStdout(e.sink.Output, e.world.stdout)), j.Close())
	}
	closing := j.Close()
	if e.checkpoint.begun {
		r.Resumable = &j.Begun
	}
	return closing
}
