package source

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"sluice/source/page"
	"sluice/source/paginate"
)

// WriteDown makes every walk, between two pages, go on from the state that was
// written down of it and read back. What it knows of the items above, which the
// emitting goroutine may be reading, must be the same when it is read back. It
// returns how often that happened.
func (s *Source) WriteDown() *int {
	n := 0
	between := func(w *walk) {
		n++
		type plain struct {
			State paginate.State
			Above ancestors
		}
		text, err := json.Marshal(plain{w.state, w.above})
		if err != nil {
			panic(err)
		}
		var read plain
		if err := json.Unmarshal(text, &read); err != nil {
			panic(err)
		}
		w.state = read.State
		if !reflect.DeepEqual(read.Above, w.above) {
			panic(fmt.Sprintf("%+v was read back as %+v", w.above, read.Above))
		}
	}
	for _, it := range s.iterations {
		it.between = between
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

// Play runs the source without a network: items says what the page of an endpoint
// holds, and each takes about a unit of time.
func (s *Source) Play(items func(endpoint string, page int) []string) (p Played) {
	it := s.iterations[0]
	random := rand.New(rand.NewPCG(1, 1))
	c := newCoordinator(it, nil)
	c.tasks = make(chan *slot, it.o.Concurrency)
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
			due[<-c.tasks] = p.Took + 0.85 + 0.3*random.Float64()
		}
		p.Looked += c.order.Len()
		if len(due) == 0 {
			continue // what could begin walks had none left
		}
		first := slices.MinFunc(slices.Collect(maps.Keys(due)), func(a, b *slot) int { return cmp.Compare(when(a), when(b)) })
		p.Took = when(first)
		delete(due, first)
		first.answer(items(first.walk.pages.Endpoint, first.number))
		c.take(first)
		for front := c.front(); front != nil && front.status == judged; front = c.front() {
			c.order.Remove(front.place)
		}
	}
	return p
}

// answer is what a worker does.
func (s *slot) answer(items []string) {
	each := s.each()
	s.page = &page.Page{Items: len(items), Hash: uint64(s.number)}
	for _, text := range items {
		if each != nil {
			if err := each([]byte(text)); err != nil {
				panic(err)
			}
		}
	}
}

// Now is the time of the source's clock.
func (s *Source) Now() time.Time { return s.iterations[0].o.Now() }
