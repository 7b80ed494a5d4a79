package run

import (
	"context"
	"time"

	"sluice/sink"
	"sluice/sink/commit"
)

// joinShards makes this process one of those that share a run. compiled is what it would do if it were alone.
func (x *extraction) joinShards(ctx context.Context, own *runIdentity, compiled *compiled) (turn, error) {
	shared, err := sink.Share(compiled.options)
	if err != nil {
		return turn{}, &UsageError{err}
	}
	done, err := shared.Done(ctx, x.options.Shard.I)
	if err != nil {
		return turn{}, err
	}
	if done != nil {
		x.console.warn("", "no request was sent: another process has done this shard, or the run is published")
		x.journal.clear(ctx, x.process.id, x.process.bucket, x.process.mark)
		compiled.store.EndShard(ctx)
		x.console.notAll(x.beside.endBeside(ctx))
		return turn{done: done}, nil
	}
	first := &runIdentity{}
	if err := shared.Join(ctx, own, first); err != nil {
		return turn{}, err
	}
	if first.RunID == "" {
		first = own
	}
	if d := own.differs(first); d != "" {
		return turn{}, Usagef(
			"another process has begun this run with other flags: %s: take the same, or another --run-id",
			d,
		)
	}
	x.shared.Store(shared)
	return turn{first: own.following(first)}, nil
}

// settleFailure leaves word of a shard that will not do better when it is tried again, and returns what ended it.
func (x *extraction) settleFailure(err error) error {
	shared := x.shared.Load()
	if shared == nil {
		return err
	}
	status := x.process.world.FinalStatus(err)
	if status == 0 {
		return err
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	shard := x.options.Shard.I
	if shared.Overtaken(ctx, shard, x.process.mark) {
		return commit.ErrOvertaken
	}
	// The error itself is told.
	_ = shared.Fail(ctx, shard, status)
	return err
}
