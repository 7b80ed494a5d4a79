package paginate

import (
	"fmt"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// How pages overlap (docs/paging.md, "Pages that overlap"). L is the limit and K the overlap, L - K a step.
//
// Each page but the first is asked for K items early, so that an unchanged list shows the last K
// items of the page before again. An item is known if it came before, by its key. Known items are
// dropped, wherever they stand, so that nothing comes out twice. A page holds if it has a known item:
// then nothing between it and what came can have been skipped, since an answer is a snapshot. A page
// without one, also a short or an empty one, is a broken seam: what stood before it was deleted. It
// is judged before any stop rule:
//
//	judge ─ holds ─────────────────────────────► merge, stop rules, next page a step on
//	  └ does not ─► step back, page by page, until one holds or the first offset is reached
//	                  └► merge that one, stop rules, go on from it alone: all that was asked
//	                     for before is dropped, by the coordinator
//
// At the first offset nothing lies before the page, so it is proven. Where a page has no known item
// three times, and the page before it is the same each time, pages do not overlap: it is kept, and
// doubted. State.Own.Number is the offset of the page to be judged, State.Pages counts each answer,
// also those of stepping back, so that a page's number is asked for once, and a journal and a
// recording know its answer by it. State.Items counts what is emitted, and Overlap.Position how far
// into the list the walk has come, which is what totals are compared with.

// How often something happens before it means something.
const (
	// timesKept is how often a page must have no known item, while the page before it is the same each time, before it
	// is kept.
	timesKept = 3
	// timesFronted is how often the walk steps back to a first page without a known item.
	timesFronted = 10
	// timesAlike is how many full pages in a row are the same until the walk looks back: insertions of
	// exactly a step look so too. timesEqual is how many end it.
	timesAlike = 3
	timesEqual = 10
	// timesUnproven is how often a page without a known item may be merged while no item of the walk has come again: then
	// keys are not stable. One deletion of all items that came looks like it once.
	timesUnproven = 10
	// idle is how many pages in a row may have nothing new, and twice as many more as all known items fill.
	idle = 100
)

// refuseOverlap reports the option beside another method than offset.
func refuseOverlap(method string, o *config.ObjectDecoder, p *config.Problems) {
	n := o.Node().Member("overlap")
	if n == nil || method == "offset" {
		return
	}
	o.Ignored("overlap")
	switch method {
	case "pagenum":
		p.Errorf(n, "page numbers cannot overlap: page by the method offset, if the API can")
	case "multiple":
		p.Errorf(n, "belongs into a scroller of the method offset")
	default:
		p.Errorf(n, "only pages of the method offset can overlap, not those of %s", method)
	}
}

// refuseEmptyStop reports overlap in a scroller beside emptyStop of all of them.
func (p *Paging) refuseEmptyStop(problems *config.Problems) {
	if p.Overlaps() && (p.emptyAfter() > 0 || p.isEndless()) {
		problems.Errorf(p.Node.Member("overlap"), "cannot stand beside emptyStop of api.pagination: "+
			endsByShortPage)
	}
}

// beginOverlap begins a walk whose pages overlap, if they do.
func (p *Paging) beginOverlap(s *State, j *Job) error {
	m := p.overlapper()
	if m == nil {
		return nil
	}
	s.Overlap.By = m.early()
	limit := m.limitOf(j)
	if s.Overlap.By < limit {
		return nil
	}
	return fmt.Errorf("overlap is %d, so the limit must be greater, and it is %d: "+
		"set a greater limit, or a smaller overlap", s.Overlap.By, limit)
}

// An arrival is a page of a walk whose pages overlap.
type arrival struct {
	*Facts
	// apart tells its items from each other and from those that came, order is a hash of them all.
	apart []uint64
	order uint64
	// told is apart, and which of it are hashes of texts.
	told evidence.Apart
	// at is its offset, limit how many items a page is asked for with, and step how far behind it the next one begins.
	at, limit, step int64
	// isFirst: nothing came before it. holds: it is the first, or has a known item.
	isFirst, holds bool
	// isSame: the answer before it, to another request, had the same items in the same order.
	isSame bool
}

// judgeOverlap is [Paging.judge] where pages overlap.
func (p *Paging) judgeOverlap(
	s *State, j *Job, f *Facts, signs []evidence.Sign, this evidence.Fingerprint,
) (PageOutcome, error) {
	o := &s.Overlap
	a := arrive(s, f, s.Seen.Apart(&f.Answer, p.Unique), this)
	a.limit = p.overlapper().limitOf(j)
	a.step = a.limit - o.By
	isFull := int64(f.Items) >= a.limit
	o.enter(a, isFull)
	s.Pages++
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(s.Pages, &f.Answer, this)
	var out PageOutcome
	if o.Equal >= timesEqual {
		out.stop(report.StopRepeatedPage)
		out.doubt(verdict.SameAnswers.Raise(timesEqual, p.ignored(s, f)))
		return out, nil
	}
	if !a.isFirst && !o.Back {
		out.Seam.Checked++
	}
	if o.goesBack(a, &out) {
		return p.stepBack(s, j, a, out)
	}
	if o.Back {
		out.Seam.Repaired++
		if err := p.land(s, a); err != nil {
			return out, err
		}
	} else {
		o.Alone = false
	}
	return p.merge(s, j, a, signs, out)
}

// arrive compares a page with what came.
func arrive(s *State, f *Facts, told evidence.Apart, this evidence.Fingerprint) *arrival {
	a := &arrival{Facts: f, told: told, apart: told.Keys, at: s.Own.Number, isFirst: s.Pages == 0}
	a.order = uint64(len(a.apart))
	for _, key := range a.apart {
		a.order = item.Mixed(a.order, key)
	}
	a.holds = a.isFirst || s.Overlap.Known.HasAny(a.apart)
	a.isSame = this.Request != s.Seen.Pages.Last.Request && a.order == s.Overlap.Order
	return a
}

// enter counts how many full answers in a row had the same items.
func (o *Overlap) enter(a *arrival, isFull bool) {
	o.Order = a.order
	o.Equal++
	if !isFull || !a.isSame {
		o.Equal = 1
	}
}

// goesBack tells whether the seam before a page is broken, so that the page before it is asked for. A
// page that has broken so often that pages cannot overlap is kept.
func (o *Overlap) goesBack(a *arrival, out *PageOutcome) bool {
	if o.Back {
		return !a.holds && a.at > 0 && !o.Kept[a.at]
	}
	isAlike := o.Equal >= timesAlike && !o.Alone
	if isAlike || a.holds {
		return isAlike
	}
	isNext := o.Landing.At+a.step == a.at
	isBroken := isNext && o.Landing.Times >= timesKept
	if !isBroken && o.Fronted < timesFronted {
		return true
	}
	o.keep(a, out)
	return false
}

// keep keeps a page although nothing shows where it belongs, and warns of the first.
func (o *Overlap) keep(a *arrival, out *PageOutcome) {
	o.Landing = Landing{}
	if o.Kept == nil {
		o.Kept = map[int64]bool{}
	}
	o.Kept[a.at] = true
	if o.Told.Apart {
		return
	}
	o.Told.Apart = true
	out.doubt(verdict.PagesApart.Raise(a.at))
}

// stepBack asks for the page before. Only forceStop ends a walk here.
func (p *Paging) stepBack(s *State, j *Job, a *arrival, out PageOutcome) (PageOutcome, error) {
	for i := range p.stops {
		p.stops[i].force.judge(s, a.Facts, &out)
	}
	if out.Stop != nil {
		return out, nil
	}
	s.Overlap.Back = true
	s.Overlap.Dropped++
	s.Own.Number = max(0, a.at-a.step)
	next, err := p.overlapper().from(j, s.Own.Number)
	s.Asked, out.Next = next, next
	return out, err
}

// land ends the stepping back at a page that is to be merged. An error says that keys are not
// stable.
func (p *Paging) land(s *State, a *arrival) error {
	o := &s.Overlap
	isSame := o.Landing.isSame(a.apart) || o.Kept[a.at]
	if o.Landing.At != a.at || !isSame || o.Equal >= timesAlike {
		o.Landing = Landing{At: a.at}
	}
	o.Landing.Items = a.apart
	o.Landing.Times++
	o.Back, o.Alone = false, true
	if a.at == 0 && !a.holds {
		o.Fronted++
	}
	if a.holds || o.Recurred || a.Items == 0 {
		return nil
	}
	o.Unproven++
	if o.Unproven < timesUnproven {
		return nil
	}
	return fmt.Errorf("overlap: %d pages should have begun with items of the page before, and none did, "+
		"compared by their %s, which may differ in each answer. Set unique to what tells the items apart, or "+
		"page without overlap", s.Pages-1, p.apart(s))
}

// apart says by what items are told apart.
func (p *Paging) apart(s *State) string {
	if s.Seen.Keyed() {
		return p.Unique.Shown(s.Seen.Settled())
	}
	return "text"
}

// merge drops the items of a page that came before, and judges its end.
func (p *Paging) merge(
	s *State, j *Job, a *arrival, signs []evidence.Sign, out PageOutcome,
) (PageOutcome, error) {
	o, f := &s.Overlap, a.Facts
	out.Emit = true
	fresh, isTwice := o.sift(a, &out)
	isDisordered := o.Known.Disordered(a.apart)
	isAlike := !o.Known.Explains(a.told, a.at == 0, int64(a.Items) < a.limit)
	o.Known.Merge(a.apart, s.Pages, a.at == 0, evidence.KnownOfOverlap)
	s.Seen.Emitted(fresh, evidence.KnownOf(f.Root && !f.Windowed))
	s.Items += int64(f.Items - out.Seam.Dropped)
	o.Position = a.at + int64(f.Items)
	o.Recurred = o.Recurred || out.Seam.Dropped > 0
	p.doubtOrder(s, isDisordered, isTwice || isAlike, &out)
	warnOfSize(s, f, &out)
	if f.End != "" {
		out.stop(f.End)
		return out, nil
	}
	if err := p.judgeBounds(s, f, &out); err != nil {
		return PageOutcome{}, err
	}
	p.judgeIdle(s, a, len(fresh), &out)
	if out.Stop == nil {
		p.judgeTotal(s, f, &out)
	}
	if out.Stop != nil {
		return out, nil
	}
	return p.next(s, j, f, signs, out)
}

// sift finds the items of a page that are known, which are dropped, and returns the others, each
// once, and whether one stands there twice.
func (o *Overlap) sift(a *arrival, out *PageOutcome) (fresh []uint64, isTwice bool) {
	out.Seam.Drop = make([]bool, len(a.apart))
	seen := make(map[uint64]bool, len(a.apart))
	for i, key := range a.apart {
		isAgain := seen[key]
		seen[key] = true
		isTwice = isTwice || isAgain
		switch {
		case o.Known.Has(key):
			out.Seam.Drop[i] = true
			out.Seam.Dropped++
		case !isAgain:
			fresh = append(fresh, key)
		}
	}
	return fresh, isTwice
}

// doubtOrder warns, once each, of items in another order, of those that cannot be told apart, and of too
// many that are known.
func (p *Paging) doubtOrder(s *State, isDisordered, isTwice bool, out *PageOutcome) {
	told := &s.Overlap.Told
	if isDisordered && !told.Disorder {
		told.Disorder = true
		out.doubt(verdict.OtherOrder.Raise(s.Pages))
	}
	if isTwice && !told.Twice {
		told.Twice = true
		out.doubt(verdict.AlikeItems.Raise(s.Pages, p.apart(s)))
	}
	if s.Overlap.Known.Cut && !told.Cut {
		told.Cut = true
		out.doubt(verdict.KeysForgotten.Raise(evidence.KnownOfOverlap, s.Pages))
	}
}

// judgeIdle ends a walk that brings nothing new over more pages than all that is known could fill.
func (p *Paging) judgeIdle(s *State, a *arrival, fresh int, out *PageOutcome) {
	o := &s.Overlap
	o.Idle++
	if fresh > 0 {
		o.Idle = 0
	}
	if int64(o.Idle) >= idle+2*int64(len(o.Known.Keys))/a.step {
		out.stop(report.StopRepeatedItems)
	}
}

// atPosition is the request for what follows the last item of the list; nil: there is none.
func (p *Paging) atPosition(s *State, j *Job) *Request {
	if s.Overlap.Position == 0 {
		return nil
	}
	// All offsets before could be sent.
	next, _ := p.overlapper().from(j, s.Overlap.Position)
	return next
}

// unseen is how many items of a page beyond the last one did not come before.
func (s *State) unseen(apart []uint64) (n int) {
	for _, key := range apart {
		if !s.Overlap.Known.Has(key) && !s.Seen.Items.Known.Has(key) {
			n++
		}
	}
	return n
}

// BeyondEnd compares the items of a page beyond the last one with those that came.
func (p *Paging) BeyondEnd(s *State, a *evidence.Answer) evidence.BeyondItems {
	if s.Overlap.By == 0 {
		return s.Seen.Beyond(a, p.Unique)
	}
	return evidence.BeyondItems{New: s.unseen(s.Seen.Apart(a, p.Unique).Keys)}
}

// Early is the request for the page that the walk asks for next, so that it begins with the last item
// of a full page before it; nil: pages of this walk cannot overlap.
func (p *Paging) Early(s *State, j *Job) *Request {
	m, ok := p.method.(overlapper)
	if !ok || !m.mayOverlap() || p.emptyAfter() > 0 {
		return nil
	}
	last := s.Own.Limit - 1
	if last < 1 || s.Seen.Pages.Last.Items != int(s.Own.Limit) {
		return nil
	}
	// Only numbers out of range cannot be sent.
	early, _ := m.from(j, last)
	return early
}
