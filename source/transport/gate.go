package transport

import (
	"context"
	"sync"
	"time"
)

// A gate decides when a request to one host may be sent, so that all its requests slow down together. 429 and 503 halve
// how many may be in flight. With each round of good answers one more is allowed again.
type gate struct {
	// The first request that waits holds it. Go serves senders to a channel in their order, so requests keep theirs.
	turn chan struct{}

	// Tells the first request that waits to check again whether it may go.
	changed chan struct{}

	mu sync.Mutex

	// Of limit.
	maximum int

	// Of requests in flight.
	limit int

	// requests.
	inFlight int

	// Answers since limit changed.
	good int

	// How often limit was halved.
	generation int

	// The gate is closed.
	until time.Time

	// How many requests the API says are left; negative: not known.
	left int

	// Answers that could have said so.
	told int

	// Told when left was set.
	learnt int

	// There was a positive number.
	believed bool

	// How long the last good answer took to begin.
	usual time.Duration
}

// A permit is what a request is told that may be sent, for [gate.hold] and [gate.tell].
type permit struct{ generation, told int }

// open waits until the gate is open, but takes no place: what is signed then will soon be sent.
func (g *gate) open(ctx context.Context) error {
	for wait := g.wait(); wait > 0; wait = g.wait() {
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// enter waits for a place among those in flight, which leave gives back.
func (g *gate) enter(ctx context.Context) (permit, error) {
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return permit{}, context.Cause(ctx)
	}
	defer func() { <-g.turn }()
	for {
		if err := g.open(ctx); err != nil {
			return permit{}, err
		}
		if p, ok := g.take(); ok {
			return p, nil
		}
		select {
		case <-g.changed:
		case <-ctx.Done():
			return permit{}, context.Cause(ctx)
		}
	}
}

// wait is how long the gate is closed; it is open if that is not positive.
func (g *gate) wait() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed()
}

// closed is [gate.wait]. No clock is asked of a gate that was never closed.
func (g *gate) closed() time.Duration {
	if g.until.IsZero() {
		return 0
	}
	return time.Until(g.until)
}

// take takes a place if there is one.
func (g *gate) take() (p permit, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full(g.inFlight) || g.closed() > 0 {
		return p, false
	}
	g.inFlight++
	return permit{g.generation, g.told}, true
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
	// It was told already.
	default:
	}
}

// answered notes how long a good answer took to begin.
func (g *gate) answered(took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.usual = took
}

// maxBusy is the longest time for which a request that was given up counts as one in flight.
const maxBusy = 10 * time.Second

// busy is for how much longer the host works at a request whose connection was closed before an answer came, as most hosts do:
// as long as it took for the last good answer.
func (g *gate) busy(sent time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return min(g.usual, maxBusy) - time.Since(sent)
}

// hold closes the gate for d, which may be zero, and halves the limit, once for the answers of one burst. It returns
// until when the gate is closed now, the zero time if that was so before or if it stays open.
func (g *gate) hold(p permit, d time.Duration) (until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if end := now.Add(d); end.After(now) && end.After(g.until) {
		g.until, until = end, end
	}
	if p.generation == g.generation {
		g.generation++
		g.limit, g.good = max(g.limit/2, 1), 0
	}
	return until
}

// maxClosed is the longest time for which nothing is sent to a host whose budget is used up. The host may count
// requests without refusing any.
const maxClosed = time.Minute

// tell takes in a budget, and returns until when it closes the gate: when none is left, but a minute at most. Answers
// overtake each other: one to a request from before the number was learnt counts only if it says less.
func (g *gate) tell(p permit, left int, wait time.Duration) (until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told++
	late := p.told < g.learnt
	if late && !g.saysLess(left) {
		return until
	}
	g.left, g.learnt = left, g.told
	switch {
	case left > 0:
		g.believed = true
	// Some always say so.
	case left == 0 && !g.believed:
		g.left = -1
	case left == 0 && wait > 0:
		g.believed = wait <= maxClosed
		until = time.Now().Add(min(wait, maxClosed))
		if until.After(g.until) {
			g.until = until
		}
	}
	return until
}

// saysLess tells whether so many requests are less than the budget that is known.
func (g *gate) saysLess(left int) bool {
	if left < 0 {
		return false
	}
	return g.left < 0 || left < g.left
}

// full tells whether one more request is too many. When the budget is used up, one request may be sent: its answer says
// how many there are now.
func (g *gate) full(inFlight int) bool {
	return inFlight >= g.limit || g.left >= 0 && inFlight >= max(g.left, 1)
}
