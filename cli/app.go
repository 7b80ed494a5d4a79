package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/secret"
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

// invoke runs a command line: args[0] is the name of the program. It returns the exit status.
func invoke(ctx context.Context, w *world, args []string) int {
	p := newProgram(w)
	w.FinalStatus = finalStatus
	err := run.Cause(ctx, pipeline.Guard(func() error {
		app := newApp(p)
		return app.RunContext(ctx, append(args[:1:1], inOrder(app, args[1:])...))
	}))
	status := status(err)
	isSaid := status == statusReaderGone || errors.Is(err, errNotAllConverted)
	if err != nil && !isSaid {
		if !p.flagsRead && wantsJSON(w, args) {
			p.options.Shown.Format = "json"
		}
		p.log().Error(err.Error())
	}
	return status
}

// log is for what is told outside of a run.
func (p *program) log() *view.Log {
	return p.options.Shown.Log(p.world.Stderr, slog.LevelInfo, p.secrets)
}

// print shows v on stdout, for programs.
func (p *program) print(v any) error {
	return run.WriteJSON(view.Printable(p.world.Stdout), p.secrets, v, "  ")
}

// newApp makes the program of its commands. The library prints nothing, and neither helps nor exits by itself.
func newApp(p *program) *cli.App {
	w := p.world
	app := &cli.App{
		Name: "sluice", HideHelp: true, ExitErrHandler: func(*cli.Context, error) {}, OnUsageError: misused(w),
		Commands: []*cli.Command{
			runCommand(p),
			publishCommand(p),
			validateCommand(p),
			planCommand(p),
			checkCommand(p),
			jobsCommand(p),
			initCommand(p),
			schemaCommand(p),
			demoCommand(p),
			sweepCommand(p),
			completionCommand(w),
			versionCommand(w),
			candidatesCommand(w),
			manCommand(w),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				var known []string
				for _, c := range c.App.VisibleCommands() {
					known = append(known, c.Name)
				}
				return run.Usagef("unknown command %q%s", c.Args().First(), config.Have(c.Args().First(), known))
			}
			// There is nobody to tell.
			_, _ = fmt.Fprint(w.Stderr, appHelp(c.App))
			return run.Usagef("a command is needed")
		},
	}
	for _, c := range app.Commands {
		// Else an argument could name the library's command.
		c.HideHelp = true
		c.OnUsageError, c.Before = misused(w), p.fromEnvironment
	}
	app.Setup()
	return app
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
	return run.Usagef("one %s at a time, not %s and %d more", noun, args[0], len(args)-1)
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
