package cli

import (
	"context"
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
line and column; a configuration with problems ends with status 2.`,
		UsageText: `  sluice validate api.json
  sluice validate api.json --attr-env '#password=API_PASSWORD'
  sluice validate api.json --format json | jq -r '.problems[] | "\(.line): \(.path) \(.text)"'`,
		Flags: append([]cli.Flag{formatFlag(&format, "text"), stateFlag(&o, nil)}, set.flags()...),
		Action: withOne("configuration", func(_ context.Context, name string) error {
			var p config.Problems
			src, err := compile(w, name, &set, o, &p)
			if err != nil {
				return err
			}
			jobs := []string{}
			for _, j := range src.Jobs() {
				jobs = append(jobs, j.ID)
			}
			if format == "json" {
				if err := writeJSON(w.stdout, secrets, newValidation(p.All(), jobs, secrets)); err != nil {
					return err
				}
			}
			if all := p.All(); len(all) > 0 {
				return &config.Error{Problems: all}
			}
			if format == "json" {
				return nil
			}
			w.say("%s is good: %s (%s)", name, view.Count(len(jobs), "job"), strings.Join(jobs, ", "))
			return nil
		}),
	}
}

// compile reads a configuration up to the point where it could run with o, whose
// clock is the command's. What is wrong goes to p.
func compile(w *world, name string, set *attributes, o source.Options, p *config.Problems) (*source.Source, error) {
	docs, err := load(w, name, set, o.Secrets, p)
	if err != nil {
		return nil, err
	}
	o.Now = w.now
	return source.New(docs, o, p), nil
}

// validation is what validate shows programs.
type validation struct {
	Valid    bool      `json:"valid"` // there are no problems, unknown members included
	Jobs     []string  `json:"jobs"`  // empty unless valid
	Problems []problem `json:"problems"`
}

type problem struct {
	Severity string `json:"severity"` // error, or warning: run goes on
	Path     string `json:"path,omitempty"`
	Text     string `json:"text"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`   // from 1
	Column   int    `json:"column,omitempty"` // from 1, in bytes
}

func newValidation(all []config.Problem, jobs []string, secrets *secret.Set) validation {
	v := validation{Valid: len(all) == 0, Jobs: jobs, Problems: []problem{}}
	if !v.Valid {
		v.Jobs = []string{}
	}
	for _, p := range all {
		severity := "error"
		if p.Warning {
			severity = "warning"
		}
		v.Problems = append(v.Problems, problem{severity, secrets.Redact(p.Path), secrets.Redact(p.Text), p.File, p.Line, p.Column})
	}
	return v
}
