package walk

import (
	"container/list"
	"context"
	"iter"
	"sync/atomic"

	"sluice/pipeline"
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
	results chan taskResult
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

// pending yields walks that have not begun. The pages of those that have stand before
// it in the order.
type pending struct {
	next func() (w *Walk, err error, ok bool)
	stop func()
}

// A task is a page for a worker to fetch. The slot is the coordinator's: a worker
// only gives it back.
type task struct {
	ctx  context.Context
	slot *slot
	ask  *ask
	sent *atomic.Int32
}

// A taskResult is what came of a task.
type taskResult struct {
	slot *slot
	came *Fetched
}

func newPending(walks iter.Seq2[*Walk, error]) *pending {
	next, stop := iter.Pull2(walks)
	return &pending{next, stop}
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
				// All slots of the walk come after this place, so all of them are given up.
				v.walk.slots = nil
			}
		case *pending:
			v.stop()
			c.order.Remove(e)
		}
		e = next
	}
}

// giveUp removes a page from the order that will not be needed.
func (c *coordinator) giveUp(s *slot) {
	if s.status == inFlight {
		// Its worker still gives a result back, which the coordinator drops.
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
