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
		Usage: "list, or end, what a killed run left behind",
		Description: `One line each, for an open upload, a hidden file, and, at DEST itself, for the journal of
--checkpoint and a run of shards: when it began, or was last written, what became of it,
and its name. Those of a run under way are listed too.`,
		UsageText: `  sluice sweep s3://data/exports/
  sluice sweep export/
  sluice sweep s3://data/exports/ --abort --older-than 2h
  sluice sweep export/ --abort --run-id 2026-01-31`,
		Flags: append(
			p.bucketFlags(),
			&cli.BoolFlag{Name: "abort", Destination: &o.Abort, Usage: "end those older than --older-than"},
			&cli.DurationFlag{
				Name:        "older-than",
				Value:       24 * time.Hour,
				Destination: &o.OlderThan,
				Usage:       "how old what is left must be to be ended: `DURATION`",
			},
			&cli.StringFlag{
				Name:        "run-id",
				Destination: &o.RunID,
				Usage:       "only what the shards of the run `ID` have sealed, however old",
			},
		),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			o.Place, o.Bucket = place, p.options.Bucket
			return run.Sweep(ctx, p.world, p.secrets, o)
		}),
	}
}
