package walk

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/transform"
)

func newCoordinator(r *Run, emit func(*pipeline.Batch) error) *coordinator {
	c := &coordinator{
		Run:     r,
		emit:    emit,
		tasks:   make(chan task),
		results: make(chan taskResult, r.options.Concurrency),
		pages:   make(chan *slot),
		emitted: make(chan error, 1),
		woken:   make(chan *slot),
	}
	c.order.PushBack(newPending(r.roots()))
	return c
}

// run fetches and emits everything. When it returns, no goroutine of its own is
// left, and nothing is held.
func (c *coordinator) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	c.done = ctx.Done()
	c.options.Client.Begin(ctx)
	var working sync.WaitGroup
	for range c.options.Concurrency {
		working.Go(c.work)
	}
	working.Go(c.emitPages)

	err := c.loop(ctx)
	cancel(err)
	close(c.tasks)
	close(c.pages)
	working.Wait()
	close(c.results)
	for r := range c.results {
		s := r.slot
		s.came = r.came
		if s.status == dropped {
			s.drop()
		}
		s.status = fetched
	}
	c.giveUpFrom(c.order.Front())
	for _, j := range job.Tree(c.options.API.Jobs) {
		failed := c.progress[j].warnAtEnd()
		if err == nil {
			err = failed
		}
	}
	return err
}

// loop asks for what is due, emits what is judged, and waits for what happens next.
func (c *coordinator) loop(ctx context.Context) error {
	for {
		for s := c.next(); s != nil && ctx.Err() == nil; s = c.next() {
			c.launch(ctx, s)
		}
		before := c.order.Len()
		head, err := c.head()
		if err != nil || c.order.Len() == 0 && !c.busy {
			return err
		}
		if c.order.Len() < before {
			// The page that is first in the order now may be ready to be judged.
			continue
		}
		// A nil channel takes nothing: there is no page to hand over.
		var pages chan *slot
		if head != nil {
			pages = c.pages
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case pages <- head:
			c.order.Remove(head.place)
			c.busy = true
		case err := <-c.emitted:
			if err != nil {
				return err
			}
			c.busy = false
		case r := <-c.results:
			c.take(r)
		case s := <-c.woken:
			if s.status == waiting {
				s.status, s.inFile = ready, false
			}
		}
	}
}

// launch gives a page to a worker; there is a free one.
func (c *coordinator) launch(ctx context.Context, s *slot) {
	if s.walk.State.Started.IsZero() {
		s.walk.State.Started = c.options.now()
	}
	s.under = c.free(ctx)
	s.status = inFlight
	c.inFlight++
	c.spill()
	c.tasks <- task{s.under.ctx, s, &s.ask, &s.sent}
}

// free returns a context that no page uses. It ends with that of the run.
func (c *coordinator) free(run context.Context) cancellable {
	if n := len(c.unused); n > 0 {
		last := c.unused[n-1]
		c.unused = c.unused[:n-1]
		return last
	}
	ctx, cancel := context.WithCancel(run)
	return cancellable{ctx, cancel}
}

// spill moves the last page in output order to a temporary file if more than 2
// N are in memory.
func (c *coordinator) spill() {
	if c.noFile || c.occupied().memory <= 2*c.options.Concurrency {
		return
	}
	for e := c.order.Back(); e != nil; e = e.Prev() {
		s, ok := e.Value.(*slot)
		if !ok || s.inFile {
			continue
		}
		if s.status != fetched && s.status != judged {
			continue
		}
		if err := s.came.Page.Spill(); err != nil {
			c.noFile = true
			text := "pages that were read ahead cannot be kept in a temporary file, so fewer pages are read " +
				"ahead: " + err.Error()
			c.options.tell(s.Job, report.Remark{Text: text})
			return
		}
		s.inFile = true
		return
	}
}

// take takes what a worker has fetched, and judges what can be judged now.
func (c *coordinator) take(r taskResult) {
	s := r.slot
	s.came = r.came
	c.inFlight--
	if s.status == dropped {
		s.drop()
		return
	}
	c.unused = append(c.unused, s.under)
	s.status = fetched
	if s.came.Unready != "" && c.wait(s) {
		return
	}
	for due := s.walk.due(); due != nil; due = s.walk.due() {
		c.judge(due)
	}
}

// due is the page of the walk that is to be judged now;
// nil if it is not there, or the walk has ended.
func (w *Walk) due() *slot {
	if len(w.slots) == 0 {
		return nil
	}
	s := w.slots[0]
	if s.guess || s.status != fetched {
		return nil
	}
	return s
}

// judge judges a page that is due, and enters what comes
// after it: the walks below its items, and the next page.
func (c *coordinator) judge(s *slot) {
	if s.isAgain {
		c.judgeAgain(s)
		return
	}
	if c.askAgain(s) {
		return
	}
	w, came := s.walk, s.came
	w.slots = slices.Delete(w.slots, 0, 1)
	s.status = judged
	next, err := w.judge(s.number, came)
	if err != nil {
		came.err = w.wrap(s.number, err)
		c.giveUpFrom(s.place.Next())
		return
	}
	c.keep(came)
	place := c.enterBelow(s)
	if !w.foresaw(next) {
		for _, ahead := range w.slots {
			c.giveUp(ahead)
		}
		w.slots = slices.Delete(w.slots, 0, len(w.slots))
	}
	if next == nil {
		c.ended.add(s.number)
		w.progress.ended.add(s.number)
		return
	}
	if len(w.slots) == 0 {
		c.insert(newSlot(w, w.State.Pages+max(w.asked, 1), next), place)
	}
	w.slots[0].guess = false
}

// foresaw tells whether the first page that was read ahead is what is asked for next.
func (w *Walk) foresaw(next *paginate.Request) bool {
	if next == nil || len(w.slots) == 0 {
		return false
	}
	if w.State.Overlap.Anew() {
		return false
	}
	return w.slots[0].request.Same(next)
}

// Extract fetches and emits everything.
func (r *Run) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	defer r.options.Client.Close()
	return newCoordinator(r, emit).run(ctx)
}

// work fetches one page after the other, each through all its attempts.
func (c *coordinator) work() {
	for t := range c.tasks {
		c.results <- taskResult{t.slot, t.ask.fetch(t.ctx, t.sent, nil)}
	}
}

// emitPages hands the batches of the pages to the sink, for which
// nothing else waits.
func (c *coordinator) emitPages() {
	// text is reused.
	var text []byte
	for s := range c.pages {
		c.emitted <- pipeline.Guard(func() error {
			defer s.came.Page.Close()
			change := s.change()
			return s.came.Page.Batches(func(b *pipeline.Batch) error {
				b.Job, b.DataType, b.Page = s.Job.ID, s.Job.DataType, s.number
				if change != nil {
					text = transform.Lines(text[:0], b.Text, change)
					b.Text = append(b.Text[:0], text...)
					b.Counted = false
				}
				return c.emit(b)
			})
		})
	}
}

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
