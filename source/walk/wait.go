package walk

import (
	"fmt"
	"time"

	"sluice/pipeline"
)

// wait has a page that is not ready asked for again. It is false, with an error of
// the page, after too long a time.
func (c *coordinator) wait(s *slot) bool {
	o, unready, quote := c.options, s.came.Unready, s.came.quote
	rule := s.Job.Conditions.Wait
	now := o.Now()
	s.polls++
	if s.since.IsZero() {
		s.since = now
	}
	left := rule.Most - now.Sub(s.since)
	if left <= 0 {
		err := fmt.Errorf("%s, and has for %s: start the run again later, "+
			"or set a longer waitOn.for%s", unready, rule.Most, quote)
		s.came = &Fetched{err: pipeline.Temporary(err)}
		return false
	}
	s.came = nil
	delay := min(rule.Every, left)
	call := pipeline.Call{Job: s.Job.ID, Page: s.number, Attempt: s.polls}
	o.Observer.Observe(pipeline.Retrying{
		Call:    call,
		Delay:   delay,
		Reason:  unready,
		Unready: true,
		At:      now,
	})
	if o.Client.Instant {
		delay = 0
	}
	// A page that is waited for is not in memory.
	s.status, s.inFile = waiting, true
	time.AfterFunc(delay, func() {
		select {
		case c.woken <- s:
		case <-c.done:
		}
	})
	return true
}
