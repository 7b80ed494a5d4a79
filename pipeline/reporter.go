package pipeline

import (
	"fmt"
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
	done   bool               // the source is
	notes  map[string]*notes  // by job id, those of no job under the empty id
}

type notes struct{ warned, expected warnings }

// NewReporter starts a report with its jobs, in order, of which only ID and
// DataType need to be set.
func NewReporter(head Report) *Reporter {
	r := &Reporter{report: head, jobs: make(map[string]int, len(head.Jobs)), stops: make(map[string]Verdict), notes: map[string]*notes{"": {}}}
	r.report.Jobs = slices.Clone(head.Jobs)
	for i := range r.report.Jobs {
		r.jobs[r.report.Jobs[i].ID] = i
		r.notes[r.report.Jobs[i].ID] = &notes{}
	}
	return r
}

// Observe implements [Observer].
func (r *Reporter) Observe(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case RequestSent:
		if !e.Login() {
			r.job(e.Job).Requests++
		}
	case ResponseDone:
		if !e.Login() {
			r.job(e.Job).BytesIn += e.Bytes
		}
	case Retrying:
		if !e.Login() && !e.Unready {
			r.job(e.Job).Retries++
		}
	case LoggedIn:
		r.job(e.Job).Logins++
	case PageJudged:
		j := r.job(e.Job)
		j.Pages++
		j.Items += int64(e.Items)
	case GuessedInVain:
		r.job(e.Job).Wasted += e.Requests
	case WalkEnded:
		if e.End != nil {
			r.report.Walks = append(r.report.Walks, *e.End)
		}
		if e.Stop.Proof != "" {
			r.notes[r.job(e.Job).ID].expected.add(e.Stop.Proof)
		}
		// Of many walks the first of the worst gives the reason.
		if j := r.job(e.Job); j.StopReason == "" || e.Stop.Verdict > r.stops[e.Job] {
			j.StopReason, r.stops[e.Job] = e.Stop.Reason, e.Stop.Verdict
			j.Verdict = max(j.Verdict, e.Stop.Verdict)
		}
	case Warned:
		j := r.job(e.Job)
		if e.Expected {
			r.notes[j.ID].expected.add(e.Text)
			return
		}
		r.notes[j.ID].warned.add(e.Text)
		j.Verdict = max(j.Verdict, e.Verdict)
	}
}

// job returns the report of a job. One that is not known is nobody's: it is not shown.
func (r *Reporter) job(id string) *JobReport {
	if i, ok := r.jobs[id]; ok {
		return &r.report.Jobs[i]
	}
	return &JobReport{}
}

// Counts returns what each job has cost so far, by its id.
func (r *Reporter) Counts() map[string]Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]Counts{}
	for _, j := range r.report.Jobs {
		all[j.ID] = j.Counts
	}
	return all
}

// Succeeded returns the report of a run whose source is done.
func (r *Reporter) Succeeded(at time.Time) *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
	return r.snapshot("succeeded", "", at)
}

// Failed returns the report of a run that failed; reason must carry no secret.
// If the source was not done the run is incomplete, and so is each job that had
// not ended; else all was fetched, and the verdict is that of the jobs.
func (r *Reporter) Failed(reason string, at time.Time) *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot("failed", reason, at)
}

func (r *Reporter) snapshot(status, reason string, at time.Time) *Report {
	s := r.report
	s.Status, s.Error, s.FinishedAt = status, reason, at
	s.Warnings = r.notes[""].warned.list()
	s.Jobs = append([]JobReport{}, r.report.Jobs...) // empty rather than null
	s.Outputs = append([]OutputReport{}, r.report.Outputs...)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		j.Warnings, j.Expected = r.notes[j.ID].warned.list(), r.notes[j.ID].expected.list()
		if j.StopReason == "" && !r.done {
			j.StopReason, j.Verdict = StopFailed, Incomplete
		}
		s.Verdict = max(s.Verdict, j.Verdict)
	}
	if !r.done {
		s.Verdict = Incomplete
	}
	return &s
}

// distinct is how many different warnings a report keeps for a job, so that its
// size does not grow with the run.
const distinct = 100

// warnings collects those of one job. The zero value is ready for use.
type warnings struct {
	texts  []string
	counts map[string]int // of those in texts
	more   int            // others
}

func (w *warnings) add(text string) {
	if w.counts == nil {
		w.counts = make(map[string]int)
	}
	switch {
	case w.counts[text] > 0:
		w.counts[text]++
	case len(w.texts) < distinct:
		w.texts = append(w.texts, text)
		w.counts[text] = 1
	default:
		w.more++
	}
}

// list returns each warning once, with how often it came, in the order of the
// first time. It is never nil.
func (w *warnings) list() []string {
	all := []string{}
	for _, text := range w.texts {
		if n := w.counts[text]; n > 1 {
			text = fmt.Sprintf("%s (%d times)", text, n)
		}
		all = append(all, text)
	}
	if w.more > 0 {
		all = append(all, fmt.Sprintf("… and %d more", w.more))
	}
	return all
}
