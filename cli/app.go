package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/source/config"
)

// run is the program: args[0] is its name. It returns the exit status.
func run(ctx context.Context, w *world, args []string) int {
	secrets := &secret.Set{}
	app := newApp(w, secrets)
	app.SetArgs(args[1:])
	command := app
	err := cause(ctx, pipeline.Guard(func() (err error) {
		command, err = app.ExecuteContextC(ctx)
		return err
	}))
	status := status(err)
	if err != nil && status != statusReaderGone {
		complain(w, command, secrets, err)
	}
	return status
}

// complain says why a command failed, in the format of its other lines.
func complain(w *world, c *cobra.Command, secrets *secret.Set, err error) {
	f := c.Flags().Lookup("log-format")
	log := &view.Log{W: w.stderr, JSON: f != nil && f.Value.String() == "json", Secrets: secrets}
	log.Error(err.Error())
}

func newApp(w *world, secrets *secret.Set) *cobra.Command {
	app := &cobra.Command{
		Use:  "sluice",
		Args: cobra.ArbitraryArgs, // RunE says more about an unknown command
		RunE: noCommand,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(notEmpty(c.Flags()), twins(c.Flags(), w.getenv))
		},
		SilenceErrors:              true, // run says them
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	app.SetIn(w.stdin)
	app.SetOut(w.stdout)
	app.SetErr(w.stderr)
	app.SetHelpFunc(help)
	app.SetHelpCommand(helpCommand())
	app.SetFlagErrorFunc(flagError)
	app.Flags().Bool("version", false, "print the version")
	app.AddCommand(
		runCommand(w, secrets),
		validateCommand(w, secrets),
		planCommand(w, secrets),
		checkCommand(w, secrets),
		jobsCommand(w, secrets),
		schemaCommand(w),
		demoCommand(w, secrets),
		sweepCommand(w, secrets),
		completionCommand(w),
		versionCommand(w),
	)
	for _, c := range app.Commands() {
		c.Args = cobra.ArbitraryArgs // each says itself what it wants
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
		c.Flags().BoolP("help", "h", false, "show this")
		_ = c.Flags().MarkHidden("help") // it is there
		completeFlags(c)
	}
	return app
}

// noCommand is what the program does without a command that it knows.
func noCommand(c *cobra.Command, args []string) error {
	if v, _ := c.Flags().GetBool("version"); v {
		return writeVersion(c.OutOrStdout())
	}
	if len(args) == 0 {
		c.SetOut(c.ErrOrStderr())
		help(c, nil)
		return usagef("a command is needed")
	}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usagef("unknown command %q: see sluice --help", args[0])
}

// flagError says what is wrong with a flag, and which one may be meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" { // what follows the letter may be a secret
		return usagef("unknown flag -%s: see %s --help", unknown.GetSpecifiedName(), c.CommandPath())
	}
	if unknown != nil {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := config.Nearest(unknown.GetSpecifiedName(), known); near != "" {
			return usagef("%w: did you mean --%s?", err, near)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usagef("--%s: %q is no value for it: see %s --help", invalid.GetFlag().Name, invalid.GetValue(), c.CommandPath())
	}
	return usagef("%w: see %s --help", err, c.CommandPath())
}

// notEmpty refuses a value that is empty, since it is mostly that of a variable
// which a script has not set.
func notEmpty(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = usagef("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// twin is the name of a flag in the environment.
func twin(flag string) string {
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// twins sets the flags that only the environment names.
func twins(flags *pflag.FlagSet, getenv func(string) string) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		value := getenv(twin(f.Name))
		if f.Name == "format" && flags.Lookup("output") == nil && slices.Contains(sink.Formats(), value) {
			return // it is meant for run
		}
		if value == "" || f.Changed || f.Name == "help" || err != nil {
			return
		}
		if flags.Set(f.Name, value) != nil {
			err = usagef("%s: %q is no value for --%s", twin(f.Name), value, f.Name)
		}
	})
	return err
}
