package source

import (
	"container/list"
	"context"
	"fmt"
	"sync"

	"sluice/pipeline"
	"sluice/source/page"
	"sluice/source/paginate"
)

// coordinator owns all walks of a run, in one goroutine (docs/architecture.md, decisions).
//
// What is still to be emitted stands in a list in output order: pages as slots,
// and between them what begins further walks. N workers fetch; a free one takes
// the first slot that is ready. The page at the head of the list is handed to the
// emitter once it is judged. In flight plus held are at most 2 N pages, of which
// one place is kept for the head: the output never waits for a place that only it
// can free.
//
// A page that fails the run does so when its turn comes, so that the output
// before it is the same for every N; what stands behind it is given up at once.
type coordinator struct {
	source *Source
	emit   func(*pipeline.Batch) error

	order   list.List // of *slot and walks
	at      map[*slot]*list.Element
	flying  int // being fetched
	held    int // fetched, not emitted or given up
	tasks   chan *task
	results chan *task
	pages   chan *slot // to the emitter
	emitted chan error // from it, one for each page
	busy    bool       // the emitter has a page
}

// walks begins walks one after the other, each when it is its turn: the root jobs,
// or the children of a page's items. It returns nil when there is none any more.
type walks interface {
	begin() (*walk, error)
}

// roots are the root jobs that have not begun.
type roots struct{ jobs []*job }

func (r *roots) begin() (*walk, error) {
	if len(r.jobs) == 0 {
		return nil, nil
	}
	j := r.jobs[0]
	r.jobs = r.jobs[1:]
	w, err := j.source.newWalk(j, nil, lineage{})
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", j.id, err)
	}
	return w, nil
}

// task is what a worker does: fetch the page of a slot.
type task struct {
	slot  *slot
	ctx   context.Context
	page  *page.Page
	seeds seeds
	ids   *paginate.Range
	err   error
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
	c.order.PushBack(&roots{s.jobs})
	return c
}

// run fetches and emits everything. When it returns, no goroutine of its own is
// left, and nothing is held.
func (c *coordinator) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	c.source.run = ctx
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
			s.walk.cutShort()
		}
	}
	for j := range tree(c.source.jobs) {
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
	room := c.flying+c.held < 2*n-1
	for e := c.order.Front(); e != nil && (room || e == c.order.Front()); {
		switch v := e.Value.(type) {
		case *slot:
			if v.status == ready {
				return v
			}
			e = e.Next()
		case walks:
			w, err := v.begin()
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
		c.at[s] = c.order.InsertBefore(s, e)
		c.held++
		c.giveUpBehind(s)
		return nil
	}
	s := &slot{walk: w, number: 1, ask: w.first}
	w.slots = append(w.slots, s)
	c.at[s] = c.order.InsertBefore(s, e)
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
	s.page, s.seeds, s.ids, s.err, s.status = t.page, t.seeds, t.ids, t.err, fetched
	c.held++
	for w := s.walk; len(w.slots) > 0 && w.slots[0].status == fetched && !w.slots[0].guess; {
		due := w.slots[0]
		w.slots = w.slots[1:]
		due.status = judged
		next, err := w.judge(due)
		if err != nil {
			due.err = due.wrap(err)
			c.giveUpBehind(due)
			return
		}
		place := c.at[due]
		if due.page != nil && len(due.seeds.text) > 0 {
			place = c.order.InsertAfter(&brood{walk: w, page: due.number, seeds: due.seeds}, place)
		}
		if next == nil {
			c.drop(w)
			return
		}
		c.follow(w, due.number, next, place)
	}
}

// follow makes next the walk's next page, behind place, and reads further ahead
// (slow start: twice as far after each full page).
func (c *coordinator) follow(w *walk, number int, next *paginate.Request, place *list.Element) {
	if len(w.slots) > 0 && !w.slots[0].ask.Same(next) {
		c.drop(w)
	}
	if len(w.slots) == 0 {
		place = c.insert(&slot{walk: w, number: number + 1, ask: next}, place)
	} else {
		place = c.at[w.slots[len(w.slots)-1]]
	}
	w.slots[0].guess = false
	w.window = min(2*w.window, c.source.o.Concurrency)
	for w.confirm == nil && len(w.slots) < w.window {
		ahead := w.slots[len(w.slots)-1].number + 1
		ask, ok := w.job.paging.Guess(w.pages, ahead)
		if !ok {
			return
		}
		place = c.insert(&slot{walk: w, number: ahead, ask: ask, guess: true}, place)
	}
}

// insert puts the next slot of its walk behind place.
func (c *coordinator) insert(s *slot, place *list.Element) *list.Element {
	s.walk.slots = append(s.walk.slots, s)
	c.at[s] = c.order.InsertAfter(s, place)
	return c.at[s]
}

// drop gives up what was read ahead of a walk.
func (c *coordinator) drop(w *walk) {
	for _, s := range w.slots {
		c.giveUp(s)
	}
	w.slots = nil
}

// giveUpBehind gives up everything behind a page that fails the run: no request
// begins any more that the output before it does not need, and no other attempt.
func (c *coordinator) giveUpBehind(failed *slot) {
	place := c.at[failed]
	for e := place.Next(); e != nil; e = place.Next() {
		s, ok := e.Value.(*slot)
		if !ok {
			c.order.Remove(e)
			continue
		}
		c.giveUp(s)
		if s.walk != nil {
			s.walk.cutShort()
			s.walk.slots = nil // all of them stand behind
		}
	}
}

// giveUp takes a page out that nobody will want.
func (c *coordinator) giveUp(s *slot) {
	switch s.status {
	case flying:
		s.cancel()
	case fetched, judged:
		s.page.Close()
		c.held--
	}
	s.status = dropped
	c.remove(s)
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
