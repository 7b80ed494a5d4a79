package source

import (
	"container/list"
	"context"
	"sync"

	"sluice/pipeline"
	"sluice/source/page"
	"sluice/source/paginate"
)

// coordinator owns all walks of a run, in one goroutine (design.md, section 4).
//
// What is still to be emitted stands in a list in output order: pages as slots,
// and jobs that have not begun. N workers fetch; a free one takes the first slot
// that is ready. The page at the head of the list is handed to the emitter once
// it is judged. In flight plus held are at most 2 N pages, but the head always
// gets its place, so that the output never waits for a place that only it can
// free.
type coordinator struct {
	source *Source
	emit   func(*pipeline.Batch) error

	order   list.List // of *slot and *job
	at      map[*slot]*list.Element
	flying  int // being fetched
	held    int // fetched, not emitted or given up
	tasks   chan *task
	results chan *task
	pages   chan *slot // to the emitter
	emitted chan error // from it, one for each page
	busy    bool       // the emitter has a page
}

// task is what a worker does: fetch the page of a slot.
type task struct {
	slot *slot
	ctx  context.Context
	page *page.Page
	err  error
}

func newCoordinator(s *Source, emit func(*pipeline.Batch) error) *coordinator {
	c := &coordinator{
		source:  s,
		emit:    emit,
		at:      make(map[*slot]*list.Element),
		tasks:   make(chan *task),
		results: make(chan *task, s.o.Concurrency),
		pages:   make(chan *slot),
		emitted: make(chan error, 1),
	}
	for _, j := range s.jobs {
		c.order.PushBack(j)
	}
	return c
}

// run fetches and emits everything. When it returns, no goroutine of its own is
// left, and nothing is held.
func (c *coordinator) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	if c.source.session != nil {
		c.source.session.run = ctx
	}
	var working sync.WaitGroup
	for range c.source.o.Concurrency {
		working.Go(c.work)
	}
	working.Go(c.emitPages)

	err := c.loop(ctx)
	cancel(err)
	close(c.tasks)
	close(c.pages)
	working.Wait()
	close(c.results)
	for t := range c.results {
		t.page.Close()
	}
	for e := c.order.Front(); e != nil; e = e.Next() {
		if s, ok := e.Value.(*slot); ok {
			s.page.Close()
		}
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
		head, err := c.head()
		if err != nil || c.order.Len() == 0 && !c.busy {
			return err
		}
		var pages chan *slot // nil while there is nothing to hand over
		if head != nil {
			pages = c.pages
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case pages <- head:
			c.remove(head)
			c.busy = true
		case err := <-c.emitted:
			if err != nil {
				return err
			}
			c.busy = false
			c.held--
		case t := <-c.results:
			c.land(t)
		}
	}
}

// next returns the page that a free worker should fetch: of those that are
// ready, the first in output order. Nil if there is none, no worker or no place.
func (c *coordinator) next() *slot {
	n := c.source.o.Concurrency
	if c.flying >= n {
		return nil
	}
	room := c.flying+c.held < 2*n
	for e := c.order.Front(); e != nil && (room || e == c.order.Front()); e = e.Next() {
		switch v := e.Value.(type) {
		case *job:
			return c.open(v, e)
		case *slot:
			switch {
			case v.status == ready:
				return v
			case v.status == judged && v.err != nil:
				return nil // after a failure no request begins
			}
		}
	}
	return nil
}

// open begins the walk of a job whose turn has come, in the job's place.
func (c *coordinator) open(j *job, e *list.Element) *slot {
	w, err := j.source.newWalk(j)
	s := &slot{walk: w, number: 1, err: err}
	if err != nil {
		s.walk, s.status = &walk{job: j}, judged
		s.err = s.wrap(err)
	} else {
		s.ask = w.first
		w.slots = append(w.slots, s)
	}
	e.Value = s
	c.at[s] = e
	if err != nil {
		c.held++
		return nil
	}
	return s
}

// launch gives a page to a worker; there is a free one.
func (c *coordinator) launch(ctx context.Context, s *slot) {
	if w := s.walk; w.state.Started.IsZero() {
		w.state.Started = c.source.o.Now()
	}
	t := &task{slot: s}
	t.ctx, s.cancel = context.WithCancel(ctx)
	s.status = flying
	c.flying++
	c.tasks <- t
}

// land takes what a worker has fetched, and judges what can be judged now.
func (c *coordinator) land(t *task) {
	s := t.slot
	s.cancel()
	c.flying--
	if s.status == dropped {
		t.page.Close()
		return
	}
	s.page, s.err, s.status = t.page, t.err, fetched
	c.held++
	for w := s.walk; len(w.slots) > 0 && w.slots[0].status == fetched && !w.slots[0].guess; {
		due := w.slots[0]
		w.slots = w.slots[1:]
		due.status = judged
		next, err := w.judge(due)
		if err != nil {
			due.err = due.wrap(err)
		}
		if next == nil {
			c.drop(w)
			return
		}
		c.follow(w, due, next)
	}
}

// follow makes next the walk's next page, behind the one that was just judged,
// and reads further ahead (slow start: twice as far after each full page).
func (c *coordinator) follow(w *walk, judged *slot, next *paginate.Request) {
	if len(w.slots) > 0 && !w.slots[0].ask.Same(next) {
		c.drop(w)
	}
	if len(w.slots) == 0 {
		c.insert(w, &slot{walk: w, number: judged.number + 1, ask: next}, judged)
	}
	w.slots[0].guess = false
	w.window = min(2*w.window, c.source.o.Concurrency)
	for w.confirm == nil && len(w.slots) < w.window {
		last := w.slots[len(w.slots)-1]
		ask, ok := c.source.paging.Guess(w.pages, last.number+1)
		if !ok {
			return
		}
		c.insert(w, &slot{walk: w, number: last.number + 1, ask: ask, guess: true}, last)
	}
}

// insert puts a slot behind another one of its walk.
func (c *coordinator) insert(w *walk, s, after *slot) {
	w.slots = append(w.slots, s)
	c.at[s] = c.order.InsertAfter(s, c.at[after])
}

// drop gives up what was read ahead of a walk.
func (c *coordinator) drop(w *walk) {
	for _, s := range w.slots {
		switch s.status {
		case flying:
			s.cancel()
		case fetched:
			s.page.Close()
			c.held--
		}
		s.status = dropped
		c.remove(s)
	}
	w.slots = nil
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
		c.remove(s)
		c.held--
	}
	return nil, nil
}

func (c *coordinator) remove(s *slot) {
	c.order.Remove(c.at[s])
	delete(c.at, s)
}
