// Package quota counts requests in sliding windows of time, so that no window has more of them than an API allows.
package quota

import (
	"net/url"
	"sync"
	"time"
)

// Rules are what all requests of a run are counted by. They are safe for concurrent use; nil is no rule.
type Rules struct {
	mu      sync.Mutex
	windows []*ruleUsage
}

// New returns the rules, of which nothing is used up.
func New(rules []Rule) *Rules {
	if len(rules) == 0 {
		return nil
	}
	all := &Rules{}
	for _, r := range rules {
		all.windows = append(all.windows, newRuleUsage(r))
	}
	return all
}

// Take takes what a request to u costs from each rule that is about it, all or nothing. Where one of them has not
// enough left, it returns that rule's text, and for how long at least.
func (r *Rules) Take(u *url.URL, now time.Time) (wait time.Duration, text string) {
	if r == nil {
		return 0, ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var about []*ruleUsage
	for _, w := range r.windows {
		if !w.of(u) {
			continue
		}
		about = append(about, w)
		if until := w.wait(now); until > wait {
			wait, text = until, w.name()
		}
	}
	if wait > 0 {
		return wait, text
	}
	for _, w := range about {
		w.take(now)
	}
	return 0, ""
}

// Costs tells cost each rule, and whether it is about a request to u.
func (r *Rules) Costs(u *url.URL, cost func(rule Rule, counts bool)) {
	if r == nil {
		return
	}
	for _, w := range r.windows {
		cost(w.Rule, w.of(u))
	}
}

// Lacks tells whether one of the rules has not enough left for so many requests.
func (r *Rules) Lacks(requests int, now time.Time) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.windows {
		w.forget(now)
		if w.used+requests*w.Cost > w.Limit {
			return true
		}
	}
	return false
}
