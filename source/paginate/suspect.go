package paginate

import (
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// suspect says what is suspicious about the number of items of a walk that ended, or
// went on, after its first page by the method's own rule.
func (p *Paging) suspect(s *State, f *Facts, out *Outcome) {
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
func (p *Paging) isCapped(s *State, f *Facts, out *Outcome) bool {
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
func (p *Paging) weighSuspicion(s *State, f *Facts, signs []evidence.Sign, out *Outcome) {
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
