package walk

import (
	"slices"

	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/verdict"
)

// said is what the members around the items of a page say.
func said(p *page.Page) []evidence.Said { return appendSaid(nil, p) }

func appendSaid(all []evidence.Said, p *page.Page) []evidence.Said {
	for _, m := range p.Beside.Members {
		all = append(all, evidence.Said{Name: m.Name, Value: m.Value, Is: m.Says})
	}
	return append(all, evidence.SaidIn(p.Beside.Notable)...)
}

// mayTell tells whether a page without items may tell of an error around them.
func mayTell(p *page.Page) bool {
	return slices.ContainsFunc(p.Beside.Members, func(m page.HashedMember) bool { return evidence.MayRefuse(m.Says) })
}

// mayStrike tells whether an answer without items is compared with the others, to find an error whose member has no
// known name.
func (w *Walk) mayStrike() bool { return w.Job.Spec.Format.Document() }

// strange says why a page without items beyond the end may be an error; none: nothing suggests it. In one about an error a
// field that was the same on all pages has another value. Other pages without items are judged by facts, when the job has ended.
func (w *Walk) strange(came *Fetched) (none verdict.Raised) {
	p := came.Page
	isMeant := came.end.by != ""
	if isMeant || !w.mayStrike() || !w.contradicts(said(p)) {
		return none
	}
	return verdict.OtherValue.Raise(p.Field, came.quote)
}

// contradicts tells whether a page without items says something else than all pages with some.
func (w *Walk) contradicts(says []evidence.Said) bool {
	if w.isDivided() {
		return w.State.Part.Contradicts(says)
	}
	return w.State.Facts.Beside.Contradicts(says)
}

// refusing says why a first page with an empty array may be an error; none: nothing suggests it.
func (w *Walk) refusing(came *Fetched) (none verdict.Raised) {
	p := came.Page
	if p.Selected != '[' || p.NoArray || !w.mayStrike() {
		return none
	}
	if !evidence.SaysError(said(p)) {
		return none
	}
	return verdict.CodeBesideMessage.Raise(p.Field, came.quote)
}
