package transport

import (
	"context"
	"sync"
	"time"
)

// A gate is what all requests of one host pass, in their order, so that they back off together: 429 and 503 halve how
// many may be in flight, which grows again by one with each round of good answers.
type gate struct {
	turn    chan struct{} // held by the first that waits; senders to a channel are served in order
	changed chan struct{} // tells the first that waits to look again

	mu         sync.Mutex
	maximum    int       // of limit
	limit      int       // of requests in flight
	inFlight   int       // requests
	good       int       // answers since limit changed
	generation int       // how often limit was halved
	until      time.Time // the gate is closed
	left       int       // of the budget that the API states; negative: not known
	told       int       // answers that could have said so
	learnt     int       // told when left was set
	believed   bool      // there was a positive number
}

// A place is what a request is told that may be sent, for [gate.hold] and [gate.tell].
type place struct{ generation, told int }

// gate returns the gate of a host, with its port.
func (c *Client) gate(host string) *gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gates[host]
	if g == nil {
		n := max(c.Connections, 1)
		g = &gate{turn: make(chan struct{}, 1), changed: make(chan struct{}, 1), maximum: n, limit: n, left: -1}
		c.gates[host] = g
	}
	return g
}

// open waits until the gate is open, but takes no place: what is signed then will soon be sent.
func (g *gate) open(ctx context.Context) error {
	for {
		wait := g.wait()
		if wait <= 0 {
			return context.Cause(ctx)
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// enter waits for a place among those in flight, which leave gives back.
func (g *gate) enter(ctx context.Context) (place, error) {
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return place{}, context.Cause(ctx)
	}
	defer func() { <-g.turn }()
	for {
		if err := g.open(ctx); err != nil {
			return place{}, err
		}
		if p, ok := g.take(); ok {
			return p, nil
		}
		select {
		case <-g.changed:
		case <-ctx.Done():
			return place{}, context.Cause(ctx)
		}
	}
}

// wait is how long the gate is closed; it is open if that is not positive.
func (g *gate) wait() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Until(g.until)
}

// noWait is a wait for the budget that is too short to matter.
const noWait = 10 * time.Millisecond

// Limited tells whether one more request would wait now, of so many in flight and so many not sent yet.
func (c *Client) Limited(inFlight, unsent int) bool {
	if l := c.Limiter; l != nil && (float64(unsent+1)-l.Tokens())/float64(l.Limit()) > noWait.Seconds() {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range c.gates {
		g.mu.Lock()
		limited := time.Now().Before(g.until) || (g.limit < g.maximum || g.left >= 0) && g.full(inFlight)
		g.mu.Unlock()
		if limited {
			return true
		}
	}
	return false
}

// take takes a place if there is one.
func (g *gate) take() (p place, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full(g.inFlight) || time.Now().Before(g.until) {
		return p, false
	}
	g.inFlight++
	return place{g.generation, g.told}, true
}

// leave gives the place back. good says that the answer was a success.
func (g *gate) leave(good bool) {
	g.mu.Lock()
	g.inFlight--
	if good && g.limit < g.maximum {
		if g.good++; g.good >= g.limit {
			g.limit, g.good = g.limit+1, 0
		}
	}
	g.mu.Unlock()
	select {
	case g.changed <- struct{}{}:
	default: // it was told already
	}
}

// hold closes the gate for d, which may be zero, and halves the limit, once for the answers of one burst.
func (g *gate) hold(p place, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.until) {
		g.until = until
	}
	if p.generation == g.generation {
		g.generation++
		g.limit, g.good = max(g.limit/2, 1), 0
	}
}
