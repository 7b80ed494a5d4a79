package evidence

import (
	"math"
	"slices"
)

// KnownOfOverlap is how many items a walk whose pages overlap knows before the page that came
// last: what stands there is not dropped as one that came if more are inserted at once.
const KnownOfOverlap = 1 << 16

// A Sequence has the items that came in a walk, by what tells them apart, in the order of the
// list and not in that in which they came. It is plain data.
type Sequence struct {
	// Keys are in the order of the list. Places grow with them, and leave gaps.
	Keys   []uint64
	Places []uint64
	// Of is what is known of each key.
	Of map[uint64]Spot
	// Cut: some that may come again were forgotten.
	Cut bool
}

// A Spot is where an item stands.
type Spot struct {
	// Place is that among all: where an item came on no page with another one, it is a guess which
	// of them stands first.
	Place uint64
	// First and Last are where it stood on the pages on which it came.
	First, Last Sight
}

// A Sight is a place on a page.
type Sight struct{ Page, At int32 }

// Where the first key stands, and how far the next one at either end is from the last.
const (
	middle = math.MaxUint64 / 2
	gap    = 1 << 20
)

// Has tells whether an item is known.
func (q *Sequence) Has(key uint64) bool {
	_, ok := q.Of[key]
	return ok
}

// HasAny tells whether one of the items is.
func (q *Sequence) HasAny(keys []uint64) bool { return slices.ContainsFunc(keys, q.Has) }

// Disordered tells whether known items of a page stand in another order than on an earlier page.
func (q *Sequence) Disordered(page []uint64) bool {
	latest := map[Sight]int32{}
	for _, key := range page {
		spot, ok := q.Of[key]
		if !ok {
			continue
		}
		for i, sight := range []Sight{spot.First, spot.Last} {
			// The first sights of a page are one group, the last ones another.
			group := Sight{Page: sight.Page, At: int32(i)}
			if before, isKnown := latest[group]; isKnown && sight.At < before {
				return true
			}
			latest[group] = sight.At
		}
	}
	return false
}

// Explains tells whether each known item of a page which its text alone tells apart is one that came, and no other of
// the same text: it stands where the list had it, so that the one that came would be on this page too. isFront and isEnd:
// the list begins, or ends, with the page.
func (q *Sequence) Explains(page Apart, isFront, isEnd bool) bool {
	before, end := none, none
	if isFront {
		before = -1
	}
	if isEnd {
		end = len(q.Keys)
	}
	for i, key := range page.Keys {
		if !q.Has(key) {
			continue
		}
		at, after := q.index(key), q.next(page.Keys[i+1:], end)
		if page.ByText[i] && !q.explains(page.Keys, i, before, after) {
			return false
		}
		before = at
	}
	return true
}

// explains is [Sequence.Explains] for one item, between known ones that stand before and after it. Where there are both
// it is enough that it stood between them. At an end of the page it must have stood beside the other one, or at the end
// of all, or it is one of several on a page that has most of what was there.
func (q *Sequence) explains(page []uint64, i, before, after int) bool {
	at := q.index(page[i])
	hasBefore, hasAfter := before != none, after != none
	isLast := i == len(page)-1
	switch {
	case hasBefore && at <= before, hasAfter && at >= after:
		return false
	case hasBefore && hasAfter, after == at+1, at+1 == len(q.Keys):
		return true
	case hasBefore && isLast && at == before+1:
		return true
	}
	return q.isBeside(page, i) && q.hasMost(page)
}

// isBeside tells whether a neighbour of the item on the page is known.
func (q *Sequence) isBeside(page []uint64, i int) bool {
	hasBefore := i > 0 && q.Has(page[i-1])
	hasAfter := i+1 < len(page) && q.Has(page[i+1])
	return hasBefore || hasAfter
}

// hasMost tells whether a page has most of what is known between its first known item and the last, or the
// end of all if new ones follow: the others were removed meanwhile.
func (q *Sequence) hasMost(page []uint64) bool {
	first, last, known := -1, -1, 0
	for _, key := range page {
		if !q.Has(key) {
			continue
		}
		last = q.index(key)
		if known == 0 {
			first = last
		}
		known++
	}
	if !q.Has(page[len(page)-1]) {
		last = len(q.Keys) - 1
	}
	// Two are too few to say so.
	return known > 2 && 2*known > last-first
}

// none is no place in the list.
const none = -2

// next is where the first of the items stands that is known; where none is, that is the end.
func (q *Sequence) next(page []uint64, end int) int {
	i := slices.IndexFunc(page, q.Has)
	if i < 0 {
		return end
	}
	return q.index(page[i])
}

// Merge enters the new items of a page, each run of them beside its neighbour on the page: behind
// the one before it, else before the first one that is known, else at the end of all or, if the page
// is the first of the list, at their front. most are remembered before the page, which has that number.
func (q *Sequence) Merge(page []uint64, number int, isFront bool, most int) {
	if q.Of == nil {
		q.Of = map[uint64]Spot{}
	}
	for i, key := range page {
		if q.Has(key) {
			continue
		}
		var at int
		if i == 0 {
			at = q.first(page, isFront)
		} else {
			at = q.index(page[i-1]) + 1
		}
		q.insert(at, q.run(page[i:]))
	}
	q.see(page, number)
	q.trim(page, most)
}

// see remembers where items stand on a page.
func (q *Sequence) see(page []uint64, number int) {
	for i, key := range page {
		spot := q.Of[key]
		spot.Last = Sight{Page: int32(number), At: int32(i)}
		if spot.First.Page == 0 {
			spot.First = spot.Last
		}
		q.Of[key] = spot
	}
}

// run returns the items before the next one that is known, which are to be entered.
func (q *Sequence) run(page []uint64) (run []uint64) {
	for _, key := range page {
		if q.Has(key) {
			break
		}
		q.Of[key] = Spot{}
		run = append(run, key)
	}
	return run
}

// first is where new items at the front of a page belong.
func (q *Sequence) first(page []uint64, isFront bool) int {
	i := slices.IndexFunc(page, q.Has)
	switch {
	case i >= 0:
		return q.index(page[i])
	case isFront:
		return 0
	}
	return len(q.Keys)
}

// index is where a known key stands in Keys.
func (q *Sequence) index(key uint64) int {
	i, _ := slices.BinarySearch(q.Places, q.Of[key].Place)
	return i
}

// insert enters keys before the i-th.
func (q *Sequence) insert(i int, keys []uint64) {
	begin, step, ok := q.room(i, uint64(len(keys)))
	if !ok {
		q.spread()
		begin, step, _ = q.room(i, uint64(len(keys)))
	}
	places := make([]uint64, len(keys))
	for n, key := range keys {
		places[n] = begin + uint64(n)*step
		q.place(key, places[n])
	}
	q.Keys = slices.Insert(q.Keys, i, keys...)
	q.Places = slices.Insert(q.Places, i, places...)
}

func (q *Sequence) place(key, place uint64) {
	spot := q.Of[key]
	spot.Place = place
	q.Of[key] = spot
}

// room is the place of the first of n keys before the i-th, and how far the next is from it.
func (q *Sequence) room(i int, n uint64) (begin, step uint64, ok bool) {
	switch {
	case len(q.Places) == 0:
		return middle, gap, true
	case i == len(q.Places):
		return q.Places[i-1] + gap, gap, true
	case i == 0:
		return q.Places[0] - n*gap, gap, true
	}
	before, after := q.Places[i-1], q.Places[i]
	step = (after - before) / (n + 1)
	return before + step, step, step > 0
}

// spread gives all keys places with gaps between them.
func (q *Sequence) spread() {
	const wide = 1 << 44
	for i, key := range q.Keys {
		q.Places[i] = middle + uint64(i)*wide
		q.place(key, q.Places[i])
	}
}

// trim forgets what stands too far before the page, and, if too much is known behind it, that too.
func (q *Sequence) trim(page []uint64, most int) {
	if len(page) == 0 || len(q.Keys) <= most {
		return
	}
	front := len(q.Keys)
	for _, key := range page {
		front = min(front, q.index(key))
	}
	q.forget(0, max(0, front-most))
	if excess := len(q.Keys) - max(2*most, len(page)); excess > 0 {
		// What is known of the page stays.
		n := min(excess, front)
		q.forget(0, n)
		q.forget(len(q.Keys)-(excess-n), len(q.Keys))
		q.Cut = q.Cut || excess > n
	}
}

// forget forgets those from one to before another.
func (q *Sequence) forget(from, to int) {
	for _, key := range q.Keys[from:to] {
		delete(q.Of, key)
	}
	if from == 0 {
		q.Keys, q.Places = q.Keys[to:], q.Places[to:]
		return
	}
	q.Keys = slices.Delete(q.Keys, from, to)
	q.Places = slices.Delete(q.Places, from, to)
}
