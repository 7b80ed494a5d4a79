package cli

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/source/config"
)

// execute does what a command line says. What is wrong with its flags is returned only
// after those before it have been read: --log-format is the format of that error too.
func execute(ctx context.Context, app *cli.App, getenv func(string) string, words []string) error {
	ordered, wrong := inOrder(app, words)
	if ordered == nil {
		return wrong
	}
	for _, c := range app.Commands {
		c.Before = func(c *cli.Context) error {
			if wrong != nil {
				return wrong
			}
			return fromEnvironment(c, getenv)
		}
	}
	return app.RunContext(ctx, append([]string{app.Name}, ordered...))
}

// inOrder puts the words of a command line as the library wants them: the command, its
// flags, --, the arguments. A flag that asks for help or for the version becomes the
// command. With an error come the words up to it, nil if there is no command.
func inOrder(app *cli.App, words []string) ([]string, error) {
	at := 0
	if len(words) > 0 && strings.HasPrefix(words[0], "-") { // flags may stand before the command
		at = slices.IndexFunc(words, func(word string) bool { return app.Command(word) != nil })
	}
	command, ordered, args := &cli.Command{HelpName: app.HelpName}, []string(nil), []string{"--"}
	if at >= 0 && at < len(words) {
		if command = app.Command(words[at]); command == nil || command.SkipFlagParsing {
			return append(args, words...), nil
		}
		ordered, words = []string{command.Name}, slices.Concat(words[:at], words[at+1:])
	}
	for len(words) > 0 {
		switch word := words[0]; {
		case word == "--":
			return slices.Concat(ordered, args, words[1:]), nil
		case word == "-h" || word == "--help":
			return append([]string{"help"}, ordered[:min(1, len(ordered))]...), nil
		case word == "--version" && ordered == nil:
			return []string{"version"}, nil
		case word == "-" || !strings.HasPrefix(word, "-"):
			args, words = append(args, word), words[1:]
			continue
		}
		flag, rest, err := readFlag(command, words)
		if err != nil {
			return ordered, err
		}
		ordered, words = append(ordered, flag), rest
	}
	return append(ordered, args...), nil
}

// readFlag reads the flag that words begin with: it is returned as --name=value, with
// the words after it.
func readFlag(c *cli.Command, words []string) (flag string, rest []string, err error) {
	word, rest := words[0], words[1:]
	name, value, hasValue := cutFlag(word)
	f := flagOf(c, name)
	if f == nil {
		return "", nil, unknownFlag(c, word, name)
	}
	if f.TakesValue() && !hasValue {
		if len(rest) == 0 {
			return "", nil, usagef("flag needs an argument: %s: see %s --help", word, c.HelpName)
		}
		value, hasValue, rest = rest[0], true, rest[1:]
	}
	flag = "--" + f.Names()[0]
	if !hasValue {
		return flag, rest, nil
	}
	if _, repeated := f.(*cli.GenericFlag); value == "" && !repeated { // it is mostly a variable that a script has not set
		return "", nil, usagef("%s is empty: give it a value, or leave it out", flag)
	}
	return flag + "=" + value, rest, nil
}

// cutFlag cuts --name=value, --name, -n, -nvalue and -n=value.
func cutFlag(word string) (name, value string, hasValue bool) {
	if long, ok := strings.CutPrefix(word, "--"); ok {
		return strings.Cut(long, "=")
	}
	return word[1:2], strings.TrimPrefix(word[2:], "="), len(word) > 2
}

// unknownFlag says which flag may be meant.
func unknownFlag(c *cli.Command, word, name string) error {
	if !strings.HasPrefix(word, "--") { // what follows the letter may be a secret
		return usagef("unknown flag -%s: see %s --help", name, c.HelpName)
	}
	known := []string{"help", "version"}
	for _, f := range c.Flags {
		known = append(known, f.Names()[0])
	}
	if near := config.Nearest(name, known); near != "" {
		return usagef("unknown flag: --%s: did you mean --%s?", name, near)
	}
	return usagef("unknown flag: --%s: see %s --help", name, c.HelpName)
}

// invalidValue says what the library says about a value, as other errors do.
func invalidValue(c *cli.Context, err error, _ bool) error {
	if m := regexp.MustCompile(`value (".*") for (?:flag )?-([^:]+): `).FindStringSubmatch(err.Error()); m != nil {
		return usagef("--%s: %s is no value for it: see %s --help", m[2], m[1], c.Command.HelpName)
	}
	return usagef("%w: see %s --help", err, c.Command.HelpName)
}

// environmentName is the name of a flag in the environment.
func environmentName(flag string) string {
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// variableNames are the names of what is set in an environment as package os gives it.
func variableNames(environment []string) (names []string) {
	for _, setting := range environment {
		if name, value, _ := strings.Cut(setting, "="); value != "" {
			names = append(names, name)
		}
	}
	return names
}

// warnOfVariables tells of variables that look like flags and are none. Kubernetes sets
// some by itself where a service is called sluice.
func (e *extraction) warnOfVariables(app *cli.App) {
	prefix := environmentName("")
	if !slices.ContainsFunc(e.world.names, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		return // the library reads the name of each flag by a regular expression: that takes its time
	}
	var known []string
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			known = append(known, strings.TrimPrefix(environmentName(f.Names()[0]), prefix))
		}
	}
	kubernetes := regexp.MustCompile(`^(SERVICE_.*|PORT(_.*)?)$`)
	for _, name := range e.world.names {
		if name, ok := strings.CutPrefix(name, prefix); ok && !slices.Contains(known, name) && !kubernetes.MatchString(name) {
			text := prefix + name + " of the environment is no flag"
			if near := config.Nearest(name, known); near != "" {
				text += ": did you mean " + prefix + near + "?"
			}
			e.logging.log(e.world.stderr, slog.LevelInfo, e.secrets).Observe(pipeline.Warned{Text: text, At: e.world.now()})
		}
	}
}

// fromEnvironment sets the flags that only the environment names.
func fromEnvironment(c *cli.Context, getenv func(string) string) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		value := getenv(environmentName(name))
		if l, ok := f.(*listed); ok && name == "format" && !slices.Contains(l.values, value) && slices.Contains(sink.Formats(), value) {
			continue // it is meant for run
		}
		if value != "" && !c.IsSet(name) && c.Set(name, value) != nil {
			return usagef("%s: %q is no value for --%s", environmentName(name), value, name)
		}
	}
	return nil
}
