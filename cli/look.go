package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
	planned "sluice/source/plan"
)

func validateCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "validate", ArgsUsage: "CONFIG [flags]",
		Usage: "check a configuration; no request is sent",
		Description: `Shows everything that is wrong at once. Unlike run, it fails on unknown members.
As JSON: {valid, jobs, problems}, of each problem severity, path, text, file,
line and column; errors and unknown members end with status 2.`,
		UsageText: `  sluice validate api.json
  sluice validate api.json --attr-env '#password=API_PASSWORD'
  sluice validate api.json --format json | jq -r '.problems[] | "\(.line): \(.path) \(.text)"'`,
		Flags: append([]cli.Flag{p.formatFlag("text"), p.stateFlag()}, p.attributeFlags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			var problems config.Problems
			src, err := p.look(ctx, name, run.LookOptions{}, &problems)
			if src == nil {
				return err
			}
			v := struct {
				// Unknown members are not there; what may be meant so is no obstacle.
				Valid bool `json:"valid"`

				// Empty unless valid.
				Jobs []string `json:"jobs"`

				Problems []config.Problem `json:"problems"`
			}{Jobs: []string{}, Problems: append([]config.Problem{}, problems.All()...)}
			v.Valid = !slices.ContainsFunc(v.Problems, func(q config.Problem) bool { return !q.Note })
			if v.Valid {
				for _, j := range src.Jobs() {
					v.Jobs = append(v.Jobs, j.ID)
				}
			}
			if p.format == "json" {
				if err := p.print(v); err != nil {
					return err
				}
			}
			if !v.Valid {
				return &config.Error{Problems: v.Problems}
			}
			if p.format == "text" {
				for _, problem := range v.Problems {
					p.world.Say("warning: %s", p.secrets.Redact(problem.String()))
				}
				for i, id := range v.Jobs {
					v.Jobs[i] = p.secrets.Name(id)
				}
				p.world.Say(
					"%s is good: %s (%s)",
					view.OneLine(name),
					view.Count(len(v.Jobs), "job"),
					view.OneLine(strings.Join(v.Jobs, ", ")),
				)
			}
			return nil
		}),
	}
}

func jobsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "jobs", ArgsUsage: "CONFIG [flags]",
		Usage: "print the ids of the jobs as a JSON array",
		Description: `For Argo withParam and Airflow expand: each id is good for run --job. Attributes
that are missing, such as passwords, are not needed. No request is sent.`,
		UsageText: `  sluice jobs api.json
  for id in $(sluice jobs api.json --format text); do sluice run api.json --job "$id" -o export/; done`,
		Flags: append([]cli.Flag{p.formatFlag("json")}, p.attributeFlags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			src, err := p.look(ctx, name, run.LookOptions{}, &config.Problems{AnyAttributes: true})
			if err != nil {
				return err
			}
			if p.format == "json" {
				return json.NewEncoder(view.Printable(p.world.Stdout)).Encode(src.Roots())
			}
			var lines strings.Builder
			for _, id := range src.Roots() {
				lines.WriteString(view.OneLine(id) + "\n")
			}
			_, err = io.WriteString(p.world.Stdout, lines.String())
			return err
		}),
	}
}

func planCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "plan", ArgsUsage: "CONFIG [flags]",
		Usage: "show what would be asked, as curl commands",
		Description: `Each secret, and each value that is made of one, is a variable of the shell. The
list says what it is, and whether it is URL-encoded or escaped for JSON there. Set it
to that text, and the commands work.
As JSON: {variables, requests}, of each request job, method, url and command; with
http.rate {budgets}, too: what these requests cost.`,
		UsageText: `  sluice plan api.json
  sluice plan api.json --job users --format json | jq -r '.requests[].url'`,
		Flags: append([]cli.Flag{p.jobFlag(), p.formatFlag("text"), p.stateFlag()}, p.attributeFlags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			requests := &planned.Plan{}
			src, err := p.look(ctx, name, run.LookOptions{Plan: requests}, &config.Problems{})
			if err != nil {
				return err
			}
			if err := src.Plan(); err != nil {
				return run.AsUsage(err)
			}
			if p.format == "json" {
				return p.print(requests)
			}
			return writePlan(p.world.Stdout, p.secrets, requests)
		}),
	}
}

func writePlan(w io.Writer, secrets *secret.Set, p *planned.Plan) error {
	var b strings.Builder
	if len(p.Variables) > 0 {
		b.WriteString("# Variables to be set:\n")
	}
	for _, v := range p.Variables {
		b.WriteString(secrets.Redact(fmt.Sprintf("#   %s  %s\n", v.Name, view.OneLine(v.From))))
	}
	for i, r := range p.Requests {
		title := "job " + secrets.Name(r.Job)
		switch {
		case r.Login:
			title = "the login request"
		case r.Above != "":
			title += ", the first request for an item of " + secrets.Name(r.Above)
		}
		if i > 0 || len(p.Variables) > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("# " + view.OneLine(title) + "\n")
		for _, note := range r.Notes {
			b.WriteString("# " + view.OneLine(secrets.Redact(note)) + "\n")
		}
		b.WriteString(secrets.Redact(r.Command) + "\n")
	}
	writeBudgets(&b, p)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBudgets says what the planned requests cost of the rates of the configuration.
func writeBudgets(b *strings.Builder, p *planned.Plan) {
	if len(p.Budgets) > 0 {
		b.WriteString("\n# What these requests cost of http.rate; each further page costs as much as the first of its job:\n")
	}
	for _, budget := range p.Budgets {
		counted := "all requests"
		if budget.For != "" {
			counted = "requests to " + budget.For
		}
		line := fmt.Sprintf("#   %s, %s: %d of %d, %d a request",
			budget.Rate, counted, budget.Cost, budget.Limit, budget.Each)
		b.WriteString(view.OneLine(line) + "\n")
	}
}

func schemaCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the JSON Schema of configurations",
		Description: `A configuration that begins with {"$schema": "sluice.schema.json", … is
completed by editors such as VS Code while it is written.`,
		UsageText: `  sluice schema > sluice.schema.json`,
		Action:    withNone(func(context.Context) error { return p.print(source.Schema()) }),
	}
}
