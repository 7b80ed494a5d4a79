package source

import "container/list"

// Which page a free worker takes (docs/architecture.md, Certain before guessed).
const (
	leastPlaces  = 32 // for pages in flight or held, whatever N is
	leastChance  = 1.0 / 4
	leastLimited = 3.0 / 4 // chance of a guess while requests wait for the budget
	enoughEnded  = 3       // walks whose lengths say something about others
	longestWalk  = 1 << 14 // pages, to which lengths are told apart
)

// next returns the page that a free worker should fetch, nil if there is none. One place is kept for the page that
// the output waits for; other walks than its own have at most 3/4 of them, so that it has room to read ahead.
func (c *coordinator) next() *slot {
	if c.inFlight >= c.iteration.o.Concurrency {
		return nil
	}
	places := c.places()
	used := c.use()
	room := used.places < places-1
	var likely *walk // that has the best guess
	fits, best := true, leastChance
	for e := c.order.Front(); e != nil && (room || e == c.order.Front()); {
		switch v := e.Value.(type) {
		case *slot:
			fits = 4*used.others < 3*places
			if fits || v.walk == used.head {
				if v.status == ready {
					return v
				}
				if chance := c.chance(v); room && (chance > best || chance == best && likely == nil) {
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
	if likely == nil || best < leastLimited && c.iteration.client.Limited(c.inFlight, used.unsent) {
		return nil
	}
	if s := c.guess(likely); s != nil {
		return s
	}
	return c.next() // the walk is known now not to have a guess
}

// places is how many pages may be in flight or held: those in memory only, while the run waits for the sink.
func (c *coordinator) places() int {
	n := c.iteration.o.Concurrency
	if front := c.front(); c.noFile || front != nil && front.status == judged {
		return 2 * n
	}
	return max(4*n, leastPlaces)
}

// use is what the pages take that are in flight or held.
type use struct {
	places, memory int   // all, and those that are in memory
	others         int   // those of walks that the output does not wait for
	unsent         int   // those whose request has not gone out
	head           *walk // that it waits for
}

func (c *coordinator) use() (u use) {
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

// open puts the first page of a walk before e; with an error a page that fails the run when its turn comes.
func (c *coordinator) open(w *walk, err error, e *list.Element) *slot {
	s := &slot{walk: w, err: err}
	s.place = c.order.InsertBefore(s, e)
	if err != nil {
		s.status = judged
		c.giveUpFrom(s.place.Next())
		return nil
	}
	s.number, s.ask = w.state.Pages+1, w.first
	w.slots = append(w.slots, s)
	return s
}

// guess enters the page after those that the walk has asked for; nil if it is not known.
func (c *coordinator) guess(w *walk) *slot {
	last := w.slots[len(w.slots)-1]
	number := last.number + w.job.paging.Every()
	ask := w.job.paging.Guess(w.pages, &w.state, number)
	if ask == nil {
		w.certainOnly = true
		return nil
	}
	s := &slot{walk: w, number: number, ask: ask, guess: true}
	c.insert(s, last.place)
	return s
}

// chance is that of the page after s to be needed: 0 if it is asked for already, or none may be.
func (c *coordinator) chance(s *slot) float64 {
	w := s.walk
	if c.failed || w == nil || w.certainOnly || w.confirm != nil || len(w.slots) == 0 || len(w.slots) >= c.iteration.o.Concurrency || w.slots[len(w.slots)-1] != s {
		return 0
	}
	full, every := w.slots[0].number-1, w.job.paging.Every()
	ahead := s.number + every - full
	if full < every {
		return 0
	}
	if w.state.Own.LastPage != "" { // the API says that there is one
		return 1
	}
	for _, l := range []lengths{w.job.ended, c.ended} {
		if len(l) > full && l[0] >= enoughEnded && full+ahead <= longestWalk {
			if full+ahead > len(l) {
				return 0
			}
			return float64(l[full+ahead-1]) / float64(l[full])
		}
	}
	return float64(full) / float64(full+ahead-1)
}

// lengths are those of walks that have ended: how many have more than so many pages.
type lengths []int

func (l *lengths) add(pages int) {
	for p := range min(pages, longestWalk) {
		if p == len(*l) {
			*l = append(*l, 0)
		}
		(*l)[p]++
	}
}
