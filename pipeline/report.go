package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Verdict says what is known about the completeness of the data. The greater one is the worse.
type Verdict int

// The verdicts.
const (
	// It ended as the API's own rules say.
	Complete Verdict = iota
	// It was ended by a bound of ours, or something looks odd.
	Unverified
	// There is evidence that items are missing.
	Incomplete
)

var verdicts = [...]string{"complete", "unverified", "incomplete"}

// String returns the verdict as the report writes it.
func (v Verdict) String() string { return verdicts[v] }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q (have %s)", text, strings.Join(verdicts[:], ", "))
	}
	*v = Verdict(i)
	return nil
}

// Sealed is the status of a shard that has done its part, which another process publishes.
const Sealed = "sealed"

// A Report says what a run did (docs/cli.md, the report). It is the manifest beside the data, too.
type Report struct {
	Version string `json:"version"`
	RunID   string `json:"runId"`

	// Succeeded, failed, or Sealed.
	Status string `json:"status"`

	Verdict     Verdict   `json:"verdict"`
	Error       string    `json:"error,omitempty"`
	Incremental bool      `json:"incremental,omitempty"`
	StartedAt   time.Time `json:"startedAt"`
	FinishedAt  time.Time `json:"finishedAt"`

	// Of no job, such as unknown members.
	Warnings []string `json:"warnings,omitempty"`

	// false: --state stayed as it was, so that the next run fetches again what this one has.
	StateSaved *bool `json:"stateSaved,omitempty"`

	Resumed []Attempt `json:"resumed,omitempty"`

	// Of a run with --checkpoint that failed.
	Resumable *bool `json:"resumable,omitempty"`

	Jobs    []JobReport    `json:"jobs"`
	Outputs []OutputReport `json:"outputs"`

	// Of a shard, for publishing.
	Shard *ShardReport `json:"shard,omitempty"`
}

// A JobReport sums up all walks of one job.
type JobReport struct {
	ID       string `json:"id"`
	DataType string `json:"dataType"`
	Items    int64  `json:"items"`
	Pages    int    `json:"pages"`
	Counts
	StopReason StopReason `json:"stopReason"`
	Verdict    Verdict    `json:"verdict"`

	// Each once with how often it came, at most 100.
	Warnings []string `json:"warnings"`

	// Likewise, of what nobody needs to look into.
	Expected []string `json:"expected,omitempty"`
}

// Add adds the counts of another report: of a part of the job, or of another job for a sum of all.
func (j *JobReport) Add(other JobReport) {
	j.Items += other.Items
	j.Pages += other.Pages
	j.Requests += other.Requests
	j.Retries += other.Retries
	j.Logins += other.Logins
	j.BytesIn += other.BytesIn
	j.Wasted += other.Wasted
}

// Counts are what a job has cost, in all processes of the run.
type Counts struct {
	// HTTP requests, each attempt counted, logins not.
	Requests int `json:"requests"`

	Retries int `json:"retries"`

	// Login requests that this job's requests caused.
	Logins int `json:"logins"`

	// Bytes of the answers, as decoded.
	BytesIn int64 `json:"bytesIn"`

	// Of Requests, those for pages beyond the end.
	Wasted int `json:"wasted"`
}

// An Attempt is a process that continued a run, and how many pages the journal had then.
type Attempt struct {
	At    time.Time `json:"at"`
	Pages int       `json:"pages"`
}

// An OutputReport is one published file or object.
type OutputReport struct {
	URI      string `json:"uri"`
	DataType string `json:"dataType"`
	Items    int64  `json:"items"`

	// As stored.
	Bytes int64 `json:"bytes"`

	// Of the bytes as stored, in hex.
	SHA256 string `json:"sha256"`

	Columns []string `json:"columns,omitempty"`

	// CSV columns that --columns leaves out.
	LeftOut []string `json:"leftOut,omitempty"`

	// How many values they held.
	LeftOutValues int64 `json:"leftOutValues,omitempty"`
}

// A Reporter is the observer that makes the report. It may be asked for the report at any time.
type Reporter struct {
	mu sync.Mutex

	// As it was begun; of its jobs only ids and order count.
	report Report

	// By id; what is of no known job under the empty id.
	jobs map[string]*tally

	// The source is.
	done bool
}

// A tally is what is known of one job so far.
type tally struct {
	JobReport

	// Of the walk that the stop reason is of.
	stop Verdict

	warned, expected Warnings

	// Of a shard, see [Found].
	findings []Findings
}

// NewReporter starts a report with its jobs, in order, of which only ID and DataType need to be set.
func NewReporter(head Report) *Reporter {
	r := &Reporter{report: head, jobs: map[string]*tally{"": {}}}
	for _, j := range head.Jobs {
		r.jobs[j.ID] = &tally{JobReport: j}
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
		if e.End != nil && r.report.Shard != nil {
			r.report.Shard.Walks = append(r.report.Shard.Walks, *e.End)
		}
		j := r.job(e.Job)
		if e.Stop.Proof != "" {
			j.expected.add(e.Stop.Proof, 1)
		}
		j.ended(e.Stop.Reason, e.Stop.Verdict)
	case Found:
		j := r.job(e.Job)
		j.findings = append(j.findings, e.Findings)
	case Warned:
		j := r.job(e.Job)
		if e.Expected {
			j.expected.add(e.Text, 1)
			return
		}
		j.warned.add(e.Text, 1)
		j.Verdict = max(j.Verdict, e.Verdict)
	}
}

func (r *Reporter) job(id string) *tally { return cmp.Or(r.jobs[id], r.jobs[""]) }

// ended enters how a walk has ended, or a part of the job: the first of the worst gives the reason.
func (t *tally) ended(reason StopReason, v Verdict) {
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
	// Empty rather than null.
	s.Jobs = []JobReport{}
	s.Outputs = append([]OutputReport{}, r.report.Outputs...)
	for _, job := range r.report.Jobs {
		known := r.jobs[job.ID]
		j := known.JobReport
		j.Warnings, j.Expected = known.warned.list(), known.expected.list()
		if j.StopReason == "" && !r.done {
			j.StopReason, j.Verdict = StopFailed, StopFailed.Rule().Verdict
		}
		s.Verdict = max(s.Verdict, j.Verdict)
		s.Jobs = append(s.Jobs, j)
	}
	if !r.done {
		s.Verdict = Incomplete
	}
	if s.Shard != nil {
		s.Shard = r.shard()
	}
	return &s
}
