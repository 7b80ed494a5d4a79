package cli

import (
	"errors"
	"flag"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/source/config"
)

// inOrder puts a command line in the order that the library wants: the command, its flags, --, the arguments.
func inOrder(app *cli.App, words []string) []string {
	// People type it who do not think of --help.
	if len(words) > 0 && words[0] == "help" {
		words = append(words[1:len(words):len(words)], "--help")
	}
	at := 0
	// Flags may stand before the command.
	if len(words) > 0 && strings.HasPrefix(words[0], "-") {
		at = slices.IndexFunc(words, func(word string) bool { return app.Command(word) != nil })
	}
	if at < 0 && slices.Contains(words, "--version") {
		return []string{"version"}
	}
	if at < 0 || at == len(words) {
		return words
	}
	command := app.Command(words[at])
	if command == nil || command.SkipFlagParsing {
		return words
	}
	flags, args := []string{command.Name}, []string{"--"}
	words = slices.Concat(words[:at], words[at+1:])
	for len(words) > 0 {
		word, rest := words[0], words[1:]
		switch {
		case word == "--":
			return slices.Concat(flags, args, rest)
		case word == "-" || !strings.HasPrefix(word, "-"):
			args, words = append(args, word), rest
			continue
		// -nvalue.
		case len(word) > 2 && word[1] != '-':
			word = "--" + word[1:2] + "=" + strings.TrimPrefix(word[2:], "=")
		}
		flags, words = append(flags, word), rest
		name := strings.TrimLeft(word, "-")
		if f := flagOf(command, name); f != nil && f.TakesValue() {
			if len(rest) == 0 {
				// The library says what is missing.
				return flags
			}
			flags, words = append(flags, rest[0]), rest[1:]
		}
	}
	return append(flags, args...)
}

// misused says what is wrong with the flags of a command, or shows its help: a flag that the library does not know.
func (w *world) misused(c *cli.Context, err error, _ bool) error {
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(w.stdout, help(c.App, c.Command))
		return err
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return usagef("%w: see %s --help", err, c.Command.HelpName)
	}
	var known []string
	for _, f := range c.Command.Flags {
		known = append(known, "--"+f.Names()[0])
	}
	return usagef(
		"unknown flag --%s%s: see %s --help",
		name,
		config.Suggest("--"+name, known),
		c.Command.HelpName,
	)
}

// fromEnvironment sets the flags that only the environment names. An empty one is mostly a variable that is not set.
func (e *extraction) fromEnvironment(c *cli.Context) error {
	given := c.LocalFlagNames()
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		_, repeated := f.(*cli.GenericFlag)
		isGiven := slices.Contains(given, name)
		if isGiven && c.String(name) == "" && !repeated {
			return usagef("--%s is empty: give it a value, or leave it out", name)
		}
		value := e.world.getenv(environmentName(name))
		if l, ok := f.(*listed); ok && name == "format" && !slices.Contains(l.values, value) &&
			slices.Contains(sink.Formats(), value) {
			// It is meant for run.
			continue
		}
		if value != "" && !isGiven && c.Set(name, value) != nil {
			return usagef("%s: %q is no value for --%s", environmentName(name), value, name)
		}
	}
	if !c.Command.Hidden {
		e.warnOfVariables(c.App)
	}
	return nil
}

func environmentName(flag string) string {
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// warnOfVariables tells of variables that look like flags, but for those that Kubernetes sets for a service.
func (e *extraction) warnOfVariables(app *cli.App) {
	prefix := environmentName("")
	for _, setting := range e.world.environ {
		name, value, _ := strings.Cut(setting, "=")
		word, ours := strings.CutPrefix(name, prefix)
		if value == "" || !ours || regexp.MustCompile(`^(SERVICE_.*|PORT(_.*)?)$`).MatchString(word) {
			continue
		}
		var known []string
		for _, c := range app.Commands {
			for _, f := range c.Flags {
				known = append(known, strings.TrimPrefix(environmentName(f.Names()[0]), prefix))
			}
		}
		if !slices.Contains(known, word) {
			text := name + " of the environment is no flag"
			if near := config.Nearest(word, known); near != "" {
				text += " (did you mean " + prefix + near + "?)"
			}
			e.logging.log(e.world.stderr, slog.LevelInfo, e.secrets).
				Observe(pipeline.Warned{Text: text, At: e.world.now()})
		}
	}
}
