package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/transport/record"
)

// SweepOptions are what the flags of sweep say.
type SweepOptions struct {
	// DEST: FILE, DIR/, s3://….
	Place string

	// --abort: what is old enough is ended, not only listed.
	Abort bool

	// --older-than.
	OlderThan time.Duration

	// --run-id: only what the shards of this run have sealed, however old; empty: all.
	RunID string

	Bucket Bucket
}

// sweepWords are what a sweep shows of one kind: its noun, and words for what stays and for what is gone.
type sweepWords struct{ noun, stays, gone string }

// Sweep lists, or ends, what killed runs have left at a place: one line each on stdout.
func Sweep(ctx context.Context, w *World, secrets *secret.Set, o SweepOptions) error {
	if o.OlderThan < 0 {
		return Usagef("--older-than %v: must not be negative", o.OlderThan)
	}
	var before time.Time
	if o.Abort {
		before = w.Now().Add(-o.OlderThan)
	}
	bucket := s3Options(w, secrets, o.Bucket)
	isBucket := strings.Contains(o.Place, "://")
	if isBucket {
		if _, err := s3.New(bucket, o.Place); err != nil {
			return &UsageError{err}
		}
	}
	if o.RunID != "" {
		if o.Abort {
			// Later than everything.
			before = time.Unix(1<<40, 0)
		}
		return sweepStore(ctx, w, strings.TrimSuffix(o.Place, "/")+"/", o, bucket, before)
	}
	what := sweepWords{"hidden file", "left", "removed"}
	sweep := func() ([]target.Leftover, error) { return target.Sweep(o.Place, before) }
	if isBucket {
		what = sweepWords{"upload", "open", "ended"}
		sweep = func() ([]target.Leftover, error) { return s3.Sweep(ctx, bucket, o.Place, before) }
	}
	all, err := sweep()
	// What shards have left is swept even so.
	err = showSwept(w, all, err, what)
	wrong := sweepStore(ctx, w, o.Place, o, bucket, before)
	if err != nil {
		return err
	}
	return wrong
}

// sweepStore lists the sharded runs and the journal that are at a place, or ends those that
// were last written before a time; with --run-id that run alone.
func sweepStore(
	ctx context.Context,
	w *World,
	place string,
	o SweepOptions,
	bucket s3.Options,
	before time.Time,
) error {
	store, err := openStore(place, bucket, target.Mark{})
	if err != nil {
		return err
	}
	// It ends idle connections.
	defer func() { _ = store.Close() }()
	all, err := commit.Sweep(ctx, store, place, o.RunID, before)
	if err != nil || len(all) != 0 || o.RunID != "" {
		err = showSwept(w, all, err, sweepWords{"sharded run", "left", "removed"})
	}
	if err != nil || o.RunID != "" {
		return err
	}
	return sweepJournal(ctx, w, store, place, before)
}

// sweepJournal lists the journal that is at a place, or removes one that was last written before a time.
func sweepJournal(ctx context.Context, w *World, store target.Store, place string, before time.Time) error {
	all, err := record.Segments(ctx, store)
	if err != nil || len(all) == 0 {
		return err
	}
	left := target.Leftover{
		URI:   place,
		Since: slices.MaxFunc(slices.Collect(maps.Values(all)), time.Time.Compare),
	}
	if left.Since.Before(before) {
		err = record.Remove(ctx, store, slices.Collect(maps.Keys(all)))
		left.Removed = err == nil
	}
	return showSwept(w, []target.Leftover{left}, err, sweepWords{"journal", "left", "removed"})
}

// showSwept shows what a sweep has found, also where err ended it.
func showSwept(w *World, all []target.Leftover, err error, what sweepWords) error {
	removed := 0
	for _, l := range all {
		since, became := "unknown", what.stays
		if !l.Since.IsZero() {
			since = l.Since.UTC().Format(time.RFC3339)
		}
		if l.Removed {
			became = what.gone
			removed++
		}
		if _, err := fmt.Fprintln(w.Stdout, since, became, view.OneLine(l.URI)); err != nil {
			return err
		}
	}
	if err == nil {
		w.Say("%s %s, %d %s", view.Count(len(all)-removed, what.noun), what.stays, removed, what.gone)
	}
	return err
}
