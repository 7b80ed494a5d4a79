package sink

import (
	"io"

	"sluice/pipeline"
	"sluice/sink/target"
)

// Options say what goes where (cli.md, sluice run). The zero value writes NDJSON to Stdout.
type Options struct {
	// --output: "-", FILE, DIR/, scheme://…; "" is "-".
	Output string

	// One of Formats; "" is what the name says, else ndjson.
	Format string

	// One of Compressions; "" is what the name says, else none.
	Compress string

	// --name, the template of names below a folder; "" is {dataType}.{ext}, with Roll
	// {dataType}-{part}.{ext}.
	Name string

	// --manifest, the template of the name of the manifest below a folder; "" is ManifestName of package commit below
	// the deepest folder that all names share.
	Manifest string

	// --roll: a page that begins after so many bytes of text begins another part; 0: none does.
	Roll int64

	// --columns: the CSV columns, in order; nil is all that occur.
	Columns []string

	// Items say themselves where they come from.
	Enveloped bool

	// An output without items replaces only what is empty or the same, else the run is
	// [report.ErrNotComplete].
	KeepFull bool

	RunDetails
	Environment
}

// A RunDetails is whose items are written.
type RunDetails struct {
	// For {runId}.
	RunID string

	// For {date}, YYYY-MM-DD.
	Date string

	// Of this attempt at the run.
	Mark target.Mark

	// The part of the run that this process does, from 0, and seals, see [commit.Shared]; 0 Shards: all of it.
	Shard, Shards int

	// The ids that --job chose: they name the manifest.
	Jobs []string

	// What the other jobs would fill: a name that they share is refused.
	Rest []pipeline.Output
}

// An Environment is what a sink uses of what is around it.
type Environment struct {
	// Where "-" goes.
	Stdout io.Writer

	// Targets opens, by scheme, what is no file: "s3" gets "s3://bucket/prefix/",
	// which always ends in /, and names are relative to it. It does no I/O.
	Targets map[string]func(place string) (target.Target, error)

	// Files that other flags name, by flag: an output must not be one.
	Files map[string]target.ResolvedFile

	// Objects likewise, as scheme://….
	Objects map[string]string

	// Files and connections that may be open beside one for each output.
	Spare int

	// The value of {attr:NAME}; nil: no configuration is known, as where shards are published.
	Attribute func(name string) (string, error)

	// Takes secrets out of the names of members that the manifest has; nil: there are none.
	Redact func(name string) string

	// Told what a person should know, with the first job of an output; nil: nobody is.
	Warn func(job, text string)
}
