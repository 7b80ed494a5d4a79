package walk

import (
	"container/list"
	"context"
	"iter"
	"sync"

	"sluice/pipeline"
	"sluice/source/job"
)

// coordinator owns all walks of an iteration, in one goroutine (docs/architecture.md, decisions). A page that fails
// the run does so when its turn comes, so that the output before it is the same for every N.
type coordinator struct {
	*Run
	emit func(*pipeline.Batch) error

	order    list.List // in output order: a *slot for each page that is certain or asked for, and *pending
	inFlight int       // pages that are being fetched
	noFile   bool      // there is no room for temporary files
	failed   bool      // a page was judged that fails the run
	ended    lengths   // of all walks
	tasks    chan task
	results  chan result
	pages    chan *slot      // to the emitter
	emitted  chan error      // from it, one for each page
	busy     bool            // the emitter has a page
	woken    chan *slot      // pages that were not ready and are to be asked for again
	done     <-chan struct{} // closed when the run ends
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

// pending begins walks, of which the pages stand before it in the order.
type pending struct {
	next func() (w *Walk, err error, ok bool)
	stop func()
}

func newPending(walks iter.Seq2[*Walk, error]) *pending {
	next, stop := iter.Pull2(walks)
	return &pending{next, stop}
}

// run fetches and emits everything. When it returns, no goroutine of its own is left, and nothing is held.
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
		c.progress[j].warnAtEnd()
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
	ctx, s.cancel = context.WithCancel(ctx)
	s.status = inFlight
	c.inFlight++
	c.spill()
	c.tasks <- task{ctx, s, &s.ask, &s.sent}
}

// spill moves the last page in output order to a temporary file if more than 2 N are in memory.
func (c *coordinator) spill() {
	if c.noFile || c.use().memory <= 2*c.options.Concurrency {
		return
	}
	for e := c.order.Back(); e != nil; e = e.Prev() {
		s, ok := e.Value.(*slot)
		if !ok || s.inFile || s.status != fetched && s.status != judged {
			continue
		}
		if err := s.came.Page.Spill(); err != nil {
			c.noFile = true
			c.options.warn(s.Job, "pages that were read ahead cannot wait in a temporary file, so fewer are: "+err.Error(), pipeline.Complete)
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
	s.cancel()
	c.inFlight--
	if s.status == dropped {
		s.drop()
		return
	}
	s.status = fetched
	if s.came.Unready != "" && c.wait(s) {
		return
	}
	for w := s.walk; len(w.slots) > 0 && w.slots[0].status == fetched && !w.slots[0].guess; {
		due := w.slots[0]
		w.slots = w.slots[1:]
		due.status = judged
		next, err := w.judge(due.number, due.came)
		if err != nil {
			due.came.err = w.wrap(due.number, err)
			c.giveUpFrom(due.place.Next())
			return
		}
		came := due.came
		if came.reply != nil && !came.known {
			c.options.Journal.Keep(came.reply)
		}
		place := due.place
		if came.Page != nil && len(came.Items.Parents) > 0 {
			below := newPending(c.Below(w, due.number, came.Items.Parents))
			place = c.order.InsertAfter(below, place)
		}
		if next == nil || len(w.slots) > 0 && !w.slots[0].request.Same(next) { // what was read ahead is not asked for
			for _, ahead := range w.slots {
				c.giveUp(ahead)
			}
			w.slots = nil
		}
		if next == nil {
			c.ended.add(due.number)
			w.progress.ended.add(due.number)
			return
		}
		if len(w.slots) == 0 {
			c.insert(newSlot(w, w.State.Pages+1, next), place)
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
		if s.came.err != nil {
			return s, s.came.err
		}
		p := s.came.Page
		if p != nil && p.Items > p.NotOurs {
			return s, nil
		}
		p.Close()
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
