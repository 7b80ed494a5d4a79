package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/report"
	"sluice/sink"
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
				return usagef(
					"--shard %s: Kubernetes has not put the index there: write it into the args of the container, not into its environment",
					text,
				)
			case err != nil || wrong != nil || i < 0 || i >= n || n > mostShards:
				return usagef(
					"--shard %s: must be I/N, such as 0/20 to 19/20; at most %d shards",
					text,
					mostShards,
				)
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
		return usagef(
			"--shard: all shards need one --run-id, and it is sluice publish that takes --strict and --min-items, since only then all items have come",
		)
	}
	if e.checkpoint != "" {
		e.checkpoint += sink.ShardName(e.sink.Shard) + "/"
	}
	return nil
}

// join makes this process one of those that share a run, and returns the report where nothing is left to do.
func (e *extraction) join(ctx context.Context, docs []*config.Document) (*report.Report, error) {
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
		e.clearJournal(ctx)
		e.snk.EndShard(ctx)
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
		return nil, usagef(
			"another process has begun this run with other flags: %s: take the same, or another --run-id",
			d,
		)
	}
	e.shared = shared
	e.adopt(first)
	return nil, nil
}

// fail leaves word of a shard that will not do better when it is tried again, and returns what ended it.
func (e *extraction) fail(err error) error {
	status := status(err)
	if e.shared == nil ||
		!slices.Contains([]int{statusFailed, statusUsage, statusIncomplete, statusPanicked}, status) {
		return err
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if e.shared.Overtaken(ctx, e.source.Shard, e.sink.Mark) {
		return sink.ErrOvertaken
	}
	// The error itself is told.
	_ = e.shared.Fail(ctx, e.source.Shard, status)
	return err
}
