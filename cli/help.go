package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

// appHelp is the help of the program. It fits a screen and begins with what most people want.
func appHelp(app *cli.App) string {
	var b strings.Builder
	b.WriteString(`Drains paged HTTP APIs into pipes, files and buckets.

  sluice demo                          see it work, with nothing to set up
  sluice run api.json | jq .           every item of an API, one a line
  sluice run api.json -o users.csv.gz  into a file, a FOLDER/ or s3://bucket/key

`)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, c := range app.VisibleCommands() {
		_, _ = fmt.Fprintf(table, "  %s %s\t%s\n", c.Name, strings.TrimSuffix(c.ArgsUsage, "[flags]"), c.Usage)
	}
	// A buffer takes everything.
	_ = table.Flush()
	return b.String() + "\nsluice COMMAND --help shows examples and flags. CONFIG is a file, or - (stdin).\n"
}

// help is the help of a command, or of the program. It shows the examples, its UsageText, first.
func help(app *cli.App, c *cli.Command) string {
	if c.UsageText == "" {
		return appHelp(app)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  %s\n\n", c.Usage, usageLine(c))
	if c.Description != "" {
		b.WriteString(c.Description + "\n\n")
	}
	b.WriteString("Examples:\n" + c.UsageText + "\n")
	if len(c.Flags) == 0 {
		return b.String()
	}
	first := c.Flags[0].Names()[0]
	fmt.Fprintf(&b, "\nFlags, anywhere; --%s is also %s in the environment:\n", first, environmentName(first))
	table := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, f := range c.Flags {
		name, usage := describe(f.(cli.DocGenerationFlag))
		_, _ = fmt.Fprintf(table, "%s\t%s\n", name, strings.Join(wrap(usage), "\n\t"))
	}
	// A buffer takes everything.
	_ = table.Flush()
	return b.String()
}

// describe returns how a flag is written, and what it means. The name of its value stands there in backquotes.
func describe(f cli.DocGenerationFlag) (name, usage string) {
	name = "      --" + f.Names()[0]
	if names := f.Names(); len(names) > 1 {
		name = "  -" + names[1] + ", --" + names[0]
	}
	before, rest, _ := strings.Cut(f.GetUsage(), "`")
	value, after, _ := strings.Cut(rest, "`")
	if f.TakesValue() {
		name += " " + value
	}
	usage = before + value + after
	if usual := f.GetDefaultText(); !slices.Contains([]string{"", "false", "0", "0s"}, usual) {
		usage += " (default " + usual + ")"
	}
	return name, usage
}

// wrap cuts what a flag means into lines that end early, so that no last line has only a word or two.
func wrap(text string) (lines []string) {
	const width, early = 49, 5
	for len(text) >= width {
		at := strings.LastIndexByte(text[:width-early], ' ')
		if at <= 0 {
			break
		}
		lines = append(lines, text[:at])
		text = text[at+1:]
	}
	return append(lines, text)
}

func environmentName(flag string) string {
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
