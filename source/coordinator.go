package source

import (
	"cmp"
	"container/list"
	"context"
	"iter"
	"sync"

	"sluice/pipeline"
)

// coordinator owns all walks of an iteration, in one goroutine (docs/architecture.md, decisions). A page that fails
// the run does so when its turn comes, so that the output before it is the same for every N.
type coordinator struct {
	iteration *iteration
	emit      func(*pipeline.Batch) error

	order    list.List // in output order: a *slot for each page that is certain or asked for, and *pending
	inFlight int       // pages that are being fetched
	noFile   bool      // there is no room for temporary files
	failed   bool      // a page was judged that fails the run
	ended    lengths   // of all walks
	tasks    chan *slot
	results  chan *slot
	pages    chan *slot // to the emitter
	emitted  chan error // from it, one for each page
	busy     bool       // the emitter has a page
	woken    chan *slot // pages that were not ready and are to be asked for again
}

func newCoordinator(it *iteration, emit func(*pipeline.Batch) error) *coordinator {
	c := &coordinator{
		iteration: it,
		emit:      emit,
		tasks:     make(chan *slot),
		results:   make(chan *slot, it.o.Concurrency),
		pages:     make(chan *slot),
		emitted:   make(chan error, 1),
		woken:     make(chan *slot),
	}
	c.order.PushBack(newPending(it.rootWalks()))
	return c
}

// pending begins walks, of which the pages stand before it in the order.
type pending struct {
	next func() (w *walk, err error, ok bool)
	stop func()
}

func newPending(walks iter.Seq2[*walk, error]) *pending {
	next, stop := iter.Pull2(walks)
	return &pending{next, stop}
}

// run fetches and emits everything. When it returns, no goroutine of its own is left, and nothing is held.
func (c *coordinator) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	c.iteration.run = ctx
	var working sync.WaitGroup
	for range c.iteration.o.Concurrency {
		working.Go(c.work)
	}
	working.Go(c.emitPages)

	err := c.loop(ctx)
	cancel(err)
	close(c.tasks)
	close(c.pages)
	working.Wait()
	close(c.results)
	for s := range c.results {
		if s.status == dropped {
			s.drop()
		}
		s.status = fetched
	}
	c.giveUpFrom(c.order.Front())
	for _, j := range tree(c.iteration.jobs) {
		j.warnAtEnd()
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
			continue // what is at the front now may be due
		}
		var pages chan *slot // nil while there is nothing to hand over
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
		case s := <-c.results:
			c.take(s)
		case s := <-c.woken:
			if s.status == waiting {
				s.status, s.inFile, s.unready, s.end = ready, false, "", false
			}
		}
	}
}

// launch gives a page to a worker; there is a free one.
func (c *coordinator) launch(ctx context.Context, s *slot) {
	s.walk.state.Started = cmp.Or(s.walk.state.Started, c.iteration.now())
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.status = inFlight
	c.inFlight++
	c.spill()
	c.tasks <- s
}

// spill moves the last page in output order to a temporary file if more than 2 N are in memory.
func (c *coordinator) spill() {
	if c.noFile || c.use().memory <= 2*c.iteration.o.Concurrency {
		return
	}
	for e := c.order.Back(); e != nil; e = e.Prev() {
		s, ok := e.Value.(*slot)
		if !ok || s.inFile || s.status != fetched && s.status != judged {
			continue
		}
		if err := s.page.Spill(); err != nil {
			c.noFile = true
			s.walk.job.warn("pages that were read ahead cannot wait in a temporary file, so fewer are: "+err.Error(), pipeline.Complete)
			return
		}
		s.inFile = true
		return
	}
}

// take takes what a worker has fetched, and judges what can be judged now.
func (c *coordinator) take(s *slot) {
	s.cancel()
	c.inFlight--
	if s.status == dropped {
		s.drop()
		return
	}
	s.status = fetched
	if s.unready != "" && c.wait(s) {
		return
	}
	for w := s.walk; len(w.slots) > 0 && w.slots[0].status == fetched && !w.slots[0].guess; {
		due := w.slots[0]
		w.slots = w.slots[1:]
		due.status = judged
		next, err := w.judge(due)
		if err != nil {
			due.err = due.wrap(err)
			c.giveUpFrom(due.place.Next())
			return
		}
		if due.reply != nil && !due.known {
			c.iteration.o.Journal.Keep(due.reply)
		}
		place := due.place
		if due.page != nil && len(due.parents) > 0 {
			place = c.order.InsertAfter(newPending(w.below(due.number, due.parents, nil)), place)
		}
		if next == nil || len(w.slots) > 0 && !w.slots[0].ask.Same(next) { // what was read ahead is not asked for
			for _, ahead := range w.slots {
				c.giveUp(ahead)
			}
			w.slots = nil
		}
		if next == nil {
			c.ended.add(due.number)
			w.job.ended.add(due.number)
			return
		}
		if len(w.slots) == 0 {
			c.insert(&slot{walk: w, number: w.state.Pages + 1, ask: next}, place)
		}
		w.slots[0].guess = false
	}
}

func (c *coordinator) insert(s *slot, place *list.Element) {
	s.walk.slots = append(s.walk.slots, s)
	s.place = c.order.InsertAfter(s, place)
}

// giveUpFrom gives up everything from a place in the order on: a page before it fails the run, or the run has ended.
func (c *coordinator) giveUpFrom(e *list.Element) {
	c.failed = true
	for e != nil {
		next := e.Next()
		switch v := e.Value.(type) {
		case *slot:
			c.giveUp(v)
			if v.walk != nil {
				v.walk.cutShort()
				v.walk.slots = nil // all of them stand from there on
			}
		case *pending:
			v.stop()
			c.order.Remove(e)
		}
		e = next
	}
}

// giveUp takes a page out that nobody will want.
func (c *coordinator) giveUp(s *slot) {
	if s.status == inFlight {
		s.cancel() // take gets it
	} else {
		s.drop()
	}
	c.order.Remove(s.place)
	s.status = dropped
}

// head returns the page to be emitted now, nil if none can be, and the error that it has.
func (c *coordinator) head() (*slot, error) {
	for s := c.front(); !c.busy && s != nil && s.status == judged; s = c.front() {
		if s.err != nil || s.page != nil && s.page.Items > s.page.NotOurs {
			return s, s.err
		}
		s.page.Close()
		c.order.Remove(s.place)
	}
	return nil, nil
}

// front is the page that the output waits for, nil if its walk has not begun, or at the end.
func (c *coordinator) front() *slot {
	if e := c.order.Front(); e != nil {
		s, _ := e.Value.(*slot)
		return s
	}
	return nil
}
