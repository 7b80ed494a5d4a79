package verdict

import (
	"maps"
	"slices"

	"sluice/pipeline/report"
)

// Add folds the facts of a walk that has ended; its own verdict is what speaks against it beside the facts.
func (j *JobFacts) Add(w *WalkFacts, own report.Verdict) {
	for name, place := range w.Places {
		j.at(name, Bits{Value: place.Value, Next: place.Next, Followed: w.isFollowed(name)})
	}
	j.Nulls += w.Nulls
	j.Longest = max(j.Longest, w.Longest)
	j.Holder = leastOf(j.Holder, w.Holder)
	j.Stripped = leastOf(j.Stripped, w.Stripped)
	shape := w.shape()
	if !shape.Total && !shape.Count {
		j.Ahead = max(j.Ahead, w.Ahead)
	}
	around := w.around(&shape)
	j.Around.fold(&around)
	j.Contrary = firstOf(j.Contrary, w.contradicted(&shape))
	caveat := w.partial(shape)
	j.Caveat = firstOf(j.Caveat, caveat)
	own = withCaveat(own, caveat)
	if !shape.Total {
		j.addOdd(w.oddPages())
	}
	// What doubts the walk itself has said so already.
	isSilent := own > report.Complete || w.End.Changes
	if !isSilent {
		j.Fall = firstOf(j.Fall, w.Said.fall(w.End.Counted))
	}
	j.addLimits(w, own)
	if own == report.Complete {
		j.addShort(w, &shape)
		j.Open = firstOf(j.Open, w.open(&shape))
		j.FewPages = firstOf(j.FewPages, w.lacks(&shape))
	}
	shape.Doubted = own > report.Complete
	j.count(shape, 1)
}

// around is of what kind the answers of a walk were, but for those without items that are nothing odd: where all items came, by a
// number of them, and where the API has no content behind a page that was not full. A last item that is unlike the others is odd.
func (w *WalkFacts) around(s *WalkShape) AnswerProfile {
	all := w.Around
	isShort := int64(w.LastItems) < max(int64(w.Longest), w.Asked)
	all.Empty = slices.DeleteFunc(slices.Clone(all.Empty), func(e Empty) bool {
		isBehind := e.NoContent && isShort && e.Page > w.LastFilled
		isItem := !e.One || e.Keyed
		return s.Total && isItem || isBehind
	})
	lone := &w.Around.Lone
	if !s.Total && lone.isUnlike(w.LastFilled) {
		all.addEmpty(Empty{BodyKinds: BodyKinds{Root: '{', Field: '['}, Unlike: true, Page: lone.Page, Field: lone.Field})
	}
	all.Lone = Lone{}
	return all
}

// partial is the first caveat that counts; nil: none does. What stands on each page with items is how the API talks, where a
// number of all shows that these are all.
func (w *WalkFacts) partial(s WalkShape) *Caveat {
	for i := range w.Caveats {
		isUsual := w.Caveats[i].Filled == w.Filled
		if !isUsual || !s.Total {
			return &w.Caveats[i].Caveat
		}
	}
	return nil
}

// contradicted is the first answer without items that says something else than all with items; nil: there is none, or all items
// came, by a number of them.
func (w *WalkFacts) contradicted(s *WalkShape) (first *Blank) {
	if s.Total {
		return nil
	}
	for i := range w.Blanks {
		if b := &w.Blanks[i]; w.Beside.Contradicts(b.Says) {
			first = firstOf(first, b)
		}
	}
	if first == nil {
		return nil
	}
	// What it says is known by its quote.
	return &Blank{Page: first.Page, Field: first.Field, Quote: first.Quote}
}

// mayBeFull tells whether the last page with items may have left some out.
func (w *WalkFacts) mayBeFull() bool {
	if w.Asked > 0 {
		return int64(w.LastItems) >= w.Asked
	}
	return w.LastUsual
}

// shape is that of a walk that has ended.
func (w *WalkFacts) shape() WalkShape {
	s := WalkShape{
		Count:  w.hasAllPages(),
		Gone:   !w.says(Next),
		Uneven: w.isUneven(),
		Empty:  min(w.Last-w.LastFilled, 2),
		Short:  w.Last == w.LastFilled && int64(w.LastItems) < w.Asked,
		Object: w.Object && w.End.Single,
		Unled:  w.End.Wanted && !w.Led,
		End:    w.End,
	}
	s.Flag, s.Next = w.placeOf(NoMore), w.placeOf(NoNext)
	isPart := w.Filled <= 1 && w.mayBeFull()
	s.Total = w.hasAllItems(isPart, s)
	s.Null = w.Null > 0 && !s.Total && !w.endsBefore(w.Null)
	s.Void = w.Void > w.LastFilled
	if s.FullAt = w.fullEnd(); s.FullAt != "" {
		s.FullItems = w.LastItems
	}
	s.Alike = w.Texts.cameAgain()
	s.Window = w.fillsWindow()
	s.Ceiling = w.reachesCeiling()
	isFullFirst := w.mayBeFull() && w.LastItems > 1 && w.Last == 1
	s.Full = w.End.Limit && isFullFirst
	s.Flagged = w.End.Flagged && isFullFirst && !w.endsByName()
	isAgreed := s.Total || s.Count || s.Next != ""
	s.FlagSure = w.Places[s.Flag].Value || !isPart && w.Filled <= 1 || isAgreed
	return s
}

// hasAllItems tells whether as many distinct items came as an answer says that there are, and none says more. In a walk of one
// page the number may be that of the page: there its name must say that it is one of all, and, where the page may be
// full, another statement must agree.
func (w *WalkFacts) hasAllItems(isPart bool, s WalkShape) bool {
	came := w.came()
	isBelow := w.Bound != nil && w.Bound.Number > came
	if isBelow || w.Nulls > 0 {
		return false
	}
	total := w.Whole()
	// A person has named that number.
	if w.isExact(total) && w.Again == 0 && w.saysMoreAt() == "" {
		return true
	}
	if total == nil || came != total.Number {
		return false
	}
	if w.Filled > 1 {
		return true
	}
	isAgreed := s.Count || s.Flag != "" || s.Next != "" || total.OfAll
	return total.Named && (!isPart || isAgreed)
}

// hasAllPages tells whether as many pages came from the first on as an answer says that there are, several at least.
func (w *WalkFacts) hasAllPages() bool {
	if w.Count == nil || w.Filled < 2 {
		return false
	}
	isFromFirst := !w.End.Later && w.Skipped == 0
	return isFromFirst && w.Count.Number == int64(w.LastFilled)
}

// isUneven tells whether a page that is not the last with items had fewer than the longest, or none.
func (w *WalkFacts) isUneven() bool {
	if w.Filled < w.LastFilled {
		return true
	}
	shorter := w.Filled - w.Longests
	if w.LastItems < w.Longest {
		shorter--
	}
	return shorter > 0
}

// placeOf is the first place where the last answer says so; empty: it does nowhere. A page without items after it may
// say nothing.
func (w *WalkFacts) placeOf(kind StatementKind) string {
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		if place.Says == kind && place.Last >= w.LastFilled {
			return name
		}
	}
	return ""
}

// endsByName tells whether the last answer has a flag that says by the words of its name that there is no more.
func (w *WalkFacts) endsByName() bool {
	for _, place := range w.Places {
		isEnd := place.Says == NoMore || place.Says == MayEnd
		if isEnd && place.Named && place.Last == w.Last {
			return true
		}
	}
	return false
}

// says tells whether the last answer says so.
func (w *WalkFacts) says(kind StatementKind) bool {
	for _, place := range w.Places {
		if place.Says == kind && place.Last == w.Last {
			return true
		}
	}
	return false
}

// windowSizes are how many items APIs show at most of a search.
var windowSizes = []int64{1_000, 5_000, 10_000}

// fillsWindow tells whether so many items came on several pages as APIs show at most of a search, and they ran out, or the last
// page names no next one: a window ends so, too.
func (w *WalkFacts) fillsWindow() bool {
	return w.Filled >= 2 && slices.Contains(windowSizes, w.Items) && (w.ranOut() || w.End.Wanted)
}

// reachesCeiling is where answers say that as many results are shown at most as items came on several pages, where nothing else
// says that these are all; empty: they do not. A number of one page is not greater than the longest.
func (w *WalkFacts) reachesCeiling() string {
	if w.Ceiling == nil || w.Filled < 2 {
		return ""
	}
	most := w.Ceiling.Number
	isOfAll := most > int64(w.Longest) && most > w.Asked
	if !isOfAll || w.Items != most || !w.ranOut() {
		return ""
	}
	return w.Ceiling.Place
}

// ranOut tells whether nothing but that the items ran out, or a number of all that is the same, says that these are all.
func (w *WalkFacts) ranOut() bool {
	isSaid := func(s *GreatestTotal) bool { return s != nil && s.Number == w.Items }
	return w.Last > w.LastFilled || w.End.Refused || isSaid(w.Whole()) || isSaid(w.Guess)
}

// endsBefore tells whether an answer before that page says that there is no more.
func (w *WalkFacts) endsBefore(page int) bool {
	for _, place := range w.Places {
		if place.End > 0 && place.End < page {
			return true
		}
	}
	return false
}

// oddPages are those of a walk.
func (w *WalkFacts) oddPages() (all []OddPage) {
	if w.Around.Many {
		return nil
	}
	for _, n := range w.Around.Names {
		isOdd := n.Telling && !n.Several && n.Page < w.LastFilled && n.Items < w.Longest
		if isOdd {
			all = append(all, OddPage{Name: n.Name, Page: n.Page, Items: n.Items, Longest: w.Longest})
		}
	}
	return all
}

// fullEnd is where the last answer of a walk says that a page has as many items as it has itself; empty: nowhere.
func (w *WalkFacts) fullEnd() string {
	isFull := w.Full != nil && w.Full.Page == w.Last && w.Last == w.LastFilled
	// A number that several pages have reached is none of one page.
	isCounted := w.End.Limit && w.Filled > 1
	if !isFull || isCounted || w.LastItems < 2 {
		return ""
	}
	return w.Full.Place
}

// open is what the last page with items says against an end by an answer that has none, unless that takes it back; nil: nothing.
// What a last page with items says itself is weighed when the walk ends.
func (w *WalkFacts) open(s *WalkShape) *OpenEnd {
	hasFlag := s.Flag != "" && !w.isFollowed(s.Flag)
	isOver := s.Total || w.Filled == 0
	isByNothing := w.Last > w.LastFilled || w.End.Refused
	if isOver || !isByNothing {
		return nil
	}
	if at := w.takenBackAt(); at != "" {
		return &OpenEnd{Place: at, Taken: true}
	}
	if hasFlag {
		return nil
	}
	if at := w.saysMoreAt(); at != "" {
		return &OpenEnd{Place: at}
	}
	if pages := firstOf(w.Count, w.MayPages); w.lacksPages(pages) {
		return &OpenEnd{Place: pages.Place, Pages: pages.Number, Came: w.LastFilled}
	}
	if w.Left != nil && w.Left.Number > 0 && w.Left.Page >= w.LastFilled {
		return &OpenEnd{Place: w.Left.Place, Left: w.Left.Number}
	}
	return nil
}

// lacks is how many pages are missing of those that an answer said there are, where the last one names no next page: that does not take
// it back; nil: none is.
func (w *WalkFacts) lacks(s *WalkShape) *OpenEnd {
	isEnd := w.End.Wanted && w.Last == w.LastFilled
	if s.Total || !isEnd || !w.lacksPages(w.Count) {
		return nil
	}
	return &OpenEnd{Place: w.Count.Place, Pages: w.Count.Number, Came: w.LastFilled}
}

// saysMoreAt is where the last page with items, or one after it, has a flag that says that there is more; empty: nowhere.
func (w *WalkFacts) saysMoreAt() string {
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		isMore := place.Says == More || place.Says == MayMore
		if isMore && place.Last >= w.LastFilled {
			return name
		}
	}
	return ""
}

// takenBackAt is where the only page with items has a flag that says that there is more, and an answer without items behind it says
// the contrary; empty: nowhere. An API that cannot know its end says so on each full page, but then the only one is seldom full:
// rather the second page was asked for beyond the end.
func (w *WalkFacts) takenBackAt() string {
	if w.Filled != 1 {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		isTakenBack := place.Says == NoMore && place.End > w.LastFilled
		if isTakenBack && place.Value && !place.Next {
			return name
		}
	}
	return ""
}

// isFollowed tells whether new items followed a page that said at the place that there is no more.
func (w *WalkFacts) isFollowed(place string) bool {
	end := w.Places[place].End
	return end > 0 && end < w.LastFilled
}

// SaidEnd tells whether a page of the walk said at the place that there is no more, and new items followed on another or on one that
// is not entered yet and has some.
func (w *WalkFacts) SaidEnd(place string, hasItems bool) bool {
	return w.isFollowed(place) || hasItems && w.Places[place].End > 0
}

// lacksPages tells whether fewer pages with items came than a number says. As many as there are items count these: so do
// headers such as X-Page-Total.
func (w *WalkFacts) lacksPages(pages *GreatestTotal) bool {
	isFromFirst := !w.End.Later && w.Skipped == 0
	if pages == nil || !isFromFirst {
		return false
	}
	return pages.Number > int64(w.LastFilled) && pages.Number != w.Items-w.Again
}
