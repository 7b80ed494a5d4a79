package view

import (
	"fmt"
	"time"
)

// waitsFor says what a job waits for that has begun and asks for nothing; empty: for nothing of the others, or
// nothing is to come of it.
func (v *Live) waitsFor(j *jobProgress, now time.Time) string {
	p, held := &v.progress, v.held(now)
	isBelowOver := p.isBelowOver(j)
	// It may have ended, unless it was the last that asked for something.
	isPerhapsOver := isBelowOver && j != p.latest()
	switch {
	case j.extent.isOver(), isPerhapsOver:
		return ""
	case held != "", isBelowOver:
		return held
	case j.extent.Parent != "":
		return "waiting for items of " + p.shownID(j.extent.Parent)
	}
	if first := p.before(j); first != nil {
		return "waiting for " + first.id + ", which comes first"
	}
	if p.isFull() {
		return fmt.Sprintf("waiting for a free request, of %d", p.concurrency)
	}
	return ""
}

// held says what holds all requests up; empty: nothing does.
func (v *Live) held(now time.Time) string {
	switch {
	case v.waits.isStoring(now):
		return "waiting for the destination"
	case now.Before(v.waits.spent.Until):
		return "waiting: " + v.waits.spent.Reason
	case v.progress.isLoggingIn():
		return "waiting for the login"
	}
	return ""
}

// latest is the job to which something has happened last, of those that may not be over; nil: there is none.
func (p *runProgress) latest() (latest *jobProgress) {
	for _, j := range p.jobs {
		isLater := latest == nil || j.last.After(latest.last)
		if isLater && !j.extent.isOver() {
			latest = j
		}
	}
	return latest
}

// isBelowOver tells whether no item is to come above a job.
func (p *runProgress) isBelowOver(j *jobProgress) bool {
	x := j.extent
	if x.Parent == "" {
		return false
	}
	above := p.byID[x.Parent]
	if above == nil {
		return false
	}
	if above.extent.isOver() {
		return true
	}
	return len(above.inFlight) == 0 && p.isBelowOver(above)
}

// shownID is the id of a job as it is shown.
func (p *runProgress) shownID(id string) string {
	if j := p.byID[id]; j != nil {
		return j.id
	}
	return OneLine(p.secrets.Name(id))
}

// inFlight is how many requests have no answer.
func (p *runProgress) inFlight() (n int) {
	for _, j := range p.jobs {
		n += len(j.inFlight)
	}
	return n
}

// isFull tells whether no further request may begin. One that waits before another attempt keeps its place.
func (p *runProgress) isFull() bool {
	n := p.inFlight()
	for _, j := range p.jobs {
		for _, w := range j.waits {
			if !w.Unready {
				n++
			}
		}
	}
	return p.concurrency > 0 && n >= p.concurrency
}

// isLoggingIn tells whether a login has no answer.
func (p *runProgress) isLoggingIn() bool {
	for _, j := range p.jobs {
		for _, sent := range j.inFlight {
			if sent.Login() {
				return true
			}
		}
	}
	return false
}

// before is a job that asks for something, and whose items are written before those to come of j, which is below
// no other: one of those before it, or of those below it; nil: there is none.
func (p *runProgress) before(j *jobProgress) *jobProgress {
	isAfter := false
	for _, x := range p.extents.jobs {
		if isAfter && x.Parent == "" {
			break
		}
		isAfter = isAfter || x == j.extent
		first := p.byID[x.Job]
		if first != nil && len(first.inFlight) > 0 {
			return first
		}
	}
	return nil
}
