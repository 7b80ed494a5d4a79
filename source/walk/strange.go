package walk

import (
	"slices"

	"sluice/source/page"
)

// members are hashes of the names of members.
type members []uint64

// mostMembers is how many are remembered.
const mostMembers = 512

// learn enters those that a page with items has around them.
func (m *members) learn(of []uint64) {
	for _, name := range of {
		if !slices.Contains(*m, name) && len(*m) < mostMembers {
			*m = append(*m, name)
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
	isNew := func(name uint64) bool { return !slices.Contains(w.around, name) }
	if !slices.ContainsFunc(p.Beside.Members, isNew) {
		return ""
	}
	return "the answer has no items at " + p.Field + ", where pages before had some, and other members than they: " +
		"if it is an error, say so with failOn or retryOn; if it is how the API ends, with endOn or trustEnd"
}
