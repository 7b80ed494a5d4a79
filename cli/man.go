package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
)

// manCommand prints the manual page for packages, with the date of the release.
func manCommand(w *world) *cli.Command {
	return &cli.Command{
		Name: "__man", ArgsUsage: "YYYY-MM-DD", Hidden: true,
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return run.Usagef("which date? Usage: %s", usageLine(c.Command))
			}
			_, err := io.WriteString(w.Stdout, manual(c.App, c.Args().First()))
			return err
		},
	}
}

// manual is the manual page in roff: what all helps say, the environment and the exit statuses.
func manual(app *cli.App, date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH SLUICE 1 %s \"sluice %s\"\n", date, roff(version))
	b.WriteString(`.SH NAME
sluice \- drain paged HTTP APIs into pipes, files and buckets
.SH SYNOPSIS
.B sluice
.I COMMAND
.RI [ ARGUMENT ]
.RI [ FLAGS ]
.SH DESCRIPTION
A JSON configuration says how an API is reached, logged into and paged through.
Every item is streamed as NDJSON or CSV to stdout, a file, a folder or an S3 bucket.
.SH COMMANDS
CONFIG is a file, or \- for stdin. Flags may stand anywhere.
`)
	for _, c := range app.VisibleCommands() {
		manualOf(&b, c)
	}
	b.WriteString(`.SH ENVIRONMENT
Each flag has a twin, which counts where the flag is not given: that of \-\-log\-level is SLUICE_LOG_LEVEL.
Buckets are reached with the usual AWS_ variables.
.SH EXIT STATUS
`)
	for _, s := range statuses {
		fmt.Fprintf(&b, ".TP\n%d\n%s\n", s.status, roff(s.meaning))
	}
	return b.String()
}

// manualOf writes the section of a command.
func manualOf(b *strings.Builder, c *cli.Command) {
	fmt.Fprintf(b, ".SS %s\n%s.\n", roff(usageLine(c)), roff(c.Usage))
	if c.Description != "" {
		fmt.Fprintf(b, ".PP\n%s\n", roff(c.Description))
	}
	fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(c.UsageText))
	for _, f := range c.Flags {
		name, usage := describe(f.(cli.DocGenerationFlag))
		fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(strings.TrimSpace(name)), roff(usage))
	}
}

// roff escapes what means something in roff: backslashes, dots and apostrophes at the beginning of a line, and hyphens,
// which are to be copied as they are typed.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// statuses are the exit statuses for a reader of the manual page; docs/exit-statuses.md says which to try again.
var statuses = []struct {
	status  int
	meaning string
}{
	{statusOK, "done, all output is visible"},
	{statusFailed, "failed: the API, the login, an answer or the destination"},
	{statusUsage, "usage or configuration: nothing was requested"},
	{
		statusIncomplete,
		"with --strict the data may be incomplete, with --min-items it is too little: nothing was published",
	},
	{statusPanicked, "the program itself failed"},
	{statusTemporary, "temporary: try again"},
	{statusInterrupted, "interrupted"},
	{statusAborted, "SIGQUIT, SIGABRT, or a fatal error such as no memory"},
	{statusReaderGone, "the reader of stdout went away"},
	{statusTerminated, "terminated"},
}
