package check

import (
	"context"

	"sluice/source/verdict"
	"sluice/source/walk"
)

// tryOverlap asks for the second page one item early, where the method has offsets; nil: it was not
// tried. seen is what the first page showed, after which the walk goes on.
func (k *checker) tryOverlap(ctx context.Context, w *walk.Walk, seen *looked) *TriedOverlap {
	early := w.Job.Paging.Early(&w.State, w.Pages)
	if early == nil || seen.last == nil || !w.Job.Spec.Format.Document() {
		return nil
	}
	full, err := w.Request(early)
	if err != nil {
		return nil
	}
	tried := &TriedOverlap{Request: early.Method.HTTP() + " " + full.Redacted(k.options.API.Secrets)}
	defer k.withFewRetries()()
	came, second, err := k.fetch(ctx, w, 2, early)
	if err != nil {
		tried.Against = k.message(err.Error())
		return tried
	}
	defer came.Page.Close()
	unique := w.Job.Paging.Unique
	switch {
	case second.items == 0:
		tried.Against = "the second page, asked for one item early, has no items"
	case !isSameItem(seen.last, second.first, unique):
		tried.Against = "the second page, asked for one item early, does not begin with the last item of the first"
	default:
		tried.Holds = true
	}
	return tried
}

// doubtOverlap warns of a job whose pages are to overlap, and do not.
func (k *checker) doubtOverlap(w *walk.Walk, result *JobResult) {
	overlap := result.Overlap
	if overlap != nil && !overlap.Holds && w.Job.Paging.Overlaps() {
		k.raise(w, result, verdict.NoOverlap.Raise(overlap.Against))
	}
}
