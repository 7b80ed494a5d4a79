package job

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/expr"
)

// Conditions are those about the answers of a job.
type Conditions struct {
	// All are in the order in which they are judged.
	All []Condition
	// FailOn tells that there is a list of that name, if only an empty one.
	FailOn bool
	Wait   Wait
}

// A Condition makes an answer count as what the name of its list says.
type Condition struct {
	// List is loginOn, retryOn, endOn, failOn or waitOn.
	List   string
	Text   string
	Filter *expr.Filter
}

// Wait is how often, and for how long, what is not ready is asked for again.
type Wait struct{ Every, Most time.Duration }

func (w Wait) String() string {
	return fmt.Sprintf("every %s, for %s at most", w.Every, w.Most)
}

// Paths are what the conditions look at, in order.
func (c *Conditions) Paths() (all []item.Path) {
	for _, on := range c.All {
		all = append(all, on.Filter.Paths()...)
	}
	return all
}

// An Answer is what conditions look at. Member finds the value that a path leads to.
type Answer struct {
	Status int
	Header http.Header
	Member func(item.Path) []byte
}

func (a *Answer) look(path item.Path) []byte {
	switch path[0] {
	case "$status":
		return strconv.AppendInt(nil, int64(a.Status), 10)
	case "$header":
		return evidence.HeaderValue(a.Header, path)
	}
	return a.Member(path)
}

// Holding is the first condition that holds for an answer, nil if none does. An
// answer that is repeated anyway is an error by failOn, or the end by endOn, only if
// that is about the status.
func (c *Conditions) Holding(a *Answer, repeated bool) *Condition {
	for i := range c.All {
		on := &c.All[i]
		if !on.Filter.Holds(a.look) {
			continue
		}
		if !repeated || on.holdsRepeated() {
			return on
		}
	}
	return nil
}

// holdsRepeated tells whether a condition counts for an answer that is repeated anyway.
func (on *Condition) holdsRepeated() bool {
	if on.List != "failOn" && on.List != "endOn" {
		return true
	}
	isStatus := func(path item.Path) bool { return path[0] == "$status" }
	return slices.ContainsFunc(on.Filter.Paths(), isStatus)
}
