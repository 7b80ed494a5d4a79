package source

import (
	"fmt"
	"time"

	"sluice/pipeline"
	"sluice/source/config"
	"sluice/source/paginate"
)

// waitOn compiles what a job says of answers that are not ready.
func (c *compiler) waitOn(n *config.Node, j *job) {
	if n == nil {
		return
	}
	on := &conditions{name: "waitOn"}
	if when := n.Member("when"); when != nil {
		on.add(when, c.problems)
	}
	j.on = append(j.on, on)
	for name, into := range map[string]*time.Duration{"every": &j.every, "for": &j.most} {
		if d := n.Member(name); d != nil {
			var err error
			if *into, err = paginate.Duration(d); err != nil {
				c.problems.Errorf(d, "%v", err)
			}
		}
	}
	if j.most > 0 && j.most < j.every {
		c.problems.Errorf(n.Member("for"), "must not be shorter than every, which is %s", j.every)
	}
}

// again says how a run waits.
func (j *job) again() string { return fmt.Sprintf("every %s, for %s at most", j.every, j.most) }

// wait has a page that is not ready asked for again. It returns false if that has gone on for
// too long: then the page has an error. Meanwhile the page keeps its place, but no worker.
func (c *coordinator) wait(s *slot) bool {
	it, j := c.iteration, s.walk.job
	now := it.o.Now()
	if s.polls++; s.polls == 1 {
		s.since = now
	}
	left := j.most - now.Sub(s.since)
	s.page = nil
	if left <= 0 {
		s.err = pipeline.Temporary(fmt.Errorf("%s, and has for %s: start the run again later, or set a longer waitOn.for", s.unready, j.most))
		return false
	}
	delay := min(j.every, left)
	call := pipeline.Call{Job: j.id, Page: s.number, Attempt: s.polls}
	it.o.Observer.Observe(pipeline.Retrying{Call: call, Delay: delay, Reason: s.unready, Unready: true, At: now})
	if it.o.Instant {
		delay = 0
	}
	s.status, s.inFile = waiting, true
	c.inFile++
	time.AfterFunc(delay, func() {
		select {
		case c.woken <- s:
		case <-it.run.Done():
		}
	})
	return true
}
