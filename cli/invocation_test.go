package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestValuesOfARepeatedFlagStayAsTheyWereGiven(t *testing.T) {
	for _, want := range [][]string{nil, {""}, {"", ""}, {" a ", "b,c"}, {"key=line\r\nline\r\n"}, {`"quoted", with comma`, "\n"}} {
		var words []string
		for i, value := range want {
			words = append(words, [][]string{{"--attr", value}, {"--attr=" + value}}[i%2]...)
		}
		p := newProgram(&world{Getenv: func(string) string { return "" }})
		app := newApp(p)
		app.Command("run").Action = func(*cli.Context) error { return nil }
		if err := app.RunContext(t.Context(), append([]string{"sluice"}, inOrder(app, append([]string{"run"}, words...))...)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.options.Input.Plain, want) {
			t.Errorf("got %q, want %q", p.options.Input.Plain, want)
		}
	}
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	for line, want := range map[string]string{
		"run CONFIG":                           "- false CONFIG",
		"run CONFIG -o FILE":                   "FILE false CONFIG",
		"run -o FILE CONFIG --strict":          "FILE true CONFIG",
		"run -oFILE CONFIG --strict=false":     "FILE false CONFIG",
		"run CONFIG -o=FILE":                   "FILE false CONFIG",
		"run CONFIG -o-":                       "- false CONFIG",
		"run --strict CONFIG --output - ":      "- true CONFIG",
		"run --output=a=b -":                   "a=b false -",
		"run --output --strict CONFIG":         "--strict false CONFIG",
		"run -o a --output b CONFIG":           "Cannot use two forms of the same flag: o output: see sluice run --help",
		"run --strict -- --output":             "- true --output",
		"run --strict -- --output -- -o":       "- true --output -- -o",
		"run help":                             "- false help",
		"--strict -o FILE run CONFIG":          "FILE true CONFIG",
		"run CONFIG -q":                        "unknown flag -q: see sluice run --help",
		"run CONFIG --outptu x":                "unknown flag --outptu (did you mean --output?): see sluice run --help",
		"run CONFIG --output":                  "--output needs a value: see sluice run --help",
		"run CONFIG --concurrency=":            `--concurrency "": must be a whole number: see sluice run --help`,
		"run CONFIG --strict=maybe":            `--strict "maybe": must be true or false: see sluice run --help`,
		"run CONFIG --concurrency 9:9":         `--concurrency "9:9": must be a whole number: see sluice run --help`,
		"run CONFIG --attr-env":                "--attr-env needs a value, in quotes if it begins with #, which begins a comment in a shell: see sluice run --help",
		"init --from-curl curl URL -H X":       "unknown flag -H: a curl command stands in quotes as a whole, or comes on standard input: see sluice init --help",
		"init --from-curl curl URL --json X":   "unknown flag --json: a curl command stands in quotes as a whole, or comes on standard input: see sluice init --help",
		"init --outptu x":                      "unknown flag --outptu (did you mean --output?): see sluice init --help",
		"run CONFIG --progress nevr":           "--progress nevr: unknown (have auto, always, never; did you mean never?)",
		"run CONFIG --log-format json --wrong": "unknown flag --wrong: see sluice run --help",
		"rnu CONFIG --wrong":                   `unknown command "rnu" (have run, publish, validate, plan, check, login, jobs, init, schema, demo, sweep, completion, version; did you mean run?)`,
		"s":                                    `unknown command "s" (have run, publish, validate, plan, check, login, jobs, init, schema, demo, sweep, completion, version)`,
		"--stric":                              "unknown flag --stric: see sluice --help",
	} {
		t.Run(line, func(t *testing.T) {
			p := newProgram(&world{Getenv: func(string) string { return "" }})
			app := newApp(p)
			var got string
			app.Command("run").Action = func(c *cli.Context) error {
				got = strings.Join(append([]string{p.options.Data.Output, map[bool]string{false: "false", true: "true"}[p.options.Wants.Strict]}, c.Args().Slice()...), " ")
				return nil
			}
			if err := app.RunContext(t.Context(), append([]string{"sluice"}, inOrder(app, strings.Fields(line))...)); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
