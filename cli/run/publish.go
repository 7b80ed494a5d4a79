package run

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/verdict"
)

// PublishOptions are what publish wants besides what it shares with a run.
type PublishOptions struct {
	// --shards: how many there are.
	Shards int

	// --wait: for shards that have not ended.
	Wait time.Duration

	// --verify: what is sealed is read back.
	Verify bool
}

// Publish makes visible what the shards of a run have sealed: the same use case as
// [Run], whose items other processes have moved.
func Publish(ctx context.Context, w *World, secrets *secret.Set, o Options, wanted PublishOptions) error {
	if o.RunID == "" || wanted.Shards < 1 || wanted.Shards > MostShards {
		return Usagef("--run-id and --shards are needed: they say which run to publish")
	}
	if err := o.settleBeside(w); err != nil {
		return err
	}
	p, err := newProcess(newConsole(w, secrets, &o), &o, o.RunID, target.Mark{})
	if err != nil {
		return err
	}
	x := &publication{process: p, console: p.console, options: p.options, wanted: wanted, texts: &shardTexts{}}
	x.beside, err = newAllSides(ctx, p, x.texts)
	if err != nil {
		return err
	}
	return perform(ctx, p, x.beside, x)
}

// A publication makes visible what the shards of a run have sealed.
type publication struct {
	process *process
	console *console
	options *Options
	beside  *allSides
	wanted  PublishOptions
	texts   *shardTexts
}

func (x *publication) settleFailure(err error) error { return err }

func (x *publication) soFar() *pipeline.Reporter {
	return pipeline.NewReporter(x.console.head(x.process.id, ""))
}

// attempt publishes, once all shards have ended.
func (x *publication) attempt(ctx context.Context) outcome {
	shared, err := sink.Share(x.sinkOptions())
	if err != nil {
		return outcome{err: &UsageError{err}}
	}
	shared.Verify = x.wanted.Verify
	if err := x.beside.state.open(x.bucketOfRun()); err != nil {
		return outcome{err: err}
	}
	// What is wrong with it is said before anything is visible.
	if _, err := x.beside.state.memory(ctx); err != nil {
		return outcome{err: err}
	}
	if err := x.beside.state.prepare(ctx); err != nil {
		return outcome{err: err}
	}
	x.texts.shared = shared
	expected, err := newExpectation(ctx, x.process, x.bucketOfRun())
	if err != nil {
		return outcome{err: err}
	}
	r, err := x.await(ctx, shared, expected)
	if err == nil {
		x.process.world.Stage.Enter(Published)
		return outcome{report: r}
	}
	x.process.world.Stage.Enter(Working)
	switch {
	case x.beside.keepData(err):
		err = &UsageError{err}
	case errors.Is(err, commit.ErrShards):
		err = Usagef("--shards %d: %w", x.wanted.Shards, err)
	}
	if r != nil {
		r.Status, r.Error = report.Failed, x.console.message(err.Error())
	}
	return outcome{r, err}
}

// bucketOfRun is how publishing reaches a bucket.
func (x *publication) bucketOfRun() s3.Options {
	bucket := x.process.bucket
	bucket.RunID = x.process.id
	return bucket
}

func (x *publication) sinkOptions() sink.Options {
	return sink.Options{
		Output:   x.options.Data.Output,
		Manifest: x.options.Data.Manifest,
		RunDetails: sink.RunDetails{
			RunID:  x.process.id,
			Shards: x.wanted.Shards,
			// Not that of the reports, which another process that publishes may have ready.
			Mark: target.NewMark(x.process.id, x.options.Data.Output+"\npublish"),
		},
		Environment: sink.Environment{
			Files:   x.process.files,
			Objects: x.options.objects(),
			Targets: targets(x.bucketOfRun()),
		},
	}
}

// await publishes as soon as no shard is missing, or tells which are when the time is over.
func (x *publication) await(
	ctx context.Context, shared *commit.Shared, expected *expectation,
) (*report.Report, error) {
	const pause = 10 * time.Second
	until, told := x.process.now().Add(x.wanted.Wait), ""
	wants := pipeline.Options{Observer: x.console, Wants: x.options.Wants, Judge: x.judge, Compare: expected.compare}
	for {
		r, err := shared.Publish(ctx, x.wanted.Shards, wants, x.whenSealed(ctx))
		var missing *commit.NotReady
		mayCome := errors.As(err, &missing) && missing.Status == 0
		left := until.Sub(x.process.now())
		if !mayCome || left <= 0 || ctx.Err() != nil {
			return r, err
		}
		if missing.Shards != told {
			told = missing.Shards
			x.console.warn("", "waiting for these shards: "+told)
		}
		select {
		case <-time.After(min(pause, left)):
		case <-ctx.Done():
		}
	}
}

// judge judges what the shards tell of their answers, as a process alone does.
func (x *publication) judge(
	job *report.SharedJob, ended func(report.Stop), warn func(report.Remark),
) (report.Grounds, error) {
	return verdict.JudgeShards(job, x.options.Wants.Proof, ended, warn)
}

// whenSealed makes what stands beside the data ready, before any of it shows.
func (x *publication) whenSealed(ctx context.Context) func(*report.Report, []json.RawMessage) error {
	return func(r *report.Report, shards []json.RawMessage) error {
		if err := x.beside.reports.prepare(ctx); err != nil {
			return err
		}
		x.beside.state.seen = func(*report.Report) (*stateInput, error) { return seenByAll(shards) }
		x.beside.reports.nameBy(shards)
		return x.process.toShow(ctx, x.beside, r)
	}
}

// shardTexts are what the shards have left for publishing, which nobody needs once all is in place.
type shardTexts struct{ shared *commit.Shared }

func (t *shardTexts) prepare(context.Context) error { return nil }

func (t *shardTexts) ready(context.Context, *report.Report) error { return nil }

func (t *shardTexts) place(ctx context.Context, _ *report.Report) error {
	if t.shared == nil {
		return nil
	}
	return t.shared.Forget(ctx)
}

func (t *shardTexts) discard(*report.Report) error { return nil }
