package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
	"sluice/source/config"
)

func runCommand(w *world, secrets *secret.Set) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run CONFIG [flags]",
		Short: "extract every item of every job, to stdout or where --output says",
		Example: `  sluice run api.json | jq .
  sluice run api.json -o users.csv.gz
  sluice run api.json -o export/ --summary report.json
  sluice run api.json -o s3://bucket/exports/ --concurrency 8 --trace trace.json
  sluice run api.json --job users --attr-env '#password=API_PASSWORD'`,
		RunE: action(func(c invocation) error {
			name, err := c.config()
			if err != nil {
				return err
			}
			e := &extraction{world: w, secrets: secrets}
			if err := e.apply(c); err != nil {
				return err
			}
			return e.run(c.Context(), func(p *config.Problems) ([]*config.Document, error) {
				docs, err := load(c, w, name, secrets, p)
				if err != nil {
					return nil, err
				}
				return docs, e.watch(c, docs[0].Debug)
			})
		}),
	}
	f := cmd.Flags()
	outputFlags(f)
	sourceFlags(f)
	trafficFlags(f)
	reportFlags(f)
	s3Flags(f)
	partSizeFlag(f)
	attributeFlags(f)
	return cmd
}

// watch makes what people see of the run on stderr.
func (e *extraction) watch(c invocation, debug bool) (err error) {
	if e.live, err = progressFlag(c, e.world, e.secrets); err != nil {
		return err
	}
	if e.log, err = newLog(c, e.world, debug, e.secrets); err != nil || e.live == nil {
		return err
	}
	e.log.W = e.live
	if !c.Changed("log-level") {
		e.log.Pages = slog.LevelDebug // the live view shows them
	}
	return nil
}

// newLog makes the logger that --log-level, --log-format and config.debug ask for.
func newLog(c invocation, w *world, debug bool, secrets *secret.Set) (*view.Log, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return nil, usagef("--log-level %s: have debug, info, warn, error", c.String("log-level"))
	}
	if debug && !c.Changed("log-level") {
		level = slog.LevelDebug
	}
	format, err := c.choice("log-format")
	if err != nil {
		return nil, err
	}
	return &view.Log{W: w.stderr, JSON: format == "json", Level: level, Secrets: secrets}, nil
}

// extraction is one run of a configuration into an output.
type extraction struct {
	world    *world
	secrets  *secret.Set
	log      *view.Log
	source   source.Options
	sink     sink.Options
	s3       s3.Options
	envelope bool
	strict   bool
	summary  string // --summary; empty: none
	state    string // --state; empty: none
	runID    string
	trace    string     // --trace; empty: none
	live     *view.Live // nil: none
}

// A loader gives the documents of a configuration, at least one; what is wrong
// with them goes to p.
type loader func(p *config.Problems) ([]*config.Document, error)

// run does it, and leaves the report, also of a run that comes to no request: an
// earlier report in its place would be taken for this one's.
func (e *extraction) run(ctx context.Context, load loader) error {
	began := e.world.now()
	summary, err := openSideFile(ctx, "--summary", e.summary)
	if err != nil {
		return err
	}
	defer summary.close()
	report, err := e.attempt(ctx, load, began)
	if report == nil {
		report = e.failed(pipeline.NewReporter(e.head(began)), err)
	}
	err = errors.Join(err, writeSummary(summary, e.secrets, report))
	if !errors.Is(err, errReaderGone) {
		e.log.Close(report, failure(err), e.sink.Output)
	}
	if e.summary == "-" { // the last line even where stdout and stderr are one: Airflow reads that
		err = errors.Join(err, writeIndented(e.world.stdout, e.secrets, report, ""))
	}
	return err
}

// attempt moves everything, one document after the other. Whatever is wrong with
// the configuration or with the flags is said before the first request, and the
// report is nil; unknown members are warnings.
func (e *extraction) attempt(ctx context.Context, load loader, began time.Time) (*pipeline.Report, error) {
	var p config.Problems
	docs, err := load(&p)
	if err != nil {
		return nil, err
	}
	observers := pipeline.Observers{e.log} // the others are there when all is ready to begin
	e.source.Observer = &observers
	e.source.Secrets, e.source.Now, e.source.Dial = e.secrets, e.world.now, e.world.dial
	e.source.UserAgent = "sluice/" + version
	if e.source.Proxy, err = proxy(e.world.getenv, e.secrets); err != nil {
		return nil, err
	}
	src := source.New(docs, e.source, &p)
	if err := p.Err(); err != nil {
		return nil, err
	}
	snk, err := e.open(src, docs[0])
	if err != nil {
		return nil, &usageError{err}
	}
	if err := e.source.Record.Start(); err != nil {
		return nil, usagef("--record: %w", err)
	}
	trace, err := openTrace(e.trace, began, e.secrets)
	if err != nil {
		return nil, err
	}
	head := e.head(began)
	head.Incremental, head.Jobs = docs[0].Incremental, src.Jobs()
	reporter := pipeline.NewReporter(head)
	observers = pipeline.Observers{reporter, trace, e.live, e.log}
	e.live.Start(len(src.Roots()))
	for _, problem := range p.All() {
		e.warn("", problem.String())
	}

	report, err := e.extract(ctx, src, snk, reporter, began)
	e.live.Close()
	if failed := trace.Close(e.world.now()); failed != nil {
		err = errors.Join(err, fmt.Errorf("--trace: %w", failed))
	}
	return report, err
}

// openTrace begins the timeline in a file; an empty name is no trace.
func openTrace(name string, began time.Time, secrets *secret.Set) (*view.Trace, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	return view.NewTrace(file, began, secrets), nil
}

// warn tells the observers of something that a person should know; job may be empty.
func (e *extraction) warn(job, text string) {
	e.source.Observer.Observe(pipeline.Warned{Job: job, Text: e.secrets.Redact(text), At: e.world.now()})
}

// failure is how the closing lines call a run that ended with err; empty if it is nil.
func failure(err error) string {
	var signal *interrupted
	switch {
	case err == nil:
		return ""
	case errors.As(err, &signal):
		return signal.Error()
	}
	return "failed"
}

// head is the report of a run of which no more is known than when it began.
func (e *extraction) head(began time.Time) pipeline.Report {
	return pipeline.Report{Version: version, RunID: e.runID, StartedAt: began.UTC()}
}

// failed is the report of a run that ended with err.
func (e *extraction) failed(r *pipeline.Reporter, err error) *pipeline.Report {
	return r.Failed(e.secrets.Redact(err.Error()), e.world.now().UTC())
}

// extract moves everything, and returns the report of how it went.
func (e *extraction) extract(ctx context.Context, src pipeline.Source, snk pipeline.Sink, r *pipeline.Reporter, began time.Time) (*pipeline.Report, error) {
	var report *pipeline.Report
	err := withState(ctx, e.state, began, func() error {
		return pipeline.Run(ctx, src, snk, func() *pipeline.Report {
			report = r.Succeeded(e.world.now().UTC())
			return report
		}, pipeline.Options{Observer: e.source.Observer, Strict: e.strict})
	})
	if err = cause(ctx, err); err == nil {
		return report, nil
	}
	failed := e.failed(r, err)
	if report != nil {
		failed.Outputs = report.Outputs // what is visible all the same
	}
	return failed, err
}

// open makes the sink for what the source gives.
func (e *extraction) open(src *source.Source, doc *config.Document) (pipeline.Sink, error) {
	var err error
	if e.sink.Output, err = withBucket(e.sink.Output, doc); err != nil {
		return nil, err
	}
	e.s3.RunID = e.runID
	e.sink.Targets = map[string]func(string) (target.Target, error){"s3": openS3(e.s3)}
	e.sink.Files = map[string]string{"--summary": e.summary, "--state": e.state, "--trace": e.trace}
	e.sink.Stdout = e.world.stdout
	e.sink.Rest = src.Rest()
	if len(e.source.Jobs) > 0 {
		e.sink.Jobs = src.Roots()
	}
	e.sink.Warn = e.warn
	snk, err := sink.New(e.sink, src.Outputs())
	if err != nil {
		return nil, err
	}
	if e.envelope {
		return &enveloped{Sink: snk}, nil
	}
	return snk, nil
}
