package walk

import (
	"container/list"
	"context"
	"iter"
	"slices"
	"sync"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/job"
	"sluice/source/paginate"
)

// coordinator owns all walks of an iteration, in one goroutine
// (docs/architecture.md). A page that fails the run does so when its turn
// comes, so that the output before it is the same for every --concurrency N.
type coordinator struct {
	*Run
	emit func(*pipeline.Batch) error

	// order is that of the output: a *slot for each page
	// that is certain or asked for, and *pending.
	order list.List
	// inFlight counts pages that are being fetched.
	inFlight int
	// unused are contexts of pages that have come, which are used again.
	unused []cancellable
	// noFile tells that there is no room for temporary files.
	noFile bool
	// failed tells that a page was judged that fails the run.
	failed bool
	// ended are the lengths of all walks that have ended.
	ended   lengths
	tasks   chan task
	results chan result
	// pages go to the emitter.
	pages chan *slot
	// emitted comes from it, once for each page.
	emitted chan error
	// busy tells that it has a page.
	busy bool
	// woken are pages that were not ready and are to be asked for again.
	woken chan *slot
	// done is closed when the run ends.
	done <-chan struct{}
}

func newCoordinator(r *Run, emit func(*pipeline.Batch) error) *coordinator {
	c := &coordinator{
		Run:     r,
		emit:    emit,
		tasks:   make(chan task),
		results: make(chan result, r.options.Concurrency),
		pages:   make(chan *slot),
		emitted: make(chan error, 1),
		woken:   make(chan *slot),
	}
	c.order.PushBack(newPending(r.roots()))
	return c
}

// pending yields walks that have not begun. The pages of those that have stand before
// it in the order.
type pending struct {
	next func() (w *Walk, err error, ok bool)
	stop func()
}

func newPending(walks iter.Seq2[*Walk, error]) *pending {
	next, stop := iter.Pull2(walks)
	return &pending{next, stop}
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
		isDone := c.order.Len() == 0 && !c.busy
		if err != nil || isDone {
			return err
		}
		if c.order.Len() < before {
			// What is at the front now may be due.
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

// free is a context below that of the run that no page uses.
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
	if c.noFile || c.use().memory <= 2*c.options.Concurrency {
		return
	}
	for e := c.order.Back(); e != nil; e = e.Prev() {
		s, ok := e.Value.(*slot)
		if !ok || s.inFile {
			continue
		}
		isHeld := s.status == fetched || s.status == judged
		if !isHeld {
			continue
		}
		if err := s.came.Page.Spill(); err != nil {
			c.noFile = true
			text := "pages that were read ahead cannot wait in a temporary file, " +
				"so fewer are: " + err.Error()
			c.options.tell(s.Job, report.Remark{Text: text})
			return
		}
		s.inFile = true
		return
	}
}

// take takes what a worker has fetched, and judges what can be judged now.
func (c *coordinator) take(r result) {
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

// keep has the journal keep an answer that counts.
func (c *coordinator) keep(came *Fetched) {
	if came.reply != nil && !came.known {
		c.options.Journal.Keep(came.reply)
	}
}

// enterBelow enters the walks below the items of a page. It returns the place behind which the next page stands.
func (c *coordinator) enterBelow(s *slot) *list.Element {
	if s.came.Page == nil || len(s.came.Items.Parents) == 0 {
		return s.place
	}
	below := newPending(c.Below(s.walk, s.number, s.came.Items.Parents, nil))
	return c.order.InsertAfter(below, s.place)
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

func (c *coordinator) insert(s *slot, place *list.Element) {
	s.walk.slots = append(s.walk.slots, s)
	s.place = c.order.InsertAfter(s, place)
}

// giveUpFrom gives up everything from a place in the order on: a page before it
// fails the run, or the run has ended.
func (c *coordinator) giveUpFrom(e *list.Element) {
	c.failed = true
	for e != nil {
		next := e.Next()
		switch v := e.Value.(type) {
		case *slot:
			c.giveUp(v)
			if v.walk != nil {
				v.walk.cutShort()
				// All slots of the walk stand from there on.
				v.walk.slots = nil
			}
		case *pending:
			v.stop()
			c.order.Remove(e)
		}
		e = next
	}
}

// giveUp takes a page out of the order that nobody will want.
func (c *coordinator) giveUp(s *slot) {
	if s.status == inFlight {
		// The coordinator takes and drops what comes of it.
		s.under.cancel()
	} else {
		s.drop()
	}
	c.order.Remove(s.place)
	s.status = dropped
}

// head returns the page to be emitted now, nil if none can be, and the error
// that it has.
func (c *coordinator) head() (*slot, error) {
	for s := c.front(); !c.busy && s != nil && s.status == judged; s = c.front() {
		if s.came.err != nil {
			return s, s.came.err
		}
		p := s.came.Page
		if p != nil && p.Items > p.LeftOut {
			return s, nil
		}
		p.Close()
		c.order.Remove(s.place)
	}
	return nil, nil
}

// front is the page that the output waits for, nil if its walk has not begun,
// or at the end.
func (c *coordinator) front() *slot {
	if e := c.order.Front(); e != nil {
		s, _ := e.Value.(*slot)
		return s
	}
	return nil
}
