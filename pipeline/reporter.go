package pipeline

import (
	"cmp"
	"fmt"
	"sync"
	"time"
)

// A Reporter is the observer that makes the report. It may be asked for the report at any time.
type Reporter struct {
	mu     sync.Mutex
	report Report            // as it was begun; of its jobs only ids and order count
	jobs   map[string]*tally // by id; what is of no known job under the empty id
	done   bool              // the source is
}

// A tally is what is known of one job so far.
type tally struct {
	JobReport
	stop             Verdict // of the walk that the stop reason is of
	warned, expected warnings
}

// NewReporter starts a report with its jobs, in order, of which only ID and DataType need to be set.
func NewReporter(head Report) *Reporter {
	r := &Reporter{report: head, jobs: map[string]*tally{"": {}}}
	for _, j := range head.Jobs {
		r.jobs[j.ID] = &tally{JobReport: j}
	}
	return r
}

// Merge is the report of a run of which all have done a part.
func Merge(all []*Report) *Report {
	head := Report{Version: all[0].Version, RunID: all[0].RunID, Incremental: all[0].Incremental, StartedAt: all[0].StartedAt}
	for _, j := range all[0].Jobs {
		head.Jobs = append(head.Jobs, JobReport{ID: j.ID, DataType: j.DataType})
	}
	r, finished := NewReporter(head), all[0].FinishedAt
	for _, part := range all {
		if part.StartedAt.Before(r.report.StartedAt) {
			r.report.StartedAt = part.StartedAt
		}
		if part.FinishedAt.After(finished) {
			finished = part.FinishedAt
		}
		r.report.Outputs = append(r.report.Outputs, part.Outputs...)
		r.job("").warned.add(part.Warnings...)
		for _, p := range part.Jobs {
			j := r.job(p.ID)
			j.Add(p)
			j.ended(p.StopReason, p.Verdict)
			j.warned.add(p.Warnings...)
			j.expected.add(p.Expected...)
		}
	}
	return r.Succeeded(finished)
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
		j := r.job(e.Job)
		if e.Stop.Proof != "" {
			j.expected.add(e.Stop.Proof)
		}
		j.ended(e.Stop.Reason, e.Stop.Verdict)
	case Warned:
		j := r.job(e.Job)
		if e.Expected {
			j.expected.add(e.Text)
			return
		}
		j.warned.add(e.Text)
		j.Verdict = max(j.Verdict, e.Verdict)
	}
}

func (r *Reporter) job(id string) *tally { return cmp.Or(r.jobs[id], r.jobs[""]) }

// ended enters how a walk has ended, or a part of the job: the first of the worst gives the reason.
func (t *tally) ended(reason string, v Verdict) {
	if t.StopReason == "" || v > t.stop {
		t.StopReason, t.stop = reason, v
	}
	t.Verdict = max(t.Verdict, v)
}

// Counts returns what each job has cost so far, by its id.
func (r *Reporter) Counts() map[string]Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]Counts{}
	for _, j := range r.report.Jobs {
		all[j.ID] = r.jobs[j.ID].Counts
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

// Failed returns the report of a run that failed; reason must carry no secret. If the source was not done the
// run is incomplete, and so is each job that had not ended; else the verdict is that of the jobs.
func (r *Reporter) Failed(reason string, at time.Time) *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot("failed", reason, at)
}

func (r *Reporter) snapshot(status, reason string, at time.Time) *Report {
	s := r.report
	s.Status, s.Error, s.FinishedAt = status, reason, at
	s.Warnings = r.jobs[""].warned.list()
	s.Jobs = []JobReport{} // empty rather than null
	s.Outputs = append([]OutputReport{}, r.report.Outputs...)
	for _, job := range r.report.Jobs {
		known := r.jobs[job.ID]
		j := known.JobReport
		j.Warnings, j.Expected = known.warned.list(), known.expected.list()
		if j.StopReason == "" && !r.done {
			j.StopReason, j.Verdict = StopFailed, Incomplete
		}
		s.Verdict = max(s.Verdict, j.Verdict)
		s.Jobs = append(s.Jobs, j)
	}
	if !r.done {
		s.Verdict = Incomplete
	}
	return &s
}

// distinct is how many different warnings a report keeps for a job, so that its size is bounded.
const distinct = 100

// warnings collects those of one job.
type warnings struct {
	texts  []string
	counts map[string]int // of those in texts
	more   int            // others
}

func (w *warnings) add(texts ...string) {
	for _, text := range texts {
		switch {
		case w.counts[text] > 0:
			w.counts[text]++
		case len(w.texts) < distinct:
			if w.counts == nil {
				w.counts = map[string]int{}
			}
			w.texts = append(w.texts, text)
			w.counts[text] = 1
		default:
			w.more++
		}
	}
}

// list returns each once, with how often it came, in the order of the first time. It is never nil.
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
