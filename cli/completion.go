package cli

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/sink"
)

// completions are the makers of scripts by shell. The scripts ask the program
// itself what may come next.
var completions = map[string]func(app *cobra.Command, w io.Writer) error{
	"bash": func(app *cobra.Command, w io.Writer) error { return app.GenBashCompletionV2(w, true) },
	"zsh":  (*cobra.Command).GenZshCompletion,
	"fish": func(app *cobra.Command, w io.Writer) error { return app.GenFishCompletion(w, true) },
}

func completionCommand(w *world) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish",
		Short:     "print a completion script for bash, zsh or fish",
		ValidArgs: []string{"bash", "zsh", "fish"},
		Example: `  source <(sluice completion bash)
  sluice completion fish > ~/.config/fish/completions/sluice.fish`,
		RunE: action(func(c invocation) error {
			if len(c.args) != 1 || completions[c.args[0]] == nil {
				return usagef("which shell? Usage: %s", c.UseLine())
			}
			return completions[c.args[0]](c.Root(), w.stdout)
		}),
	}
}

// choices are what a flag of a command may be, nil where that is not a list.
func choices(c *cobra.Command, flag string) []string {
	switch {
	case flag == "format" && c.Name() == "run":
		return sink.Formats()
	case flag == "compress":
		return sink.Compressions()
	case flag == "format", flag == "log-format":
		return []string{"text", "json"}
	case flag == "progress":
		return []string{"auto", "always", "never"}
	case flag == "log-level":
		return []string{"debug", "info", "warn", "error"}
	}
	return nil
}

// completeFlags lets shells complete the values of flags. What is not a list
// completes to names of files.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if all := choices(c, f.Name); all != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)) // there is none yet
		}
	})
}
