package cli

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
)

func sweepCommand(p *program) *cli.Command {
	var o run.SweepOptions
	return &cli.Command{
		Name: "sweep", ArgsUsage: "DEST [flags]",
		Usage: "list, or remove, what a killed run left behind",
		Description: `Shows one line for each open upload and each hidden file. If DEST has the journal of
a --checkpoint, or a run of shards, these have a line too. A line says when it began
or was last written, what became of it, and its name. What a run in progress uses is
listed too.`,
		UsageText: `  sluice sweep s3://data/exports/
  sluice sweep export/
  sluice sweep s3://data/exports/ --abort --older-than 2h
  sluice sweep export/ --abort --run-id 2026-01-31`,
		Flags: append(
			p.bucketFlags(),
			&cli.BoolFlag{Name: "abort", Destination: &o.Abort, Usage: "remove those older than --older-than"},
			&cli.DurationFlag{
				Name:        "older-than",
				Value:       24 * time.Hour,
				Destination: &o.OlderThan,
				Usage:       "how old something must be to be removed: `DURATION`",
			},
			&cli.StringFlag{
				Name:        "run-id",
				Destination: &o.RunID,
				Usage:       "only what the shards of the run `ID` have sealed, whatever its age",
			},
		),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			o.Place, o.Bucket = place, p.options.Bucket
			return run.Sweep(ctx, p.world, p.secrets, o)
		}),
	}
}
