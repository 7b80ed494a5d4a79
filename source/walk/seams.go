package walk

import (
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// tellSeams tells of the items of a page that is emitted, and of its numbers; before are
// those of the pages before it.
func (w *Walk) tellSeams(number int, f *paginate.Facts, before *evidence.Totals) {
	if !w.told.Stride {
		return
	}
	if w.told.Seams == nil {
		w.told.Seams = &report.Seams{}
	}
	s, seen := w.told.Seams, &w.State.Seen
	w.tellTotal(number, f, before)
	if seen.Totals.Told && !before.Told {
		s.Totals.Told = number
	}
	if f.Items == 0 {
		return
	}
	if s.Dropped == 0 && seen.Dropped() {
		s.Dropped = number
	}
	if s.First == 0 {
		s.First = number
	}
	if len(s.Edges) == w.options.tells.edges {
		s.Many, s.Edges = true, nil
	}
	if !s.Many {
		e := seen.Ends(&f.Answer, w.Job.Paging.Unique)
		s.Edges = append(s.Edges, report.Edge{
			Page:     number,
			First:    e.First,
			Last:     e.Last,
			FirstKey: e.FirstKey,
			LastKey:  e.LastKey,
			Order:    e.Order,
			Answer:   e.Answer,
			Texts:    e.Texts,
			Sum:      e.Sum,
		})
	}
}

// tellTotal tells of the number of all items that the answer said, if it did.
func (w *Walk) tellTotal(number int, f *paginate.Facts, before *evidence.Totals) {
	seen, told := &w.State.Seen.Totals, &w.told.Seams.Totals
	if seen.Heard == before.Heard {
		return
	}
	told.At, told.Bare = w.options.redact(seen.At), seen.Bare
	told.Last = report.SeenTotal{Items: seen.Items, Page: number, At: f.At, Empty: f.Items == 0}
	if told.First.Page == 0 {
		told.First = told.Last
	}
	told.Other = told.Other || seen.Full > 0 || f.Spread
}

// endSeams tells of the items of all pages.
func (w *Walk) endSeams() {
	s := w.told.Seams
	if s == nil {
		return
	}
	seen := &w.State.Seen
	s.Totals.Skipped, s.Totals.Limit = w.State.Own.Skipped, w.State.Own.Limit
	s.Keys, s.Every = seen.Sample(w.options.tells.keys)
	if seen.Dropped() && s.Dropped == 0 {
		s.Dropped = max(s.First, 2)
	}
	items := &seen.Items
	s.Again, s.Same, s.SameTold = items.Again, items.Same.Pages, items.Same.Told
	if s.Every > 0 {
		s.Key = w.options.redact(w.Job.Paging.Unique.Shown(seen.Settled()))
	}
	if s.Every > 0 || s.Same > 0 {
		s.SameBy = w.options.redact(w.Job.Paging.SameBy(&w.State))
	}
}
