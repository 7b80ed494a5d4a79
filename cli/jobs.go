package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func jobsCommand(w *world, secrets *secret.Set) *cli.Command {
	var format string
	var set attributes
	return &cli.Command{
		Name: "jobs", ArgsUsage: "CONFIG [flags]",
		Usage: "print the ids of the jobs as a JSON array",
		Description: `For Argo withParam and Airflow expand: each id is good for run --job. Attributes
that are missing, such as passwords, are not needed. No request is sent.`,
		UsageText: `  sluice jobs api.json
  for id in $(sluice jobs api.json --format text); do sluice run api.json --job "$id" -o export/; done`,
		Flags: append([]cli.Flag{formatFlag(&format, "json")}, set.flags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			p := config.Problems{AnyAttributes: true}
			src, err := compile(ctx, w, name, &set, source.Options{Secrets: secrets}, &p)
			if err != nil {
				return err
			}
			if format == "json" {
				return json.NewEncoder(w.stdout).Encode(src.Roots())
			}
			_, err = fmt.Fprintln(w.stdout, strings.Join(src.Roots(), "\n"))
			return err
		}),
	}
}
