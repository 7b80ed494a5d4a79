package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Denied is what emptyOn made of the first answers of a job's walks.
type Denied struct {
	// Walks are all that had a first answer.
	Walks int `json:"walks,omitempty"`

	// By the status of their first answer, those that emptyOn gave a page without items.
	Empty map[int]int `json:"empty,omitempty"`

	// How many of these said so by more than their status.
	Said int `json:"said,omitempty"`

	// The end counts whatever the answers say.
	Trusted bool `json:"trusted,omitempty"`
}

// add enters other walks.
func (d *Denied) add(other Denied) {
	d.Walks += other.Walks
	d.Said += other.Said
	d.Trusted = d.Trusted || other.Trusted
	for status, walks := range other.Empty {
		if d.Empty == nil {
			d.Empty = map[int]int{}
		}
		d.Empty[status] += walks
	}
}

// deniedLeast is from how many walks on it is odd that the status alone makes each of them empty.
const deniedLeast = 2

// Remark says how many there are, and whether all are denied; its text is empty if there are none.
func (d *Denied) Remark() Remark {
	empty := 0
	for _, walks := range d.Empty {
		empty += walks
	}
	isEach := empty == d.Walks && d.Said == 0
	isOdd := isEach && d.Walks >= deniedLeast
	switch {
	case empty == 0:
		return Remark{}
	case isOdd && !d.Trusted:
		return Remark{
			Verdict: Unverified,
			Text: fmt.Sprintf(
				"emptyOn: each of %d: %s: the credentials may not see what is there; if there is "+
					"nothing, let the condition look at what the answer says beside its status, or set trustEnd",
				d.Walks,
				d.statuses(),
			),
		}
	}
	return Remark{
		Expected: true,
		Text: fmt.Sprintf("emptyOn: %d of %d first answers are pages without items: %s",
			empty, d.Walks, d.statuses()),
	}
}

// statuses lists those of empty walks, of several how often each came.
func (d *Denied) statuses() string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(d.Empty)) {
		text := fmt.Sprint(status)
		if len(d.Empty) > 1 {
			text += fmt.Sprintf(" (%d)", d.Empty[status])
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
