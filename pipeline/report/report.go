// Package report is what is known of a run when it has ended: what each job had and cost, how it ended, and
// what that means for the completeness of its data. Its rules are about counts: it does no I/O, and knows no
// event.
package report

import "time"

// What a run has come to.
const (
	Succeeded = "succeeded"
	Failed    = "failed"
	// Sealed is the status of a shard that has done its part, which another process publishes.
	Sealed = "sealed"
)

// Format is what the report of this program is written in: it counts up when a member changes its meaning, or
// goes.
const Format = 2

// A Report says what a run did (docs/cli.md, the report). It is the manifest beside the data, too.
type Report struct {
	// Format, or that of the program which has written it; 0: of before there were formats.
	Format int `json:"format,omitempty"`

	// Of the program.
	Version string `json:"version"`

	RunID string `json:"runId"`

	// Of the run, YYYY-MM-DD; empty where publishing failed before it was known.
	Date string `json:"date,omitempty"`

	// Succeeded, Failed or Sealed.
	Status string `json:"status"`

	Verdict     Verdict   `json:"verdict"`
	Error       string    `json:"error,omitempty"`
	Incremental bool      `json:"incremental,omitempty"`
	StartedAt   time.Time `json:"startedAt"`
	FinishedAt  time.Time `json:"finishedAt"`

	// What made the verdict, with the job; empty where it is Complete, and of a run that failed before its end.
	Reason string `json:"reason,omitempty"`

	// Of no job, such as unknown members.
	Warnings []string `json:"warnings,omitempty"`

	// false: --state stayed as it was, so that the next run fetches again what this one has.
	StateSaved *bool `json:"stateSaved,omitempty"`

	Resumed []Continuation `json:"resumed,omitempty"`

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

	// Items that are not counted in Items, since the job's where does not hold for them.
	Filtered int64 `json:"filtered,omitempty"`

	// Pages without items that emptyOn made of first answers.
	Empty int `json:"empty,omitempty"`

	Costs

	// Items above a child job that have no walk of it, since they lack an optional placeholder.
	Skipped int `json:"skipped,omitempty"`

	// Of a job whose pages overlap; nil: they do not.
	Seams *SeamCounts `json:"seams,omitempty"`

	StopReason StopReason `json:"stopReason"`
	Verdict    Verdict    `json:"verdict"`

	// The grounds of the ends that nothing speaks against, and the weakest of them; empty: no ground is known.
	Ground  Ground  `json:"ground,omitempty"`
	Grounds Grounds `json:"grounds,omitempty"`

	// The worst first. Each once with how often it came, at most 100.
	Warnings []string `json:"warnings"`

	// Likewise, of what nobody needs to look into.
	Expected []string `json:"expected,omitempty"`

	// What made the verdict: the first of the warnings that mean it, or how the job ended; empty where it is
	// Complete, and of a job that a failure cut short.
	Reason string `json:"reason,omitempty"`
}

// Add adds the counts of another report: of a part of the job, or of another job for a sum of all.
func (j *JobReport) Add(other JobReport) {
	j.Items += other.Items
	j.Pages += other.Pages
	j.Filtered += other.Filtered
	j.Empty += other.Empty
	j.Requests += other.Requests
	j.Retries += other.Retries
	j.Logins += other.Logins
	j.BytesIn += other.BytesIn
	j.Wasted += other.Wasted
	j.Skipped += other.Skipped
	j.Grounds.Add(other.Grounds)
	if other.Seams != nil {
		j.AddSeams(*other.Seams)
	}
}

// AddSeams adds what became of seams. It changes no other report.
func (j *JobReport) AddSeams(other SeamCounts) {
	if j.Seams != nil {
		other.Checked += j.Seams.Checked
		other.Repaired += j.Seams.Repaired
		other.Dropped += j.Seams.Dropped
	}
	j.Seams = &other
}

// SeamCounts count what happened where one page follows another, in a job whose pages overlap.
type SeamCounts struct {
	// Pages that were to have an item of those before.
	Checked int `json:"checked"`

	// Of these, those that had none, so that the walk went back.
	Repaired int `json:"repaired"`

	// Items that had come before, and were dropped.
	Dropped int `json:"dropped"`
}

// Costs are what a job has cost, in all processes of the run.
type Costs struct {
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

// A Continuation is a process that continued a run, and how many pages the journal had then.
type Continuation struct {
	At    time.Time `json:"at"`
	Pages int       `json:"pages"`
}

// An OutputReport is one published file or object.
type OutputReport struct {
	URI string `json:"uri"`

	// From the folder of the manifest, with slashes; empty where there is none.
	Path string `json:"path,omitempty"`

	DataType string `json:"dataType"`

	// As --format and --compress name them.
	Format      string `json:"format"`
	Compression string `json:"compression"`

	Items int64 `json:"items"`

	// As stored.
	Bytes int64 `json:"bytes"`

	// Of the text before compression.
	BytesUncompressed int64 `json:"bytesUncompressed"`

	// Of the bytes as stored, in hex.
	SHA256 string `json:"sha256"`

	// nil: they are not known.
	Columns []OutputColumn `json:"columns,omitzero"`

	// Items of NDJSON that are no objects, and so have no columns; nil: there are none.
	NotObjects *KindCounts `json:"notObjects,omitempty"`

	// CSV columns that --columns leaves out.
	LeftOut []string `json:"leftOut,omitempty"`

	// How many values they held, or members of NDJSON that are none of Columns, since they are too many.
	LeftOutValues int64 `json:"leftOutValues,omitempty"`
}
