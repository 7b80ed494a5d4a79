package walk

import (
	"errors"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// What a shard tells of its root walks, which publishing judges together with those
// of all others.

// mayBeBeyondEnd tells whether a page that could not be fetched may be beyond the end of a walk whose pages are divided
// among the shards (a stride).
func (w *Walk) mayBeBeyondEnd(number int, err error) bool {
	return w.mayEndBefore(number) && errors.Is(err, transport.ErrNoPage)
}

// mayEndBefore tells whether the walk may have ended on a page of another shard
// before this one.
func (w *Walk) mayEndBefore(number int) bool { return w.told.Stride && number > 1 }

// isProvisional tells whether a page that was judged may be beyond the end of the
// walk: not if it has items that are emitted.
func (w *Walk) isProvisional(
	number int, p *page.Page, out *paginate.PageOutcome,
) bool {
	emitsItems := out.Emit && p.Items > 0
	return w.mayEndBefore(number) && !emitsItems
}

// tellItems tells of the items of a page that is emitted.
func (w *Walk) tellItems(number int, came *Fetched) {
	if w.told.Whole {
		w.told.Hash += came.Items.sum
	} else if came.Page.Items > 0 {
		w.told.Page, w.told.Hash = number, came.Items.sum
	}
}

// tellEnd has the end of the walk tell what the shard knows of it. The walk of a
// stride that ended without items may have ended before, which publishing finds out.
func (w *Walk) tellEnd(e *pipeline.WalkEnded) {
	w.told.Stop, w.told.Items = e.Stop, e.Items
	w.endShardItems()
	e.End = &w.told
	if w.mayHaveEnded() {
		e.Stop.Verdict = report.Complete
	}
}

// mayHaveEnded tells whether another shard may have seen the end of the walk on an
// earlier page.
func (w *Walk) mayHaveEnded() bool {
	return w.told.Stride && w.told.Page < w.told.End
}

// tellPublish leaves a warning to publishing, for which it counts if the walk ends
// here.
func (w *Walk) tellPublish(r report.Remark) {
	one := report.Warning{Text: w.options.message(r.Text), Times: 1, Verdict: r.Verdict}
	w.told.Warnings = append(w.told.Warnings, one)
}

// raise raises a doubt about how the walk ends, which lowers the verdict of its end.
func (w *Walk) raise(stop *report.Stop, raised verdict.Raised) {
	worst, told := verdict.Weigh(w.trust(), raised)
	w.lower(stop, worst, told)
}

// lower enters what speaks against the end of the walk.
func (w *Walk) lower(stop *report.Stop, worst report.Verdict, told []report.Remark) {
	stop.Verdict = max(stop.Verdict, worst)
	for _, r := range told {
		if w.mayHaveEnded() {
			w.tellPublish(r)
		} else {
			w.options.tell(w.Job, r)
		}
	}
}

// tellShardItems tells of the items of a page that is emitted, and of its numbers; before are
// those of the pages before it.
func (w *Walk) tellShardItems(number int, f *paginate.Facts, before *evidence.Totals) {
	if !w.told.Stride {
		return
	}
	if w.told.ShardItems == nil {
		w.told.ShardItems = &report.ShardItems{}
	}
	s, seen := w.told.ShardItems, &w.State.Seen
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
		s.Edges = append(s.Edges, report.Edge(seen.Ends(number, &f.Answer, w.Job.Paging.Unique)))
	}
}

// tellTotal tells of the number of all items that the answer said, if it did.
func (w *Walk) tellTotal(number int, f *paginate.Facts, before *evidence.Totals) {
	seen, told := &w.State.Seen.Totals, &w.told.ShardItems.Totals
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

// endShardItems tells of the items of all pages.
func (w *Walk) endShardItems() {
	s := w.told.ShardItems
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
