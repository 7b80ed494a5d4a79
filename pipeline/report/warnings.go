package report

import (
	"fmt"
	"slices"
)

// distinct is how many different warnings a report keeps for a job, so that its size is bounded.
const distinct = 100

// A Remark is something that a person should know about a job.
type Remark struct {
	Text string

	// What it means for the job: Complete if it has no bearing on it.
	Verdict Verdict

	// Nobody needs to look into it: the report has it apart from the warnings.
	Expected bool
}

// A Warning is a text, and how often it came.
type Warning struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// Warnings are those of one job: each text once, in the order of its first time, and how many others came.
type Warnings struct {
	Each []Warning `json:"each,omitempty"`
	More int       `json:"more,omitempty"`
}

func (w *Warnings) add(text string, times int) {
	at := slices.IndexFunc(w.Each, func(one Warning) bool { return one.Text == text })
	switch {
	case at >= 0:
		w.Each[at].Times += times
	case len(w.Each) < distinct:
		w.Each = append(w.Each, Warning{text, times})
	default:
		w.More += times
	}
}

// merge adds the warnings of another part of the job.
func (w *Warnings) merge(other Warnings) {
	for _, one := range other.Each {
		w.add(one.Text, one.Times)
	}
	w.More += other.More
}

// list is how the report writes them. It is never nil.
func (w *Warnings) list() []string {
	all := []string{}
	for _, one := range w.Each {
		text := one.Text
		if one.Times > 1 {
			text = fmt.Sprintf("%s (%d times)", text, one.Times)
		}
		all = append(all, text)
	}
	if w.More > 0 {
		all = append(all, fmt.Sprintf("… and %d more", w.More))
	}
	return all
}
