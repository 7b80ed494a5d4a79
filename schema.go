package main

import (
	"github.com/urfave/cli/v2"

	"sluice/source"
)

func schemaCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of the configuration, with which editors complete and check",
		UsageText: "schema",
		Description: `A configuration that begins with {"$schema": "sluice.schema.json", … is
completed by editors such as VS Code while it is written.

Examples:
  sluice schema > sluice.schema.json`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("schema takes no arguments")
			}
			return writeJSON(w.stdout, source.Schema())
		},
	}
}
