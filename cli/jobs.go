package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func jobsCommand(w *world, secrets *secret.Set) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "jobs CONFIG [flags]",
		Short: "print the ids of the jobs as a JSON array; no request is sent",
		Long:  `For Argo withParam and Airflow expand: each id is good for run --job.`,
		Example: `  sluice jobs api.json
  for id in $(sluice jobs api.json --format text); do sluice run api.json --job "$id" -o export/; done`,
		RunE: looking(func(c invocation, name, format string) error {
			var p config.Problems
			src, err := compile(c, w, name, source.Options{Secrets: secrets}, &p)
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
		}),
	}
	f := cmd.Flags()
	formatFlag(f, "json")
	attributeFlags(f)
	return cmd
}
