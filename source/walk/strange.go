package walk

import (
	"slices"

	"sluice/source/evidence"
	"sluice/source/page"
)

// learn enters what a page with items has around them.
func (w *Walk) learn(p *page.Page) {
	around := &w.State.Shape.Around
	around.Learn(said(p))
	around.EndPage()
}

// said is what the members around the items of a page say.
func said(p *page.Page) []evidence.Said {
	all := make([]evidence.Said, 0, len(p.Beside.Members))
	for _, m := range p.Beside.Members {
		all = append(all, evidence.Said{Name: m.Name, Value: m.Value, Is: m.Says})
	}
	return append(all, evidence.SaidIn(p.Beside.Notable)...)
}

// mayTell tells whether a page without items may tell of an error around them.
func mayTell(p *page.Page) bool {
	return slices.ContainsFunc(p.Beside.Members, func(m page.Member) bool { return evidence.MayRefuse(m.Says) })
}

// cure says what to do about an answer that may be an error.
const cure = ": if it is an error, say so with failOn or retryOn; if it is how the API ends, with endOn or trustEnd"

// mayStrike tells whether an answer without items is looked at for an error of which no list of names
// knows.
func (w *Walk) mayStrike() bool { return w.Job.Spec.Format.JSON() && !w.Job.Paging.TrustEnd }

// strange says why a page without items may be an error, although pages before had
// items; empty: nothing suggests it. Where there are no more items an answer leaves some
// of its members out, or has them empty; one about an error has others, or what was the same
// on all pages says something else.
func (w *Walk) strange(p *page.Page) string {
	if !w.mayStrike() {
		return ""
	}
	around, members := &w.State.Shape.Around, said(p)
	isAbsent := p.Selected == 0 || p.NoArray
	own := members[:len(p.Beside.Members)]
	if isAbsent && slices.ContainsFunc(own, around.Lacks) {
		return "the answer has no items at " + p.Field + ", where pages before had some, and other members than they" + cure
	}
	if around.Contradicts(members) {
		return "the answer has no items at " + p.Field + ", where pages before had some, " +
			"and what all of these said alike beside them it says otherwise" + cure
	}
	return ""
}

// refusing says why a first page with an empty array may be an error; empty: nothing suggests it.
func (w *Walk) refusing(p *page.Page) string {
	isEmpty := p.Selected == '[' && !p.NoArray
	if !isEmpty || !w.mayStrike() {
		return ""
	}
	if !evidence.SaysError(said(p)) {
		return ""
	}
	return "the answer has no items at " + p.Field + ", and a code that is not 0 beside a message" + cure
}
