package cli

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/source"
	"sluice/source/config"
)

// shardFlag makes the run one of several processes.
func (e *extraction) shardFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "shard", Usage: "do part `I/N` of the run, I from 0, and leave it sealed: sluice publish shows all parts",
		Action: func(_ *cli.Context, text string) error {
			part, of, _ := strings.Cut(text, "/")
			i, err := strconv.Atoi(part)
			n, wrong := strconv.Atoi(of)
			switch {
			case strings.Contains(text, "$("):
				return usagef("--shard %s: Kubernetes has not put the index there: write it into the args of the container, not into its environment", text)
			case err != nil || wrong != nil || i < 0 || i >= n || n > mostShards:
				return usagef("--shard %s: must be I/N, such as 0/20 to 19/20; at most %d shards", text, mostShards)
			}
			e.source.Shard, e.source.Shards, e.sink.Shard, e.sink.Shards = i, n, i, n
			return nil
		},
	}
}

// mostShards have names of one length.
const mostShards = 99_999

// checkShard refuses what does not go together with --shard.
func (e *extraction) checkShard() error {
	if e.sink.Shards == 0 {
		return nil
	}
	if e.sink.RunID == "" || e.accept.Strict || e.accept.MinItems > 0 {
		return usagef("--shard: all shards need one --run-id, and it is sluice publish that takes --strict and --min-items, since only then all items have come")
	}
	if e.checkpoint != "" {
		e.checkpoint += sink.ShardName(e.sink.Shard) + "/"
	}
	return nil
}

// join makes this process one of those that share a run, and returns the report where nothing is left to do.
func (e *extraction) join(ctx context.Context, docs []*config.Document) (*pipeline.Report, error) {
	if e.sink.Shards == 0 {
		return nil, nil
	}
	// What is wrong is said before others go by it.
	if _, err := e.compile(docs, &config.Problems{}); err != nil {
		return nil, err
	}
	shared, err := sink.Share(e.sink)
	if err != nil {
		return nil, &usageError{err}
	}
	done, err := shared.Done(ctx, e.sink.Shard)
	if err != nil {
		return nil, err
	}
	if done != nil {
		e.warn("", "nothing was asked for: another process has done this")
		return done, e.prepareReports(done)
	}
	own, first := e.identify(docs), &identity{}
	switch err := shared.Join(ctx, own, first); {
	case err != nil:
		return nil, err
	case first.RunID == "":
		first = own
	}
	if d := own.differs(first); d != "" {
		return nil, usagef("another process has begun this run with other flags: %s: take the same, or another --run-id", d)
	}
	e.shared = shared
	e.adopt(first)
	return nil, nil
}

// fail leaves word of a shard that will not do better when it is tried again.
func (e *extraction) fail(err error) {
	if status := status(err); e.shared != nil && slices.Contains([]int{statusFailed, statusUsage, statusIncomplete, statusPanicked}, status) {
		const patience = 10 * time.Second
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = e.shared.Fail(ctx, e.source.Shard, status) // the error itself is told
	}
}

func publishCommand(e *extraction) *cli.Command {
	var shards int
	var wait time.Duration
	shared := slices.DeleteFunc(slices.Concat(e.outputFlags(), e.sourceFlags(), e.reportFlags()), func(f cli.Flag) bool {
		return !slices.Contains([]string{"strict", "min-items", "state", "summary"}, f.Names()[0])
	})
	return &cli.Command{
		Name: "publish", ArgsUsage: "DEST [flags]",
		Usage: "make visible what the shards of a run have sealed",
		Description: `All of it or nothing, and the manifest last. It may be run again, and twice at a
time. While shards are missing it ends with status 75 and their numbers.`,
		UsageText: `  sluice publish s3://data/exports/ --run-id 2026-01-31 --shards 20
  sluice publish export/ --run-id 2026-01-31 --shards 20 --wait 6h --strict`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "run-id", Destination: &e.sink.RunID, Usage: "`ID` of the run, that of its shards"},
			&cli.IntFlag{Name: "shards", Destination: &shards, Usage: "`N` of --shard I/N"},
			&cli.DurationFlag{Name: "wait", Destination: &wait, Usage: "how long to wait for shards that have not ended: `DURATION`"},
		}, shared, e.logging.flags("info"), e.s3Flags()),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			if e.sink.RunID == "" || shards < 1 || shards > mostShards {
				return usagef("which run? --run-id and --shards must say it")
			}
			e.sink.Output = place
			e.log = e.logging.log(e.world.stderr, slog.LevelInfo, e.secrets)
			e.source.Observer = e.log
			return e.tell(ctx, func() (*pipeline.Report, error) { return e.publish(ctx, shards, wait) })
		}),
	}
}

// publish publishes, once all shards have ended.
func (e *extraction) publish(ctx context.Context, shards int, wait time.Duration) (*pipeline.Report, error) {
	const pause = 10 * time.Second
	e.locate()
	shared, err := sink.Share(e.sink)
	if err != nil {
		return nil, &usageError{err}
	}
	until, told := e.world.now().Add(wait), ""
	for {
		r, err := shared.Publish(ctx, shards, e.accept, e.moveState)
		var missing *sink.NotReady
		left := until.Sub(e.world.now())
		switch {
		case err == nil:
			return r, e.prepareReports(r)
		case errors.Is(err, sink.ErrShards):
			return nil, usagef("--shards %d: %w", shards, err)
		case r != nil:
			r.Status, r.Error, r.Outputs = "failed", e.secrets.Redact(err.Error()), []pipeline.OutputReport{}
		}
		if !errors.As(err, &missing) || missing.Status != 0 || left <= 0 || ctx.Err() != nil {
			return r, err
		}
		if missing.Shards != told {
			told = missing.Shards
			e.log.Observe(pipeline.Warned{Text: "waiting for these shards: " + told, At: e.world.now()})
		}
		select {
		case <-time.After(min(pause, left)):
		case <-ctx.Done():
		}
	}
}

// moveState writes the state after a run of which all is visible, of what all its shards have for that.
func (e *extraction) moveState(ctx context.Context, r *pipeline.Report, all []json.RawMessage) error {
	if e.state == "" {
		return nil
	}
	var p progress
	for _, text := range all {
		lasts := p.Lasts
		p = progress{}
		err := json.Unmarshal(text, &p)
		if err == nil {
			p.Lasts, err = source.Greatest(lasts, p.Lasts)
		}
		if err != nil {
			return err
		}
	}
	err := e.openState()
	if err == nil {
		err = e.nextState(ctx, &p, r)
	}
	if err == nil {
		err = e.stateFile.place()
	}
	e.stateFile.close()
	e.stateFile = nil
	return err
}
