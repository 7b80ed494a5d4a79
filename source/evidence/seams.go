package evidence

import "slices"

// What a shard tells of the items of its pages.

// Ends are what the page of that number begins and ends with, as the report of a shard has it.
type Ends struct {
	Page int
	// First and Last are hashes of the texts of those items.
	First, Last uint64
	// FirstKey and LastKey are hashes of the first and the last key, Order of all in order; 0: there is none.
	FirstKey, LastKey, Order uint64
	// Answer is a hash of the whole answer, Texts one of the texts of its items, if these can be told apart, else 0.
	Answer, Texts uint64
	// Sum is that of [ItemSums].
	Sum uint64
}

// Ends returns what the page of that number begins and ends with.
func (w *WalkEvidence) Ends(number int, a *Answer, u Unique) Ends {
	e := Ends{Page: number, First: a.First, Last: a.Last, Answer: a.Hash, Sum: a.span().Sum}
	if a.Varied && !u.Never {
		e.Texts = a.Texts
	}
	keys := a.Keys.Of(w.Items.Name)
	if w.Items.None || keys == nil || u.Never {
		return e
	}
	e.FirstKey = keys.Hashes[0]
	e.LastKey = keys.Hashes[len(keys.Hashes)-1]
	e.Order = keys.order()
	if e.Order != 0 {
		e.Texts = a.Texts
	}
	return e
}

// Sample returns the keys of all items that are divisible by every, so many at most; 0: the items have none that mean
// something.
func (w *WalkEvidence) Sample(most int) (keys []uint64, every uint64) {
	items := &w.Items
	if items.Known.settle() {
		// It stands on the only page, which a process alone finds out on the second one.
		items.drop()
	}
	if items.None || items.Name == "" {
		return nil, 0
	}
	return items.Known.sampled(most)
}

// Dropped tells whether the items have keys that mean nothing.
func (w *WalkEvidence) Dropped() bool { return w.Items.None && w.Items.Name != "" }

// sampled returns the keys that are divisible by a power of two, each once, and that: so many at most.
func (k *KnownKeys) sampled(most int) (keys []uint64, every uint64) {
	keys, every = k.All()
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for len(keys) > most {
		every *= 2
		keys = slices.DeleteFunc(keys, func(key uint64) bool { return key%every != 0 })
	}
	return keys, every
}
