package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"sluice/source"
)

func schemaCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the JSON Schema of configurations",
		Description: `A configuration that begins with {"$schema": "sluice.schema.json", … is
completed by editors such as VS Code while it is written.`,
		UsageText: `  sluice schema > sluice.schema.json`,
		Action:    withNone(func(context.Context) error { return writeJSON(w.stdout, nil, source.Schema(), "  ") }),
	}
}
