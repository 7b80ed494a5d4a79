package run

import (
	"path/filepath"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/sink/s3"
)

// Options are what the flags of run and of publish say, as they were given: plain values, of which nothing is
// opened yet. Empty members are flags that were not given.
type Options struct {
	// Of the program.
	Version string

	// --run-id; empty: a new one.
	RunID string

	// --date, YYYY-MM-DD; empty: today.
	Date string

	Input   ConfigurationInput
	API     Sending
	Data    Data
	Shard   Shard
	Journal Checkpoint
	Beside  SideFiles
	Bucket  Bucket
	Shown   Shown

	// --strict, --proof and --min-items.
	Wants report.Wants

	// --expect: a file or an object with an earlier report, or last; empty: none.
	Expect string
}

// ConfigurationInput is the configuration, and what flags set of it.
type ConfigurationInput struct {
	// CONFIG: a file, or - for stdin.
	Config string

	// --attr K=V, --attr-env K=NAME and --attr-file K=PATH.
	Plain, Environment, Files []string

	// --env-file; empty: none.
	EnvironmentFile string

	// --job: ids or data types; empty: all.
	Jobs []string
}

// Sending says how requests are sent.
type Sending struct {
	// --concurrency: requests in flight.
	Concurrency int

	// --rate, in requests per second; 0: no bound.
	Rate float64

	// --confirm-end.
	ConfirmEnd bool

	// --record and --replay: folders of traffic.
	Record, Replay string
}

// Data says what is written, and where.
type Data struct {
	// -, FILE, DIR/, s3://….
	Output string

	// --format and --compress.
	Format, Compress string

	// --name: the template of names below DIR/.
	Name string

	// --manifest: the template of the name of the manifest below DIR/.
	Manifest string

	// --roll, in bytes; 0: one part.
	Roll int64

	// --columns as it stands, or the file of --columns-from.
	Columns, ColumnsFrom string

	// --envelope.
	Envelope bool
}

// Shard is part I of N of a run, from 0; N is 0 for a run that is not divided.
type Shard struct{ I, N int }

// MostShards have names of one length.
const MostShards = 99_999

// Checkpoint is where the answers of a run are kept, for a process that continues it.
type Checkpoint struct {
	// --checkpoint: DIR/ or s3://bucket/prefix/; empty: none.
	Place string

	// --checkpoint-every.
	Every time.Duration
}

// SideFiles are the files that a run leaves beside its data.
type SideFiles struct {
	// --summary and --report.
	Summary, Page string

	// --trace.
	Trace string

	// --state: a file, or an object of a bucket.
	State string

	// --tokens: the same.
	Tokens string
}

// Bucket says how a bucket is reached; the AWS environment says what is left open.
type Bucket struct {
	// --s3-endpoint and --s3-region.
	Endpoint, Region string

	// --s3-path-style; nil: only with an endpoint of one's own.
	PathStyle *bool

	// --s3-part-size, in bytes; 0 is the usual one.
	PartSize int64

	// Requests are not signed, and the environment is not read.
	Anonymous bool

	// --s3-sse, --s3-kms-key, --s3-storage-class, --s3-tag and --s3-acl.
	Stored s3.Stored
}

// Shown says what stderr shows.
type Shown struct {
	// --progress: auto, always or never.
	Progress string

	// --log-level; empty: what is usual for the command.
	Level string

	// --log-format: text or json.
	Format string
}

// name is what messages call the configuration.
func (i ConfigurationInput) name() string {
	if i.Config == "-" {
		return "stdin"
	}
	return i.Config
}

// subject is what the page of the run names, as long as no API is known.
func (i ConfigurationInput) subject() *view.Subject {
	if i.Config == "" {
		return &view.Subject{}
	}
	return &view.Subject{Configuration: filepath.Base(i.name()), Jobs: i.Jobs}
}
