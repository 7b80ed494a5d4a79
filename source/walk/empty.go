package walk

import (
	"fmt"

	"sluice/pipeline/report"
	"sluice/source/job"
	"sluice/source/transport"
)

// The conditions of emptyOn, which make the first answer of a walk a page without items.

// countsAsEmpty is [fetching.counts] for emptyOn. The answer may be an item as a whole,
// but a list of items would be lost.
func (f *fetching) countsAsEmpty(a *job.Examined, text string, items int, says string) error {
	// There are items only on a page.
	isList := items > 0 && f.came.Page.Selected == '['
	isLine := items > 0 && !f.Job.Spec.Format.Document()
	if isList || isLine {
		text += fmt.Sprintf(", but the answer has items (%d): "+
			"a condition of emptyOn must not hold for these", items)
		return &transport.Counts{Text: text, Says: says}
	}
	f.came.end = end{by: report.StopEmptyOn, status: a.Status, byStatus: f.Job.Conditions.ByStatusAlone(a)}
	return errSettled
}

// beyondEmpty is the error of the first answer that a shard gets in the middle of a walk,
// if emptyOn would hold for the first one of the walk: then this is beyond its end, which
// the shard that gets that one knows. It is nil for all other answers.
func (f *fetching) beyondEmpty(a *job.Examined, repeated bool) error {
	isFirst := f.number <= f.Job.Paging.Every()
	if a.First || !isFirst {
		return nil
	}
	first := *a
	first.First = true
	on := f.Job.Conditions.Holding(&first, repeated)
	if on == nil {
		return nil
	}
	return &transport.Counts{Text: on.List + ": " + on.Text + " holds", Is: transport.ErrNoPage}
}

// StatusOf is that of the answer which made a request fail; 0: none did.
func StatusOf(err error) int { return transport.StatusOf(err) }

// Unreached is the host that a request got no connection to; empty: it had one.
func Unreached(err error) string { return transport.Unreached(err) }

// isCounted tells whether this shard counts what the walk has: a whole walk is the same in
// all of them.
func (w *Walk) isCounted() bool { return !w.told.Whole || w.options.Shard == 0 }

// CountEmpty enters whether the first answer of the walk is a page without items.
func (w *Walk) CountEmpty(number int, came *Fetched) {
	isFirst := number == 1 && w.isCounted()
	if !isFirst || !w.Job.Conditions.Empties() {
		return
	}
	d := report.Denied{Walks: 1}
	if came.end.isEmpty() {
		d.Empty = map[int]int{came.end.status: 1}
	}
	if came.end.isEmpty() && !came.end.byStatus {
		d.Said = 1
	}
	w.progress.found.Add(report.Findings{Empties: report.Empties{Denied: d}})
}
