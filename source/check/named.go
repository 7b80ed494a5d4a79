package check

import (
	"context"

	"sluice/pipeline/report"
	"sluice/source/walk"
)

// tellNamed asks for the second page where a cursor leads to it, and tells if it begins with items of the first. seen is what the
// first page showed, after which the walk goes on.
func (k *checker) tellNamed(ctx context.Context, w *walk.Walk, seen *looked, result *JobResult) {
	paging := w.Job.Paging
	if !paging.SeesNamed() || paging.Sifts() || seen.last == nil {
		return
	}
	defer k.withFewRetries()()
	came, second, err := k.fetch(ctx, w, 2, w.State.Asked)
	if err != nil {
		// A run says what is wrong with it.
		return
	}
	defer came.Page.Close()
	// One alone is the end of the walk, and does not come out again.
	if second.items > 1 && seen.has(second.first, paging.Unique) {
		k.tell(result, report.Remark{Text: "the second page begins with an item of the first, since the cursor names it: " +
			"\"inclusive\": true in api.pagination drops what comes again like this"})
	}
}
