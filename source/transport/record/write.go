package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// patience is how long a segment is tried for.
	patience = 2 * time.Minute
	// Between two attempts; each pause is twice the one before.
	firstPause, longestPause = time.Second, 10 * time.Second
	// lastPatience is how long all takes that is written when a run ends that failed.
	lastPatience = 10 * time.Second
)

// writing is what whoever writes segments needs, one at a time.
type writing struct {
	// Has an element while somebody writes.
	turn chan struct{}

	// Of the last segment.
	number atomic.Int64

	// Of the one with which the run begins.
	first int

	// Why nothing more is kept; nil: all is.
	off error

	// Fail was told.
	told sync.Once
}

func (w *writing) begin() { w.turn <- struct{}{} }
func (w *writing) end()   { <-w.turn }

// last is the name of the last segment.
func (w *writing) last() string { return nameOf(int(w.number.Load())) }

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

// put writes a segment without answers.
func (j *Journal) put(s segment) error {
	j.writing.begin()
	err := j.write(s, nil, patience)
	j.writing.end()
	j.tell(err)
	return err
}

// tell tells once that nothing more is kept.
func (j *Journal) tell(err error) {
	if err == nil || errors.Is(err, errEnded) {
		return
	}
	j.writing.told.Do(func() { j.Fail(err) })
}

// write writes the next segment, which is tried for so long, and lets go of its answers. Its error is [ErrContinued]
// if somebody else has written it; any other ends the keeping.
func (j *Journal) write(s segment, answers []*KeptAnswer, patience time.Duration) error {
	w := &j.writing
	if w.off != nil {
		return w.off
	}
	s.Of = hash(string(j.Run))
	text, err := s.encode(answers)
	// The text has them.
	clear(answers)
	if err == nil {
		err = j.insist(text, patience)
	}
	w.off = err
	return err
}

// insist tries to store the text of the next segment, until no attempt can begin in time.
func (j *Journal) insist(text []byte, patience time.Duration) error {
	until := time.Now().Add(patience)
	pause := firstPause
	for {
		err := j.store(text)
		isOver := time.Now().Add(pause).After(until)
		if err == nil || errors.Is(err, ErrContinued) {
			return err
		}
		if isOver && errors.Is(err, fs.ErrExist) {
			// It may be that of another process.
			return ErrContinued
		}
		if isOver {
			return err
		}
		j.Again(err, pause)
		select {
		case <-time.After(pause):
		case <-j.ctx.Done():
			return err
		}
		pause = min(2*pause, longestPause)
	}
}

// store stores the text of the next segment once.
func (j *Journal) store(text []byte) error {
	w := &j.writing
	before := w.last()
	number := int(w.number.Load()) + 1
	err := j.storage.Put(j.ctx, nameOf(number), text)
	if errors.Is(err, fs.ErrExist) {
		err = j.resolve(nameOf(number), text)
	}
	if errors.Is(err, ErrContinued) {
		return err
	}
	if err != nil && j.isAnothers() {
		// Who has ended the run has removed what this process was writing.
		return ErrContinued
	}
	if err != nil {
		return err
	}
	names, err := j.list()
	if err != nil {
		return err
	}
	w.number.Store(int64(number))
	if endsWith(names, nameOf(number)) {
		return nil
	}
	// The run has ended, and segments were removed.
	if !slices.Contains(names, before) {
		// It harms nobody.
		_ = j.storage.Remove(j.ctx, nameOf(number))
	}
	return ErrContinued
}

// resolve tells whose the segment is that stands there already: no error if an earlier attempt has stored this very
// text. No other process has the same, since it begins with a segment that says so. What cannot be read yet is
// [fs.ErrExist].
func (j *Journal) resolve(name string, text []byte) error {
	there, err := j.storage.Head(j.ctx, name, largestSegment+1)
	if err == nil && there == nil {
		err = errors.New("somebody stores it at this moment")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", fs.ErrExist, err)
	}
	if !bytes.Equal(there, text) {
		return ErrContinued
	}
	return nil
}

// endsWith tells whether a name is the last of names, which are in order.
func endsWith(names []string, name string) bool {
	last := len(names) - 1
	return last >= 0 && names[last] == name
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

// isAnothers tells whether a later segment says that another process has begun, continued or ended the run. What cannot
// be found out in time counts as no.
func (j *Journal) isAnothers() bool {
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(j.ctx, patience)
	defer stop()
	all, _ := Segments(ctx, j.storage)
	own := j.writing.last()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name <= own {
			continue
		}
		text, err := j.storage.Head(ctx, name, largestSegment+1)
		if err != nil {
			return false
		}
		// One of this process that was written though its answer was lost has no run.
		s, _, err := decode(text)
		if err == nil && s.Run != nil {
			return true
		}
	}
	return false
}

// isLast tells whether the last segment is the one that this process has written or read last.
func (j *Journal) isLast() bool {
	names, err := j.list()
	return err == nil && endsWith(names, j.writing.last())
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
