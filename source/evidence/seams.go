package evidence

import (
	"slices"

	"sluice/pipeline/report"
)

// What a shard tells of the items of its pages; see [report.Seams].

// Edge returns what a page begins and ends with.
func (w *Walk) Edge(number int, a *Answer) report.Edge {
	e := report.Edge{Page: number, First: a.First, Last: a.Last}
	keys := a.Keys.Of(w.Items.Name)
	if w.Items.None || keys == nil {
		return e
	}
	e.FirstKey = keys.Hashes[0]
	e.LastKey = keys.Hashes[len(keys.Hashes)-1]
	e.Order = keys.order()
	return e
}

// Tell enters what is known of the items of all pages, of their keys so many at most.
func (w *Walk) Tell(s *report.Seams, most int) {
	items := &w.Items
	if items.Known.settle() {
		// It stands on the only page, which a process alone finds out on the second one.
		items.drop()
	}
	if w.Dropped() && s.Dropped == 0 {
		s.Dropped = max(s.First, 2)
	}
	s.Again = items.Again
	s.Same, s.SameTold = items.Same.Pages, items.Same.Told
	if items.None || items.Name == "" {
		return
	}
	s.Keys, s.Every = items.Known.sampled(most)
}

// Dropped tells whether the items have keys that mean nothing.
func (w *Walk) Dropped() bool { return w.Items.None && w.Items.Name != "" }

// sampled returns the keys that are divisible by a power of two, each once, and that: so many at most.
func (k *Known) sampled(most int) (keys []uint64, every uint64) {
	keys, every = k.All()
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for len(keys) > most {
		every *= 2
		keys = slices.DeleteFunc(keys, func(key uint64) bool { return key%every != 0 })
	}
	return keys, every
}
