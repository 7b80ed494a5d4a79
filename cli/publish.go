package cli

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
)

func publishCommand(p *program) *cli.Command {
	var wanted run.PublishOptions
	return &cli.Command{
		Name: "publish", ArgsUsage: "DEST [flags]",
		Usage: "make visible what the shards of a run have sealed",
		Description: `All of it or nothing, and the manifest last. It may be run again, and twice at a
time. While shards are missing it ends with status 75 and their numbers.`,
		UsageText: `  sluice publish s3://data/exports/ --run-id 2026-01-31 --shards 20
  sluice publish export/ --run-id 2026-01-31 --shards 20 --wait 6h --strict`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{
				Name:        "run-id",
				Destination: &p.options.RunID,
				Usage:       "`ID` of the run, that of its shards",
			},
			&cli.IntFlag{Name: "shards", Destination: &wanted.Shards, Usage: "`N` of --shard I/N"},
			&cli.DurationFlag{
				Name:        "wait",
				Destination: &wanted.Wait,
				Usage:       "how long to wait for shards that have not ended: `DURATION`",
			},
			&cli.BoolFlag{
				Name:        "verify",
				Destination: &wanted.Verify,
				Usage: "read back what the shards have sealed, and compare its SHA-256: " +
					"in a folder before anything is visible, in a bucket before the manifest is",
			},
		}, p.wantFlags(), p.reportFlags(), p.logFlags("info"), p.bucketFlags(), p.storedFlags()),
		Action: withOne("destination", func(ctx context.Context, place string) error {
			p.options.Data.Output = place
			return run.Publish(ctx, p.world, p.secrets, p.options, wanted)
		}),
	}
}
