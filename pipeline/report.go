package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Verdict says what is known about the completeness of the data. The greater one is the worse.
type Verdict int

// The verdicts.
const (
	Complete   Verdict = iota // it ended as the API's own rules say
	Unverified                // it was ended by a bound of ours, or something looks odd
	Incomplete                // there is evidence that items are missing
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

// A Stop says why a walk ended.
type Stop struct {
	Reason  string  `json:"reason"` // such as "underflow"
	Verdict Verdict `json:"verdict"`
	Proof   string  `json:"proof,omitempty"` // what --confirm-end asked; empty without it
}

// StopFailed is the stop reason of a walk that was cut short because the run failed.
const StopFailed = "failed"

// Sealed is the status of a shard that has done its part, which another process publishes.
const Sealed = "sealed"

// A Report says what a run did (docs/cli.md, the report). It is the manifest beside the data, too.
type Report struct {
	Version     string         `json:"version"`
	RunID       string         `json:"runId"`
	Status      string         `json:"status"` // succeeded, failed, or Sealed
	Verdict     Verdict        `json:"verdict"`
	Error       string         `json:"error,omitempty"`
	Incremental bool           `json:"incremental,omitempty"`
	StartedAt   time.Time      `json:"startedAt"`
	FinishedAt  time.Time      `json:"finishedAt"`
	Warnings    []string       `json:"warnings,omitempty"`   // of no job, such as unknown members
	StateSaved  *bool          `json:"stateSaved,omitempty"` // false: --state stayed as it was, so that the next run fetches again what this one has
	Resumed     []Attempt      `json:"resumed,omitempty"`
	Resumable   *bool          `json:"resumable,omitempty"` // of a run with --checkpoint that failed
	Jobs        []JobReport    `json:"jobs"`
	Outputs     []OutputReport `json:"outputs"`

	// Of a shard: where its walks ended, and what it knows for --state.
	Walks    []WalkEnd       `json:"walks,omitempty"`
	Progress json.RawMessage `json:"progress,omitempty"`
}

// A JobReport sums up all walks of one job.
type JobReport struct {
	ID       string `json:"id"`
	DataType string `json:"dataType"`
	Items    int64  `json:"items"`
	Pages    int    `json:"pages"`
	Counts
	StopReason string   `json:"stopReason"`
	Verdict    Verdict  `json:"verdict"`
	Warnings   []string `json:"warnings"`           // each once with how often it came, at most 100
	Expected   []string `json:"expected,omitempty"` // likewise, of what nobody needs to look into
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
	Requests int   `json:"requests"` // HTTP requests, each attempt counted, logins not
	Retries  int   `json:"retries"`
	Logins   int   `json:"logins"`  // login requests that this job's requests caused
	BytesIn  int64 `json:"bytesIn"` // bytes of the answers, as decoded
	Wasted   int   `json:"wasted"`  // of Requests, those for pages beyond the end
}

// An Attempt is a process that continued a run, and how many pages the journal had then.
type Attempt struct {
	At    time.Time `json:"at"`
	Pages int       `json:"pages"`
}

// An OutputReport is one published file or object.
type OutputReport struct {
	URI      string   `json:"uri"`
	DataType string   `json:"dataType"`
	Items    int64    `json:"items"`
	Bytes    int64    `json:"bytes"`  // as stored
	SHA256   string   `json:"sha256"` // of the bytes as stored, in hex
	Columns  []string `json:"columns,omitempty"`
	LeftOut  []string `json:"leftOut,omitempty"` // CSV columns that --columns leaves out

	LeftOutValues int64 `json:"leftOutValues,omitempty"` // how many values they held
}
