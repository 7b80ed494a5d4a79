package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// arrange puts the flags of a command before its arguments, since the library
// silently takes flags behind an argument for arguments, and adds those that
// only the environment sets.
func arrange(app *cli.App, args []string, getenv func(string) string) []string {
	if len(args) < 2 || args[len(args)-1] == "--generate-bash-completion" {
		return args
	}
	command := app.Command(args[1])
	if command == nil {
		return args
	}
	byName := make(map[string]cli.Flag)
	for _, f := range command.Flags {
		for _, name := range f.Names() {
			byName[name] = f
		}
	}
	flags, rest, given := split(args[2:], byName)
	for _, f := range command.Flags {
		name := f.Names()[0]
		if value := getenv(flagEnvironment(name)); value != "" && !given[f] {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	out := append(append([]string{}, args[:2]...), flags...)
	return append(append(out, "--"), rest...)
}

// split tells flags, with their values, from arguments.
func split(args []string, byName map[string]cli.Flag) (flags, rest []string, given map[cli.Flag]bool) {
	given = make(map[cli.Flag]bool)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(rest, args[i+1:]...), given
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		f, known := byName[name]
		if !known {
			continue
		}
		given[f] = true
		if _, isBool := f.(*cli.BoolFlag); !isBool && !hasValue && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	return flags, rest, given
}
