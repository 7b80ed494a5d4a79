package main

import (
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/source/config"
)

func jobsCommand(w *world, secrets *pipeline.Secrets) *cli.Command {
	return &cli.Command{
		Name:      "jobs",
		Usage:     "print the ids of the jobs as a JSON array; no request is sent",
		UsageText: "jobs CONFIG [flags]",
		Description: `For Argo withParam and Airflow expand: each id is good for run --job.

Examples:
  sluice jobs api.json
  for id in $(sluice jobs api.json --format text); do sluice run api.json --job "$id" -o export/; done`,
		Flags: append([]cli.Flag{formatFlag("json")}, attributeFlags()...),
		Action: func(c *cli.Context) error {
			format, err := formatOf(c)
			if err != nil {
				return err
			}
			name, err := onlyConfig(c)
			if err != nil {
				return err
			}
			var p config.Problems
			src, err := compile(c, w, name, secrets, &p)
			if err != nil {
				return err
			}
			if err := p.Err(); err != nil {
				return err
			}
			if format == "json" {
				return json.NewEncoder(w.stdout).Encode(src.Roots())
			}
			for _, id := range src.Roots() {
				if _, err := fmt.Fprintln(w.stdout, id); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
