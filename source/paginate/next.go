package paginate

import (
	"slices"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// judgeBounds enters the first of the shared conditions that says stop; s counts the
// page already.
func (p *Paging) judgeBounds(s *State, f *Facts, out *PageOutcome) error {
	for i := range p.stops {
		if err := p.stops[i].judge(s, f, out); err != nil {
			return err
		}
	}
	return nil
}

// judgeSkipped ends the walk where the pages of other shards, which were skipped, hold what
// is left of as many items as the response says that there are.
func (p *Paging) judgeSkipped(s *State, f *Facts, out *PageOutcome) {
	for i := range p.stops {
		limit := &p.stops[i].limit
		if limit.isReached(s, f) {
			out.stop(limit.reason)
		}
	}
}

// verify makes an end by the method's own rule incomplete if the response says that
// there are more items.
func (p *Paging) verify(s *State, f *Facts, out *PageOutcome) {
	for i := range p.stops {
		for k := range p.stops[i].flags {
			p.stops[i].flags[k].verify(s, out)
		}
		p.stops[i].limit.verify(s, f, out)
	}
}

// next asks the method what comes next, or why nothing does.
func (p *Paging) next(
	s *State, j *Job, f *Facts, signs []evidence.Sign, out PageOutcome,
) (PageOutcome, error) {
	next, stop, err := p.method.Next(s, j, f)
	if err != nil {
		return PageOutcome{}, err
	}
	out.Next, out.Stop = next, p.endOfMethod(s, f, next, stop)
	out.byMethod = true
	if stop != nil && stop.Reason.Rule().Standing {
		out.doubt(verdict.NoGrowth.Raise(p.nextPlace))
	}
	p.judgeEmpty(s, f, signs, &out)
	if out.Stop != nil {
		p.verify(s, f, &out)
		return out, nil
	}
	s.Asked = next
	if p.shards <= 1 {
		return out, nil
	}
	err = p.method.(divider).skip(s, j, p.shards-1)
	p.judgeSkipped(s, f, &out)
	out.Elsewhere = out.Stop != nil
	return out, err
}

// noLink is the warning of a page that lacks what leads to the next one.
func (p *Paging) noLink(f *Facts) string {
	if p.Needs.NoLink == "" || p.atNext(f) != nil {
		return ""
	}
	return p.Needs.NoLink
}

// warnOfSize is for a page that is longer than the limit: the next offset lies within
// it.
func warnOfSize(s *State, f *Facts, out *PageOutcome) {
	limit := s.Own.Limit
	if limit > 0 && int64(f.Items) > limit {
		out.doubt(verdict.LongPage.Raise(f.Items, limit))
	}
}

// beyondBroken is how many pages more are read where the order was broken.
const beyondBroken = 2

// judgeUntil ends the walk at the first page whose last item is older than the bound, or so many pages later where the order
// was broken.
func (p *Paging) judgeUntil(s *State, f *Facts, out *PageOutcome) {
	page, d := f.Falling, &s.Descent
	if page == nil || page.items == 0 {
		return
	}
	d.enter(page, s.Pages)
	switch {
	case !page.isOver():
		d.Over = 0
		return
	case d.Over > 0 && page.hasNewer():
		// The walk was not beyond the bound yet.
		d.Over = 1
	default:
		d.Over++
	}
	if d.Broken > 0 && d.Over <= beyondBroken {
		return
	}
	out.stop(report.StopUntil)
	if d.Broken > 0 {
		out.doubt(verdict.OutOfOrder.Raise(d.Broken, p.Until.Field, d.Newer, d.Older))
	}
}

// What becomes of a walk whose pages bring nothing new.

const (
	// mostEmpty pages in a row without items end a walk that the answers lead on.
	mostEmpty = 1000
	// manyEmpty are told.
	manyEmpty = 100
)

// emptyAfter is how many pages in a row without items end the walk by emptyStop, and
// then a short one does not; 0: there is no such condition.
func (p *Paging) emptyAfter() (least int64) {
	for _, s := range p.stops {
		isLess := least == 0 || s.empty.after < least
		if s.empty.after > 0 && isLess {
			least = s.empty.after
		}
	}
	return least
}

// isEndless tells whether a person wants a walk to go on as long as answers lead on.
func (p *Paging) isEndless() bool {
	never := func(s stops) bool { return s.empty.never }
	return p.emptyAfter() == 0 && slices.ContainsFunc(p.stops, never)
}

// endOfMethod is what becomes of an end by the method's own rule, which names next:
// with emptyStop a short page is none, and so many without items are.
func (p *Paging) endOfMethod(s *State, f *Facts, next *Request, stop *report.Stop) *report.Stop {
	after := p.emptyAfter()
	if after == 0 {
		return stop
	}
	ranOut := stop == nil || stop.Reason.Rule().Proof
	if !ranOut {
		return stop
	}
	if f.Items > 0 {
		return nil
	}
	isOther := next != nil && !next.Same(s.Asked)
	leadsOn := isOther || p.isLedOn()
	if leadsOn && s.Progress.Empty < after {
		return nil
	}
	return report.EndedBy(report.StopEmptyPage)
}

// judgeEmpty ends a walk that the answers lead on at a page without items: where all
// have come, where the answers lead nowhere else, or where there are too many.
func (p *Paging) judgeEmpty(s *State, f *Facts, signs []evidence.Sign, out *PageOutcome) {
	if out.Stop != nil || f.Items > 0 || !p.isLedOn() {
		return
	}
	progress := &s.Progress
	isAgain := out.Next.Same(s.Asked)
	isStuck := isAgain && progress.Again
	progress.Again = isAgain
	switch {
	case isStuck:
		out.stop(report.StopNothingNew)
	case p.isEndless():
	case p.hasAll(s, f, signs):
		out.stop(report.StopEmptyPage)
	case progress.Empty >= mostEmpty && p.emptyAfter() == 0:
		out.stop(report.StopEmptyPages)
		out.doubt(verdict.EmptyPages.Raise(progress.Empty))
	}
	p.warnOfEmpty(s, out)
}

// judgeLone ends a walk of which each page has one object, while the array that stood beside it, or in it, is empty: rather that one has the
// items, and has none any more.
func (p *Paging) judgeLone(s *State, f *Facts, out *PageOutcome) {
	if out.Stop != nil || s.Progress.Lone < mostEmpty || p.isEndless() {
		return
	}
	out.stop(report.StopEmptyPages)
	out.doubt(verdict.LonePages.Raise(s.Progress.Lone, f.Field))
}

// warnOfEmpty tells, once in a walk, that it goes on over many pages without items.
func (p *Paging) warnOfEmpty(s *State, out *PageOutcome) {
	isMany := s.Progress.Empty >= manyEmpty && p.emptyAfter() == 0
	isKnown := out.Stop != nil || s.Progress.Told
	if !isMany || isKnown {
		return
	}
	s.Progress.Told = true
	out.doubt(verdict.Note("page %d is the %dth in a row without items, and leads to a next one: "+
		`to end earlier set "emptyStop": true, or a number of such pages, in api.pagination`,
		s.Pages, s.Progress.Empty))
}

// hasAll tells whether as many items or pages came as the answers with items say that there
// are, and this one does not say that there are more.
func (p *Paging) hasAll(s *State, f *Facts, signs []evidence.Sign) bool {
	isMore := func(sign evidence.Sign) bool { return sign.Says == evidence.More }
	if p.moreFlag(f) != nil || slices.ContainsFunc(signs, isMore) {
		return false
	}
	isFromFirst := s.Own.Skipped == 0 && !s.Own.Later
	if isFromFirst && s.Seen.Open.Passed(s.Pages) && !p.ledOnFromLast(s) {
		return true
	}
	return s.Seen.Promised.Reached(s.Items+s.Own.Skipped, signs)
}

// ledOnFromLast tells whether the last page with items led on although as many pages had come as it says there are, and only one page
// without items has come since: then the number may be that of the pages in this answer.
func (p *Paging) ledOnFromLast(s *State) bool {
	const sure = 2
	lastFilled := int64(s.Pages) - s.Progress.Empty
	return s.Progress.Empty < sure && lastFilled >= s.Seen.Open.Pages
}

// judgeTotal ends a walk of which twice as many items came as there are.
func (p *Paging) judgeTotal(s *State, f *Facts, out *PageOutcome) {
	promised := &s.Seen.Promised
	// Pages of other shards may be beyond the end.
	own, pages := s.reached()-s.OtherItems, s.Pages-s.OtherPages
	isSilenced := f.Spread || verdict.TwiceTheTotal.Silenced(p.Trust()) || p.isEndless()
	if isSilenced || f.Items == 0 {
		return
	}
	if !promised.Exceeded(own, pages) {
		return
	}
	where := "api.pagination"
	if m, ok := p.method.(culprit); ok {
		where = m.lookAt() + " of api.pagination"
	}
	// It is not to be said twice.
	s.Seen.Totals.Told = true
	out.stop(report.StopBeyondTotal)
	out.doubt(verdict.TwiceTheTotal.Raise(verdict.Counted(own), promised.Greatest, promised.At, where))
}

// flags are the conditions nextPageFlag.
func (p *Paging) flags(yield func(*nextPageFlag) bool) {
	for i := range p.stops {
		for k := range p.stops[i].flags {
			if !yield(&p.stops[i].flags[k]) {
				return
			}
		}
	}
}

// moreFlag is the condition whose flag says on this page that there is more; nil:
// none does.
func (p *Paging) moreFlag(f *Facts) *nextPageFlag {
	for flag := range p.flags {
		if flag.saysMore(f) {
			return flag
		}
	}
	return nil
}

// SaysNoMore tells whether an answer says by a flag that there is no more.
func (p *Paging) SaysNoMore(f *Facts) bool {
	for flag := range p.flags {
		if flag.says(f) == verdict.NoMore {
			return true
		}
	}
	isNoMore := func(sign evidence.Sign) bool { return sign.Says == evidence.NoMore }
	return slices.ContainsFunc(f.Signs(p.reads), isNoMore)
}

// flagged is what a configured flag says against the end; nil: nothing. What
// limitStop.field counts is doubted elsewhere.
func (p *Paging) flagged(f *Facts, stop *report.Stop) *evidence.Sign {
	flag := p.moreFlag(f)
	if flag == nil || stop.Reason.Rule().Counted {
		return nil
	}
	return &evidence.Sign{
		Says:  evidence.More,
		At:    flag.field.String(),
		Value: f.Values[flag.at],
		Path:  flag.field,
		Cure:  p.cureOfFlag(f, stop),
	}
}

// cureOfFlag says what to do where a configured flag says that there is more than the walk
// has found.
func (p *Paging) cureOfFlag(f *Facts, stop *report.Stop) string {
	if cure := p.wayOn(f, stop); cure != "" {
		return cure
	}
	return "look for what leads there, or correct nextPageFlag in api.pagination"
}

// wayOn says how the walk may go on from its last page; empty: nothing leads there.
func (p *Paging) wayOn(f *Facts, stop *report.Stop) string {
	m, ok := p.method.(itemLed)
	needsItems := ok && m.needsItems()
	isEmpty, rule := f.Items == 0, stop.Reason.Rule()
	// By any other rule emptyStop has no say.
	isByItems := rule.Proof && rule.Beyond == report.BeyondNext
	switch {
	case isEmpty && needsItems:
		return "a page without items leads to no other, so page on in another way, " +
			"or correct nextPageFlag in api.pagination"
	case isEmpty && isByItems:
		return "to go on after pages without items set emptyStop in api.pagination to a number of them"
	case !isEmpty && rule.Short:
		return "to go on after a short page set emptyStop in api.pagination to true"
	}
	return ""
}
