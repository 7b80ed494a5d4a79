package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/config"
)

// s3Flags say how a bucket is reached; the AWS environment says what they leave open.
func (e *extraction) s3Flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "s3-endpoint",
			Destination: &e.s3.Endpoint,
			Usage:       "`URL` of an S3 that is not Amazon's (default AWS_ENDPOINT_URL_S3)",
		},
		&cli.StringFlag{
			Name:        "s3-region",
			Destination: &e.s3.Region,
			Usage:       "`REGION` of the bucket (default AWS_REGION)",
		},
		&cli.BoolFlag{
			Name: "s3-path-style", Usage: "the bucket stands in the path (default only with an endpoint of one's own)",
			Action: func(_ *cli.Context, style bool) error {
				e.s3.PathStyle = &style
				return nil
			},
		},
	}
}

// sizeFlag is a number of bytes, such as 5242880, 16MiB or 16MB.
func sizeFlag(n *int64, name, usual, usage string) cli.Flag {
	return &cli.StringFlag{
		Name: name, Value: usual, Usage: usage,
		Action: func(_ *cli.Context, text string) (err error) {
			digits := strings.TrimRight(text, "KMGiB")
			unit := map[string]int64{"": 1, "B": 1, "KB": 1e3, "KiB": 1 << 10, "MB": 1e6, "MiB": 1 << 20, "GB": 1e9, "GiB": 1 << 30}[text[len(digits):]]
			*n, err = strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err != nil || *n <= 0 || unit == 0 || *n > math.MaxInt64/unit {
				return usagef("--%s %s: must be a size such as 16MiB", name, text)
			}
			*n *= unit
			return nil
		},
	}
}

// withBucket puts the bucket of the configuration into an output of s3:// that names none.
func withBucket(output string, doc *config.Document) (string, error) {
	rest, ok := strings.CutPrefix(output, "s3://")
	if !ok || rest != "" && rest[0] != '/' {
		return output, nil
	}
	if doc.OutputBucket == nil || doc.OutputBucket.Text() == "" {
		return "", usagef(
			"--output %s: there is no config.outputBucket; set it, or write s3://BUCKET/…",
			output,
		)
	}
	bucket := doc.OutputBucket.Text()
	if strings.ContainsAny(bucket, "/:") {
		return "", usagef("config.outputBucket: %q must be the bare name of a bucket", bucket)
	}
	return "s3://" + bucket + "/" + strings.TrimPrefix(rest, "/"), nil
}

func sweepCommand(e *extraction) *cli.Command {
	w := e.world
	var abort bool
	var older time.Duration
	return &cli.Command{
		Name: "sweep", ArgsUsage: "DEST [flags]",
		Usage: "list, or end, what a killed run left behind",
		Description: `One line each, for an open upload, a hidden file, and, at DEST itself, for the journal of
--checkpoint and a run of shards: when it began, or was last written, what became of it,
and its name. Those of a run under way are listed too.`,
		UsageText: `  sluice sweep s3://data/exports/
  sluice sweep export/
  sluice sweep s3://data/exports/ --abort --older-than 2h
  sluice sweep export/ --abort --run-id 2026-01-31`,
		Flags: append(
			e.s3Flags(),
			&cli.BoolFlag{Name: "abort", Destination: &abort, Usage: "end those older than --older-than"},
			&cli.DurationFlag{
				Name:        "older-than",
				Value:       24 * time.Hour,
				Destination: &older,
				Usage:       "how old what is left must be to be ended: `DURATION`",
			},
			&cli.StringFlag{
				Name:        "run-id",
				Destination: &e.sink.RunID,
				Usage:       "only what the shards of the run `ID` have sealed, however old",
			},
		),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			if older < 0 {
				return usagef("--older-than %v: must not be negative", older)
			}
			var before time.Time
			if abort {
				before = w.now().Add(-older)
			}
			bucket := strings.Contains(place, "://")
			if _, err := s3.New(e.s3, place); bucket && err != nil {
				return &usageError{err}
			}
			switch {
			case e.sink.RunID != "":
				if abort {
					// Later than everything.
					before = time.Unix(1<<40, 0)
				}
				return e.sweepStore(ctx, strings.TrimSuffix(place, "/")+"/", before)
			case bucket:
				all, err := s3.Sweep(ctx, e.s3, place, before)
				return cmp.Or(w.swept(all, err, "upload", "open", "ended"), e.sweepStore(ctx, place, before))
			}
			all, err := target.Sweep(place, before)
			return cmp.Or(w.swept(all, err, "hidden file", "left", "removed"), e.sweepStore(ctx, place, before))
		}),
	}
}

// swept shows what a sweep has found; the words are for the kind, for what stays and for what is gone.
func (w *world) swept(all []target.Leftover, err error, noun, stays, gone string) error {
	removed := 0
	for _, l := range all {
		since, became := "unknown", stays
		if !l.Since.IsZero() {
			since = l.Since.UTC().Format(time.RFC3339)
		}
		if l.Removed {
			became = gone
			removed++
		}
		if _, err := fmt.Fprintln(w.stdout, since, became, view.OneLine(l.URI)); err != nil {
			return err
		}
	}
	if err == nil {
		w.say("%s %s, %d %s", view.Count(len(all)-removed, noun), stays, removed, gone)
	}
	return err
}
