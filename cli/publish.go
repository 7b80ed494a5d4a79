package cli

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/target"
)

func publishCommand(e *extraction) *cli.Command {
	p := publication{extraction: e}
	shared := slices.DeleteFunc(
		slices.Concat(e.outputFlags(), e.sourceFlags(), e.reportFlags()),
		func(f cli.Flag) bool {
			return !slices.Contains([]string{"strict", "min-items", "state", "summary", "report"}, f.Names()[0])
		},
	)
	return &cli.Command{
		Name: "publish", ArgsUsage: "DEST [flags]",
		Usage: "make visible what the shards of a run have sealed",
		Description: `All of it or nothing, and the manifest last. It may be run again, and twice at a
time. While shards are missing it ends with status 75 and their numbers.`,
		UsageText: `  sluice publish s3://data/exports/ --run-id 2026-01-31 --shards 20
  sluice publish export/ --run-id 2026-01-31 --shards 20 --wait 6h --strict`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{
				Name:        "run-id",
				Destination: &e.sink.RunID,
				Usage:       "`ID` of the run, that of its shards",
			},
			&cli.IntFlag{Name: "shards", Destination: &p.shards, Usage: "`N` of --shard I/N"},
			&cli.DurationFlag{
				Name:        "wait",
				Destination: &p.wait,
				Usage:       "how long to wait for shards that have not ended: `DURATION`",
			},
			&cli.BoolFlag{
				Name:        "verify",
				Destination: &p.verify,
				Usage:       "read back what the shards have sealed, and compare its SHA-256: in a folder before anything is visible, in a bucket before the manifest is",
			},
		}, shared, e.logging.flags("info"), e.s3Flags()),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			e.sink.Output = place
			if err := p.settle(); err != nil {
				return err
			}
			e.log = e.logging.log(e.world.stderr, slog.LevelInfo, e.secrets)
			e.source.Observer, e.accept.Observer = e.log, e.log
			publish := func() (*report.Report, error) { return p.publish(ctx) }
			return e.tell(ctx, publish, func(_ *report.Report, err error) error { return p.forget(ctx, err) })
		}),
	}
}

// A publication makes visible what the shards of a run have sealed.
type publication struct {
	*extraction
	shards int
	wait   time.Duration
	verify bool

	// nil before it is opened.
	run *sink.Shared

	// What stands beside the data is.
	ready bool
}

func (p *publication) settle() error {
	if p.sink.RunID == "" || p.shards < 1 || p.shards > mostShards {
		return usagef("which run? --run-id and --shards must say it")
	}
	return p.settleReports("")
}

// publish publishes, once all shards have ended.
func (p *publication) publish(ctx context.Context) (*report.Report, error) {
	p.locate()
	options := p.sink
	// Not that of the reports, which another process that publishes may have ready.
	options.Mark = target.NewMark(p.sink.RunID, p.sink.Output+"\npublish")
	shared, err := sink.Share(options)
	if err != nil {
		return nil, &usageError{err}
	}
	shared.Verify = p.verify
	if err := p.previousStarts(ctx); err != nil {
		return nil, err
	}
	if err := p.stateFile.probe(ctx); err != nil {
		return nil, err
	}
	p.run = shared
	r, err := p.await(ctx)
	switch {
	case err == nil:
		p.world.stage.Store(published)
		if !p.ready {
			// Another process has published the run.
			p.late(r, p.prepareReports(r))
		}
		return r, nil
	case p.keepData(err):
		err = &usageError{err}
	case errors.Is(err, sink.ErrShards):
		err = usagef("--shards %d: %w", p.shards, err)
	}
	p.world.stage.Store(working)
	if r != nil {
		r.Status, r.Error = "failed", p.secrets.Redact(err.Error())
	}
	return r, err
}

// await publishes as soon as no shard is missing, or tells which are when the time is over.
func (p *publication) await(ctx context.Context) (*report.Report, error) {
	const pause = 10 * time.Second
	until, told := p.world.now().Add(p.wait), ""
	ready := func(r *report.Report, progress []json.RawMessage) error { return p.prepare(ctx, r, progress) }
	for {
		r, err := p.run.Publish(ctx, p.shards, p.accept, ready)
		var missing *sink.NotReady
		mayCome := errors.As(err, &missing) && missing.Status == 0
		left := until.Sub(p.world.now())
		if !mayCome || left <= 0 || ctx.Err() != nil {
			return r, err
		}
		if missing.Shards != told {
			told = missing.Shards
			p.warn("", "waiting for these shards: "+told)
		}
		select {
		case <-time.After(min(pause, left)):
		case <-ctx.Done():
		}
	}
}

// prepare makes what stands beside the data ready, before any of it shows.
func (p *publication) prepare(ctx context.Context, r *report.Report, shards []json.RawMessage) error {
	if err := p.eachReport(func(f *sideFile) error { return f.remove(ctx) }); err != nil {
		return err
	}
	p.ready = true
	return p.extraction.ready(ctx, r, func(*report.Report) (*progress, error) { return seenByAll(shards) })
}

// forget removes what the shards have left for publishing, once all is in place.
func (p *publication) forget(ctx context.Context, failed error) error {
	if failed == nil && p.run != nil {
		return p.run.Forget(ctx)
	}
	return nil
}
