package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func validateCommand(w *world, secrets *secret.Set) *cli.Command {
	var format string
	var set attributes
	o := source.Options{Secrets: secrets}
	return &cli.Command{
		Name: "validate", ArgsUsage: "CONFIG [flags]",
		Usage: "check a configuration; no request is sent",
		Description: `Shows everything that is wrong at once. Unlike run, it fails on unknown members.
As JSON: {valid, jobs, problems}, of each problem severity, path, text, file,
line and column; errors and unknown members end with status 2.`,
		UsageText: `  sluice validate api.json
  sluice validate api.json --attr-env '#password=API_PASSWORD'
  sluice validate api.json --format json | jq -r '.problems[] | "\(.line): \(.path) \(.text)"'`,
		Flags: append([]cli.Flag{formatFlag(&format, "text"), stateFlag(w, &o, nil)}, set.flags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			var p config.Problems
			src, err := compile(ctx, w, name, &set, o, &p)
			if src == nil {
				return err
			}
			v := validation{Jobs: []string{}, Problems: append([]config.Problem{}, p.All()...)}
			v.Valid = !slices.ContainsFunc(v.Problems, func(q config.Problem) bool { return !q.Note })
			if v.Valid {
				for _, j := range src.Jobs() {
					v.Jobs = append(v.Jobs, j.ID)
				}
			}
			if format == "json" {
				if err := writeJSON(w.stdout, secrets, v, "  "); err != nil {
					return err
				}
			}
			if !v.Valid {
				return &config.Error{Problems: v.Problems}
			}
			if format == "text" {
				for _, problem := range p.All() {
					w.say("warning: %s", secrets.Redact(problem.String()))
				}
				w.say("%s is good: %s (%s)", name, view.Count(len(v.Jobs), "job"), strings.Join(v.Jobs, ", "))
			}
			return nil
		}),
	}
}

// compile reads a configuration up to the point where it could run with o, whose
// clock is the command's. What is wrong goes to p; errors are returned too.
func compile(ctx context.Context, w *world, name string, set *attributes, o source.Options, p *config.Problems) (*source.Source, error) {
	docs, err := load(ctx, w, name, set, o.Secrets, p)
	if err != nil {
		return nil, err
	}
	o.Now = w.now
	return source.New(docs, o, p), p.Err()
}

// validation is what validate shows programs.
type validation struct {
	Valid    bool             `json:"valid"` // unknown members are not there; what may be meant so is no obstacle
	Jobs     []string         `json:"jobs"`  // empty unless valid
	Problems []config.Problem `json:"problems"`
}
