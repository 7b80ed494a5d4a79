package walk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"

	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
)

// WriteDown makes every walk, between two pages, go on from the state that was
// written down of it and read back, without anything else of its pages but what it tells
// of itself. What it knows of the items above, which the
// emitting goroutine may be reading, must be the same when it is read back. It
// returns how often that happened.
func (r *Run) WriteDown() *int {
	n := 0
	r.options.between = func(w *Walk) {
		n++
		type plain struct {
			State paginate.State
			Above job.Ancestors
		}
		text, err := json.Marshal(plain{w.State, w.Above})
		if err != nil {
			panic(err)
		}
		var read plain
		if err := json.Unmarshal(text, &read); err != nil {
			panic(err)
		}
		*w = Walk{
			Assignment:  w.Assignment,
			State:       read.State,
			First:       w.First,
			progress:    w.progress,
			windows:     w.windows,
			slots:       w.slots,
			certainOnly: w.certainOnly,
			told:        w.told,
		}
		if !reflect.DeepEqual(read.Above, w.Above) {
			panic(fmt.Sprintf("%+v was read back as %+v", w.Above, read.Above))
		}
	}
	return &n
}

// Played is what a run would cost.
type Played struct {
	Took     float64 // in units of what a request takes
	Requests int
	Looked   int // at elements of the order, at most
	Longest  int // the order
}

// Play runs without a network: items says what the page of an endpoint
// holds, and each takes about a unit of time.
func (r *Run) Play(items func(endpoint string, page int) []string) (p Played) {
	return r.PlayOf(0, items)
}

// PlayOf is [Run.Play] where every answer says a total; 0: none does.
func (r *Run) PlayOf(total int64, items func(endpoint string, page int) []string) (p Played) {
	random := rand.New(rand.NewPCG(1, 1))
	c := newCoordinator(r, nil)
	c.tasks = make(chan task, r.options.Concurrency)
	due := map[*slot]float64{} // those in flight
	when := func(s *slot) float64 {
		if s.status == dropped {
			return p.Took // a request that is given up ends at once
		}
		return due[s]
	}
	for c.order.Len() > 0 {
		for chosen := c.next(); chosen != nil; chosen = c.next() {
			p.Looked += c.order.Len()
			p.Longest = max(p.Longest, c.order.Len())
			p.Requests++
			c.launch(context.Background(), chosen)
			due[(<-c.tasks).slot] = p.Took + 0.85 + 0.3*random.Float64()
		}
		p.Looked += c.order.Len()
		if len(due) == 0 {
			continue // what could begin walks had none left
		}
		first := slices.MinFunc(
			slices.Collect(maps.Keys(due)),
			func(a, b *slot) int { return cmp.Compare(when(a), when(b)) },
		)
		p.Took = when(first)
		delete(due, first)
		c.take(taskResult{first, first.answer(items(first.Pages.Endpoint, first.number))})
		first.walk.State.Seen.Promised.Items = total
		for front := c.front(); front != nil && front.status == judged; front = c.front() {
			c.order.Remove(front.place)
		}
	}
	return p
}

// answer is what a worker does.
func (a *ask) answer(items []string) *Fetched {
	f := &fetching{ask: a}
	each := f.each()
	f.came.Page = &page.Page{Items: len(items), Prints: page.Prints{Hash: uint64(a.number)}}
	for _, text := range items {
		if each != nil {
			if err := each([]byte(text)); err != nil {
				panic(err)
			}
		}
	}
	return &f.came
}
