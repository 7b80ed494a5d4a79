package transport

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxClosed is how long a host is not asked at most since its budget is used up: it may not refuse by what it counts.
const maxClosed = time.Minute

// budget reads how many requests are left, and how long until there are more; negative is not known.
func budget(h http.Header, now time.Time) (left int, wait time.Duration) {
	remaining, reset := "", ""
	for _, prefix := range [...]string{"X-RateLimit-", "RateLimit-", "X-Rate-Limit-"} {
		if text := h.Get(prefix + "Remaining"); text != "" && remaining == "" {
			remaining, reset = text, h.Get(prefix+"Reset")
		}
	}
	for pair := range strings.FieldsFuncSeq(h.Get("RateLimit"), func(r rune) bool { return r == ',' || r == ';' }) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name {
		case "remaining", "r":
			remaining = value
		case "reset", "t":
			reset = value
		}
	}
	if at, err := http.ParseTime(h.Get("Date")); err == nil && at.Sub(now).Abs() > 5*time.Second {
		now = at
	}
	left, err := strconv.Atoi(strings.TrimSpace(remaining))
	if err != nil || left < 0 {
		return -1, -1
	}
	return left, retryAfter(reset, now)
}

// tell takes in a budget, and returns until when it closes the gate (docs/decisions.md, section 18). Answers
// overtake each other: one to a request from before the number was learnt counts only if it says less.
func (g *gate) tell(p place, left int, wait time.Duration) (until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told++
	if p.told < g.learnt && (left < 0 || g.left >= 0 && left >= g.left) {
		return until
	}
	g.left, g.learnt = left, g.told
	switch {
	case left > 0:
		g.believed = true
	case left == 0 && !g.believed: // some always say so
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

// full tells whether one more request is too many. Of a budget that is used up one asks how many there are.
func (g *gate) full(inFlight int) bool {
	return inFlight >= g.limit || g.left >= 0 && inFlight >= max(g.left, 1)
}
