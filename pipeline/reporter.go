package pipeline

import (
	"sync"
	"time"

	"sluice/pipeline/report"
)

// A Reporter is the observer that makes the report. It may be asked for the report at any time.
type Reporter struct {
	mu    sync.Mutex
	draft *report.Draft
}

// NewReporter starts a report with its jobs, in order, of which only ID and DataType need to be set.
func NewReporter(head report.Report) *Reporter {
	return &Reporter{draft: report.NewDraft(head)}
}

// Observe implements [Observer].
func (r *Reporter) Observe(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case RequestSent:
		if !e.Login() {
			r.draft.Job(e.Job).Requests++
		}
	case ResponseDone:
		if !e.Login() {
			r.draft.Job(e.Job).BytesIn += e.Bytes
		}
	case Retrying:
		if !e.Login() && !e.Unready {
			r.draft.Job(e.Job).Retries++
		}
	case LoggedIn:
		r.draft.Job(e.Job).Logins++
	case PageJudged:
		j := r.draft.Job(e.Job)
		j.Pages++
		j.Items += int64(e.Items)
		j.Filtered += int64(e.Filtered)
		if e.Empty {
			j.Empty++
		}
	case SeamJudged:
		r.draft.Job(e.Job).AddSeams(e.Seams)
	case GuessedInVain:
		r.draft.Job(e.Job).Wasted += e.Requests
	case ItemSkipped:
		r.draft.Job(e.Job).Skipped++
	case WalkEnded:
		if e.End != nil {
			r.draft.EndWalk(*e.End)
		}
		r.draft.Job(e.Job).End(e.Stop)
	case Grounded:
		r.draft.Job(e.Job).Grounds.Add(e.Grounds)
	case JobFindings:
		j := r.draft.Job(e.Job)
		j.Findings = append(j.Findings, e.Findings)
		j.Facts = append(j.Facts, e.Facts)
	case Warned:
		r.draft.Job(e.Job).Warn(report.Remark{Text: e.Text, Verdict: e.Verdict, Expected: e.Expected})
	}
}

// Counts returns what each job has cost so far, by its id.
func (r *Reporter) Counts() map[string]report.Costs {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draft.Counts()
}

// Succeeded returns the report of a run whose source is done.
func (r *Reporter) Succeeded(at time.Time) *report.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draft.Succeeded(at)
}

// Failed returns the report of a run that failed, see [report.Draft.Failed].
func (r *Reporter) Failed(reason string, at time.Time) *report.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draft.Failed(reason, at)
}
