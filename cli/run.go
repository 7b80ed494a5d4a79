package cli

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
)

func runCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "run", ArgsUsage: "CONFIG [flags]",
		Usage: "extract every item, to stdout or where --output says",
		UsageText: `  sluice run api.json | jq .
  sluice run api.json -o users.csv.gz
  sluice run api.json -o export/ --summary report.json
  sluice run api.json -o s3://bucket/exports/ --concurrency 8 --trace trace.json
  sluice run api.json --job users --attr-env '#password=API_PASSWORD'`,
		Flags: slices.Concat(
			p.dataFlags(),
			p.apiFlags(),
			p.journalFlags(),
			p.besideFlags(),
			p.logFlags("info"),
			p.bucketFlags(),
			p.storedFlags(),
			[]cli.Flag{
				sizeFlag(
					&p.options.Bucket.PartSize,
					"s3-part-size",
					"16MiB",
					"`SIZE` of the parts of an upload; 10,000 of them are the largest object",
				),
			},
			p.attributeFlags(),
		),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			p.options.Input.Config = name
			return run.Run(ctx, p.world, p.secrets, p.options)
		}),
	}
}
