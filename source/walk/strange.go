package walk

import (
	"slices"

	"sluice/source/page"
)

// mostMembers is how many names of members around items are remembered.
const mostMembers = 512

// learn enters the names of members that a page with items has around them.
func (w *Walk) learn(members []uint64) {
	around := &w.State.Shape.Around
	for _, name := range members {
		if !slices.Contains(*around, name) && len(*around) < mostMembers {
			*around = append(*around, name)
		}
	}
}

// strange says why a page without items may be an error, although pages before had
// items; empty: nothing suggests it. Where there are no more items an answer leaves some
// of its members out, or has them empty; one about an error has others.
func (w *Walk) strange(p *page.Page) string {
	isAbsent := p.Selected == 0 || p.NoArray
	isJudged := w.Job.Spec.Format.JSON() && !w.Job.Paging.TrustEnd
	if !isAbsent || !isJudged {
		return ""
	}
	isNew := func(name uint64) bool { return !slices.Contains(w.State.Shape.Around, name) }
	if !slices.ContainsFunc(p.Beside.Members, isNew) {
		return ""
	}
	return "the answer has no items at " + p.Field + ", where pages before had some, and other members than they: " +
		"if it is an error, say so with failOn or retryOn; if it is how the API ends, with endOn or trustEnd"
}
