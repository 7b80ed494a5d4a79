package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/pipeline"
	"sluice/source/config"
)

// invoke runs a command line: args[0] is the name of the program. It returns the exit status.
func invoke(ctx context.Context, w *world, args []string) int {
	p := newProgram(w)
	w.FinalStatus = finalStatus
	err := run.Cause(ctx, pipeline.Guard(func() error {
		app := newApp(p)
		return app.RunContext(ctx, append(args[:1:1], inOrder(app, args[1:])...))
	}))
	status := status(err)
	if err != nil && status != statusReaderGone && !errors.Is(err, errNotAllConverted) {
		if !p.flagsRead && wantsJSON(w, args) {
			p.options.Shown.Format = "json"
		}
		p.log().Error(err.Error())
	}
	return status
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
			loginCommand(p),
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
