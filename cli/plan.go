package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func planCommand(w *world, secrets *secret.Set) *cli.Command {
	var format string
	var set attributes
	plan := &source.Plan{}
	o := source.Options{Secrets: secrets, UserAgent: "sluice/" + version, Plan: plan}
	return &cli.Command{
		Name: "plan", ArgsUsage: "CONFIG [flags]",
		Usage: "show what would be asked, as curl commands",
		Description: `A secret, and what is made of one, is a variable of the shell: set it to the text
as it goes there (the list says what it is, and where it is URL-encoded or escaped
for JSON), and the commands work.
As JSON: {variables, requests}, of each request job, method, url and command.`,
		UsageText: `  sluice plan api.json
  sluice plan api.json --job users --format json | jq -r '.requests[].url'`,
		Flags: append([]cli.Flag{jobFlag(&o), formatFlag(&format, "text"), stateFlag(w, &o, nil)}, set.flags()...),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			var p config.Problems
			src, err := compile(ctx, w, name, &set, o, &p)
			if err != nil {
				return err
			}
			if err := src.Plan(); err != nil {
				return &usageError{err}
			}
			if format == "json" {
				return writeJSON(w.stdout, secrets, plan, "  ")
			}
			return writePlan(w.stdout, secrets, plan)
		}),
	}
}

// writePlan shows a plan as a script with comments.
func writePlan(w io.Writer, secrets *secret.Set, p *source.Plan) error {
	var b strings.Builder
	if len(p.Variables) > 0 {
		b.WriteString("# Variables to be set:\n")
	}
	for _, v := range p.Variables {
		fmt.Fprintf(&b, "#   %s  %s\n", v.Name, v.From)
	}
	for i, r := range p.Requests {
		title := "job " + r.Job
		switch {
		case r.Login:
			title = "the login request"
		case r.Above != "":
			title += ", the first request for an item of " + r.Above
		}
		if i > 0 || len(p.Variables) > 0 {
			b.WriteByte('\n')
		}
		for _, comment := range append([]string{title}, r.Notes...) {
			b.WriteString("# " + comment + "\n")
		}
		b.WriteString(r.Command + "\n")
	}
	_, err := io.WriteString(w, secrets.Redact(b.String()))
	return err
}
