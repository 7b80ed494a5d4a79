package verdict

import (
	"fmt"
	"math"
	"slices"
	"time"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// A shardComparison is what all shards tell of one walk, to be compared.
type shardComparison struct {
	all []*report.ShardItems

	// Those whose keys can be compared.
	keyed []*report.ShardItems

	// The first page from which on keys mean nothing; 0: there is none.
	dropped int

	came int64
}

// compareShards compares what the shards of a walk tell of its items. It returns how many came again.
func compareShards(walk []report.ShardWalk, l *listener) (again int64) {
	s := gatherShards(walk)
	if len(s.all) == 0 {
		return 0
	}
	s.judgeTotals(endOf(walk), l)
	for _, one := range s.keyed {
		again += one.Again
	}
	edges, isWhole := s.edges()
	if !isWhole {
		l.expect("there are too many pages to compare their first and last items across shards: " +
			"only a sample of the keys was compared, so some that came twice may be missed")
	}
	judgeAgain(edges, l)
	if s.keyed == nil {
		judgeTexts(edges, s.dropped, l)
		s.tellSame(0, s.unkeyed(), l)
		return 0
	}
	touching, same := compareKeys(edges)
	if s.tellSame(same, s.keyed, l) {
		return again
	}
	return again + s.shared(touching)
}

// gatherShards finds out whose keys can be compared: those of the shards that have
// settled on what the first page has, as a process alone would.
func gatherShards(walk []report.ShardWalk) (s shardComparison) {
	var first *report.ShardItems
	for _, e := range walk {
		s.came += e.Items
		if !e.Stride || e.ShardItems == nil {
			continue
		}
		own := e.ShardItems
		s.all = append(s.all, own)
		isEarlier := first == nil || own.First < first.First
		if own.First > 0 && isEarlier {
			first = own
		}
		isDroppedEarlier := s.dropped == 0 || own.Dropped < s.dropped
		if own.Dropped > 0 && isDroppedEarlier {
			s.dropped = own.Dropped
		}
	}
	isKeyed := first != nil && first.Key != ""
	if !isKeyed || s.dropped > 0 {
		return s
	}
	for _, one := range s.all {
		if one.Key == first.Key {
			s.keyed = append(s.keyed, one)
		}
	}
	return s
}

// edges are those of all shards, in the order of the pages, and whether each shard tells all of its own.
func (s *shardComparison) edges() (all report.Edges, isWhole bool) {
	isWhole = true
	for _, one := range s.all {
		all = append(all, one.Edges...)
		isWhole = isWhole && !one.Many
	}
	slices.SortFunc(all, func(a, b report.Edge) int { return a.Page - b.Page })
	return all, isWhole
}

// judgeTexts warns, once each, of a page that begins with the item that ended the one
// before it, and of one that is the one before it, moved on by one item. Neither is before from.
func judgeTexts(edges report.Edges, from int, l *listener) {
	var isTouching, isMoved bool
	for i, e := range edges {
		if i == 0 {
			continue
		}
		before := edges[i-1]
		if isNext := before.Page >= from && e.Page == before.Page+1; !isNext {
			continue
		}
		if e.First == before.Last && !isTouching {
			isTouching = true
			l.raise(TouchingPages.Raise(e.Page))
		}
		if spanOf(&e).Moves(spanOf(&before)) && !isMoved {
			isMoved = true
			l.raise(MovedPages.Raise(e.Page))
		}
	}
}

// spanOf is what shows that a page is another one, moved on by one item.
func spanOf(e *report.Edge) evidence.ItemSums {
	return evidence.ItemSums{First: e.First, Last: e.Last, Sum: e.Sum}
}

// judgeAgain warns, once, of a page that is the same as the one before it.
func judgeAgain(edges report.Edges, l *listener) {
	for i, e := range edges {
		if i > 0 && isAgain(&edges[i-1], &e) {
			l.raise(SamePage.Raise(""))
			return
		}
	}
}

// isAgain tells whether a page is the same as the one before it: by its answer, or by its items, if these can be told apart.
func isAgain(before, page *report.Edge) bool {
	if page.Page != before.Page+1 {
		return false
	}
	isSame := page.Answer != 0 && page.Answer == before.Answer
	return isSame || page.Texts != 0 && page.Texts == before.Texts
}

// compareKeys returns the keys that end a page and begin the next one, and how many
// pages have those of the page before.
func compareKeys(edges report.Edges) (touching []uint64, same int) {
	for i, e := range edges {
		if i == 0 || e.Page != edges[i-1].Page+1 {
			continue
		}
		before := edges[i-1]
		isSame := e.Order != 0 && e.Order == before.Order
		isTouching := e.FirstKey != 0 && e.FirstKey == before.LastKey
		switch {
		case isSame:
			same++
		case isTouching:
			touching = append(touching, e.FirstKey)
		}
	}
	return touching, same
}

// unkeyed are the shards whose items have no key, if it is not that keys mean nothing.
func (s *shardComparison) unkeyed() (all []*report.ShardItems) {
	if s.dropped > 0 {
		return nil
	}
	for _, one := range s.all {
		if one.Key == "" {
			all = append(all, one)
		}
	}
	return all
}

// tellSame warns of so many pages that have the items of the page before, and of those that these shards have
// seen, unless a shard has. It returns whether there are any.
func (s *shardComparison) tellSame(pages int, of []*report.ShardItems, l *listener) bool {
	by := ""
	for _, one := range of {
		pages += one.Same
		if by == "" {
			by = one.SameBy
		}
	}
	isTold := slices.ContainsFunc(s.all, func(one *report.ShardItems) bool { return one.SameTold })
	if pages > 0 && !isTold {
		l.raise(SamePages(pages, by, ""))
	}
	return pages > 0
}

// SamePages is the doubt of so many pages that have the items of the page before, by what says so.
func SamePages(pages int, by, ignored string) Raised {
	if pages == 1 {
		return SameItems.Raise("1 page has", by, ignored)
	}
	return SameItems.Raise(fmt.Sprintf("%d pages have", pages), by, ignored)
}

// shared is how many items came in several shards: of the keys that all of them
// would have told, and of those that stand where two pages meet.
func (s *shardComparison) shared(touching []uint64) (again int64) {
	every := uint64(1)
	for _, one := range s.keyed {
		every = max(every, one.Every)
	}
	var all []uint64
	for _, one := range s.keyed {
		for _, key := range one.Keys {
			if key%every == 0 {
				all = append(all, key)
			}
		}
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			again++
		}
	}
	for _, key := range touching {
		if key%every != 0 {
			again++
		}
	}
	return again
}

// apart is how much later an answer must have come than another to be newer for sure: machines have clocks of
// their own, and requests take their time.
const apart = time.Minute

// judgeTotals warns of a number of all items that became less, or of more items
// than that, unless a shard has. The walk has so many pages.
func (s *shardComparison) judgeTotals(pages int, l *listener) {
	var all []*report.SeenTotals
	var greatest report.SeenTotals
	for _, one := range s.all {
		t := &one.Totals
		isTold := 0 < t.Told && t.Told <= pages
		if isTold || t.Other {
			return
		}
		all = append(all, t)
		if t.Last.Items > greatest.Last.Items {
			greatest = *t
		}
	}
	total, came := greatest.Last.Items, s.came+greatest.Skipped
	fall, isLeft := shrunk(all, came)
	if isLeft {
		return
	}
	// The last page may be an empty one more.
	empty := int64(pages) - total
	mayBePages := greatest.Bare && (empty == 0 || empty == 1)
	isExceeded := total > 0 && came > total
	isDoubted := isExceeded && !mayBePages
	switch {
	case fall != nil:
		l.raise(CountFell.Raise(fall.Place, fall.Now, fall.Before))
	case isDoubted:
		l.raise(MoreThanCounted.Raise(Counted(came), total, greatest.At))
	}
}

// shrunk says that the last number of one shard is less than the first of another, which is older; nil: none
// is. Behind the end of all shards an estimate may be corrected, to the number that came. isLeft: they are less
// by what stands between their pages, so they are of the items that are left.
func shrunk(all []*report.SeenTotals, came int64) (fall *FallTotal, isLeft bool) {
	for _, t := range all {
		for _, other := range all {
			now, before := t.Last, other.First
			less := before.Items - now.Items
			if t.At != other.At || less <= 0 {
				continue
			}
			if less == int64(now.Page-before.Page)*t.Limit {
				return nil, true
			}
			isCorrected := now.Empty && less > t.Limit
			if isCorrected && now.Items == came {
				continue
			}
			isOwn := t == other
			isLater := isOwn || now.At.Sub(before.At) > apart
			if isLater {
				fall = firstOf(fall, &FallTotal{Before: before.Items, Now: now.Items, Place: t.At})
			}
		}
	}
	return fall, false
}

// endOf is the first page that ended a walk, the greatest number there is if no shard is sure of one.
func endOf(walk []report.ShardWalk) int {
	end := math.MaxInt
	for _, w := range walk {
		if w.Provisional == "" {
			end = min(end, w.End)
		}
	}
	return end
}
