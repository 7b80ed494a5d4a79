package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline"
)

// run is the program: args[0] is its name. It returns the exit status.
func run(ctx context.Context, w *world, args []string) int {
	secrets := &pipeline.Secrets{}
	app := newApp(w, secrets)
	err := cause(ctx, pipeline.Guard(func() error { return app.RunContext(ctx, arrange(app, args, w.getenv)) }))
	status := status(err)
	if err != nil && status != statusReaderGone {
		w.say("%s", secrets.Redact(err.Error()))
	}
	return status
}

func newApp(w *world, secrets *pipeline.Secrets) *cli.App {
	app := &cli.App{
		Name:      "sluice",
		Usage:     "drain paged HTTP APIs into pipes, files and buckets",
		UsageText: "sluice COMMAND [CONFIG] [flags]",
		Version:   version,
		Writer:    w.stdout,
		ErrWriter: w.stderr,
		Reader:    w.stdin,
		Commands: []*cli.Command{
			runCommand(w, secrets),
			validateCommand(w, secrets),
			planCommand(w, secrets),
			checkCommand(w, secrets),
			jobsCommand(w, secrets),
			schemaCommand(w),
			demoCommand(w, secrets),
			sweepCommand(w),
			completionCommand(w),
			versionCommand(w),
		},
		EnableBashCompletion:      true,
		HideVersion:               true,
		HideHelpCommand:           true,
		CustomAppHelpTemplate:     appHelp,
		DisableSliceFlagSeparator: true,
		// By itself the library prints help to stdout and exits.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("unknown command %q: see sluice --help", c.Args().First())
			}
			c.App.Writer = w.stderr
			_ = cli.ShowAppHelp(c)
			return usagef("a command is needed")
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = onUsageError
		c.HideHelpCommand = true
		c.CustomHelpTemplate = commandHelp
	}
	return app
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	help := "sluice --help"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "sluice" {
		help = "sluice " + c.Command.Name + " --help"
	}
	return usagef("%w: see %s", err, help)
}

// flagEnvironment is the name of a flag's twin in the environment.
func flagEnvironment(flag string) string {
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// onlyConfig returns the one argument of a command.
func onlyConfig(c *cli.Context) (string, error) {
	switch c.NArg() {
	case 0:
		return "", usagef("which configuration? Usage: sluice %s", c.Command.UsageText)
	case 1:
		return c.Args().First(), nil
	}
	return "", usagef("one configuration at a time, not %s", strings.Join(c.Args().Slice(), " "))
}
