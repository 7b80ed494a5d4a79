package view

import (
	"fmt"
	"math"
	"time"

	"sluice/pipeline"
)

const (
	// So many pages, and so long, make a rate that the time left can rest on.
	fewestPages  = 2
	shortestTime = time.Second
)

// extents are how much of a run has come, by what its jobs know of their ends.
type extents struct {
	// In the order of the configuration.
	jobs []*reached

	byID map[string]*reached

	// Of all jobs.
	from base

	// Until then no request may be sent.
	until time.Time
}

// reached is how much of a job has come.
type reached struct {
	pipeline.Outline

	// Its part that has come; 0: not known.
	share float64

	pages int

	// In how many documents it has ended.
	ended int

	// How many requests are without an answer, and the most that were at a time.
	inFlight, most int

	// Until then it waits before another attempt.
	until time.Time

	from base
}

// A base is where a rate is measured from: what an earlier process has left comes in no time.
type base struct {
	at    time.Time
	pages int
	share float64
}

// newExtents begins a run at a time.
func newExtents(jobs []pipeline.Outline, began time.Time) *extents {
	x := &extents{byID: map[string]*reached{}, from: base{at: began}}
	for _, j := range jobs {
		x.add(j)
	}
	return x
}

func (x *extents) add(j pipeline.Outline) *reached {
	e := &reached{Outline: j}
	x.byID[j.Job] = e
	x.jobs = append(x.jobs, e)
	return e
}

// of returns the extent of a job, to which something has happened now.
func (x *extents) of(id string, now time.Time) *reached {
	e := x.byID[id]
	if e == nil {
		e = x.add(pipeline.Outline{Job: id, Documents: 1})
	}
	if e.from.at.IsZero() {
		e.from.at = now
	}
	return e
}

func (x *extents) note(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.RequestSent:
		if !e.Login() {
			j := x.of(e.Job, e.At)
			j.inFlight++
			j.most = max(j.most, j.inFlight)
		}
	case pipeline.ResponseDone:
		if !e.Login() {
			x.of(e.Job, e.At).inFlight--
		}
	case pipeline.Retrying:
		x.of(e.Job, e.At).until = e.At.Add(e.Delay)
	case pipeline.BudgetSpent:
		x.until = e.Until
	case pipeline.PageJudged:
		x.judged(e)
	case pipeline.WalkEnded:
		if e.Depth == 0 {
			x.of(e.Job, e.At).ended++
		}
	}
}

func (x *extents) judged(e pipeline.PageJudged) {
	j := x.of(e.Job, e.At)
	j.pages++
	if e.Depth == 0 {
		j.share = min(e.Share, 1)
	}
	if !e.Kept {
		return
	}
	// It says nothing of how long the others take.
	j.from = base{e.At, j.pages, j.share}
	x.from = base{at: e.At}
	for _, each := range x.jobs {
		x.from.pages += each.pages
	}
}

// roots says how many jobs are below no other, and how many of them have ended.
func (x *extents) roots() (all, ended int) {
	for _, j := range x.jobs {
		if j.Parent != "" {
			continue
		}
		all++
		if j.isOver() {
			ended++
		}
	}
	return all, ended
}

// isOver tells whether no page of the job is to come. Of a job below another one that is not known.
func (e *reached) isOver() bool { return e.Parent == "" && e.ended >= e.Documents }

// isAsked tells whether requests of the job are on their way, or wait before another attempt.
func (e *reached) isAsked(now time.Time) bool { return e.inFlight > 0 || now.Before(e.until) }

// estimate says how much of the job has come. While it waits for others its own rate says nothing.
func (e *reached) estimate(now time.Time) estimate {
	if e.isOver() || e.share == 0 {
		return estimate{}
	}
	got := estimate{share: e.share}
	isMeasured := e.pages-e.from.pages >= fewestPages && e.share > e.from.share
	if isMeasured && e.isAsked(now) {
		got.rest(now.Sub(e.from.at), e.share-e.from.share, 1-e.share)
		got.left = max(got.left, e.until.Sub(now))
	}
	return got
}

// estimate says how much of a job has come: no job ends after the run.
func (x *extents) estimate(j *reached, now time.Time) estimate {
	own, whole := j.estimate(now), x.whole(now)
	if whole.isTimed {
		own.left = min(own.left, whole.left)
	}
	return own
}

// whole says how much of the run has come, where each of its jobs knows that of itself.
func (x *extents) whole(now time.Time) estimate {
	var came, all float64
	longest := x.until.Sub(now)
	isOver := true
	for _, j := range x.jobs {
		came += float64(j.pages)
		if j.isOver() {
			all += float64(j.pages)
			continue
		}
		if j.share == 0 {
			return estimate{}
		}
		isOver = false
		all += float64(j.pages) / j.share
		longest = max(longest, j.until.Sub(now))
		// One that asks for page after page gets no faster when others have ended.
		if j.most == 1 {
			longest = max(longest, j.estimate(now).left)
		}
	}
	if isOver {
		return estimate{}
	}
	got := estimate{share: came / all}
	fresh := came - float64(x.from.pages)
	if fresh >= fewestPages {
		got.rest(now.Sub(x.from.at), fresh, all-came)
	}
	if got.isTimed {
		got.left = max(got.left, longest)
	}
	return got
}

// An estimate is how much has come, 0 where that is not known, and how long the rest will take.
type estimate struct {
	share   float64
	left    time.Duration
	isTimed bool
}

// rest enters how long what is left will take, as what came took.
func (e *estimate) rest(took time.Duration, came, left float64) {
	if took >= shortestTime {
		e.left = time.Duration(float64(took) * left / came)
		e.isTimed = true
	}
}

// String is empty where nothing is known.
func (e estimate) String() string {
	if e.share == 0 {
		return ""
	}
	text := fmt.Sprintf("%.0f %%", math.Floor(100*min(e.share, 0.99)))
	if !e.isTimed {
		return text
	}
	unit := time.Second
	if e.left >= time.Hour {
		unit = time.Minute
	}
	return text + ", " + shortTime(e.left.Round(unit)) + " left"
}

// shortTime leaves out what is 0 at the end of hours.
func shortTime(d time.Duration) string {
	text := d.String()
	if d >= time.Hour && d%time.Minute == 0 {
		return text[:len(text)-len("0s")]
	}
	return text
}
