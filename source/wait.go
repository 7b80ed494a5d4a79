package source

import (
	"cmp"
	"fmt"
	"time"

	"sluice/pipeline"
)

func (j *job) again() string { return fmt.Sprintf("every %s, for %s at most", j.every, j.most) }

// wait has a page that is not ready asked for again. It is false, with an error of the page, after too long a time.
func (c *coordinator) wait(s *slot) bool {
	it, j := c.iteration, s.walk.job
	now := it.o.Now()
	s.polls++
	s.since = cmp.Or(s.since, now)
	left := j.most - now.Sub(s.since)
	s.page, s.reply = nil, nil
	if left <= 0 {
		s.err = pipeline.Temporary(fmt.Errorf("%s, and has for %s: start the run again later, or set a longer waitOn.for%s", s.unready, j.most, s.quote))
		return false
	}
	delay := min(j.every, left)
	call := pipeline.Call{Job: j.id, Page: s.number, Attempt: s.polls}
	it.o.Observer.Observe(pipeline.Retrying{Call: call, Delay: delay, Reason: s.unready, Unready: true, At: now})
	if it.o.Instant {
		delay = 0
	}
	s.status, s.inFile = waiting, true // it is not in memory
	time.AfterFunc(delay, func() {
		select {
		case c.woken <- s:
		case <-it.run.Done():
		}
	})
	return true
}
