//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"sluice/pipeline/secret"
)

// TestEveryCommandLineOfTheWorkflowsIsGood parses each command line of
// docs/workflows with the real commands, which do not begin their work.
func TestEveryCommandLineOfTheWorkflowsIsGood(t *testing.T) {
	want := map[string]string{ // the commands of a file, in order
		"README.md":                   "validate jobs check",
		"argo-workflow-template.yaml": "jobs run",
		"argo-cron-workflow.yaml":     "",
		"airflow_dag.py":              "run jobs run",
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
			for _, line := range workflowLines(t, file) {
				got = append(got, line[0])
				if err := parse(t, fill(t, line, nil)); err != nil {
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
	command := runCommand(&extraction{})
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
	w := &world{stdout: io.Discard, stderr: io.Discard, now: time.Now, getenv: func(name string) string {
		if strings.HasPrefix(name, "SLUICE_") {
			return ""
		}
		return "set"
	}}
	e := &extraction{world: w, secrets: &secret.Set{}}
	app := newApp(e)
	for _, c := range app.Commands {
		c.Action = withNone(func(context.Context) error { return nil })
		if strings.HasPrefix(c.ArgsUsage, "CONFIG") {
			c.Flags = slices.DeleteFunc(c.Flags, func(f cli.Flag) bool { return strings.HasPrefix(f.Names()[0], "attr") })
			c.Flags = append(c.Flags, e.set.flags()...)
			c.Action = withOne("configuration", func(_ context.Context, name string) error {
				_, err := e.set.read(t.Context(), w)
				if c.Name == "run" {
					err = errors.Join(err, e.settle(name))
				}
				return err
			})
		}
	}
	return execute(t.Context(), app, w.getenv, line)
}

// workflowLines are the command lines of a file, without the name of the program.
func workflowLines(t *testing.T, file string) (lines [][]string) {
	t.Helper()
	text := readText(t, file)
	switch filepath.Ext(file) {
	case ".md":
		for _, b := range blocks(text) {
			lines = append(lines, shellLines(t, strings.ReplaceAll(b.text, "\n$ ", "\n"))...)
		}
	case ".py":
		for _, command := range dagCommands(t, file) {
			lines = append(lines, command.line(t))
		}
	case ".yaml":
		for documents := yaml.NewDecoder(strings.NewReader(text)); ; {
			var document yaml.Node
			err := documents.Decode(&document)
			if errors.Is(err, io.EOF) {
				return lines
			}
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, yamlLines(t, &document)...)
		}
	}
	return lines
}

// yamlLines are those of containers with our image, and of what a shell runs.
func yamlLines(t *testing.T, n *yaml.Node) (lines [][]string) {
	t.Helper()
	var container struct {
		Image string
		Args  []string
		Run   string
	}
	if n.Kind == yaml.MappingNode && n.Decode(&container) == nil {
		if strings.Contains(container.Image, "/sluice:") {
			lines = append(lines, container.Args)
		}
		lines = append(lines, shellLines(t, container.Run)...)
	}
	for _, child := range n.Content {
		lines = append(lines, yamlLines(t, child)...)
	}
	return lines
}

// shellLines lets bash take the lines apart that begin with the program's name.
func shellLines(t *testing.T, script string) (lines [][]string) {
	t.Helper()
	for _, line := range regexp.MustCompile(`(?m)^\s*sluice (.*\\\n)*.*$`).FindAllString(script, -1) {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), "bash", "-uc", `sluice() { printf '%s\0' "$@" > "$SAID"; }; `+line)
		cmd.Dir = dir
		cmd.Env = []string{"SAID=" + filepath.Join(dir, "said"), "RUN_ID=17", "status=0"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
		said := strings.TrimSuffix(readText(t, filepath.Join(dir, "said")), "\x00")
		lines = append(lines, strings.Split(said, "\x00"))
	}
	return lines
}

// A dagCommand is what an operator runs: arguments of a pod, or a line of bash.
type dagCommand struct {
	Arguments []string
	Bash      string
}

func (c dagCommand) line(t *testing.T) []string {
	t.Helper()
	if c.Bash == "" {
		return c.Arguments
	}
	lines := shellLines(t, c.Bash)
	if len(lines) != 1 {
		t.Fatalf("%s: not one line of sluice", c.Bash)
	}
	return lines[0]
}

// dagCommands compiles a DAG and returns what its operators run, in order.
func dagCommands(t *testing.T, file string) (commands []dagCommand) {
	t.Helper()
	const script = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1])
compile(tree, sys.argv[1], "exec")
found = [k for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords if k.arg in ("arguments", "bash_command")]
found.sort(key=lambda k: k.value.lineno)
names = {"arguments": "Arguments", "bash_command": "Bash"}
print(json.dumps([{names[k.arg]: ast.literal_eval(k.value)} for k in found]))
`
	cmd := exec.CommandContext(t.Context(), needed(t, "python3"), "-c", script, file)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &complaints)
	}
	if err := json.Unmarshal(out, &commands); err != nil {
		t.Fatal(err)
	}
	return commands
}

// needed is the path of a program that a test cannot do without.
func needed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("%s is not on this machine", name)
	}
	return path
}

// fill puts values where Argo, Airflow and Kubernetes would. A variable that is not
// listed is none of theirs.
func fill(t *testing.T, line []string, values map[string]string) []string {
	t.Helper()
	known := map[string]string{
		"{{workflow.uid}}":                 "7c0f64c2-2f6b-4f4d-9f0e-3f7c0e0f8a11",
		"{{workflow.creationTimestamp.Y}}": "2026",
		"{{workflow.creationTimestamp.m}}": "11",
		"{{workflow.creationTimestamp.d}}": "21",
		"{{workflow.parameters.bucket}}":   "my-bucket",
		"{{workflow.parameters.prefix}}":   "exports/",
		"{{inputs.parameters.job}}":        "users",
		"{{inputs.parameters.jobs}}":       `["users"]`,
		"{{ ds }}":                         "2026-11-21",
		"{{ run_id }}":                     "scheduled__2026-11-21T03:15:00+00:00",
		"$(SLUICE_RUN_ID)":                 "sluice-29396355",
	}
	variable := regexp.MustCompile(`\{\{.*?\}\}|\$\(\w+\)`)
	filled := slices.Clone(line)
	for i := range filled {
		filled[i] = variable.ReplaceAllStringFunc(filled[i], func(name string) string {
			if value, ok := values[name]; ok {
				return value
			}
			value, ok := known[name]
			if !ok {
				t.Errorf("%s: unknown variable %s", line[i], name)
			}
			return value
		})
	}
	return filled
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
