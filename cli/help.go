package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// appHelp fits a screen and begins with what most people want.
const appHelp = `Drains paged HTTP APIs into pipes, files and buckets.

  sluice demo                          see it work, with nothing to set up
  sluice run api.json | jq .           every item of an API, one a line
  sluice run api.json -o users.csv.gz  into a file, a FOLDER/ or s3://bucket/key

Before a run
  validate CONFIG   check a configuration; no request is sent
  plan CONFIG       what would be asked, as curl commands; no request is sent
  check CONFIG      log in, and show what the first page of each job holds
  jobs CONFIG       the ids of the jobs, as a JSON array
  schema            the JSON Schema of the configuration, for editors

And
  run CONFIG        extract
  sweep s3://…      list uploads that a killed run left open in a bucket
  demo              extract from an API that is built in
  completion SHELL  the completion script for bash, zsh or fish
  version           the version

sluice COMMAND --help shows examples and flags. CONFIG is a file, or - (stdin).
`

// helpCommand is what people type who do not think of --help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "show the help of a command",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, _ := c.Root().Find(args)
			if len(rest) > 0 {
				return noCommand(c.Root(), rest)
			}
			help(about, nil)
			return nil
		},
	}
}

// help shows the examples of a command first: they are what most people want.
func help(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	if !c.HasParent() {
		_, _ = fmt.Fprint(w, appHelp)
		return
	}
	_, _ = fmt.Fprintf(w, "%s\n\n  %s\n\n", c.Short, c.UseLine())
	if c.Long != "" {
		_, _ = fmt.Fprintf(w, "%s\n\n", c.Long)
	}
	_, _ = fmt.Fprintf(w, "Examples:\n%s\n", c.Example)
	flags := c.LocalFlags()
	if !flags.HasAvailableFlags() {
		return
	}
	first := ""
	flags.VisitAll(func(f *pflag.Flag) { first = cmp.Or(first, f.Name) })
	_, _ = fmt.Fprintf(w, "\nFlags, anywhere; --%s is also %s in the environment:\n%s", first, twin(first), flags.FlagUsagesWrapped(helpWidth))
}

// helpWidth is the width of a terminal that nobody has widened.
const helpWidth = 80
