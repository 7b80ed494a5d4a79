package cli

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// A program is one invocation of sluice. The flags of its command set the members.
type program struct {
	world   *world
	secrets *secret.Set
	options run.Options

	// --format of a command that only looks: text or json.
	format string

	// The flags hold what the command line and the environment say.
	flagsRead bool
}

func newProgram(w *world) *program {
	return &program{world: w, secrets: &secret.Set{}, options: run.Options{Version: version}}
}

// log is for what is told outside of a run.
func (p *program) log() *view.Log {
	return p.options.Shown.Log(p.world.Stderr, slog.LevelInfo, p.secrets)
}

// print shows v on stdout, for programs.
func (p *program) print(v any) error {
	return run.WriteJSON(view.Printable(p.world.Stdout), p.secrets, v, "  ")
}

// look reads a configuration up to the point where it could run. What is wrong goes to problems; errors are returned too.
func (p *program) look(
	ctx context.Context,
	name string,
	l run.LookOptions,
	problems *config.Problems,
) (*source.Source, error) {
	p.options.Input.Config = name
	return run.Look(ctx, p.world, p.secrets, p.options, l, problems)
}

func usageLine(c *cli.Command) string {
	return strings.TrimSpace(c.HelpName + " " + c.ArgsUsage)
}

// withOne makes an action of a function of one argument, which is a noun.
func withOne(noun string, do func(ctx context.Context, argument string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		switch c.Args().Len() {
		case 0:
			return run.Usagef("which %s? Usage: %s", noun, usageLine(c.Command))
		case 1:
			return do(c.Context, c.Args().First())
		}
		return surplus(noun, c.Args().Slice())
	}
}

// surplus says of too many arguments how many there are, and the first if it is a file: any other may be a secret that
// slipped out of a flag.
func surplus(noun string, args []string) error {
	if _, err := os.Stat(args[0]); err != nil {
		return run.Usagef("one %s at a time, not %d", noun, len(args))
	}
	return run.Usagef("one %s at a time, not %s and %d more: a value with blanks stands in quotes", noun, args[0], len(args)-1)
}

// withNone makes an action of a function without arguments.
func withNone(do func(ctx context.Context) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Present() {
			return run.Usagef("%s takes no arguments", c.Command.Name)
		}
		return do(c.Context)
	}
}

// flagOf returns the flag of a command, by its long or short name, nil if there is none.
func flagOf(c *cli.Command, name string) cli.DocGenerationFlag {
	at := slices.IndexFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if at < 0 {
		return nil
	}
	return c.Flags[at].(cli.DocGenerationFlag)
}
