//go:build unix

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/fixtures/pages"
)

// TestEveryCommandLineOfTheWorkflowsIsGood parses each command line of
// docs/workflows with the real commands, which do not begin their work.
func TestEveryCommandLineOfTheWorkflowsIsGood(t *testing.T) {
	want := map[string]string{ // the commands of a file, in order
		"README.md":                   "validate jobs check",
		"argo-workflow-template.yaml": "jobs run",
		"argo-cron-workflow.yaml":     "",
		"argo-shards.yaml":            "run publish",
		"indexed-job.yaml":            "run publish",
		"airflow_dag.py":              "run jobs run run publish",
		"cronjob.yaml":                "run",
		"github-actions.yaml":         "validate run",
	}
	files, err := filepath.Glob("docs/workflows/*")
	if err != nil || len(files) != len(want) {
		t.Errorf("%v, %v: want one line here for each", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var got []string
			for _, line := range pages.WorkflowLines(t, file) {
				got = append(got, line[0])
				if err := parse(t, pages.Fill(t, line, nil)); err != nil {
					t.Errorf("sluice %s: %v", strings.Join(line, " "), err)
				}
			}
			if got, want := strings.Join(got, " "), want[filepath.Base(file)]; got != want {
				t.Errorf("its commands are %q, want %q", got, want)
			}
		})
	}
}

func TestEveryTwinInTheWorkflowsIsThatOfAFlag(t *testing.T) {
	files, err := filepath.Glob("docs/workflows/*")
	if err != nil {
		t.Fatal(err)
	}
	command := runCommand(&program{})
	for _, file := range files {
		for _, name := range regexp.MustCompile(`\bSLUICE_\w+`).FindAllString(readText(t, file), -1) {
			flag := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "SLUICE_"), "_", "-"))
			if flagOf(command, flag) == nil {
				t.Errorf("%s: %s: run has no flag --%s", file, name, flag)
			}
		}
	}
}

// parse reads a command line up to where the command would begin its work.
func parse(t *testing.T, line []string) error {
	t.Helper()
	w := &world{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now, Getenv: func(name string) string {
		if strings.HasPrefix(name, "SLUICE_") {
			return ""
		}
		return "set"
	}}
	p := newProgram(w)
	app := newApp(p)
	for _, c := range app.Commands {
		c.Action = withNone(func(context.Context) error { return nil })
		if strings.HasPrefix(c.ArgsUsage, "DEST") {
			c.Action = withOne("destination", func(context.Context, string) error { return nil })
		}
		if strings.HasPrefix(c.ArgsUsage, "CONFIG") {
			ofAttributes := p.attributeFlags()
			c.Flags = slices.DeleteFunc(c.Flags, func(f cli.Flag) bool {
				return slices.ContainsFunc(ofAttributes, func(of cli.Flag) bool { return of.Names()[0] == f.Names()[0] })
			})
			c.Flags = append(c.Flags, ofAttributes...)
			c.Action = withOne("configuration", func(_ context.Context, name string) error {
				p.options.Input.Config = name
				_, _, err := p.options.Input.Attributes(t.Context(), w)
				if c.Name == "run" {
					err = errors.Join(err, p.options.Validate(w))
				}
				return err
			})
		}
	}
	return app.RunContext(t.Context(), append([]string{"sluice"}, inOrder(app, line)...))
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
