package main

import (
	"io"

	"github.com/spf13/cobra"
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

// flagValues are what a flag may be, where that is known.
var flagValues = map[string][]string{
	"compress":   {"none", "gzip", "zstd"},
	"progress":   {"auto", "always", "never"},
	"log-level":  {"debug", "info", "warn", "error"},
	"log-format": {"text", "json"},
}

// completeFlags lets shells complete the values of flags. What is not known
// completes to names of files.
func completeFlags(c *cobra.Command) {
	for flag, values := range flagValues {
		fixed(c, flag, values...)
	}
	if c.Name() == "run" {
		fixed(c, "format", "ndjson", "csv")
	} else {
		fixed(c, "format", "text", "json")
	}
}

func fixed(c *cobra.Command, flag string, values ...string) {
	if c.Flags().Lookup(flag) != nil {
		_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // there is none yet
	}
}
