package paginate

import (
	"bytes"
	"fmt"
	"slices"

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
) (*PageOutcome, error) {
	if s.Seen.Repeats(&f.Answer, this, p.Unique) {
		// Some APIs give their last page for all further ones. A shard does not see it.
		isAlone := p.shards <= 1
		if isAlone && !s.isOfOnePage(f, signs) && s.Seen.Promised.Reached(s.Items+s.Own.Skipped, signs) {
			return &PageOutcome{Stop: report.EndedBy(report.StopNothingNew)}, nil
		}
		out := &PageOutcome{Stop: report.EndedBy(report.StopRepeatedPage)}
		out.doubt(verdict.SamePage.Raise(p.ignored(s, f)))
		return out, nil
	}
	pages := &s.Seen.Pages
	// One more such answer may end the walk.
	isAskedAgain := f.Items == 0 && s.Progress.Again
	if !isAskedAgain && pages.Circles(this) {
		return nil, fmt.Errorf("the pages repeat: the next request would be that of page %d again: "+
			"check api.pagination, or end it with forceStop",
			pages.EarlierPage)
	}
	return nil, nil
}

// isOfOnePage tells whether the number of all items, where there is one, may be that of a page: there was one page, which is as
// full as pages are, and has as many as the number says, and no number of pages says that it is the only one.
func (s *State) isOfOnePage(f *Facts, signs []evidence.Sign) bool {
	isOnly := slices.ContainsFunc(signs, func(sign evidence.Sign) bool { return sign.Says == evidence.Pages && sign.Total == 1 })
	return s.Pages == 1 && s.mayBeFull(f) && !s.Seen.Promised.Partial && !isOnly
}

// ignored names the parameter that the API ignores, if the answer says that it does.
func (p *Paging) ignored(s *State, f *Facts) string {
	if p.SeesNamed() && f.Items > 1 && p.front(s, f) == f.Items {
		return ", or all items with the value that it was asked for do not fit on a page: ask for larger ones"
	}
	stuck := s.Seen.Stuck(&f.Answer)
	mayBeFromOne := stuck == nil || stuck.Value == 1
	if m, ok := p.method.(pageCounter); ok && m.countsFromZero() && s.Pages == 1 && mayBeFromOne {
		return ", or count its pages from 1, and give the first one for 0: then leave firstPage out"
	}
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
func (p *Paging) doubtItems(s *State, f *Facts, met evidence.Met, out *PageOutcome) {
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
func doubtEarlier(s *State, out *PageOutcome) {
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
func (p *Paging) doubtRound(s *State, out *PageOutcome) {
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
func (p *Paging) tellOfItems(s *State, f *Facts, out *PageOutcome) {
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
func (p *Paging) doubtTotal(s *State, f *Facts, signs []evidence.Sign, out *PageOutcome) {
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

// Where a list is ordered by the time of change of its items, one that changes while the list is read comes again, later. Pages
// that are counted move then: an item that was not read may have taken the place of one that was.

// Moves tells whether an item may come again in a walk since it has changed: pages are not counted, so that no other one is
// missed for it.
func (p *Paging) Moves() bool {
	_, isCounted := p.method.(*numbered)
	return !isCounted && p.Keyed()
}

// hasMoved tells of the items of a page whether they have changed since all pages before; nil: it is not known. What counts
// pages or items in a request moves them.
func (p *Paging) hasMoved(s *State, f *Facts) func(i int) bool {
	before := []byte(s.Changed)
	column := f.Keys.Of(s.Seen.Settled())
	if f.Changes == nil || len(before) == 0 || column == nil || s.Asked.counts() {
		return nil
	}
	if len(column.Hashes) != f.Items || len(f.Changes.ends) != f.Items {
		return nil
	}
	return func(i int) bool { return isLater(f.Changes.at(i), before) }
}

// seeChanges enters the latest time of change of a page.
func (s *State) seeChanges(f *Facts) {
	if f.Changes == nil {
		return
	}
	for i := range f.Changes.ends {
		now := f.Changes.at(i)
		if s.Changed == "" && isTime(now) || isLater(now, []byte(s.Changed)) {
			s.Changed = string(now)
		}
	}
}

// Pages that begin with the items that their cursor names: an API that is asked for the items from a time on, not for
// those after it, shows the last ones of a page again, each time as many as have that very time.

// A sifter may drop the items that its cursor names, since they came on the page before.
type sifter interface {
	// sifts tells whether they are dropped, and not only told.
	sifts() bool
}

// SeesNamed tells whether a cursor names items of the next page, so that what tells all items apart is wanted.
func (p *Paging) SeesNamed() bool {
	_, ok := p.method.(sifter)
	return ok
}

// Sifts tells whether items that came before are dropped from pages.
func (p *Paging) Sifts() bool {
	m, ok := p.method.(sifter)
	return p.Overlaps() || ok && m.sifts()
}

// sift finds those of the items at the front of a page, which its cursor named, that came on the page before. Of those that
// cannot be told apart as many are found as came.
func (p *Paging) sift(s *State, f *Facts, front int) (seam Seam) {
	if front == 0 || !p.SeesNamed() {
		return Seam{}
	}
	told := s.told(f)
	if len(told) != f.Items {
		return Seam{}
	}
	came := map[uint64]int{}
	for _, hash := range s.Own.Named {
		came[hash]++
	}
	seam.Drop = make([]bool, f.Items)
	for i, hash := range told[:front] {
		if came[hash] == 0 {
			continue
		}
		came[hash]--
		seam.Drop[i] = true
		seam.Dropped++
	}
	seam.Checked = 1
	return seam
}

// told is what tells each item of a page apart: its key, or else its text.
func (s *State) told(f *Facts) []uint64 {
	column := f.Keys.Of(s.Seen.Settled())
	if column != nil && len(column.Hashes) == f.Items {
		return column.Hashes
	}
	return f.Each.Texts
}

// nameItems remembers the items of a page that the next cursor names.
func (p *Paging) nameItems(s *State, f *Facts) {
	if !p.SeesNamed() {
		return
	}
	told := s.told(f)
	if len(told) != f.Items || len(f.Range.Changes.ends) != f.Items {
		return
	}
	s.Own.Named = s.Own.Named[:0:0]
	for i, hash := range told {
		if bytes.Equal(f.Range.Changes.at(i), []byte(s.Own.Cursor)) {
			s.Own.Named = append(s.Own.Named, hash)
		}
	}
}

// settleSeam drops the items that came before, or tells that they come out again.
func (p *Paging) settleSeam(s *State, seam Seam, out *PageOutcome) {
	if seam.Dropped == 0 {
		return
	}
	if p.Sifts() {
		out.Seam = seam
		s.Items -= int64(seam.Dropped)
		return
	}
	if !s.Own.ToldNamed {
		s.Own.ToldNamed = true
		out.doubt(verdict.Note("page %d begins with %s that ended the page before, since the cursor names it: "+
			`"inclusive": true in api.pagination drops what comes again like this`, s.Pages, verdict.Counted(int64(seam.Dropped))))
	}
}

// hasOnlyNamed tells whether a page has nothing but items that its cursor named and that came before, and is not as full as pages
// are: there is nothing after them.
func (p *Paging) hasOnlyNamed(s *State, f *Facts) bool {
	if s.Pages == 0 || f.Items == 0 || !p.Sifts() || p.Overlaps() {
		return false
	}
	isAll := p.sift(s, f, p.front(s, f)).Dropped == f.Items
	isFull := f.Items >= s.Seen.Pages.Last.Items && s.mayBeFull(f)
	return isAll && !isFull
}

// front is how many items at the front of a page are those that its cursor named.
func (p *Paging) front(s *State, f *Facts) int {
	if m, ok := p.method.(includer); ok && s.Pages > 0 {
		return m.included(s, f)
	}
	return 0
}
