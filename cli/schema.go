package cli

import (
	"github.com/spf13/cobra"

	"sluice/source"
)

func schemaCommand(w *world) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of the configuration: editors complete and check with it",
		Long: `A configuration that begins with {"$schema": "sluice.schema.json", … is
completed by editors such as VS Code while it is written.`,
		Example: `  sluice schema > sluice.schema.json`,
		RunE: action(func(c invocation) error {
			if len(c.args) > 0 {
				return usagef("schema takes no arguments")
			}
			return writeJSON(w.stdout, nil, source.Schema())
		}),
	}
}
