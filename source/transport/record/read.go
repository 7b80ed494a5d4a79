package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
)

// OpenJournal reads what there is of a run.
func OpenJournal(ctx context.Context, s Storage) (*Journal, error) {
	j := &Journal{storage: s, ctx: ctx, reading: journalReading{
		index:  map[uint64][2]int{},
		read:   map[int][]*KeptAnswer{},
		faults: map[int]string{},
	}}
	j.writing.turn = make(chan struct{}, 1)
	names, err := j.list()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		number, _ := strconv.Atoi(name[:8])
		if number > largestNumber {
			return nil, fmt.Errorf("%s has a number after which none is left; %s", name, j.meaning())
		}
		if err := j.learn(number); err != nil {
			return nil, err
		}
		j.writing.number.Store(int64(number))
	}
	lasting := context.WithoutCancel(ctx)
	//nolint:gosec // the life of the process ends it
	ctx, stop := context.WithCancel(lasting)
	j.ctx, j.stop = ctx, stop
	return j, nil
}

// load reads a segment.
func (j *Journal) load(number int) (*segment, error) {
	text, err := j.storage.Head(j.ctx, nameOf(number), largestSegment+1)
	if err != nil {
		return nil, err
	}
	s, answers, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", nameOf(number), err)
	}
	read := j.reading.read
	if len(read) >= cached {
		delete(read, slices.Min(slices.Collect(maps.Keys(read))))
	}
	read[number] = answers
	return s, nil
}

// learn reads one more segment, the last so far. If another run begins in it, the answers before it are dropped. So are
// those of a run whose first segment is gone.
func (j *Journal) learn(number int) error {
	s, err := j.load(number)
	if errors.As(err, new(unreadable)) {
		return fmt.Errorf("%w; %s", err, j.meaning())
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; let this user read it; %s", err, j.meaning())
	}
	if err != nil {
		return err
	}
	if s.Run != nil && s.Attempts == nil && !bytes.Equal(s.Run, j.Run) {
		j.Forget()
		j.Run = s.Run
		j.writing.first = number
	}
	if j.Run == nil {
		return nil
	}
	if s.Of != hashOf(j.Run) {
		j.fault(number, "is of another run, and is not used")
		return nil
	}
	if s.Run != nil {
		j.Attempts, j.Report = s.Attempts, s.Report
	}
	if s.Totals != nil {
		j.Totals = s.Totals
	}
	j.Uploads = append(j.Uploads, s.Uploads...)
	j.Showing = s.publishes()
	j.enter(number)
	return nil
}

// meaning says what happens if a segment is removed that comes after those that were read.
func (j *Journal) meaning() string {
	if j.Run == nil {
		return "if it is removed, the run begins anew"
	}
	return "if it is removed, what it has is asked for again"
}

// enter enters the answers of a segment, but for those that are damaged.
func (j *Journal) enter(number int) {
	damaged := 0
	for i, a := range j.reading.read[number] {
		if a == nil {
			damaged++
			continue
		}
		j.reading.index[a.key()] = [2]int{number, i}
		j.Pages++
		j.Items += int64(a.Items)
		// The time of a page that only confirms an end is not kept.
		if a.At.After(j.Last) {
			j.Last = a.At
		}
	}
	if damaged > 0 {
		const text = "is damaged: %d of its %d answers cannot be used, and are asked for again"
		j.fault(number, fmt.Sprintf(text, damaged, len(j.reading.read[number])))
	}
}

// fault says once what cannot be used of a file.
func (j *Journal) fault(number int, text string) {
	if _, known := j.reading.faults[number]; known {
		return
	}
	j.reading.faults[number] = nameOf(number) + " " + text
	j.tellFaults()
}

// tellFaults tells them if there is anybody to tell yet.
func (j *Journal) tellFaults() {
	if j.Warn == nil {
		return
	}
	for _, number := range slices.Sorted(maps.Keys(j.reading.faults)) {
		if text := j.reading.faults[number]; text != "" {
			j.Warn(text)
		}
		j.reading.faults[number] = ""
	}
}

// Forget makes the journal that of a run which begins.
func (j *Journal) Forget() {
	j.Kept = Kept{Run: j.Run}
	clear(j.reading.index)
}

// Find returns the answer that the journal has to the same request for the same page, nil if there is none.
func (j *Journal) Find(asked *KeptAnswer) (*KeptAnswer, error) {
	j.reading.Lock()
	defer j.reading.Unlock()
	at, ok := j.reading.index[asked.key()]
	if !ok {
		return nil, nil
	}
	number, place := at[0], at[1]
	if j.reading.read[number] == nil {
		_, err := j.load(number)
		if errors.As(err, new(unreadable)) {
			j.reading.read[number] = []*KeptAnswer{}
		} else if err != nil {
			return nil, err
		}
	}
	all := j.reading.read[number]
	if place >= len(all) || all[place] == nil {
		j.fault(number, "has been damaged since the run began, and what it had is asked for again")
		return nil, nil
	}
	a := all[place]
	// Two of one hash.
	if a.Page != asked.Page || a.Asked != asked.Asked {
		return nil, nil
	}
	return a, nil
}

// Remove removes the segments of these names, the first one before the others: without it nobody continues the rest.
func Remove(ctx context.Context, s Storage, names []string) error {
	for _, name := range slices.Sorted(slices.Values(names)) {
		if err := s.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// Clear removes the journal of a run that nobody continues, if it is of that run. What is done alone stays.
func Clear(ctx context.Context, s Storage, mine func(run []byte) bool) error {
	all, err := Segments(ctx, s)
	if err != nil || len(all) < 2 {
		return err
	}
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		text, err := s.Head(ctx, name, largestSegment+1)
		if err != nil {
			return err
		}
		first, _, err := decode(text)
		if err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if first.Run != nil {
			if mine(first.Run) {
				return Remove(ctx, s, names)
			}
			return nil
		}
	}
	return nil
}

// removeBefore removes all segments before the one of this name.
func (j *Journal) removeBefore(first string) error {
	names, err := j.list()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name >= first })
	return Remove(j.ctx, j.storage, names)
}

// Tidy removes what is left of a run that has ended, but for what says so.
func (j *Journal) Tidy() error {
	j.writing.begin()
	defer j.writing.end()
	return j.removeBefore(j.writing.last())
}
