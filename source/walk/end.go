package walk

import (
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/verdict"
)

// endBy ends the walk, with a warning of what the last answer says against that.
func (w *Walk) endBy(stop report.Stop) {
	stop.Verdict = max(stop.Verdict, w.State.Verdict)
	if w.isAlone() && w.options.Shards == 0 && w.Lost() != nil {
		// The run fails, and its error tells it.
		w.raise(&stop, verdict.MeantElsewhere.Told(""))
	}
	if w.more != nil {
		w.raise(&stop, verdict.Said(w.more, w.options.redact))
	}
	w.raise(&stop, w.progress.suspect(w))
	w.concluded(&stop)
	w.end(stop)
}

// cutShort ends a walk of a run that failed, if it had not ended.
func (w *Walk) cutShort() {
	if !w.ended {
		w.end(*report.EndedBy(report.StopFailed))
	}
}

func (w *Walk) end(stop report.Stop) {
	w.ended = true
	e := pipeline.WalkEnded{
		Job:      w.Job.ID,
		DataType: w.Job.DataType,
		Depth:    len(w.Above.Item),
		Pages:    w.State.Pages - w.State.OtherPages - w.State.Overlap.Dropped,
		Items:    w.State.Items - w.State.OtherItems,
		Stop:     stop,
		At:       w.options.Now(),
	}
	if w.options.Shards > 0 && w.Child == nil {
		w.tellEnd(&e)
	}
	if w.Job.Windowed() {
		w.endWindow(&e)
	}
	e.Items, e.Filtered = e.Items-w.filtered, w.filtered
	w.options.Observer.Observe(e)
}

// redactRecord removes secrets from what another process reads.
func (w *Walk) redactRecord() {
	r, redact := &w.recorded, w.options.redact
	r.Field, r.Quote, r.Holder = redact(r.Field), redact(r.Quote), redact(r.Holder)
	r.Announced.Place, r.Limit.Place = redact(r.Announced.Place), redact(r.Limit.Place)
	for i := range r.Says {
		r.Says[i].Place = redact(r.Says[i].Place)
	}
}

// conclude enters how the walk has ended.
func (w *Walk) conclude(stop *report.Stop) {
	f, paging := w.facts(), w.Job.Paging
	rule := stop.Reason.Rule()
	f.Again = w.State.Seen.Items.Again + w.State.Seen.Items.Moved
	f.Skipped = w.State.Own.Skipped
	f.End.Reason = stop.Reason
	f.End.Root = w.isAlone()
	f.End.Counted = paging.ComparesTotals()
	f.End.Changes = paging.Overlaps()
	f.End.Refused = f.End.Refused || rule.Refused
	f.End.Later = w.State.Own.Later
	f.End.Behind = w.State.Own.Behind
	f.End.Declared = paging.TrustEnd || paging.Declared() || rule.Refused || rule.Declared
	f.End.Beyond = f.End.Beyond || rule.Shown
	f.End.Single = rule.Single
	f.End.Limit = rule.Counted || rule.Bounded
	f.End.Exact = rule.Counted && w.State.Bounds.Exact
	f.End.Flagged = rule.Flagged
	f.End.Wanted = rule.Unled
}

// concluded adds the facts of a walk that has ended to those of the job, and judges these if no other walk of the job
// is to come.
func (w *Walk) concluded(stop *report.Stop) {
	if stop.Reason.Rule().CutShort {
		return
	}
	w.conclude(stop)
	p := w.progress
	if w.isDivided() {
		w.told.Facts = written(&w.State.Part)
		return
	}
	p.facts.Add(&w.State.Facts, stop.Verdict)
	if w.options.Shards > 0 {
		return
	}
	isLast := w.isAlone() || w.Child == nil && w.windows.walks+1 == w.windows.of
	if !isLast {
		return
	}
	judged := p.judge()
	w.lower(stop, judged.Verdict, judged.Doubts)
	stop.Ground = judged.Grounds.Weakest()
	if total := w.State.Facts.Whole(); total != nil {
		stop.Total = total.Number
	}
}

// endProvisionally ends a walk at a page that could not be fetched. Publishing decides whether that is the end.
func (w *Walk) endProvisionally(number int, err error) {
	w.told.End, w.told.Provisional = number, w.options.message(err.Error())
	text := "this is taken for the end, and sluice publish checks it against the other shards: " + w.told.Provisional
	w.options.tell(w.Job, report.Remark{Expected: true, Text: text})
	w.told.Facts = written(&w.State.Part)
	w.end(*report.EndedBy(report.StopNoPage))
}

// groundAlone is on what the end of the walk rests by what it has itself.
func (w *Walk) groundAlone(stop *report.Stop) report.Ground {
	w.conclude(stop)
	var alone verdict.JobFacts
	alone.Add(&w.State.Facts, report.Complete)
	judged := verdict.Judge(&alone, verdict.Trust{})
	return judged.Grounds.Weakest()
}

// endWindow counts a window whose walk has ended, and makes of the last one's event
// that of a root job.
func (w *Walk) endWindow(e *pipeline.WalkEnded) {
	t, own := w.windows, w.opening()
	w.told.Opening = own
	t.add(e, own)
	isLast := t.walks == t.of
	alike := t.walks > 1 && t.opening != 0
	if w.Child != nil {
		if isLast && alike {
			w.progress.found.SameWindows++
		}
		return
	}
	// Of a run of shards publishing compares the windows.
	if isLast && w.options.Shards == 0 && alike {
		w.raise(&e.Stop, verdict.SameWindows.Raise(""))
	}
	if t.walks == 1 || e.Stop.Verdict > t.worst.Verdict {
		t.worst = e.Stop
	}
	e.Depth = 1
	if isLast {
		e.Depth, e.Pages, e.Items, e.Stop = 0, t.pages, t.items, t.worst
	}
}

// opening is a hash of what the walk began with; 0: it says nothing.
func (w *Walk) opening() uint64 {
	o := w.State.Seen.Pages.Opening
	if o.Items <= 1 {
		return 0
	}
	return o.First + 31*o.Last + uint64(o.Items)
}

// add counts a walk that began so.
func (t *endedWindows) add(e *pipeline.WalkEnded, opening uint64) {
	t.walks++
	t.pages += e.Pages
	t.items += e.Items
	if t.walks > 1 && opening != t.opening {
		opening = 0
	}
	t.opening = opening
}
