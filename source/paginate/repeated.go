package paginate

import (
	"fmt"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// How many pages in a row may have the keys of the page before, with other texts: at the
// first number a person is told, at the second the walk ends. So it does after as many
// pages without a new key, and when the pages, without keys, have gone round so often, unless
// by a total more items are to come.
const (
	sameToTell  = 10
	sameToEnd   = 100
	roundsToEnd = 3
	// New keys are more likely those of other items.
	butKeysToEnd = 1000
)

// repeated ends the walk if the page is the same as the one before it, else it returns
// nil. Links in a circle of several pages are an error: items came twice by then.
func (p *Paging) repeated(
	s *State, f *Facts, signs []evidence.Sign, this evidence.Fingerprint,
) (*Outcome, error) {
	if s.Seen.Repeats(&f.Answer, this, p.Unique) {
		// Some APIs give their last page for all further ones. A shard does not see it.
		isAlone := p.shards <= 1
		if isAlone && !s.isOfOnePage(f) && s.Seen.Promised.Reached(s.Items+s.Own.Skipped, signs) {
			return &Outcome{Stop: report.EndedBy(report.StopNothingNew)}, nil
		}
		out := &Outcome{Stop: report.EndedBy(report.StopRepeatedPage)}
		out.doubt(verdict.SamePage.Raise(p.ignored(s, f)))
		return out, nil
	}
	pages := &s.Seen.Pages
	// One more such answer may end the walk.
	isAskedAgain := f.Items == 0 && s.Progress.Again
	if !isAskedAgain && pages.Circles(this) {
		return nil, fmt.Errorf("the pages repeat: the next request is the one that page %d was asked for with: "+
			"check api.pagination, or end it with forceStop",
			pages.EarlierPage)
	}
	return nil, nil
}

// isOfOnePage tells whether the number of all items, where there is one, may be that of a page: there was one page, which is as
// full as pages are, and has as many as the number says.
func (s *State) isOfOnePage(f *Facts) bool {
	return s.Pages == 1 && s.mayBeFull(f) && !s.Seen.Promised.Partial
}

// ignored names the parameter that the API ignores, if the answer says that it does.
func (p *Paging) ignored(s *State, f *Facts) string {
	if p.SeesNamed() && f.Items > 1 && p.front(s, f) == f.Items {
		return ", or all items with the value that it was asked for do not fit on a page: ask for larger ones"
	}
	stuck := s.Seen.Stuck(&f.Answer)
	if stuck == nil {
		return ""
	}
	text := fmt.Sprintf("; %s is %d on each page", stuck.Name, stuck.Value)
	if m, ok := p.method.(pageNamer); ok && m.pageParam().Path != nil {
		text += ": the API ignores the parameter " + m.pageParam().String()
	}
	return text
}

// meet compares the items of a new page, but for those at its front that its cursor named, with those that came.
func (p *Paging) meet(s *State, f *Facts, this evidence.Fingerprint, front int) evidence.Met {
	// One page comes twice nowhere.
	if p.isOnePage() {
		return evidence.Met{}
	}
	how := evidence.Meeting{
		Unique: p.Unique,
		Most:   evidence.KnownOf(f.Root && !f.Windowed),
		Front:  front,
	}
	how.HasMoved = p.hasMoved(s, f)
	defer s.seeChanges(f)
	if m, ok := p.method.(repeater); ok {
		how.MayRepeat = m.mayRepeat()
		how.Followed = this.Request != s.Seen.Pages.Last.Request
	}
	return s.Seen.Meet(&f.Answer, how)
}

// doubtItems warns of items that came before.
func (p *Paging) doubtItems(s *State, f *Facts, met evidence.Met, out *Outcome) {
	// The page before it is another shard's: publishing compares them.
	isAlone := p.shards <= 1
	if isAlone && met.Seam {
		out.doubt(verdict.TouchingPages.Raise(s.Pages))
	}
	if isAlone && met.Moved {
		out.doubt(verdict.MovedPages.Raise(s.Pages))
	}
	// Else the total bounds the walk, and the API may just repeat itself.
	isUnbounded := !s.Seen.Promised.Awaits(s.Items + s.Own.Skipped)
	if isUnbounded && s.Seen.Items.Old >= sameToEnd {
		out.stop(report.StopRepeatedItems)
	}
	if isUnbounded {
		doubtEarlier(s, out)
	}
	if met.Round {
		p.doubtRound(s, out)
	}
	isRound := met.Round && s.Seen.Pages.Again >= roundsToEnd
	isAlike := s.Seen.Pages.Alike >= sameToEnd
	if isUnbounded && (isRound || isAlike) {
		out.stop(report.StopRepeatedItems)
	}
	same := &s.Seen.Items.Same
	if !met.Same {
		return
	}
	most := sameToEnd
	if same.ButKeys {
		most = butKeysToEnd
	}
	isBound := same.ButKeys && !isUnbounded
	if same.Row >= most && !isBound {
		out.stop(report.StopRepeatedItems)
	}
	if same.Row >= sameToTell && !same.Told {
		same.Told = true
		row := fmt.Sprintf("%d pages in a row have", same.Row)
		out.doubt(verdict.SameItems.Raise(row, p.SameBy(s), p.ignored(s, f)))
	}
}

// doubtEarlier ends a walk of many pages in a row that have all members but one of earlier pages, where no key tells more. To
// which a link led may be those of a series.
func doubtEarlier(s *State, out *Outcome) {
	earlier := &s.Seen.Items.Earlier
	most := sameToEnd
	if earlier.Followed {
		most = butKeysToEnd
	}
	if earlier.Row < most {
		return
	}
	out.stop(report.StopRepeatedItems)
	if !s.Seen.Items.Same.Told {
		out.doubt(verdict.OtherMember.Raise(earlier.Row))
	}
}

// doubtRound is for a page that has the items of an earlier one.
func (p *Paging) doubtRound(s *State, out *Outcome) {
	pages := &s.Seen.Pages
	if pages.Again == 1 {
		out.doubt(verdict.RoundPages.Raise(s.Pages, pages.AgainPage))
	}
}

// SameBy says by what the items of pages are those of the page before.
func (p *Paging) SameBy(s *State) string {
	items := &s.Seen.Items
	name := items.Name
	if items.Same.Mark != "" {
		name = items.Same.Mark
	}
	if items.Same.ButKeys {
		return ", but for another " + name + " of each"
	}
	return ", by their " + p.Unique.Shown(name) + ", with other texts"
}

// tellOfItems says at the end of a walk what its items mean.
func (p *Paging) tellOfItems(s *State, f *Facts, out *Outcome) {
	items := &s.Seen.Items
	// Those of other shards count too: publishing judges them.
	if p.shards > 1 {
		return
	}
	if items.Same.Pages > 0 && !items.Same.Told {
		out.doubt(verdict.SamePages(items.Same.Pages, p.SameBy(s), p.ignored(s, f)))
	}
	if items.Again > 0 {
		out.Again = items.Again
		// The job tells how many came twice in all its walks.
		out.doubt(verdict.ItemsTwice.Told(""))
	}
}

// ComparesTotals tells whether numbers of all items are compared by [Paging.doubtTotal].
func (p *Paging) ComparesTotals() bool {
	m, ok := p.method.(counter)
	return ok && m.countsPages()
}

// doubtTotal warns of a total that speaks against what came, where pages are counted.
func (p *Paging) doubtTotal(s *State, f *Facts, signs []evidence.Sign, out *Outcome) {
	// A list whose pages overlap may change.
	if !p.ComparesTotals() || s.Overlap.By > 0 {
		return
	}
	totals := &s.Seen.Totals
	others := int64(p.Every()-1) * s.Own.Limit
	came := s.Items + s.Own.Skipped
	fall, mayCompare := totals.Hear(signs, &f.Answer, came, others), p.mayCompare(f, out.Stop)
	if fall == nil && mayCompare {
		fall = totals.FellAtEnd()
	}
	switch {
	case fall != nil:
		out.doubt(verdict.CountFell.Raise(fall.At, fall.Now, fall.Before))
	case mayCompare && totals.Exceeded(came, s.Pages):
		out.doubt(verdict.MoreThanCounted.Raise(verdict.Counted(came), totals.Items, totals.At))
	}
}

// mayCompare tells whether the number of items that came may be compared with a total: not
// before the end, nor where that counts whatever an answer says, nor where the pages of other
// shards are counted as if they were full, or a number of all may be that of what has the items.
func (p *Paging) mayCompare(f *Facts, stop *report.Stop) bool {
	isEnd := stop != nil && !verdict.MoreThanCounted.Silenced(p.Trust())
	return isEnd && p.shards <= 1 && !f.Spread
}
