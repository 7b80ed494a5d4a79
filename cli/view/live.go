package view

import (
	"io"
	"slices"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

const (
	drawEvery = 200 * time.Millisecond
	// Over how many of the last seconds the rate is measured.
	rateOver = 5 * time.Second
)

// Live is the observer that draws how far a run is below the log, which is written through it. A nil Live shows nothing.
type Live struct {
	W io.Writer

	// Of the terminal.
	Size func() (width, height int)

	Now     func() time.Time
	Colours bool
	Secrets *secret.Set

	mu sync.Mutex

	// nil while nothing is drawn.
	screen *screen

	stop func()

	began time.Time

	// Jobs that are below no other.
	roots int

	// Of them.
	ended int

	// What all jobs wait for.
	waits waits

	// Requests for pages that were guessed in vain.
	wasted int

	// Pages that an earlier process of the run asked for.
	kept int

	// All jobs together.
	all job

	jobs map[string]*job

	// As they began.
	sorted []*job
}

type job struct {
	id string

	// The last one judged.
	page int

	items, bytes int64

	// How many items there were when the rate was measured.
	history []int64

	// In the last seconds.
	rate float64

	inFlight []pipeline.RequestSent

	// Before another attempt.
	waits []pipeline.Retrying

	ended bool

	// When something happened.
	began, last time.Time

	// That has come, 0: not known; and that an earlier process has left.
	share, kept float64
}

// Start begins to draw a run with so many jobs that are below no other.
func (v *Live) Start(roots int) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.began, v.roots, v.jobs = v.Now(), roots, make(map[string]*job)
	v.all.history = []int64{0}
	v.screen = &screen{w: v.W}
	restore := obeyEscapes(v.W)
	stop := every(drawEvery, drawEvery, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.all.measure()
		for _, j := range v.sorted {
			j.measure()
		}
		v.draw(nil)
	})
	v.stop = func() {
		stop()
		v.erase()
		restore()
	}
}

// Close removes what is drawn. The log is written as without a live view from then on.
func (v *Live) Close() {
	if v == nil || v.stop == nil {
		return
	}
	v.stop()
	v.stop = nil
}

// erase removes what is drawn, for good.
func (v *Live) erase() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.screen.replace(nil, nil)
	v.screen = nil
}

// Write takes lines of the log; each call must end with a line break.
func (v *Live) Write(lines []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen == nil {
		return v.W.Write(lines)
	}
	v.draw(lines)
	return len(lines), nil
}

// draw replaces what was drawn before, and writes lines of the log above it.
func (v *Live) draw(log []byte) {
	width, height := v.Size()
	var lines []string
	for _, l := range v.lines(v.Now(), width, height) {
		if v.Colours && l.colour != "" {
			l.text = l.colour + l.text + "\x1b[0m"
		}
		lines = append(lines, l.text)
	}
	v.screen.replace(log, lines)
}

// Observe implements [pipeline.Observer].
func (v *Live) Observe(e pipeline.Event) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen == nil {
		return
	}
	v.waits.note(e)
	switch e := e.(type) {
	case pipeline.RequestSent:
		j := v.job(e.Job, e.At)
		j.waits = slices.DeleteFunc(j.waits, func(w pipeline.Retrying) bool { return w.Page == e.Page })
		j.inFlight = append(j.inFlight, e)
	case pipeline.ResponseDone:
		j := v.job(e.Job, e.At)
		j.inFlight = slices.DeleteFunc(j.inFlight, func(sent pipeline.RequestSent) bool { return sent.ID == e.ID })
		if !e.Login() {
			j.bytes += e.Bytes
			v.all.bytes += e.Bytes
		}
	case pipeline.Retrying:
		j := v.job(e.Job, e.At)
		j.waits = append(j.waits, e)
	case pipeline.PageJudged:
		j := v.job(e.Job, e.At)
		if e.Depth == 0 {
			j.share = e.Share
		}
		j.page = e.Page
		j.items += int64(e.Items)
		v.all.items += int64(e.Items)
		// It says nothing of how long the others take.
		if e.Kept {
			v.kept++
			j.began, j.kept = e.At, min(j.share, 0.98)
		}
	case pipeline.GuessedInVain:
		v.wasted += e.Requests
	case pipeline.WalkEnded:
		if j := v.job(e.Job, e.At); e.Depth == 0 && !j.ended {
			j.ended = true
			v.ended++
		}
	}
}

// measure is called each time the view is drawn by the clock, so that the rate falls while nothing comes.
func (j *job) measure() {
	if len(j.history) > int(rateOver/drawEvery) {
		j.history = j.history[1:]
	}
	j.rate = float64(j.items-j.history[0]) / (time.Duration(len(j.history)) * drawEvery).Seconds()
	j.history = append(j.history, j.items)
}

func (v *Live) job(id string, at time.Time) *job {
	j := v.jobs[id]
	if j == nil {
		j = &job{
			id:      OneLine(v.Secrets.Redact(id)),
			began:   at,
			history: []int64{0},
		} // it may be cut when it is drawn
		v.jobs[id] = j
		v.sorted = append(v.sorted, j)
	}
	j.last = at
	return j
}
