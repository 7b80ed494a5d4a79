package evidence

import "slices"

// An EachFinder finds the keys and the texts of all items of one page, one item after the other.
type EachFinder struct {
	*KeyFinder
	each Each
}

// everyKey is more than any page has.
const everyKey = 1 << 40

// NewEachFinder finds them as [NewKeyFinder] does.
func NewEachFinder(u Unique, sought Sought, isFirst bool) *EachFinder {
	f := NewKeyFinder(u, sought, isFirst, everyKey)
	f.hasPlaces = true
	return &EachFinder{KeyFinder: f}
}

// Each returns what was found.
func (f *EachFinder) Each() Each { return f.each }

// Add takes the compact text of the next item, and keeps none of it.
func (f *EachFinder) Add(text []byte) {
	f.KeyFinder.Add(text)
	f.each.Texts = append(f.each.Texts, Hash(text))
}

// Apart returns what tells each item of a page apart. The first page with items settles which key that is; one
// that stands twice on it is none.
func (w *WalkEvidence) Apart(a *Answer, u Unique) Apart {
	i := &w.Items
	isFirst := i.Name == "" && !i.None
	keys := i.column(a, u)
	i.Marks.Names = nil
	isSettled := isFirst && keys != nil
	if isSettled && keys.twice() {
		i.drop()
		keys = nil
	}
	if keys == nil {
		all := Apart{Keys: a.Each.Texts, ByText: make([]bool, len(a.Each.Texts))}
		for i := range all.ByText {
			all.ByText[i] = true
		}
		return all
	}
	return a.Each.with(keys)
}

// with puts the keys of the items that have one in the place of the texts.
func (e Each) with(column *KeyColumn) Apart {
	all := Apart{Keys: slices.Clone(e.Texts), ByText: make([]bool, len(e.Texts))}
	keys, lacking := column.Hashes, column.Places
	for i := range all.Keys {
		if len(lacking) > 0 && lacking[0] == i {
			lacking = lacking[1:]
			all.ByText[i] = true
			continue
		}
		all.Keys[i], keys = keys[0], keys[1:]
	}
	return all
}

// Keyed tells whether keys tell the items of the walk apart.
func (w *WalkEvidence) Keyed() bool { return w.Items.Name != "" && !w.Items.None }

// Emitted enters items that are emitted. Those that had been before, so long ago that nothing else
// knows it, count as having come again.
func (w *WalkEvidence) Emitted(keys []uint64, most int) {
	i := &w.Items
	i.Known.Most = most
	again, _ := i.Known.Enter(keys, 0)
	i.Again += int64(again)
}
