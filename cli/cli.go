// Package cli is the command line and nothing else: commands, flags, help, completion, signals, and the exit status of an
// error. What a command does is in cli/run and cli/discover.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/pipeline"
	"sluice/source/config"
)

// Main runs the program and returns its exit status.
func Main() int {
	version = versionOf(version)
	// In which secrets would be.
	withoutCore()
	// A write to a closed pipe is an error instead.
	signal.Ignore(syscall.SIGPIPE)
	// net/http would print parts of answers there, secrets and all.
	log.SetOutput(io.Discard)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT)
	// As nohup has it.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	// A fatal error ends with SIGABRT, not with the status of a usage error; before now SIGABRT would take
	// seconds.
	debug.SetTraceback("crash")

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	w := realWorld()
	w.Pace = newAdaptivePace(os.Getenv)
	go func() { done <- invoke(ctx, w, os.Args) }()
	return attend(w, cancel, signals, done)
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
