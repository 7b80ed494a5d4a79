package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
	"sluice/source/config"
	"sluice/source/transport/record"
)

func runCommand(e *extraction) *cli.Command {
	return &cli.Command{
		Name: "run", ArgsUsage: "CONFIG [flags]",
		Usage: "extract every item, to stdout or where --output says",
		UsageText: `  sluice run api.json | jq .
  sluice run api.json -o users.csv.gz
  sluice run api.json -o export/ --summary report.json
  sluice run api.json -o s3://bucket/exports/ --concurrency 8 --trace trace.json
  sluice run api.json --job users --attr-env '#password=API_PASSWORD'`,
		Flags: slices.Concat(
			e.outputFlags(),
			e.sourceFlags(),
			e.checkpointFlags(),
			e.reportFlags(),
			e.logging.flags("info"),
			e.s3Flags(),
			[]cli.Flag{
				sizeFlag(
					&e.s3.PartSize,
					"s3-part-size",
					"16MiB",
					"`SIZE` of the parts of an upload; 10,000 of them are the largest object",
				),
			},
			e.set.flags(),
		),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			if err := e.settle(name); err != nil {
				return err
			}
			return e.run(ctx, name)
		}),
	}
}

// settle fills in what the flags leave open, and refuses flags that contradict each other.
func (e *extraction) settle(config string) error {
	if err := cmp.Or(e.checkCheckpoint(), e.checkShard()); err != nil {
		return err
	}
	now := e.world.now()
	e.sink.RunID = cmp.Or(e.sink.RunID, ulid.MustNew(ulid.Timestamp(now), ulid.DefaultEntropy()).String())
	e.mark()
	e.date = e.sink.Date
	e.sink.Date = cmp.Or(e.sink.Date, now.UTC().Format(time.DateOnly))
	_, err := time.Parse(time.DateOnly, e.sink.Date)
	switch {
	case err != nil:
		return usagef("--date %s: must be a date such as 2026-01-31", e.sink.Date)
	case e.source.Concurrency < 1 || e.source.Concurrency > 1000:
		return usagef("--concurrency %d: must be between 1 and 1000", e.source.Concurrency)
	case e.columns != "" && e.columnsFrom != "":
		return usagef("--columns and --columns-from: one of the two")
	}
	return e.settleReports(config)
}

// settleReports refuses what does not go together of flags that run and publish share. config is empty for publish.
func (e *extraction) settleReports(config string) error {
	switch {
	case e.accept.MinItems < 0:
		return usagef("--min-items %d: must not be negative", e.accept.MinItems)
	case e.page == "-" || e.trace == "-":
		return usagef("--report and --trace: name a file, not -")
	case e.summary == "-" && isStdout(e.sink.Output, e.world.stdout):
		return usagef("--summary -: the data goes to stdout; name a file for one of the two")
	}
	return e.apart(config)
}

// extraction is one run of a configuration into an output. The flags set its members.
type extraction struct {
	world   *world
	secrets *secret.Set
	log     *view.Log

	// nil: none.
	live *view.Live

	source source.Options

	// --record; nil: none.
	recorder *record.Recorder

	// Of the run; nil before it is compiled.
	src *source.Source

	// Of a run of several shards, once it is joined.
	shared *sink.Shared

	sink sink.Options

	// Of the run; nil before it is compiled.
	snk *sink.Sink

	// The place of the journal; nil: none.
	kept target.Store

	s3      s3.Options
	set     attributes
	logging logFlags

	// --strict and --min-items.
	accept pipeline.Options

	// --checkpoint-every.
	every time.Duration

	progress string
	began    time.Time

	// Of the run; nil before it begins.
	reporter atomic.Pointer[pipeline.Reporter]

	// As flags say; empty: nothing.
	checkpoint, columns, columnsFrom, date, record, replay, state, summary, page, trace string

	// Beside the data, made ready when all is sealed and put in place when all shows:
	summaryFile, pageFile, stateFile *sideFile
	timeline                         *view.Trace
}

// newExtraction has the defaults of what the flags set.
func newExtraction(w *world, secrets *secret.Set) *extraction {
	return &extraction{
		world: w, secrets: secrets, s3: s3.Options{Secrets: secrets, Dial: w.dial},
		source: source.Options{
			Network: source.Network{Secrets: secrets, Dial: w.dial, UserAgent: "sluice/" + version},
			Now:     w.now,
		},
	}
}

func (e *extraction) run(ctx context.Context, name string) error {
	return e.tell(ctx, func() (*report.Report, error) { return e.attempt(ctx, name) }, e.endJournal)
}

// tell leaves the report of what is done, also of what comes to no request: an earlier one would be taken for it. end is
// what follows when all is in place, or has failed.
func (e *extraction) tell(
	ctx context.Context,
	do func() (*report.Report, error),
	end func(*report.Report, error) error,
) error {
	e.began = e.world.now()
	e.timeline = view.NewTrace(nil, e.began, e.secrets)
	defer func() {
		e.closeReports()
		e.stateFile.close()
	}()
	var err, wrong error
	e.summaryFile, err = newSideFile("--summary", e.summary, 0, e.sink.Mark)
	e.pageFile, wrong = newSideFile("--report", e.page, 0, e.sink.Mark)
	if err = cmp.Or(err, wrong, e.summaryFile.probe(ctx), e.pageFile.probe(ctx)); err != nil {
		return err
	}
	// An earlier report says nothing of this run. In a folder of outputs it may be data.
	if out := e.sink.Output; out == "" || !os.IsPathSeparator(out[len(out)-1]) || strings.Contains(out, "://") {
		if err := e.eachReport(func(f *sideFile) error { return f.remove(ctx) }); err != nil {
			return err
		}
	}
	told, err := unlessStuck(ctx, e.world, do)
	err = e.fail(cause(ctx, err))
	if told == nil {
		e.live.Close()
		told = e.failed(e.soFar(), err)
	}
	also := func(failed error) {
		if err == nil && failed != nil {
			e.late(told, failed)
			e.placeReports(told)
		} else if failed != nil && !strings.Contains(err.Error(), failed.Error()) {
			err = errors.Join(err, failed)
		}
	}
	if err == nil {
		e.place(told)
	} else if overtaken(err) {
		// The report is that of the other process.
		e.closeReports()
	}
	also(end(told, err))
	if err != nil {
		also(e.prepareReports(told))
		also(e.eachReport((*sideFile).place))
	}
	if !errors.Is(err, errReaderGone) {
		failure := ""
		if signal := (*interrupted)(nil); errors.As(err, &signal) {
			failure = signal.Error()
		} else if err != nil {
			failure = "failed"
		}
		e.log.Close(told, failure, e.sink.Output)
	}
	// The last line even where stdout and stderr are one: Airflow reads that.
	if e.summary == "-" {
		also(writeJSON(view.Printable(e.world.stdout), e.secrets, told, ""))
	}
	return err
}

// attempt moves everything. It returns no report of what is wrong before the first request.
func (e *extraction) attempt(ctx context.Context, name string) (*report.Report, error) {
	if e.summary == "-" ||
		slices.Contains([]string{"", "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, e.sink.Output) {
		if _, err := e.world.stdout.Write(nil); err != nil {
			return nil, err
		}
	}
	if err := e.read(ctx); err != nil {
		return nil, err
	}
	var p config.Problems
	docs, err := e.load(ctx, name, &p)
	if err != nil {
		return nil, err
	}
	e.watch(docs[0].Debug)
	observers := pipeline.Observers{e.log} // the others are there when all is ready to begin
	e.source.Observer = &observers
	if e.source.Proxy, err = proxy(e.world.getenv, e.secrets); err != nil {
		return nil, err
	}
	if err := e.checkPlace(docs[0]); err != nil {
		return nil, err
	}
	if told, err := e.join(ctx, docs); told != nil || err != nil {
		return told, err
	}
	if told, err := e.continueRun(ctx, docs); told != nil || err != nil {
		return told, err
	}
	snk, err := e.compile(docs, &p)
	if err != nil {
		return nil, err
	}
	if err := e.eachReport(func(f *sideFile) error { return f.remove(ctx) }); err != nil {
		return nil, err
	}
	if err := e.recorder.Start(); err != nil {
		return nil, usagef("--record: %w", err)
	}
	// A shard leaves the state to sluice publish.
	if e.sink.Shards == 0 {
		if err := e.stateFile.probe(ctx); err != nil {
			return nil, err
		}
	}
	if e.trace != "" {
		file, err := await(ctx, func() (*os.File, error) { return os.Create(e.trace) })
		if err != nil {
			return nil, fmt.Errorf("--trace: %w", err)
		}
		e.timeline = view.NewTrace(file, e.began, e.secrets)
	}
	head := e.head()
	head.Incremental, head.Jobs = docs[0].Incremental, e.src.Jobs()
	if e.source.Shards > 0 {
		head.Shard = &report.ShardReport{}
	}
	if j := e.source.Journal; j != nil {
		if head.Resumed = j.Attempts; len(head.Resumed) > 0 {
			head.StartedAt = e.source.Start
		}
		for i := range head.Jobs {
			head.Jobs[i].Counts = j.Totals[head.Jobs[i].ID]
		}
	}
	reporter := pipeline.NewReporter(head)
	e.reporter.Store(reporter)
	observers = pipeline.Observers{reporter, e.live, e.log}
	if e.trace != "" || e.pageFile != nil {
		observers = append(observers, e.timeline)
	}
	e.live.Start(len(e.src.Roots()))
	for _, problem := range p.All() {
		e.warn("", problem.String())
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e.beginJournal(reporter, cancel)
	e.endEarlier(ctx)
	stop := e.log.Watch(e.live != nil)
	told, err := e.extract(ctx, snk, reporter)
	stop()
	e.live.Close()
	return told, errors.Join(err, e.timeline.Close())
}

// warn tells the observers of something that a person should know; job may be empty.
func (e *extraction) warn(job, text string) {
	e.source.Observer.Observe(pipeline.Warned{Job: job, Text: e.secrets.Redact(text), At: e.world.now()})
}

// head is the report of a run of which no more is known than when it began.
func (e *extraction) head() report.Report {
	return report.Report{Version: version, RunID: e.sink.RunID, StartedAt: e.began.UTC()}
}

// soFar has what is known of the run, also while it is under way.
func (e *extraction) soFar() *pipeline.Reporter {
	if r := e.reporter.Load(); r != nil {
		return r
	}
	return pipeline.NewReporter(e.head())
}

// failed is the report of a run that ended with err.
func (e *extraction) failed(r *pipeline.Reporter, err error) *report.Report {
	return r.Failed(e.secrets.Redact(err.Error()), e.world.now().UTC())
}

func (e *extraction) extract(
	ctx context.Context,
	snk pipeline.Sink,
	r *pipeline.Reporter,
) (*report.Report, error) {
	var told *report.Report
	e.accept.Observer, e.accept.Ready = e.source.Observer, func(r *report.Report) error { return e.ready(ctx, r, e.seen) }
	err := pipeline.Run(ctx, e.src, snk, func() *report.Report {
		if told = r.Succeeded(e.world.now().UTC()); e.source.Shards > 0 {
			told.Status = report.Sealed
		}
		return told
	}, e.accept)
	if err = cause(ctx, err); err == nil {
		e.world.stage.Store(published)
		return told, nil
	}
	e.world.stage.Store(working)
	// The other process has ended the uploads of this one.
	if context.Cause(ctx) == nil && e.source.Journal.Lost() {
		err = record.ErrContinued
	}
	failed := e.failed(r, err)
	if told != nil {
		// What is visible all the same.
		failed.Outputs = told.Outputs
	}
	return failed, err
}
