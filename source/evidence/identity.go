package evidence

import (
	"slices"

	"sluice/pipeline/item"
)

// A Meeting is what a page means for the items before it.
type Meeting struct {
	Unique Unique
	// Most is how many keys are known exactly.
	Most int
	// Front is how many items at the front the cursor of the page named.
	Front int
	// Followed: the API's own link led to another address than that of the page before.
	Followed bool
	// MayRepeat: items may come again.
	MayRepeat bool
	// HasMoved tells whether an item has changed since all that came before: the list is ordered by the time of that. nil: it is not.
	HasMoved func(i int) bool
}

// Met is what a page showed.
type Met struct {
	// Same: it has the items of the page before, with other texts.
	Same bool
	// Seam: it begins with the very item that ended the page before, and no key tells more.
	Seam bool
	// Moved: it is the page before, moved on by one item, and no key tells more.
	Moved bool
	// Round: it has the very items of an earlier page, and no key tells more.
	Round bool
}

// Settled is the name of the key that later pages are asked for with; empty: it is not
// known.
func (w *WalkEvidence) Settled() string { return w.Items.Name }

// Sought is what later pages are looked through for.
func (w *WalkEvidence) Sought() Sought {
	i := &w.Items
	isMarked := len(i.Marks.Names) > 0
	return Sought{Key: i.Name, None: i.None, Marked: isMarked, Within: i.Marks.Within}
}

// column is what the page has of the walk's key, nil if it has none. The first page with
// items settles which that is.
func (i *Identity) column(a *Answer, u Unique) *KeyColumn {
	if i.None || u.Never {
		return nil
	}
	if i.Name == "" {
		i.settle(a)
	}
	return a.Keys.Of(i.Name)
}

// settle takes the key that the fewest items of a page lack, the first of several, else
// their marks. What is configured need not be there; another key half of the items must have.
func (i *Identity) settle(a *Answer) {
	fewest := a.Items/2 + 1
	for _, c := range a.Keys {
		if c.Name == Configured {
			i.Name = c.Name
			return
		}
		if c.Lacking < fewest {
			i.Name, fewest = c.Name, c.Lacking
		}
	}
	if i.Name != "" {
		return
	}
	i.None = true
	i.Marks.Names, i.Marks.Within = a.Marks.Names, a.Marks.Within
}

// drop forgets all keys: they mean nothing in this walk.
func (i *Identity) drop() {
	i.None = true
	i.Known = KnownKeys{}
	i.Order, i.Rest, i.Again, i.Moved, i.Series = 0, 0, 0, 0, 0
	i.Same.Row, i.Same.Pages = 0, 0
}

// Meet compares the items of a page, which is no repetition, with those before, and
// remembers them.
func (w *WalkEvidence) Meet(a *Answer, how Meeting) (met Met) {
	if a.Items == 0 || how.Unique.Never {
		return Met{}
	}
	i := &w.Items
	if !i.Opened {
		i.Opened, i.Opening = true, a.Numbers().paging()
	}
	keys := i.column(a, how.Unique)
	if keys == nil {
		mayRepeat := how.MayRepeat || how.Front > 0
		met.Seam = !mayRepeat && w.Pages.Overlaps(a)
		met.Moved = !mayRepeat && w.Pages.Moves(a)
		met.Round = !mayRepeat && w.Pages.Rounds(a)
		met.Same = i.meetMarks(a, how)
		return met
	}
	order := keys.order()
	isSame := order != 0 && order == i.Order && !how.haveAllMoved(len(keys.Hashes))
	hasRest := keys.Rest != 0 && keys.Rest == i.Rest && a.Items == w.Pages.Last.Items
	i.Order, i.Rest = order, keys.Rest
	if !isSame {
		isNew := i.meet(keys.Hashes, how)
		met.Same = isNew && hasRest && !how.Followed
		i.Same.meetRest(met.Same)
		return met
	}
	if how.Followed {
		i.Series += int64(len(keys.Hashes))
		return met
	}
	i.Same.add("")
	return Met{Same: true}
}

// haveAllMoved tells whether each of so many items has changed since all that came before.
func (how *Meeting) haveAllMoved(items int) bool {
	if how.HasMoved == nil {
		return false
	}
	for i := range items {
		if !how.HasMoved(i) {
			return false
		}
	}
	return true
}

// add enters a page that has the items of the page before, as the mark shows, or the keys.
func (s *Same) add(mark string) {
	s.Mark, s.ButKeys = mark, false
	s.Row++
	s.Pages++
}

// meetMarks tells whether a page of items without a key has those of the page before, to
// which no link led.
func (i *Identity) meetMarks(a *Answer, how Meeting) bool {
	if len(i.Marks.Names) == 0 {
		return false
	}
	i.meetEarlier(a, how)
	mark := i.Marks.same(a.Marks.Members, a.Items)
	i.Marks.Members = a.Marks.Members
	if mark == "" {
		i.Same.Row = 0
		return false
	}
	if how.Followed {
		return false
	}
	i.Same.add(mark)
	return true
}

// meetEarlier enters a page of items without a key, and whether an earlier one has all members but one of it. A page of one item
// says nothing.
func (i *Identity) meetEarlier(a *Answer, how Meeting) {
	if a.Items < 2 || how.MayRepeat {
		return
	}
	e := &i.Earlier
	e.Known.Most = how.Most
	again, _ := e.Known.Enter(i.Marks.without(a.Marks.Members, a.Items), 0)
	if again == 0 {
		e.Row = 0
		return
	}
	e.Followed = how.Followed && (e.Followed || e.Row == 0)
	e.Row++
}

// meetRest enters a page that has new keys, and whether it has the items of the page before in
// all else: an API that ignores the paging parameters may give each item another key in each
// answer.
func (s *Same) meetRest(isSame bool) {
	if !isSame {
		s.Row = 0
		return
	}
	s.add("")
	s.ButKeys = true
}

// meet enters the keys of a page, and tells whether all are new.
func (i *Identity) meet(keys []uint64, how Meeting) (isNew bool) {
	i.Known.Most = how.Most
	again, moved, twice := i.Known.enterMoved(keys, how.Front, how.HasMoved)
	if twice {
		i.drop()
		return false
	}
	i.Old++
	if again+moved+how.Front < len(keys) {
		i.Old = 0
	}
	if !how.MayRepeat {
		i.Again += int64(again) + i.Series
		i.Moved += int64(moved)
	}
	i.Series = 0
	return again+moved == 0
}

// paging are the numbers that say which page it is.
func (all Numbers) paging() (own Numbers) {
	for _, n := range all {
		if Is(n.Name, PageNames|OffsetNames) {
			own = append(own, n)
		}
	}
	return own
}

// Stuck returns the number beside the items that should say which page it is, and is
// what it was on the first; nil: there is none.
func (w *WalkEvidence) Stuck(a *Answer) *Number {
	for _, n := range a.Numbers().paging() {
		for _, first := range w.Items.Opening {
			if n == first {
				return &n
			}
		}
	}
	return nil
}

// BeyondItems are what a page beyond the last one has.
type BeyondItems struct {
	// New is how many of its items did not come before.
	New int
	// Same: it has the items of the last page by their keys, with other texts.
	Same bool
}

// Beyond compares the items of a page beyond the last one with those that came. Without
// keys all are new, unless they are those of the last page, or the first is the item that
// ended it.
func (w *WalkEvidence) Beyond(a *Answer, u Unique) BeyondItems {
	if a.Items == 0 || w.HasItemsOfLast(a) {
		return BeyondItems{}
	}
	i := &w.Items
	if i.Known.settle() {
		i.drop()
	}
	keys := i.column(a, u)
	hasKeys := keys != nil && !keys.twice()
	switch {
	case hasKeys:
		order := keys.order()
		isSame := order != 0 && order == i.Order
		return BeyondItems{New: keys.Lacking + i.Known.lacks(keys.Hashes), Same: isSame}
	case a.First == w.Pages.Last.Last:
		return BeyondItems{New: a.Items - 1}
	}
	return BeyondItems{New: a.Items}
}

// Ahead is how many items a page before the first one has, if it is known that none of them came, by their keys: an API that does not
// know such a page gives its first one.
func (w *WalkEvidence) Ahead(a *Answer, u Unique) int {
	i := &w.Items
	if i.Known.settle() {
		i.drop()
	}
	keys := i.column(a, u)
	if a.Items == 0 || keys == nil || keys.Lacking > 0 || keys.twice() {
		return 0
	}
	if known, lacking := i.Known.compare(keys.Hashes); known == 0 || lacking < known {
		return 0
	}
	return a.Items
}

// HasItemsOfLast tells whether the page has the items of the last page.
func (w *WalkEvidence) HasItemsOfLast(a *Answer) bool {
	last := &w.Pages.Last
	return a.Items == last.Items && a.Texts == last.Texts
}

// Repeats tells whether the page is the same as the one before it: if it is the same
// JSON, or has the same items and these can be told apart, since others have a time in each
// answer, or the same request brought the same items.
func (w *WalkEvidence) Repeats(a *Answer, this Fingerprint, u Unique) bool {
	last := w.Pages.Last
	if a.Items == 0 {
		return false
	}
	if a.Hash == w.Pages.Hash || this == last {
		return true
	}
	if u.Never || !w.HasItemsOfLast(a) {
		return false
	}
	keys := w.Items.column(a, u)
	isKeyed := keys.order() != 0
	return a.Varied || isKeyed
}

// Telling are hashes of the names of members that tell the items of the walk apart: of the key, or of two marks at least.
func (w *WalkEvidence) Telling() (all []uint64) {
	if key := w.Settled(); key != "" {
		return []uint64{Hash(item.Quote(key))}
	}
	m := &w.Items.Marks
	if len(m.Names) < 2 {
		return nil
	}
	for _, name := range m.Names {
		all = append(all, m.hash(name))
	}
	return all
}

// IsTold tells whether an item that has members of these names has all that tells the items of the walk apart.
func (w *WalkEvidence) IsTold(own []uint64) bool {
	telling := w.Telling()
	isLacking := func(name uint64) bool { return !slices.Contains(own, name) }
	return len(telling) > 0 && !slices.ContainsFunc(telling, isLacking)
}

// NamesOf are hashes of the names of what the only item of a page has: of keys, and of members that may be marks.
func NamesOf(keys Keys, marks Marks) (all []uint64) {
	for _, key := range keys {
		if len(key.Hashes) > 0 {
			all = append(all, Hash(item.Quote(key.Name)))
		}
	}
	for _, member := range marks.Members {
		all = append(all, member.Name)
	}
	return all
}
