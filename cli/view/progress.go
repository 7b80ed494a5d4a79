package view

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// runProgress is how far a run is, by its events.
type runProgress struct {
	secrets *secret.Set
	began   time.Time

	// How many requests are in flight at most; 0: not known.
	concurrency int

	// How many requests were sent for pages that were guessed and are not needed.
	wasted int

	// How many seams between pages that overlap were repaired.
	repaired int

	// How many pages an earlier process of the run asked for.
	kept int

	// All jobs together.
	all jobProgress

	// How much has come.
	extents *extents

	byID map[string]*jobProgress

	// In the order in which they began.
	jobs []*jobProgress
}

// jobProgress is how far one job is.
type jobProgress struct {
	id string

	// The last page that was judged.
	page int

	items, bytes int64

	// Items that this process asked for, now and each time that the rate was measured.
	fresh   int64
	history []int64

	// Items a second, over the last seconds.
	rate float64

	// Requests without an answer, the oldest first.
	inFlight []pipeline.RequestSent

	// Attempts that are to come, the oldest first.
	waits []pipeline.Retrying

	// When something happened to it last.
	last time.Time

	extent *reached
}

// note enters an event.
func (p *runProgress) note(e pipeline.Event) {
	p.extents.note(e)
	switch e := e.(type) {
	case pipeline.RequestSent:
		p.job(e.Job, e.At).sent(e)
	case pipeline.ResponseDone:
		p.answered(e)
	case pipeline.Retrying:
		j := p.job(e.Job, e.At)
		j.waits = append(j.waits, e)
	case pipeline.PageJudged:
		p.judged(e)
	case pipeline.GuessedInVain:
		p.wasted += e.Requests
	case pipeline.SeamJudged:
		p.repaired += e.Seams.Repaired
	case pipeline.WalkEnded:
		p.job(e.Job, e.At)
	}
}

func (p *runProgress) answered(e pipeline.ResponseDone) {
	j := p.job(e.Job, e.At)
	j.inFlight = slices.DeleteFunc(j.inFlight, func(sent pipeline.RequestSent) bool { return sent.ID == e.ID })
	if !e.Login() {
		j.bytes += e.Bytes
		p.all.bytes += e.Bytes
	}
}

func (p *runProgress) judged(e pipeline.PageJudged) {
	j := p.job(e.Job, e.At)
	j.page = e.Page
	j.items += int64(e.Items)
	p.all.items += int64(e.Items)
	if e.Kept {
		p.kept++
		return
	}
	j.fresh += int64(e.Items)
	p.all.fresh += int64(e.Items)
}

// job returns that of an id, a new one if nothing has happened to it yet.
func (p *runProgress) job(id string, at time.Time) *jobProgress {
	j := p.byID[id]
	if j == nil {
		// What is drawn may cut an id, and half a secret is not found any more.
		shown := OneLine(p.secrets.Name(id))
		j = &jobProgress{id: shown, extent: p.extents.of(id, at), history: []int64{0}}
		p.byID[id] = j
		p.jobs = append(p.jobs, j)
	}
	j.last = at
	return j
}

// measure is called each time the view is drawn by the clock, so that rates fall while nothing comes.
func (p *runProgress) measure() {
	p.all.measure()
	for _, j := range p.jobs {
		j.measure()
	}
}

func (j *jobProgress) measure() {
	if len(j.history) > int(rateOver/drawEvery) {
		j.history = j.history[1:]
	}
	came := j.fresh - j.history[0]
	took := time.Duration(len(j.history)) * drawEvery
	j.rate = float64(came) / took.Seconds()
	j.history = append(j.history, j.fresh)
}

// sent enters a request, which ends the wait for another attempt.
func (j *jobProgress) sent(e pipeline.RequestSent) {
	j.waits = slices.DeleteFunc(j.waits, func(w pipeline.Retrying) bool { return w.Page == e.Page })
	j.inFlight = append(j.inFlight, e)
}

// busy tells whether requests of the job are on their way, or were a moment ago.
func (j *jobProgress) busy(now time.Time) bool {
	waiting := len(j.inFlight) > 0 || len(j.waits) > 0
	recent := !j.extent.isOver() && now.Sub(j.last) < shownIdle
	return waiting || recent
}

// state says what the job waits for.
func (j *jobProgress) state(now time.Time) (text, colour string) {
	if len(j.waits) > 0 {
		w := j.waits[0]
		left := max(w.At.Add(w.Delay).Sub(now), 0).Round(time.Second)
		return fmt.Sprintf("again in %s: %s", left, w.Reason), yellow
	}
	if len(j.inFlight) == 0 {
		return "", ""
	}
	first := j.inFlight[0]
	what := "for page " + strconv.Itoa(first.Page)
	if first.Login() {
		what = "for the login"
	}
	if took := now.Sub(first.At).Truncate(time.Second); took > 0 {
		what = took.String() + " " + what
	}
	if more := len(j.inFlight) - 1; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	return "waiting " + what, ""
}

const (
	drawEvery = 200 * time.Millisecond
	// The rate is that of the last seconds, so many.
	rateOver = 5 * time.Second
)
