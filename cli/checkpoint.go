package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/config"
	"sluice/source/transport/record"
)

func (e *extraction) checkpointFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "checkpoint",
			Destination: &e.checkpoint,
			Usage:       "keep the answers in a journal at `PLACE`, DIR/ or s3://bucket/prefix/, and continue where a run with the same --run-id stopped",
		},
		&cli.DurationFlag{
			Name:        "checkpoint-every",
			Value:       10 * time.Second,
			Destination: &e.every,
			Usage:       "write what the journal has not yet at least each `DURATION`",
		},
	}
}

// checkCheckpoint refuses what does not go together with a journal.
func (e *extraction) checkCheckpoint() error {
	switch {
	case e.checkpoint == "":
		return nil
	case !strings.HasSuffix(e.checkpoint, "/"):
		return usagef("--checkpoint %s: name a folder, DIR/ or s3://bucket/prefix/", e.checkpoint)
	case e.sink.RunID == "":
		return usagef(
			"--checkpoint needs --run-id, which is the same for all processes of a run: tomorrow's must not continue today's",
		)
	case e.record != "" || e.replay != "":
		return usagef(
			"--checkpoint and --record or --replay: one of them, since what the journal has is not asked for",
		)
	case e.every <= 0:
		return usagef("--checkpoint-every %v: must be more than 0", e.every)
	}
	return nil
}

// openStore opens a place for what processes share.
func openStore(place string, o s3.Options, mark target.Mark) (target.Store, error) {
	if strings.HasPrefix(place, "s3://") {
		return s3.New(o, place)
	}
	folder := target.NewFolder(place, true)
	folder.Mode, folder.Mark = 0o600, mark
	return folder, nil
}

// sweepStore lists the sharded runs and the journal that are at a place, or ends those that
// were last written before a time; with --run-id that run alone.
func (e *extraction) sweepStore(ctx context.Context, place string, before time.Time) error {
	store, err := openStore(place, e.s3, target.Mark{})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // it ends idle connections
	found, err := sink.Sweep(ctx, store, place, e.sink.RunID, before)
	if err != nil || len(found) > 0 || e.sink.RunID != "" {
		err = e.world.swept(found, err, "sharded run", "left", "removed")
	}
	if err != nil || e.sink.RunID != "" {
		return err
	}
	return e.sweepJournal(ctx, store, place, before)
}

// sweepJournal lists the journal that is at a place, or removes one that was last written before a time.
func (e *extraction) sweepJournal(
	ctx context.Context,
	store target.Store,
	place string,
	before time.Time,
) error {
	all, err := record.Segments(ctx, store)
	if err != nil || len(all) == 0 {
		return err
	}
	left := target.Leftover{
		URI:   place,
		Since: slices.MaxFunc(slices.Collect(maps.Values(all)), time.Time.Compare),
	}
	if left.Since.Before(before) {
		err = record.Remove(ctx, store, slices.Collect(maps.Keys(all)))
		left.Removed = err == nil
	}
	return e.world.swept([]target.Leftover{left}, err, "journal", "left", "removed")
}

// continueRun makes this process one of the run whose journal is there, and returns its report if all is visible.
func (e *extraction) continueRun(ctx context.Context, docs []*config.Document) (*report.Report, error) {
	if e.checkpoint == "" {
		return nil, nil
	}
	store, err := openStore(e.checkpoint, e.s3, e.sink.Mark)
	if err != nil {
		return nil, usagef("--checkpoint: %w", err)
	}
	j, err := record.OpenJournal(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("--checkpoint %s: %w", e.checkpoint, errors.Join(err, store.Close()))
	}
	e.source.Journal, e.kept = j, store
	run, there := e.identify(docs), &identity{}
	if j.Run != nil {
		if err := json.Unmarshal(j.Run, there); err != nil {
			return nil, fmt.Errorf("--checkpoint %s: %w", e.checkpoint, err)
		}
	}
	differs := run.differs(there)
	switch {
	case j.Run == nil:
	// Nothing is left of what the shards had.
	case e.sink.Shards > 0 && run.RunID == there.RunID && (j.Report != nil || !run.StartedAt.Equal(there.StartedAt)),
		j.Report != nil && run.RunID != there.RunID:
		j.Forget()
	case differs != "":
		return nil, usagef(
			"--checkpoint %s has another run: %s; name another place, or remove what nobody continues with sluice sweep",
			e.checkpoint,
			differs,
		)
	case j.Report != nil && !isStdout(e.sink.Output, e.world.stdout):
		told := &report.Report{}
		e.source.Journal = nil
		e.endBeside(ctx)
		e.log.Observe(pipeline.Continued{Since: there.StartedAt, Ended: true})
		e.tidy(j.Tidy())
		return told, errors.Join(json.Unmarshal(j.Report, told), e.prepareReports(told), j.Close())
	default:
		j.Attempts = append(j.Attempts, report.Attempt{At: e.world.now().UTC(), Pages: j.Pages})
		if !j.Last.IsZero() {
			e.source.Paused = e.world.now().Sub(j.Last)
		}
		e.adopt(there)
		return nil, nil
	}
	e.adopt(run)
	j.Run, err = json.Marshal(run)
	return nil, err
}

// beginJournal says that this process has the run; another that has it too cancels ctx.
func (e *extraction) beginJournal(r *pipeline.Reporter, cancel context.CancelCauseFunc) {
	j := e.source.Journal
	if j == nil {
		return
	}
	j.Every, j.Sum = e.every, r.Counts
	j.Fail = func(err error) {
		if errors.Is(err, record.ErrContinued) {
			cancel(err)
			return
		}
		e.warn("", "--checkpoint: "+err.Error()+": the run goes on, and what comes from now on is not kept")
	}
	j.Warn = func(text string) { e.warn("", "--checkpoint "+e.checkpoint+": "+text) }
	if len(j.Attempts) > 0 {
		e.source.Observer.Observe(
			pipeline.Continued{
				Since:    e.source.Start,
				Items:    j.Items,
				Pages:    j.Pages,
				Attempts: len(j.Attempts),
			},
		)
	}
	j.Begin()
}

// tidy tells of a journal of a run that has ended which could not be removed.
func (e *extraction) tidy(err error) {
	if err != nil {
		e.warn("", "--checkpoint: the run has ended, and not all of its journal could be removed: "+err.Error())
	}
}

// clearJournal removes the journal of a shard that has ended, which its process could not remove any more.
func (e *extraction) clearJournal(ctx context.Context) {
	if e.checkpoint == "" {
		return
	}
	store, err := openStore(e.checkpoint, e.s3, e.sink.Mark)
	if err != nil {
		// There is none.
		return
	}
	defer store.Close() //nolint:errcheck // it ends idle connections
	e.tidy(record.Clear(ctx, store, func(run []byte) bool {
		there := &identity{}
		return json.Unmarshal(run, there) == nil && there.RunID == e.sink.RunID
	}))
}

// endJournal says that all is visible, or writes what is still to be kept.
func (e *extraction) endJournal(r *report.Report, err error) error {
	j := e.source.Journal
	if j == nil {
		return nil
	}
	if err == nil {
		e.endBeside(context.Background())
		text, wrong := json.Marshal(r)
		return errors.Join(wrong, j.Done(text, isStdout(e.sink.Output, e.world.stdout)), j.Close())
	}
	r.Resumable = j.Begun
	return j.Close()
}

// An identity is what all processes of one run have in common. Whoever comes later works by the values of the first.
type identity struct {
	// Of the program.
	Version string `json:"version"`

	RunID string `json:"runId"`
	Date  string `json:"date"`

	// What parameters take for now.
	StartedAt time.Time `json:"startedAt"`

	// A fingerprint, the values of secrets left out.
	Configuration string `json:"configuration"`

	// That shape the output, as they were given.
	Flags map[string]string `json:"flags"`

	// Of --state, as source.Options has them.
	PreviousStarts map[string]int64 `json:"previousStarts"`

	Lasts map[string]map[string]json.RawMessage `json:"lasts"`
}

func (e *extraction) identify(docs []*config.Document) *identity {
	i := &identity{
		Version: version, RunID: e.sink.RunID, Date: e.sink.Date, StartedAt: cmp.Or(e.source.Start, e.world.now().UTC()),
		PreviousStarts: e.source.PreviousStarts, Lasts: e.source.Lasts,
		Flags: map[string]string{
			"--output": e.sink.Output, "--format": e.sink.Format, "--compress": e.sink.Compress, "--name": e.sink.Name, "--date": e.date,
			"--columns": strings.Join(
				e.sink.Columns,
				",",
			), "--job": strings.Join(slices.Sorted(slices.Values(e.source.Jobs)), ","),
		},
	}
	for name, set := range map[string]bool{"--envelope": e.sink.Enveloped, "--confirm-end": e.source.ConfirmEnd} {
		if set {
			i.Flags[name] = "true"
		}
	}
	if e.sink.Roll > 0 {
		i.Flags["--roll"] = pipeline.Size(e.sink.Roll)
	}
	if n := e.source.Shards; n > 0 {
		i.Flags["--shard"] = fmt.Sprintf("I/%d", n)
	}
	maps.DeleteFunc(i.Flags, func(_, value string) bool { return value == "" })
	for _, d := range docs {
		i.Configuration += d.Fingerprint
	}
	return i
}

// differs says in what another process of the same run differs; empty: in nothing.
func (i *identity) differs(other *identity) string {
	var all []string
	add := func(what, here, there string) {
		if here != there {
			all = append(all, fmt.Sprintf("%s is %q here and %q there", what, here, there))
		}
	}
	add("--run-id", i.RunID, other.RunID)
	names := maps.Clone(i.Flags)
	maps.Copy(names, other.Flags)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		add(name, i.Flags[name], other.Flags[name])
	}
	if i.Configuration != other.Configuration {
		all = append(all, "the configuration, or an attribute that is no secret, is another one")
	}
	return strings.Join(all, "; ")
}

// adopt makes the run one of the first process.
func (e *extraction) adopt(first *identity) {
	e.sink.Date, e.source.Start = first.Date, first.StartedAt
	e.source.PreviousStarts, e.source.Lasts = first.PreviousStarts, first.Lasts
}
