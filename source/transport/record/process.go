package record

import (
	"context"
	"errors"
	"time"
)

// Begin says that this process begins Run, or continues it as the last of Attempts. What is left of the runs before
// it goes.
func (j *Journal) Begin() {
	j.reading.Lock()
	j.tellFaults()
	j.reading.Unlock()
	w := &j.writing
	w.begin()
	err := j.write(segment{Run: j.Run, Attempts: j.Attempts}, nil, 0)
	if err == nil && j.Attempts == nil {
		w.first = int(w.number.Load())
	}
	if err == nil {
		// What stays is removed at the end.
		_ = j.removeBefore(nameOf(w.first))
	}
	w.end()
	begun := err == nil
	j.Begun = &begun
	j.tell(err)
}

// Seal writes all that waits, and then says that the run publishes now, unless another process does. Its error is
// [ErrContinued], that of ctx, or none.
func (j *Journal) Seal(ctx context.Context) error {
	if j == nil {
		return nil
	}
	sealed := make(chan error, 1)
	time.AfterFunc(0, func() {
		j.cut()
		sealed <- j.put(segment{})
	})
	select {
	case err := <-sealed:
		if errors.Is(err, ErrContinued) {
			return err
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Lost tells whether another process has begun or continued the run since this one did, or has ended it: what this one
// stored may be gone. What cannot be found out is no.
func (j *Journal) Lost() bool {
	if j == nil || j.Begun == nil {
		return false
	}
	return *j.Begun && j.isAnothers()
}

// Done says that all is visible, and removes the rest unless somebody may want all of it again. It does so too where
// not all was kept, since what there is would refuse the next run.
func (j *Journal) Done(report []byte, repeated bool) error {
	w := &j.writing
	w.begin()
	defer w.end()
	if w.off != nil && !j.isLast() {
		// Fail was told.
		return nil
	}
	w.off = nil
	err := j.write(segment{Run: j.Run, Report: report}, nil, 0)
	w.off = errEnded
	if err != nil || repeated {
		return err
	}
	return j.removeBefore(w.last())
}

// Close writes what is kept, and the costs of a run that failed, if that does not take long.
func (j *Journal) Close() error {
	defer time.AfterFunc(lastPatience, j.stop).Stop()
	if j.Begun != nil {
		j.cut()
		// Fail was told.
		_ = j.put(segment{Totals: j.Sum()})
	}
	j.writing.begin()
	defer j.writing.end()
	j.writing.off = errEnded
	return j.storage.Close()
}
