package walk

import (
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/verdict"
)

// windows are those of a root job, or of a child job for one set of placeholders'
// values, whose walks have ended.
type windows struct {
	// of is how many there are.
	of           int
	walks, pages int
	items        int64
	worst        report.Stop
	// opening is a hash of what all begin with; 0: it differs, or says nothing.
	opening uint64
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
	isWhole := isLast && w.options.Shards == 0
	if isWhole && alike {
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
func (t *windows) add(e *pipeline.WalkEnded, opening uint64) {
	t.walks++
	t.pages += e.Pages
	t.items += e.Items
	if t.walks > 1 && opening != t.opening {
		opening = 0
	}
	t.opening = opening
}
