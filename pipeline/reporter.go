package pipeline

import (
	"slices"
	"sync"
	"time"
)

// A Reporter is the observer that makes the report. It is made with what is
// known beforehand, and may be asked for the report at any time.
type Reporter struct {
	mu     sync.Mutex
	report Report
	jobs   map[string]int     // id → index in report.Jobs
	stops  map[string]Verdict // id → that of the walk that the stop reason is of
}

// NewReporter starts a report with its jobs, in order, of which only ID and
// DataType need to be set.
func NewReporter(head Report) *Reporter {
	r := &Reporter{report: head, jobs: make(map[string]int, len(head.Jobs)), stops: make(map[string]Verdict)}
	r.report.Jobs = slices.Clone(head.Jobs)
	for i := range r.report.Jobs {
		r.jobs[r.report.Jobs[i].ID] = i
		r.report.Jobs[i].Warnings = []string{}
	}
	return r
}

// Observe implements [Observer].
func (r *Reporter) Observe(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case RequestSent:
		if j := r.job(e.Job); j != nil && !e.Login() {
			j.Requests++
		}
	case ResponseDone:
		if j := r.job(e.Job); j != nil && !e.Login() {
			j.BytesIn += e.Bytes
		}
	case Retrying:
		if j := r.job(e.Job); j != nil && !e.Login() {
			j.Retries++
		}
	case LoggedIn:
		if j := r.job(e.Job); j != nil {
			j.Logins++
		}
	case PageJudged:
		if j := r.job(e.Job); j != nil {
			j.Pages++
			j.Items += int64(e.Items)
		}
	case WalkEnded:
		// Of many walks the first of the worst gives the reason.
		if j := r.job(e.Job); j != nil && (j.StopReason == "" || e.Stop.Verdict > r.stops[e.Job]) {
			j.StopReason, r.stops[e.Job] = e.Stop.Reason, e.Stop.Verdict
			j.Verdict = max(j.Verdict, e.Stop.Verdict)
		}
	case Warned:
		if j := r.job(e.Job); j != nil {
			j.Warnings = append(j.Warnings, e.Text)
			j.Verdict = max(j.Verdict, e.Verdict)
		}
	}
}

func (r *Reporter) job(id string) *JobReport {
	if i, ok := r.jobs[id]; ok {
		return &r.report.Jobs[i]
	}
	return nil
}

// Succeeded returns the report of a run whose source is done.
func (r *Reporter) Succeeded(at time.Time) *Report { return r.snapshot("succeeded", "", at) }

// Failed returns the report of a run that ended early; reason must carry no
// secret. A job that had not ended is incomplete.
func (r *Reporter) Failed(reason string, at time.Time) *Report {
	return r.snapshot("failed", reason, at)
}

func (r *Reporter) snapshot(status, reason string, at time.Time) *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.report
	s.Status, s.Error, s.FinishedAt = status, reason, at
	s.Outputs = slices.Clone(r.report.Outputs)
	if s.Outputs == nil {
		s.Outputs = []OutputReport{}
	}
	s.Jobs = slices.Clone(r.report.Jobs)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		j.Warnings = slices.Clone(j.Warnings)
		if j.StopReason == "" && status == "failed" {
			j.StopReason, j.Verdict = "failed", Incomplete
		}
		s.Verdict = max(s.Verdict, j.Verdict)
	}
	if status == "failed" {
		s.Verdict = Incomplete
	}
	return &s
}
