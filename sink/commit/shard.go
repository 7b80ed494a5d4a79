package commit

import (
	"context"
	"errors"
	"io/fs"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

// ErrOvertaken says that a later attempt at this shard has ended what this one had.
var ErrOvertaken = pipeline.Temporary(
	errors.New("another process runs this shard, and has discarded what this one had stored"),
)

// Done returns the report of the run, if it is published, else that of the shard, if it is sealed.
func (s *Shared) Done(ctx context.Context, shard int) (*report.Report, error) {
	r, err := s.published(ctx)
	if err != nil || r != nil {
		return r, err
	}
	var f Fragment
	err = s.read(ctx, s.of(shard, ".json"), &f)
	return f.Report, err
}

// Join enters what all shards have in common, or puts into first what the first of them has entered.
func (s *Shared) Join(ctx context.Context, record, first any) error {
	err := s.write(ctx, s.runName(), record, first)
	if err == nil {
		return nil
	}
	// Whoever has published the run meanwhile has removed the folder of its texts.
	there, _ := s.published(ctx)
	if there != nil {
		return ErrOvertaken
	}
	return err
}

// Fail leaves the status of a shard that has failed for good.
func (s *Shared) Fail(ctx context.Context, shard, status int) error {
	return s.write(ctx, s.of(shard, ".failed"), status, new(int))
}

// Leave ends a shard, and tells whether what it has sealed stays: not if another process has done the same.
func (s *Shared) Leave(ctx context.Context, f *Fragment) (bool, error) {
	name := s.of(f.Shard, ".json")
	err := s.write(ctx, name, f, nil)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		// It may be there all the same.
		return true, err
	}
	// Who publishes removes fragments only after the manifest is there.
	r, err := s.published(ctx)
	if err != nil {
		return true, err
	}
	if r != nil {
		return false, s.store.Remove(ctx, name)
	}
	return true, s.store.Remove(ctx, s.of(f.Shard, ".failed"))
}
