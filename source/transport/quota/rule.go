package quota

import (
	"net/url"
	"time"
)

// A Rule allows requests that take Limit together in each window of time.
type Rule struct {
	// As the configuration says it, for people: the limit, and the endpoints that count; empty: all.
	Text, For string

	Limit  int
	Window time.Duration

	// What one request takes: from 1 to Limit.
	Cost int

	// Tells which requests the rule is about; nil: all.
	Applies func(*url.URL) bool
}

// Among returns what one of n processes may do that share the rule, and do not know of each other: an n-th. It is no
// use if one request takes more than that.
func (r Rule) Among(n int) (share Rule, ok bool) {
	r.Limit /= n
	return r, r.Cost <= r.Limit
}

// of tells whether the rule is about requests to u.
func (r Rule) of(u *url.URL) bool { return r.Applies == nil || r.Applies(u) }

// name is what people know the rule by.
func (r Rule) name() string {
	if r.For == "" {
		return r.Text
	}
	return r.Text + " for " + r.For
}
