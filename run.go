package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/source"
	"sluice/source/config"
)

func runCommand(w *world, secrets *pipeline.Secrets) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "extract: fetch every item of every job, and write it to stdout or where --output says",
		UsageText: "run CONFIG [flags]",
		Description: `Examples:
  sluice run api.json | jq .
  sluice run api.json -o users.ndjson
  sluice run api.json --job users --attr-env '#password=API_PASSWORD'`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "`DEST`: - (stdout) or a FILE"},
			&cli.StringSliceFlag{Name: "job", Usage: "only the job with this `ID` or data type; repeatable"},
			&cli.StringFlag{Name: "log-level", Value: "info", Usage: "`LEVEL`: debug, info, warn or error"},
			&cli.StringFlag{Name: "log-format", Value: "text", Usage: "`FORMAT`: text or json"},
		}, attributeFlags()...),
		Action: func(c *cli.Context) error {
			name, err := onlyConfig(c)
			if err != nil {
				return err
			}
			set, err := attributes(c, w)
			if err != nil {
				return err
			}
			var p config.Problems
			doc, err := load(w, name, set, secrets, &p)
			if err != nil {
				return err
			}
			log, err := logFlags(c, w, doc.Debug, secrets)
			if err != nil {
				return err
			}
			e := &extraction{world: w, secrets: secrets, log: log}
			e.source.Jobs = c.StringSlice("job")
			e.sink.Output = c.String("output")
			return e.run(c.Context, doc, &p)
		},
	}
}

// logFlags makes the logger that --log-level, --log-format and config.debug ask for.
func logFlags(c *cli.Context, w *world, debug bool, secrets *pipeline.Secrets) (logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return logger{}, usagef("--log-level %s: have debug, info, warn, error", c.String("log-level"))
	}
	if debug && !c.IsSet("log-level") {
		level = slog.LevelDebug
	}
	format := c.String("log-format")
	if format != "text" && format != "json" {
		return logger{}, usagef("--log-format %s: have text, json", format)
	}
	return newLogger(w.stderr, level, format, secrets), nil
}

// extraction is one run of a configuration into an output.
type extraction struct {
	world   *world
	secrets *pipeline.Secrets
	log     logger
	source  source.Options
	sink    sink.Options
	strict  bool
	runID   string
}

// run does it. Whatever is wrong with the configuration is said before the first
// request; unknown members are warnings.
func (e *extraction) run(ctx context.Context, doc *config.Document, p *config.Problems) error {
	began := e.world.now()
	reports := &relay{}
	e.source.Observer = pipeline.Observers{reports, e.log}
	e.source.Secrets, e.source.Now, e.source.Dial = e.secrets, e.world.now, e.world.dial
	e.source.UserAgent = "sluice/" + version
	src := source.New(doc, e.source, p)
	if err := p.Err(); err != nil {
		return err
	}
	for _, problem := range p.All() {
		e.log.Observe(pipeline.Warned{Text: problem.String(), At: began})
	}
	reporter := pipeline.NewReporter(pipeline.Report{
		Version: version, RunID: e.runID, Incremental: doc.Incremental, StartedAt: began.UTC(), Jobs: src.Jobs(),
	})
	reports.to = reporter

	e.sink.Stdout = e.world.stdout
	snk, err := sink.New(e.sink, src.Outputs())
	if err != nil {
		return &usageError{err}
	}
	err = pipeline.Run(ctx, src, snk, func() *pipeline.Report { return reporter.Succeeded(e.world.now().UTC()) },
		pipeline.Options{Observer: e.source.Observer, Strict: e.strict})
	err = cause(ctx, err)
	e.summarize(reporter, err, began)
	return err
}

// summarize tells people how it ended; the reason of a failure is main's to print.
func (e *extraction) summarize(reporter *pipeline.Reporter, err error, began time.Time) {
	if errors.Is(err, errReaderGone) {
		return
	}
	r := reporter.Succeeded(e.world.now().UTC())
	var items int64
	for _, j := range r.Jobs {
		items += j.Items
	}
	took := e.world.now().Sub(began).Round(time.Millisecond)
	if err != nil {
		e.log.log.Info(fmt.Sprintf("failed after %s in %s", counted(items, "item"), took))
		return
	}
	e.log.log.Info(fmt.Sprintf("done: %s in %s, %s", counted(items, "item"), took, r.Verdict))
}

// relay is an observer whose reader comes later.
type relay struct{ to pipeline.Observer }

// Observe implements [pipeline.Observer].
func (r *relay) Observe(e pipeline.Event) {
	if r.to != nil {
		r.to.Observe(e)
	}
}
