package paginate

import (
	"time"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// State is where a walk stands between two pages. It is plain data, which can be
// kept to go on from there.
type State struct {
	Count
	// Started is the time of the walk's first request.
	Started time.Time
	// Asked is what the next page to be judged is asked for with.
	Asked *Request
	// Own is what the method remembers.
	Own Memory
	// Overlap is what is remembered where pages overlap.
	Overlap Overlap
	// Bounds is what the stop conditions remember.
	Bounds Bounds
	// Descent is how the items followed each other, where the walk ends by that.
	Descent Descent
	// Changed is the JSON text of the latest time of change of the items, where the walk is ordered by it.
	Changed string
	// Progress is how long nothing has come.
	Progress EmptyStreak
	// Seen is what the answers have said.
	Seen evidence.WalkEvidence
	// Shape is how the pages were built.
	Shape PageShape
	// Facts are those of its answers, or Part where shards share them.
	Facts verdict.WalkFacts
	Part  verdict.ShardFacts
	// Verdict is the worst that a warning meant so far.
	Verdict report.Verdict
}

// Count is what a walk has counted so far.
type Count struct {
	// Pages are those that were judged; of a stride all up to the last judged one.
	Pages int
	// Items and Bytes, as compact JSON, are those of these pages.
	Items, Bytes int64
	// OtherPages are those of Pages that belong to other shards, OtherItems of Items
	// what these hold if they are full.
	OtherPages int
	OtherItems int64
}

// Promises tells whether by the last answer more items are to come than so many pages hold, if each holds as many as those
// so far.
func (s *State) Promises(pages int) bool {
	if s.Pages == 0 {
		return false
	}
	each := float64(s.Items) / float64(s.Pages)
	held := float64(s.Own.Skipped) + each*float64(pages)
	return held < float64(s.Seen.Promised.Items)
}

// PageShape is how the pages of a walk were built, by which who reads them tells errors from
// items.
type PageShape struct {
	// Containers: lines of NDJSON were objects or arrays.
	Containers bool
	// Arrays: items were those of an array.
	Arrays bool
	// Member is the one that had items without dataField; empty: there was none.
	Member string
	// Header is the names in the header of the first page that had one, by their hash.
	Header uint64
}

// Memory is what a method remembers of a walk.
type Memory struct {
	// Limit is set by First: how many items a page should hold; 0: unknown.
	Limit int64
	// Skipped is set by First: how many items stand before the first that is asked
	// for.
	Skipped int64
	// Later is set by First: the first page that is asked for is not that of the list.
	Later bool
	// Behind: that is so by firstPage.
	Behind bool
	// Number is the last offset or page number.
	Number int64
	// Cursor is the JSON text of the value that is sent next.
	Cursor string
	// Named is what tells the items of the last page apart that have this value.
	Named []uint64
	// ToldNamed: that such items come out again was told.
	ToldNamed bool

	// LastPage is the address that a header Link has of the last page, empty if none
	// can be counted to. At the end it is a page that was to come.
	LastPage string
	// LinkMissing: LastPage was to come, and there was no link to it.
	LinkMissing bool
	// Uncounted: counting has led to another address than the API's.
	Uncounted bool
}

// Bounds is what the stop conditions remember of a walk.
type Bounds struct {
	// LimitField is the JSON text of what limitStop.field or .header led to last.
	LimitField string
	// Shrunk: it was less than before.
	Shrunk bool
	// Exact: as many items came as it says, and it is not the number of one page.
	Exact bool
	// Flagged has the bits of the flags whose members some page had.
	Flagged uint64
}

// EmptyStreak is how long nothing has come. It is plain data.
type EmptyStreak struct {
	// Empty is how many pages in a row had no items, the last one included.
	Empty int64
	// Told: that they are many was said.
	Told bool
	// Again: the last page had no items, and leads to the request that brought it.
	Again bool
	// Beside: a page had one object, and an array beside it, or in it, that may be the items. Lone is how many pages in a row had the
	// object and no such array since then.
	Beside bool
	Lone   int64
}

// Overlap is what a walk remembers whose pages overlap. It is plain data.
type Overlap struct {
	// By is how many items early each page but the first is asked for; 0: pages do not overlap.
	By int64
	// Known are the items that came.
	Known evidence.Sequence
	// Position is how many items of the list stand up to the end of the page that was merged last.
	Position int64
	// Back: the walk steps back. Alone: the next page is asked for without any after it.
	Back, Alone bool
	// Dropped is how many answers were read only to find a page that holds.
	Dropped int
	// Landing is where it stepped back to last.
	Landing Landing
	// Fronted is how often it stepped back to a first page without a known item.
	Fronted int
	// Kept are the offsets of pages that were kept although nothing shows where they belong.
	Kept map[int64]bool
	// Recurred: an item came again. Unproven is how many pages without a known item were merged before one did.
	Recurred bool
	Unproven int
	// Order is a hash of the items of the last answer, in order; Equal is how many in a row had it.
	Order uint64
	Equal int
	// Idle is how many pages in a row brought nothing new.
	Idle int
	Told OverlapTold
}

// OverlapTold is what a person knows already of a walk.
type OverlapTold struct{ Disorder, Twice, Apart, Cut bool }

// A Landing is a page to which a walk stepped back.
type Landing struct {
	At int64
	// Items are what tells those of the page apart.
	Items []uint64
	// Times is how often it was the same.
	Times int
}

// isSame tells whether a page at the same offset has some of the items, each where it was: the list has not moved
// there. A part of it may have other items in each answer, such as adverts.
func (l *Landing) isSame(page []uint64) bool {
	had := map[uint64]bool{}
	for _, key := range l.Items {
		had[key] = true
	}
	isSame := false
	for i, key := range page {
		if !had[key] {
			continue
		}
		if i >= len(l.Items) || l.Items[i] != key {
			return false
		}
		isSame = true
	}
	return isSame
}

// Anew tells whether the next page is asked for now, whatever was asked for before, and alone.
func (o *Overlap) Anew() bool { return o.Back || o.Alone }

// reached is how far into its list a walk has come: by the items that came, or where these are not
// all, by the position.
func (s *State) reached() int64 {
	if s.Overlap.By > 0 {
		return s.Overlap.Position
	}
	return s.Items - s.Seen.Items.Moved
}

// came says how much of the walk has come.
func (s *State) came() verdict.Ending {
	return verdict.Ending{Pages: s.Pages, Items: s.reached(), Skipped: s.Own.Skipped, Later: s.Own.Later}
}

// mayBeFull tells whether a page may have as many items as pages have: as many as were asked for, or a usual number.
func (s *State) mayBeFull(f *Facts) bool {
	_, by := s.Asked.Numbers().AsMany(f.Items)
	return by != evidence.NoBasis
}

// enter counts a page that is no repetition.
func (s *State) enter(f *Facts, this evidence.Fingerprint) {
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(s.Pages, &f.Answer, this)
}
