package check

import (
	"context"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/paginate"
	"sluice/source/verdict"
	"sluice/source/walk"
)

type checker struct {
	run     *walk.Run
	options *walk.Options
	// guess: usual paginations are tried where nothing says that there is more.
	guess bool
	// once: nothing is asked for but one page.
	once  bool
	found func(JobResult) error
	// unreached are the hosts that a job got no connection to.
	unreached map[string]bool
}

// message is a text as a message may have it.
func (k *checker) message(text string) string { return pipeline.Brief(k.redact(text)) }

func (k *checker) redact(text string) string {
	return k.options.API.Secrets.Redact(text)
}

// fetch asks for a page, and returns what its items showed.
func (k *checker) fetch(
	ctx context.Context, w *walk.Walk, number int, r *paginate.Request,
) (*walk.Fetched, *looked, error) {
	seen := &looked{}
	anew := func() []walk.Collector {
		*seen = looked{sought: sought(w.Job)}
		if w.Job.Spec.Format.Mapped() {
			seen.names = map[string]turns{}
		}
		return []walk.Collector{seen}
	}
	came, err := w.Fetch(ctx, number, r, anew)
	return came, seen, err
}

// warn enters what is odd about a page that was judged.
func (k *checker) warn(
	w *walk.Walk, came *walk.Fetched, out *paginate.PageOutcome, result *JobResult,
) {
	k.tell(result, w.Warnings(came, out)...)
	if out.Note != nil {
		k.raise(w, result, verdict.NotWholeText.Raise(out.Note.At, out.Note.Quoted(k.redact)))
	}
	k.tell(result, w.Misplaced()...)
	if w.Child == nil {
		k.raise(w, result, out.Suspicion.Raised)
	}
	result.Err = w.Lost()
	if out.More != nil {
		k.raise(w, result, verdict.Said(out.More, k.redact))
	}
}

// raise raises a doubt about a page.
func (k *checker) raise(w *walk.Walk, result *JobResult, raised verdict.Raised) {
	_, told := verdict.Weigh(w.Job.Paging.Trust(), raised)
	k.tell(result, told...)
}

// tell enters what is to be known of a page.
func (k *checker) tell(result *JobResult, all ...report.Remark) {
	for _, r := range all {
		result.Warnings = append(result.Warnings, k.message(r.Text))
		result.Page.Verdict = max(result.Page.Verdict, r.Verdict)
	}
}

// mostPatience is how often what is tried is sent again where the answer asks for patience.
const mostPatience = 2

// withFewRetries has a request sent again twice at most, until the function that it returns is called.
func (k *checker) withFewRetries() (again func()) {
	retry := &k.options.Client.Retry
	before := retry.MaxRetries
	retry.MaxRetries = min(before, mostPatience)
	return func() { retry.MaxRetries = before }
}
