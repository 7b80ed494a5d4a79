package report

import (
	"cmp"
	"fmt"
	"slices"
)

// distinct is how many different warnings a report keeps for a job, so that its size is bounded.
const distinct = 100

// A Remark is something that a person should know about a job.
type Remark struct {
	Text string

	// The verdict that the job has at best because of it; Complete if it does not lower the verdict.
	Verdict Verdict

	// True if nobody needs to look into it. The report lists it apart from the warnings.
	Expected bool
}

// A Warning is a text, how often it came, and the worst that it meant for the job.
type Warning struct {
	Text    string  `json:"text"`
	Times   int     `json:"times"`
	Verdict Verdict `json:"verdict,omitempty"`
}

// Warnings are those of one job: each text once, in the order of its first time, and how many others came. If there are
// too many, a worse one replaces the last one of the mildest.
type Warnings struct {
	Each []Warning `json:"each,omitempty"`
	More int       `json:"more,omitempty"`
}

func (w *Warnings) add(one Warning) {
	at := slices.IndexFunc(w.Each, func(known Warning) bool { return known.Text == one.Text })
	switch {
	case at >= 0:
		w.Each[at].Times += one.Times
		w.Each[at].Verdict = max(w.Each[at].Verdict, one.Verdict)
	case len(w.Each) < distinct:
		w.Each = append(w.Each, one)
	default:
		w.crowd(one)
	}
}

// crowd adds a warning when as many as are kept are there already.
func (w *Warnings) crowd(one Warning) {
	last := 0
	for i, known := range w.Each {
		if known.Verdict <= w.Each[last].Verdict {
			last = i
		}
	}
	mildest := w.Each[last]
	if one.Verdict <= mildest.Verdict {
		w.More += one.Times
		return
	}
	w.More += mildest.Times
	w.Each = append(slices.Delete(w.Each, last, last+1), one)
}

// merge adds the warnings of another part of the job.
func (w *Warnings) merge(other Warnings) {
	for _, one := range other.Each {
		w.add(one)
	}
	w.More += other.More
}

// worst is the first of those that mean the worst; without any the zero value.
func (w *Warnings) worst() (worst Warning) {
	for _, one := range w.Each {
		if worst.Text == "" || one.Verdict > worst.Verdict {
			worst = one
		}
	}
	return worst
}

// String is how the report writes it.
func (w Warning) String() string {
	if w.Times > 1 {
		return fmt.Sprintf("%s (%d times)", w.Text, w.Times)
	}
	return w.Text
}

// list is how the report writes them, the worst first. It is never nil.
func (w *Warnings) list() []string {
	all := []string{}
	byVerdict := func(a, b Warning) int { return cmp.Compare(b.Verdict, a.Verdict) }
	for _, one := range slices.SortedStableFunc(slices.Values(w.Each), byVerdict) {
		all = append(all, one.String())
	}
	if w.More > 0 {
		all = append(all, fmt.Sprintf("… and %d more", w.More))
	}
	return all
}
