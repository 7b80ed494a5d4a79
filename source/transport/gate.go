package transport

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// A gate is what all requests of one host pass, so that they back off together:
// an answer of 429 or 503 holds all of them until Retry-After has passed, and
// halves how many may be in flight. That grows again by one with each round of
// answers that are good. Those that wait for a place pass in the order in which
// they came.
type gate struct {
	turn    chan struct{} // whose turn it is to pass; senders to a channel are served in order
	changed chan struct{} // tells who waits in front that it may be time

	mu     sync.Mutex
	most   int       // in flight if all goes well
	width  int       // in flight now
	flying int       // in flight
	well   int       // good answers since width changed
	eras   int       // how often width was halved
	until  time.Time // nothing passes before
}

func newGate(most int) *gate {
	most = max(most, 1)
	return &gate{turn: make(chan struct{}, 1), changed: make(chan struct{}, 1), most: most, width: most}
}

// gate returns the gate of a host, with its port.
func (c *Client) gate(host string) *gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gates[host]
	if g == nil {
		g = newGate(c.Connections)
		c.gates[host] = g
	}
	return g
}

// held waits until the host may be asked, but takes no place: who has waited may
// sign its request and be sure that it will soon be sent.
func (g *gate) held(ctx context.Context) error {
	for {
		g.mu.Lock()
		wait := time.Until(g.until)
		g.mu.Unlock()
		if wait <= 0 {
			return context.Cause(ctx)
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// pass waits for a place among those in flight, which leave gives back. era is
// for [gate.hold].
func (g *gate) pass(ctx context.Context) (era int, err error) {
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	defer func() { <-g.turn }()
	for {
		if err := g.held(ctx); err != nil {
			return 0, err
		}
		if era, ok := g.enter(); ok {
			return era, nil
		}
		select {
		case <-g.changed:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// closed tells whether the host must not be asked now.
func (g *gate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Now().Before(g.until)
}

// enter takes a place if there is one.
func (g *gate) enter() (era int, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.flying >= g.width || time.Now().Before(g.until) {
		return 0, false
	}
	g.flying++
	return g.eras, true
}

// leave gives the place back. good says that the answer was a success.
func (g *gate) leave(good bool) {
	g.mu.Lock()
	g.flying--
	if good && g.width < g.most {
		if g.well++; g.well >= g.width {
			g.width, g.well = g.width+1, 0
		}
	}
	g.mu.Unlock()
	select {
	case g.changed <- struct{}{}:
	default: // it was told already
	}
}

// hold keeps everything back for d, which may be zero. The answers of one burst
// halve the width once: those of requests that passed before it was halved say
// nothing new.
func (g *gate) hold(era int, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.until) {
		g.until = until
	}
	if era == g.eras {
		g.eras++
		g.width, g.well = max(g.width/2, 1), 0
	}
}

// overloaded tells whether a status says that there are too many requests.
func overloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
