package source

import (
	"container/list"
	"context"
	"sync"

	"sluice/pipeline"
	"sluice/source/paginate"
)

// coordinator owns all walks of an iteration, in one goroutine
// (docs/architecture.md, decisions).
//
// What is still to be emitted stands in a list in output order: pages as slots,
// and between them functions that begin further walks. N workers fetch; a free one
// takes the first slot that is ready. The page at the head of the list is handed
// to the emitter once it is judged. In flight plus held are at most 2 N pages, of
// which one place is kept for the head: the output never waits for a place that
// only it can free.
//
// A page that fails the run does so when its turn comes, so that the output
// before it is the same for every N; what stands after it is given up at once.
type coordinator struct {
	iteration *iteration
	emit      func(*pipeline.Batch) error

	// order holds a *slot for each page, and a func() (*walk, error) where walks
	// are still to begin: it begins the next, and returns nil after the last.
	order    list.List
	inFlight int // pages that are being fetched
	held     int // pages that are fetched, not emitted or given up
	tasks    chan *slot
	results  chan *slot
	pages    chan *slot // to the emitter
	emitted  chan error // from it, one for each page
	busy     bool       // the emitter has a page
}

func newCoordinator(it *iteration, emit func(*pipeline.Batch) error) *coordinator {
	c := &coordinator{
		iteration: it,
		emit:      emit,
		tasks:     make(chan *slot),
		results:   make(chan *slot, it.o.Concurrency),
		pages:     make(chan *slot),
		emitted:   make(chan error, 1),
	}
	c.order.PushBack(it.rootWalks())
	return c
}

// run fetches and emits everything. When it returns, no goroutine of its own is
// left, and nothing is held.
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
		s.page.Close()
	}
	for e := c.order.Front(); e != nil; e = e.Next() {
		if s, ok := e.Value.(*slot); ok {
			s.page.Close()
			s.walk.cutShort()
		}
	}
	for j := range tree(c.iteration.jobs) {
		j.warnAtEnd()
	}
	return err
}

// loop is the life of the coordinator: ask for what is due, emit what is judged,
// wait for what happens next.
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
			c.held--
		case s := <-c.results:
			c.take(s)
		}
	}
}

// next returns the page that a free worker should fetch: of those that are
// ready, the first in output order. Nil if there is none, no worker or no place.
func (c *coordinator) next() *slot {
	n := c.iteration.o.Concurrency
	if c.inFlight >= n {
		return nil
	}
	room := c.inFlight+c.held < 2*n-1
	for e := c.order.Front(); e != nil && (room || e == c.order.Front()); {
		switch v := e.Value.(type) {
		case *slot:
			if v.status == ready {
				return v
			}
			e = e.Next()
		case func() (*walk, error):
			w, err := v()
			if w == nil && err == nil {
				over := e
				e = e.Next()
				c.order.Remove(over)
				continue
			}
			return c.open(w, err, e)
		}
	}
	return nil
}

// open puts the first page of a walk before e, and returns it. With an error it
// puts a page there that fails the run when its turn comes, and returns nil.
func (c *coordinator) open(w *walk, err error, e *list.Element) *slot {
	if err != nil {
		s := &slot{status: judged, err: err}
		s.place = c.order.InsertBefore(s, e)
		c.held++
		c.giveUpAfter(s)
		return nil
	}
	s := &slot{walk: w, number: 1, ask: w.first}
	w.slots = append(w.slots, s)
	s.place = c.order.InsertBefore(s, e)
	return s
}

// launch gives a page to a worker; there is a free one.
func (c *coordinator) launch(ctx context.Context, s *slot) {
	if w := s.walk; w.state.Started.IsZero() {
		w.state.Started = c.iteration.o.Now()
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.status = inFlight
	c.inFlight++
	c.tasks <- s
}

// take takes what a worker has fetched, and judges what can be judged now.
func (c *coordinator) take(s *slot) {
	s.cancel()
	c.inFlight--
	if s.status == dropped {
		s.page.Close()
		return
	}
	s.status = fetched
	c.held++
	for w := s.walk; len(w.slots) > 0 && w.slots[0].status == fetched && !w.slots[0].guess; {
		due := w.slots[0]
		w.slots = w.slots[1:]
		due.status = judged
		next, err := w.judge(due)
		if err != nil {
			due.err = due.wrap(err)
			c.giveUpAfter(due)
			return
		}
		place := due.place
		if due.page != nil && len(due.parents) > 0 {
			below := &childWalks{walk: w, page: due.number, parents: due.parents}
			place = c.order.InsertAfter(below.next, place)
		}
		if next == nil {
			c.drop(w)
			return
		}
		c.follow(w, due.number, next, place)
	}
}

// follow makes next the walk's next page, after place, and reads further ahead
// (slow start: twice as far after each full page).
func (c *coordinator) follow(w *walk, number int, next *paginate.Request, place *list.Element) {
	if len(w.slots) > 0 && !w.slots[0].ask.Same(next) {
		c.drop(w)
	}
	if len(w.slots) == 0 {
		c.insert(&slot{walk: w, number: number + 1, ask: next}, place)
	}
	w.slots[0].guess = false
	w.window = min(2*w.window, c.iteration.o.Concurrency)
	for w.confirm == nil && len(w.slots) < w.window {
		last := w.slots[len(w.slots)-1]
		ask := w.job.paging.Guess(w.pages, last.number+1)
		if ask == nil {
			return
		}
		c.insert(&slot{walk: w, number: last.number + 1, ask: ask, guess: true}, last.place)
	}
}

// insert puts the next slot of its walk after place.
func (c *coordinator) insert(s *slot, place *list.Element) {
	s.walk.slots = append(s.walk.slots, s)
	s.place = c.order.InsertAfter(s, place)
}

// drop gives up what was read ahead of a walk.
func (c *coordinator) drop(w *walk) {
	for _, s := range w.slots {
		c.giveUp(s)
	}
	w.slots = nil
}

// giveUpAfter gives up everything after a page that fails the run: no request
// begins any more that the output before it does not need, and no other attempt.
func (c *coordinator) giveUpAfter(failed *slot) {
	for e := failed.place.Next(); e != nil; e = failed.place.Next() {
		s, ok := e.Value.(*slot)
		if !ok {
			c.order.Remove(e)
			continue
		}
		c.giveUp(s)
		if s.walk != nil {
			s.walk.cutShort()
			s.walk.slots = nil // all of them stand after the failed page
		}
	}
}

// giveUp takes a page out that nobody will want.
func (c *coordinator) giveUp(s *slot) {
	switch s.status {
	case inFlight:
		s.cancel()
	case fetched, judged:
		s.page.Close()
		c.held--
	}
	s.status = dropped
	c.order.Remove(s.place)
}

// head returns the page that is to be emitted now, nil if none can be. Its error
// is that of the page whose turn it is.
func (c *coordinator) head() (*slot, error) {
	for !c.busy && c.order.Len() > 0 {
		s, ok := c.order.Front().Value.(*slot)
		if !ok || s.status != judged {
			return nil, nil
		}
		if s.err != nil {
			return nil, s.err
		}
		if s.page != nil && s.page.Items > 0 {
			return s, nil
		}
		s.page.Close()
		c.order.Remove(s.place)
		c.held--
	}
	return nil, nil
}
