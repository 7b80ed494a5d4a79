package quota

import "time"

const (
	// A window is kept as so many stretches at most: requests that begin within one are counted at its end.
	stretches = 1000

	// A request needs longer for its way than the one before: windows are longer than the API's by a part of them, and
	// by a time at most.
	marginPart = 50
	marginTime = time.Second
)

// ruleUsage is a rule, and what of it is used up.
type ruleUsage struct {
	Rule

	// For how long a request counts.
	length time.Duration

	used int

	// In order.
	spent []stretch
}

// A stretch is what was taken within a short time.
type stretch struct {
	first, last time.Time
	cost        int
}

func newRuleUsage(r Rule) *ruleUsage {
	margin := min(r.Window/marginPart, marginTime)
	return &ruleUsage{Rule: r, length: r.Window + margin}
}

// wait is how long it takes until there is enough for one more request.
func (w *ruleUsage) wait(now time.Time) time.Duration {
	w.forget(now)
	lacking := w.used + w.Cost - w.Limit
	for _, s := range w.spent {
		if lacking <= 0 {
			break
		}
		lacking -= s.cost
		if lacking <= 0 {
			return s.last.Add(w.length).Sub(now)
		}
	}
	return 0
}

func (w *ruleUsage) take(now time.Time) {
	w.used += w.Cost
	if n := len(w.spent); n > 0 {
		last := &w.spent[n-1]
		if now.Sub(last.first) < w.length/stretches {
			last.last = now
			last.cost += w.Cost
			return
		}
	}
	w.spent = append(w.spent, stretch{first: now, last: now, cost: w.Cost})
}

// forget gives back what was taken before the window that ends now.
func (w *ruleUsage) forget(now time.Time) {
	old := 0
	for old < len(w.spent) && now.Sub(w.spent[old].last) >= w.length {
		w.used -= w.spent[old].cost
		old++
	}
	if old > 0 {
		w.spent = append(w.spent[:0], w.spent[old:]...)
	}
}
