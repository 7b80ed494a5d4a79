package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
)

// run is the program: args[0] is its name. It returns the exit status.
func run(ctx context.Context, w *world, args []string) int {
	e := newExtraction(w, &secret.Set{})
	err := cause(ctx, pipeline.Guard(func() error {
		app := newApp(e)
		return app.RunContext(ctx, append(args[:1:1], inOrder(app, args[1:])...))
	}))
	status := status(err)
	if err != nil && status != statusReaderGone {
		e.logging.log(w.stderr, slog.LevelInfo, e.secrets).Error(err.Error())
	}
	return status
}

// newApp makes the program of its commands. The library prints nothing, and neither helps nor exits by itself.
func newApp(e *extraction) *cli.App {
	w := e.world
	app := &cli.App{
		Name: "sluice", HideHelp: true, ExitErrHandler: func(*cli.Context, error) {}, OnUsageError: w.misused,
		Commands: []*cli.Command{
			runCommand(e),
			publishCommand(e),
			validateCommand(e),
			planCommand(e),
			checkCommand(e),
			jobsCommand(e),
			initCommand(e),
			schemaCommand(e),
			demoCommand(e),
			sweepCommand(e),
			completionCommand(w),
			versionCommand(w),
			candidatesCommand(w),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				var known []string
				for _, c := range c.App.VisibleCommands() {
					known = append(known, c.Name)
				}
				return usagef("unknown command %q%s", c.Args().First(), config.Have(c.Args().First(), known))
			}
			// There is nobody to tell.
			_, _ = fmt.Fprint(w.stderr, appHelp(c.App))
			return usagef("a command is needed")
		},
	}
	for _, c := range app.Commands {
		// Else an argument could name the library's command.
		c.HideHelp = true
		c.OnUsageError, c.Before = w.misused, e.fromEnvironment
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
			return usagef("which %s? Usage: %s", noun, usageLine(c.Command))
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
		return usagef("one %s at a time, not %d", noun, len(args))
	}
	return usagef("one %s at a time, not %s and %d more", noun, args[0], len(args)-1)
}

// withNone makes an action of a function without arguments.
func withNone(do func(ctx context.Context) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Present() {
			return usagef("%s takes no arguments", c.Command.Name)
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

// version is set by the linker.
var version = "dev"

func versionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "  sluice version",
		Action: withNone(func(context.Context) error {
			built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						built = "commit " + s.Value + ", " + built
					}
				}
			}
			_, err := fmt.Fprintf(w.stdout, "sluice %s (%s)\n", version, built)
			return err
		}),
	}
}
