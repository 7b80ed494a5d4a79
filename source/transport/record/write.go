package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"
)

const (
	// patience is for how long the writing of a segment is repeated if it fails.
	patience = 2 * time.Minute
	// Between two attempts; each pause is twice the one before.
	firstPause, longestPause = time.Second, 10 * time.Second
	// lastPatience is how long the last writing may take when a run has failed.
	lastPatience = 10 * time.Second
)

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
	s.Of = hashOf(j.Run)
	text, err := s.encode(answers)
	// The text has them.
	clear(answers)
	if err == nil {
		err = j.insist(text, patience)
	}
	w.off = err
	return err
}

// insist tries to store the text of the next segment, again and again for as long as patience says.
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
		// If it stays, the next run removes it.
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
		err = errors.New("another process is writing it at this moment")
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
