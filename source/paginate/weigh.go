package paginate

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// weigh says what the answers of a walk say against its end.
func (p *Paging) weigh(s *State, f *Facts, signs []evidence.Sign, out *PageOutcome) {
	p.doubtTotal(s, f, signs, out)
	p.doubtFirst(s, f, out)
	p.suspect(s, f, out)
	p.weighSuspicion(s, f, signs, out)
	if out.Stop == nil {
		return
	}
	if rule := out.Stop.Reason.Rule(); rule.Unsearched() {
		return
	}
	// What is silenced is not looked for.
	if verdict.SaysMore.Silenced(p.Trust()) {
		return
	}
	if p.isLedOn() && f.Field != "" && f.Field == p.nextPlace {
		out.doubt(verdict.LinksAsItems.Raise(f.Field))
	}
	if s.Own.LinkMissing {
		out.doubt(verdict.LinkMissing.Raise(s.Pages, s.Own.LastPage))
	}
	end := s.came()
	end.Reason, end.Root, end.Counted = out.Stop.Reason, f.Root, s.Bounds.LimitField
	end.ByEmpty, end.Exact = p.emptyAfter() > 0, s.Bounds.Exact
	against := verdict.AgainstEnd(&end, &s.Seen, &f.Answer, s.meant(f, signs))
	p.doubtLimit(s, f, &against, out)
	out.Doubts = append(out.Doubts, against.Doubts...)
	out.More = p.strongest(against.More, f, out.Stop)
	// Below items a total gives no doubt, so it takes none away.
	if out.More != nil || len(against.Doubts) > 0 || slices.ContainsFunc(out.Doubts, isOfLimit) {
		out.Suspicion = Suspicion{}
	}
	out.Suspicion.Open = out.Suspicion.Text != "" && s.Own.Limit == 0
	out.Missing = against.Missing || out.Suspicion.Open
}

// hearParts enters what an answer says by which it is not whole.
func (p *Paging) hearParts(signs []evidence.Sign, out *PageOutcome) {
	out.Partial, out.Note = evidence.Parts(signs)
	if verdict.NotWholeText.Silenced(p.Trust()) {
		out.Note = nil
	}
}

// Part is the flag by which an answer says that it is not whole; nil: none does. That there is no such page is an error, which says nothing.
func (p *Paging) Part(f *Facts) *evidence.Sign {
	part, _ := evidence.Parts(f.Signs(p.reads))
	if part == nil {
		return nil
	}
	if _, _, isFlag := item.Flag(part.Value); !isFlag {
		return nil
	}
	return part
}

// doubtLimit is for a walk that the number of limitStop has ended, although a configured flag says that there is more. Of flags whose names
// are known the answer says so itself.
func (p *Paging) doubtLimit(s *State, f *Facts, against *verdict.Against, out *PageOutcome) {
	flag := p.moreFlag(f)
	isTold := slices.ContainsFunc(against.Doubts, func(r verdict.Raised) bool { return r.Doubt == verdict.LimitOfPage })
	if flag == nil || isTold || !out.Stop.Reason.Rule().Counted {
		return
	}
	out.doubt(verdict.LimitOfPage.Raise(out.Stop.Reason, s.Bounds.LimitField, flag.place, f.Values[flag.at]))
}

// doubtFirst is for a walk that counts its pages, and begins at what it takes for the first one, where the answer says that one is
// before it: they may be counted from 0.
func (p *Paging) doubtFirst(s *State, f *Facts, out *PageOutcome) {
	isFirst := s.Pages == 1 && s.Own.Skipped == 0 && !s.Own.Later
	if !p.ComparesTotals() || !isFirst || f.Items == 0 {
		return
	}
	if at, value := f.NotFirst(); at != "" {
		out.doubt(verdict.NotFirst.Raise(at, value))
	}
}

// meant are the signs that mean what they say: not that there is no more, where that was said before and new items followed.
func (s *State) meant(f *Facts, signs []evidence.Sign) []evidence.Sign {
	isEmptyWord := func(sign evidence.Sign) bool {
		return sign.Says == evidence.NoMore && s.Facts.SaidEnd(sign.At, f.Items > 0)
	}
	if !slices.ContainsFunc(signs, isEmptyWord) {
		return signs
	}
	return slices.DeleteFunc(slices.Clone(signs), isEmptyWord)
}

// isOfLimit tells whether fewer items came than the number of limitStop says.
func isOfLimit(r verdict.Raised) bool { return r.Doubt == verdict.FewerThanLimit }

// strongest is what an answer says against the end: the sign, or a configured flag; nil:
// nothing.
func (p *Paging) strongest(sign *evidence.Sign, f *Facts, stop *report.Stop) *evidence.Sign {
	// Of a page with items a sign tells how to follow it, too.
	isTold := sign != nil && sign.Says == evidence.More && f.Items > 0
	if flag := p.flagged(f, stop); flag != nil && !isTold {
		return flag
	}
	if sign != nil && f.Items == 0 {
		sign.Cure = p.wayOn(f, stop)
	}
	return sign
}

// Signs are what an answer says of what follows.
func (p *Paging) Signs(f *Facts) []evidence.Sign { return f.Answer.Signs(p.reads) }

// Evidence lists what an answer says, in its order; headers come last.
func (p *Paging) Evidence(f *Facts) []evidence.Finding { return f.Findings(p.reads) }

// reading is what a method and the stop conditions read themselves.
func reading(m Method, all []stops, needs Needs) evidence.Reads {
	r := evidence.Reads{Paths: slices.Clone(m.Needs().Values), Others: needs.Values}
	if several, ok := m.(multiLed); ok {
		r.Paths = several.leads()
		r.Others = needs.Values[len(m.Needs().Values):]
	}
	for _, s := range all {
		if s.limit.field != nil {
			r.Paths = append(r.Paths, s.limit.field)
		}
	}
	if sized, ok := m.(sizer); ok {
		r.Sized, r.Size = true, sized.pageSize()
	}
	if counted, ok := m.(counter); ok {
		r.Sized = r.Sized || counted.countsPages()
	}
	if links, ok := m.(linkChooser); ok {
		r.Link = links.follows
	}
	return r
}

// Share is how much of the walk has come, by what the answers or limitStop say of
// the whole; 0 if nothing does.
func (p *Paging) Share(s *State) float64 {
	limit, _ := item.Integer([]byte(s.Bounds.LimitField))
	byLimit := ratio(s.reached(), limit)
	byTotal := ratio(s.reached()+s.Own.Skipped, s.Seen.Whole.Items)
	return max(byLimit, byTotal, s.shareOfPages())
}

// shareOfPages is by the last page that a header Link names.
func (s *State) shareOfPages() float64 {
	last, asked := s.Own.LastPage, s.Asked.Endpoint
	if last == "" {
		return 0
	}
	next, left := counted(asked, last, 0)
	if next == "" && asked != last {
		return 0
	}
	pages := int64(s.Pages)
	return ratio(pages, pages+int64(left)+1)
}

// ratio is 0 where the whole is not known.
func ratio(came, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(came) / float64(whole)
}

// limitParam is the parameter that has the page size; empty: there is none, or it is a
// part of one.
func (p *Paging) limitParam() string {
	m, ok := p.method.(sizer)
	if !ok || len(m.sizeParam().Path) != 1 {
		return ""
	}
	return m.sizeParam().Path[0]
}

// suspect says what is suspicious about the number of items of a walk that ended, or
// went on, after its first page by the method's own rule.
func (p *Paging) suspect(s *State, f *Facts, out *PageOutcome) {
	follows := p.isLedOn()
	hasPath := follows && p.atNext(f) != nil
	out.Led = hasPath || out.Stop == nil
	// One item is as many as nobody asks for.
	if s.Pages > 1 || f.Items < 2 {
		return
	}
	if !out.byMethod {
		out.Suspicion.Unproven = true
		return
	}
	isOnly := out.Stop != nil && f.Array
	isUnled := isOnly && follows && !hasPath
	asked := s.Asked.Numbers
	suspicion := &out.Suspicion
	switch {
	case isOnly && p.isOnePage():
		if suspicion.asMany(asked(), f.Items); suspicion.By == evidence.NoBasis && f.Filtered > 0 {
			suspicion.asMany(asked(), f.Items-f.Filtered)
		}
	// Most APIs leave out what leads on where there is no more: fewer than were asked
	// for are all.
	case isUnled && !asked().AsksForMore(f.Items):
		suspicion.asMany(asked(), f.Items)
		suspicion.Unled = true
	case !isUnled:
		if p.isCapped(s, f, out) {
			suspicion.Raised = verdict.CappedPage.Raise(f.Items, s.Own.Limit)
			suspicion.By = evidence.ByUsual
		}
		return
	}
	// A small map, few lines or rows, and elements of many arrays have no pages by themselves.
	isLikely := f.Listed || !f.Spread && f.Items >= leastMapped
	if suspicion.By == evidence.ByUsual && !isLikely {
		*suspicion = Suspicion{}
	}
}

// isCapped tells whether a cap of the server's own may have made a first page short, which
// would end paging although more may be to be had.
func (p *Paging) isCapped(s *State, f *Facts, out *PageOutcome) bool {
	isRound := evidence.Round(f.Items) || f.Filtered > 0 && evidence.Round(f.Items-f.Filtered)
	isShort := int64(f.Items) < s.Own.Limit && isRound
	// Pages by number go on where this one is capped, and offsets leave a gap.
	return isShort && (out.Stop != nil || p.ByOffset())
}

// leastMapped is from how many members on an object with a usual number of them may be a page, and an export from how many lines or rows
// on: small ones are often of a fixed size, as one of 50 states is.
const leastMapped = 100

// leastCap is from how many items on a page that is shorter than asked for is rather one that is capped than a whole list by
// chance, where a total says just as many: lists of 10 or 20 items are usual.
const leastCap = 100

// weighSuspicion drops the suspicion if the answer proves the end, or has said what
// it is about.
func (p *Paging) weighSuspicion(s *State, f *Facts, signs []evidence.Sign, out *PageOutcome) {
	if out.Suspicion.Text == "" {
		return
	}
	came, proves := s.came(), verdict.ProvesFull
	if out.Suspicion.Doubt == verdict.CappedPage && f.Items < leastCap {
		proves = verdict.Proves
	}
	if proves(&f.Answer, signs, &came) {
		out.Suspicion = Suspicion{}
		return
	}
	if out.Suspicion.Doubt.Silenced(p.Trust()) {
		out.Suspicion = Suspicion{Unproven: true}
		return
	}
	if out.Stop != nil {
		return
	}
	// The walk goes on with a gap, whatever comes.
	out.doubt(out.Suspicion.Raised)
	out.Suspicion = Suspicion{}
}
