package cli

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/pipeline"
	"sluice/pipeline/pattern"
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

// misused returns what says what is wrong with the flags of a command, or shows its help: a flag that the library does not know.
func misused(w *world) cli.OnUsageErrorFunc {
	return func(c *cli.Context, err error, _ bool) error {
		if errors.Is(err, flag.ErrHelp) {
			_, err := io.WriteString(w.Stdout, help(c.App, c.Command))
			return err
		}
		return explained(c.Command, err)
	}
}

// Errors of the library about a flag.
var (
	withoutValue = pattern.Lazy(`^flag needs an argument: -(.+)$`)
	wrongValue   = pattern.Lazy(`^invalid (?:boolean )?value ("(?s:.*)") for (?:flag )?-(\S+): parse error$`)
)

// explained says of an error of the library what a person can do about it.
func explained(c *cli.Command, err error) error {
	text := err.Error()
	if found := withoutValue().FindStringSubmatch(text); found != nil {
		text = dashed(found[1]) + " needs a value"
		if strings.HasPrefix(found[1], "attr") {
			text += ", in quotes if it begins with #, which begins a comment in a shell"
		}
	} else if found := wrongValue().FindStringSubmatch(text); found != nil {
		text = dashed(found[2]) + " " + found[1] + ": must be " + wanted(flagOf(c, found[2]))
	} else if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = unknownFlag(c, name)
	}
	return run.Usagef("%s: see %s --help", text, c.HelpName)
}

// dashed is a flag as people type it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// wanted says what the value of a flag must be.
func wanted(f cli.DocGenerationFlag) string {
	switch f.(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.DurationFlag:
		return "a length of time such as 90s"
	}
	return "a whole number"
}

// ofCurl are flags of curl that stand in commands which people copy, beside those of one letter.
var ofCurl = []string{"request", "header", "data", "data-raw", "data-urlencode", "json", "user", "url", "location", "compressed", "get"}

// unknownFlag says that a flag is none of the command.
func unknownFlag(c *cli.Command, name string) string {
	text := "unknown flag " + dashed(name)
	if c.Name == "init" && (len(name) == 1 || slices.Contains(ofCurl, name)) {
		return text + ": a curl command stands in quotes as a whole, or comes on standard input"
	}
	var known []string
	for _, f := range c.Flags {
		known = append(known, "--"+f.Names()[0])
	}
	return text + config.Suggest("--"+name, known)
}

// fromEnvironment sets the flags that only the environment names. An empty one is mostly a variable that is not set.
func (p *program) fromEnvironment(c *cli.Context) error {
	given := c.LocalFlagNames()
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if slices.Contains(given, name) {
			_, mayBeEmpty := f.(*cli.GenericFlag)
			if c.String(name) == "" && !mayBeEmpty {
				return run.Usagef("--%s is empty: give it a value, or leave it out", name)
			}
			continue
		}
		value := p.world.Getenv(environmentName(name))
		if value == "" || isForRun(f, value) {
			continue
		}
		if c.Set(name, value) != nil {
			return run.Usagef("%s: %q is no value for --%s", environmentName(name), value, name)
		}
	}
	p.flagsRead = true
	if !c.Command.Hidden {
		p.warnOfVariables(c.App)
	}
	return nil
}

// wantsJSON tells whether a command line that could not be read asks for errors as JSON.
func wantsJSON(w *world, args []string) bool {
	const flag = "--log-format"
	for i, word := range args {
		value, isHere := strings.CutPrefix(word, flag+"=")
		if word == flag && i+1 < len(args) {
			value, isHere = args[i+1], true
		}
		if isHere {
			return value == "json"
		}
	}
	return w.Getenv(environmentName("log-format")) == "json"
}

// isForRun tells whether SLUICE_FORMAT is meant for run: a command that only looks has formats of its own.
func isForRun(f cli.Flag, value string) bool {
	l, ok := f.(*listed)
	if !ok || f.Names()[0] != "format" {
		return false
	}
	return slices.Contains(sink.Formats(), value) && !slices.Contains(l.values, value)
}

// ofService are the variables that Kubernetes sets for a service of the name sluice.
var ofService = pattern.Lazy(`^SLUICE_(SERVICE_.*|PORT(_.*)?)$`)

// warnOfVariables tells of variables that look like flags, but for those of a service.
func (p *program) warnOfVariables(app *cli.App) {
	prefix := environmentName("")
	for _, setting := range p.world.Environ {
		name, value, _ := strings.Cut(setting, "=")
		word, hasPrefix := strings.CutPrefix(name, prefix)
		isOurs := hasPrefix && !ofService().MatchString(name)
		if value == "" || !isOurs {
			continue
		}
		known := words(app)
		if slices.Contains(known, word) {
			continue
		}
		text := name + " of the environment is no flag"
		if near := config.Nearest(word, known); near != "" {
			text += " (did you mean " + prefix + near + "?)"
		}
		p.log().Observe(pipeline.Warned{Text: text, At: p.world.Now()})
	}
}

// words are what stands behind SLUICE_ in the variables of all flags of the program.
func words(app *cli.App) []string {
	var known []string
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			name := environmentName(f.Names()[0])
			known = append(known, strings.TrimPrefix(name, environmentName("")))
		}
	}
	return known
}
