package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"sluice/pipeline"
)

const (
	// firstCut is when what a process has is written for the first time, since it may not live long.
	firstCut = time.Second
	// mostWaiting is how many bytes may wait to be written when a new request is sent.
	mostWaiting = 4 * segmentSize
)

// Keep keeps an answer, but for one that is too long, and one whose headers JSON would change. It is written
// later, by others: Keep never waits.
func (j *Journal) Keep(a *KeptAnswer) {
	if a.Body == nil || !utf8.ValidString(fmt.Sprint(a.URL, a.Header)) {
		return
	}
	line, err := json.Marshal(a)
	if err != nil {
		return
	}
	a.line = append(line, '\n')
	if after, due := j.waiting.add(a, j.Every); due {
		time.AfterFunc(after, j.cut)
	}
}

// add adds an answer, and tells whether a segment is to be cut, and after which time: that is every for an
// answer that is the first of its segment.
func (w *waiting) add(a *KeptAnswer, every time.Duration) (after time.Duration, due bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers = append(w.answers, a)
	w.size += a.size()
	w.held += a.size()
	if w.size > segmentSize {
		due = !w.full
		w.full = true
		return 0, due
	}
	if len(w.answers) > 1 {
		return 0, false
	}
	if !w.timed {
		w.timed = true
		every = min(every, firstCut)
	}
	return every, true
}

// size is that in a segment, in bytes.
func (a *KeptAnswer) size() int { return len(a.line) + len(a.Body) }

// Note keeps that an upload has begun, before the answers that wait. It returns once that is written, or nothing
// is any more. Its error is [ErrContinued], that of ctx, or none.
func (j *Journal) Note(ctx context.Context, u BegunUpload) error {
	n := note{u, make(chan error, 1)}
	j.waiting.mu.Lock()
	j.waiting.notes = append(j.waiting.notes, n)
	j.waiting.mu.Unlock()
	time.AfterFunc(0, j.cut)
	select {
	case err := <-n.written:
		if errors.Is(err, ErrContinued) {
			return err
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Room waits while more is held than may wait. Its error is that of ctx. What has begun before may still be kept.
func (j *Journal) Room(ctx context.Context) error {
	for room := j.full(); room != nil; room = j.full() {
		select {
		case <-room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// full returns what is closed once there is room, nil if there is. It tells once that there was none.
func (j *Journal) full() <-chan struct{} {
	w := &j.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held <= mostWaiting {
		return nil
	}
	if w.room == nil {
		w.room = make(chan struct{})
	}
	if !w.told {
		w.told = true
		const text = "answers come faster than they can be written there: no new request is sent while more " +
			"than %s are unwritten"
		j.Warn(fmt.Sprintf(text, pipeline.Size(mostWaiting)))
	}
	return w.room
}

// take takes the answers that wait.
func (w *waiting) take() []*KeptAnswer {
	w.mu.Lock()
	defer w.mu.Unlock()
	answers := w.answers
	w.answers, w.size, w.full = nil, 0, false
	return answers
}

// takeNotes takes the notes that wait.
func (w *waiting) takeNotes() []note {
	w.mu.Lock()
	defer w.mu.Unlock()
	notes := w.notes
	w.notes = nil
	return notes
}

// release says that so much is not held any more.
func (w *waiting) release(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held -= size
	if w.room != nil && w.held <= mostWaiting {
		close(w.room)
		w.room = nil
	}
}

// cut writes what waits, if anything does.
func (j *Journal) cut() {
	// The writer is reserved before the answers are taken, so that a segment that seals the run comes after all of
	// them.
	j.writing.begin()
	answers, notes := j.waiting.take(), j.waiting.takeNotes()
	var err error
	for len(answers)+len(notes) > 0 {
		n, size := fitting(answers)
		s := segment{Totals: j.Sum()}
		for _, note := range notes {
			s.Uploads = append(s.Uploads, note.BegunUpload)
		}
		err = j.write(s, answers[:n], patience)
		for _, note := range notes {
			note.written <- err
		}
		j.waiting.release(size)
		answers, notes = answers[n:], j.waiting.takeNotes()
	}
	j.writing.end()
	j.tell(err)
}

// fitting tells how many of the answers make a segment, and their size.
func fitting(answers []*KeptAnswer) (n, size int) {
	for n < len(answers) && size <= segmentSize {
		size += answers[n].size()
		n++
	}
	return n, size
}
