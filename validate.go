package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/source"
	"sluice/source/config"
)

func validateCommand(w *world, secrets *pipeline.Secrets) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check a configuration; no request is sent",
		UsageText: "validate CONFIG [flags]",
		Description: `Shows everything that is wrong at once. Unlike run, it fails on unknown members.

Examples:
  sluice validate api.json
  sluice validate api.json --attr-env '#password=API_PASSWORD'`,
		Flags: attributeFlags(),
		Action: func(c *cli.Context) error {
			name, err := onlyConfig(c)
			if err != nil {
				return err
			}
			var p config.Problems
			docs, err := load(c, w, name, secrets, &p)
			if err != nil {
				return err
			}
			var src source.Sequence
			for _, doc := range docs {
				src = append(src, source.New(doc, source.Options{Secrets: secrets, Now: w.now}, &p))
			}
			if all := p.All(); len(all) > 0 {
				return &config.Error{Problems: all}
			}
			var jobs []string
			for _, j := range src.Jobs() {
				jobs = append(jobs, j.ID)
			}
			w.say("%s is good: %s (%s)", name, counted(int64(len(jobs)), "job"), strings.Join(jobs, ", "))
			return nil
		},
	}
}
