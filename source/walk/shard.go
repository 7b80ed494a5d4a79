package walk

import (
	"errors"

	"sluice/pipeline"
	"sluice/pipeline/report"
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
	number int, p *page.Page, out *paginate.Outcome,
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
	w.endSeams()
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
