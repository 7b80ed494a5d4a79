package evidence

import "slices"

// Each has what tells each item of one page from others, where pages overlap.
type Each struct {
	// Texts are the hashes of the items' texts.
	Texts []uint64
	// Lacking are the places of those without the key that the walk has settled on.
	Lacking []int
}

// An EachFinder finds the keys and the texts of all items of one page, one item after the other.
type EachFinder struct {
	*Finder
	each Each
}

// everyKey is more than any page has.
const everyKey = 1 << 40

// NewEachFinder finds them as [NewFinder] does.
func NewEachFinder(u Unique, sought Sought, isFirst bool) *EachFinder {
	return &EachFinder{Finder: NewFinder(u, sought, isFirst, everyKey)}
}

// Each returns what was found.
func (f *EachFinder) Each() Each { return f.each }

// Add takes the compact text of the next item, and keeps none of it.
func (f *EachFinder) Add(text []byte) {
	before := f.lacking()
	f.Finder.Add(text)
	if f.lacking() > before {
		f.each.Lacking = append(f.each.Lacking, len(f.each.Texts))
	}
	f.each.Texts = append(f.each.Texts, Hash(text))
}

// lacking is how many items have no key, if only one can be it.
func (f *EachFinder) lacking() int {
	if len(f.columns) != 1 {
		return 0
	}
	return f.columns[0].Lacking
}

// Apart returns what tells each item of a page apart: its key, or else the hash of its text. The
// first page with items settles which key that is; one that stands twice on it is none.
func (w *Walk) Apart(a *Answer, u Unique) []uint64 {
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
		return a.Each.Texts
	}
	return a.Each.with(keys.Hashes)
}

// with puts the keys of the items that have one in the place of the texts.
func (e Each) with(keys []uint64) []uint64 {
	all, lacking := slices.Clone(e.Texts), e.Lacking
	for i := range all {
		if len(lacking) > 0 && lacking[0] == i {
			lacking = lacking[1:]
			continue
		}
		all[i], keys = keys[0], keys[1:]
	}
	return all
}

// Keyed tells whether keys tell the items of the walk apart.
func (w *Walk) Keyed() bool { return w.Items.Name != "" && !w.Items.None }

// Emitted enters items that are emitted. Those that had been before, so long ago that nothing else
// knows it, count as having come again.
func (w *Walk) Emitted(keys []uint64, most int) {
	i := &w.Items
	i.Known.Most = most
	again, _ := i.Known.Enter(keys, 0)
	i.Again += int64(again)
}

// EndsWith tells whether the item is the last one that is known in the list.
func (q *Sequence) EndsWith(key uint64) bool {
	n := len(q.Keys)
	return n > 0 && q.Keys[n-1] == key
}
