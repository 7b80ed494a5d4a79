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
	// List is loginOn, retryOn, emptyOn, endOn, failOn or waitOn.
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

// An Examined is what conditions look at. Member finds the value that a path leads to.
type Examined struct {
	// First tells that it is the first of its walk.
	First  bool
	Status int
	Header http.Header
	Member func(item.Path) []byte
}

func (a *Examined) look(path item.Path) []byte {
	switch path[0] {
	case "$status":
		return strconv.AppendInt(nil, int64(a.Status), 10)
	case "$header":
		return evidence.HeaderValue(a.Header, path)
	}
	return a.Member(path)
}

// Holding is the first condition that holds for an answer, nil if none does. An
// answer that is repeated anyway is an error by failOn, the end by endOn, or without
// items by emptyOn, only if that is about the status.
func (c *Conditions) Holding(a *Examined, repeated bool) *Condition {
	for i := range c.All {
		on := &c.All[i]
		mayHold := a.First || !on.empties()
		if !mayHold || !on.Filter.Holds(a.look) {
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
	switch on.List {
	case "emptyOn", "endOn", "failOn":
		return slices.ContainsFunc(on.Filter.Paths(), isStatus)
	}
	return true
}

func isStatus(path item.Path) bool { return path[0] == "$status" }

// Empties tells whether the job has conditions of emptyOn.
func (c *Conditions) Empties() bool {
	return slices.ContainsFunc(c.All, Condition.empties)
}

func (on Condition) empties() bool { return on.List == "emptyOn" }

// ByStatusAlone tells of an answer for which a condition of emptyOn holds that nothing
// but its status does: no alternative of these conditions that looks at more.
func (c *Conditions) ByStatusAlone(a *Examined) bool {
	looksAtMore := func(path item.Path) bool { return !isStatus(path) }
	holdsByMore := func(on Condition) bool {
		return on.empties() && on.Filter.HoldsBy(a.look, looksAtMore)
	}
	return !slices.ContainsFunc(c.All, holdsByMore)
}
