package run

import (
	"strings"
	"time"
)

// Validate refuses flags of a run that contradict each other. It opens nothing.
func (o *Options) Validate(w *World) error {
	if err := o.settle(w); err != nil {
		return err
	}
	_, err := o.apart()
	return err
}

// settle refuses what Validate does, but for two names of one file.
func (o *Options) settle(w *World) error {
	if err := o.settleJournal(); err != nil {
		return err
	}
	if err := o.settleShard(); err != nil {
		return err
	}
	if o.Date != "" {
		if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
			return Usagef("--date %s: must be a date such as 2026-01-31", o.Date)
		}
	}
	switch {
	case o.API.Concurrency < 1 || o.API.Concurrency > 1000:
		return Usagef("--concurrency %d: must be between 1 and 1000", o.API.Concurrency)
	case o.Data.Columns != "" && o.Data.ColumnsFrom != "":
		return Usagef("--columns and --columns-from exclude each other: give one of the two")
	case o.Expect != "" && isStdout(o.Data.Output, w.Stdout):
		return Usagef("--expect: the columns of what goes to stdout are not counted; name a file, a folder or a bucket with --output")
	case o.Expect == lastManifest && !hasManifest(o.Data.Output):
		return Usagef("--expect last: %s has no manifest; name a folder (DIR/) or a prefix (s3://bucket/prefix/), "+
			"or the file of an earlier --summary", o.Data.Output)
	}
	return o.settleBeside(w)
}

// settleBeside refuses what does not go together of flags that run and publish share.
func (o *Options) settleBeside(w *World) error {
	b := o.Beside
	switch {
	case o.Wants.MinItems < 0:
		return Usagef("--min-items %d: must not be negative", o.Wants.MinItems)
	case b.State != "" && b.State == b.Tokens:
		return Usagef("--state and --tokens name one place, %s: the one would replace the other", b.State)
	case b.Page == "-" || b.Trace == "-":
		return Usagef("--report and --trace: name a file, not -")
	case b.Summary == "-" && isStdout(o.Data.Output, w.Stdout):
		return Usagef("--summary -: the data goes to stdout; name a file for one of the two")
	}
	return nil
}

// hasManifest tells whether an output has a manifest, by its name.
func hasManifest(output string) bool {
	return isFolder(output) || strings.HasSuffix(output, "/")
}

// settleJournal refuses what does not go together with a journal.
func (o *Options) settleJournal() error {
	j := o.Journal
	switch {
	case j.Place == "":
		return nil
	case !strings.HasSuffix(j.Place, "/"):
		return Usagef("--checkpoint %s: name a folder, DIR/ or s3://bucket/prefix/", j.Place)
	case o.RunID == "":
		return Usagef("--checkpoint needs --run-id, which is the same for all processes of a run: " +
			"tomorrow's must not continue today's")
	case o.API.Record != "" || o.API.Replay != "":
		return Usagef(
			"--checkpoint excludes --record and --replay: give one of them, since answers that are in the " +
				"journal are not requested again",
		)
	case j.Every <= 0:
		return Usagef("--checkpoint-every %v: must be more than 0", j.Every)
	}
	return nil
}

// settleShard refuses what does not go together with --shard.
func (o *Options) settleShard() error {
	if o.Shard.N == 0 {
		return nil
	}
	if o.RunID == "" || o.Wants.Strict || o.Wants.MinItems > 0 || o.Expect != "" {
		return Usagef("--shard: all shards need one --run-id, and it is sluice publish " +
			"that takes --strict, --min-items and --expect, since only then all items have come")
	}
	return nil
}
