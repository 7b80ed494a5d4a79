package walk

import "container/list"

// Which page a free worker takes (docs/architecture.md, Certain before guessed).
const (
	// leastPlaces are for pages in flight or held, whatever N is.
	leastPlaces = 32
	// leastChance is that of a guess.
	leastChance = 1.0 / 4
	// promised is that of a guess, at least, for an item that there is by what the API says.
	promised = 1.0 / 2
	// leastLimited is that of a guess while requests wait for the budget.
	leastLimited = 3.0 / 4
	// enoughEnded walks say something about the length of others.
	enoughEnded = 3
)

// next returns the page that a free worker should fetch, nil if there is none. One
// place is kept for the page that the output waits for; other walks than its own
// have at most 3/4 of them, so that it has room to read ahead.
func (c *coordinator) next() *slot {
	if c.inFlight >= c.options.Concurrency {
		return nil
	}
	places := c.places()
	used := c.occupied()
	room := used.places < places-1
	// likely is the walk whose next page has the best chance to be needed.
	var likely *Walk
	fits, best := true, leastChance
	for e := c.order.Front(); e != nil && (room || e == c.order.Front()); {
		switch v := e.Value.(type) {
		case *slot:
			fits = 4*used.others < 3*places
			if fits || v.walk == used.head {
				if v.status == ready {
					return v
				}
				chance := c.chance(v)
				better := likely == nil && chance == best || chance > best
				if room && better {
					best, likely = chance, v.walk
				}
			}
			e = e.Next()
		case *pending:
			at := e
			e = e.Next()
			if !fits {
				continue
			}
			if w, err, ok := v.next(); ok {
				return c.open(w, err, at)
			}
			c.order.Remove(at)
		}
	}
	if likely == nil {
		return nil
	}
	if best < leastLimited && c.options.Client.Limited(c.inFlight, used.unsent) {
		return nil
	}
	if s := c.guess(likely); s != nil {
		return s
	}
	// It is known now that the walk has no guess.
	return c.next()
}

// places is how many pages may be in flight or held: those in memory only, while the
// run waits for the sink.
func (c *coordinator) places() int {
	n := c.options.Concurrency
	front := c.front()
	waitsForSink := front != nil && front.status == judged
	if c.noFile || waitsForSink {
		return 2 * n
	}
	return max(4*n, leastPlaces)
}

// occupancy is what the pages take that are in flight or held.
type occupancy struct {
	// places are all, memory those that are in memory.
	places, memory int
	// others are those of walks that the output does not wait for.
	others int
	// unsent are those whose request has not gone out.
	unsent int
	// head is the walk that the output waits for.
	head *Walk
}

func (c *coordinator) occupied() (u occupancy) {
	u.places = c.inFlight
	if c.busy {
		u.places++
	}
	u.memory = u.places
	for e := c.order.Front(); e != nil; e = e.Next() {
		s, ok := e.Value.(*slot)
		if !ok {
			continue
		}
		if u.head == nil {
			u.head = s.walk
		}
		if s.status != ready && s.walk != u.head {
			u.others++
		}
		switch {
		case s.status == ready:
		case s.status != inFlight:
			u.places++
			if !s.inFile {
				u.memory++
			}
		case s.sent.Load() == 0:
			u.unsent++
		}
	}
	return u
}

// open inserts the first page of a walk before e. With an error it inserts a page that fails the run when the output
// comes to it.
func (c *coordinator) open(w *Walk, err error, e *list.Element) *slot {
	if err != nil {
		failed := &slot{came: &Fetched{err: err}, status: judged}
		failed.place = c.order.InsertBefore(failed, e)
		c.giveUpFrom(failed.place.Next())
		return nil
	}
	s := newSlot(w, w.State.Pages+1, w.First)
	s.place = c.order.InsertBefore(s, e)
	w.slots = append(w.slots, s)
	return s
}

// guess enters the page after those that the walk has asked for; nil if it
// is not known.
func (c *coordinator) guess(w *Walk) *slot {
	last := w.slots[len(w.slots)-1]
	number := last.number + w.Job.Paging.Every()
	next := w.Job.Paging.Guess(w.Pages, &w.State, number)
	if next == nil {
		w.certainOnly = true
		return nil
	}
	s := newSlot(w, number, next)
	s.guess = true
	c.insert(s, last.place)
	return s
}

// mayGuess tells whether a page after s may be asked for, and is not yet.
func (c *coordinator) mayGuess(s *slot) bool {
	w := s.walk
	if c.failed || w == nil {
		return false
	}
	if w.certainOnly || w.confirm != nil {
		return false
	}
	if w.State.Overlap.Anew() {
		return false
	}
	asked := len(w.slots)
	if asked == 0 || asked >= c.options.Concurrency {
		return false
	}
	return w.slots[asked-1] == s
}

// chance is that of the page after s to be needed: 0 if it is asked for already, or
// none may be.
func (c *coordinator) chance(s *slot) float64 {
	if !c.mayGuess(s) {
		return 0
	}
	w := s.walk
	full, every := w.slots[0].number-1, w.Job.Paging.Every()
	ahead := s.number + every - full
	if full < every {
		return 0
	}
	// The API says that there is a page after it.
	if w.State.Own.LastPage != "" {
		return 1
	}
	for _, l := range []lengths{w.progress.ended, c.ended} {
		if len(l) > full && l[0] >= enoughEnded && full+ahead <= longestWalk {
			if full+ahead > len(l) {
				return 0
			}
			return float64(l[full+ahead-1]) / float64(l[full])
		}
	}
	likely := float64(full) / float64(full+ahead-1)
	if w.State.Promises(full + ahead - 1) {
		return max(likely, promised)
	}
	return likely
}
