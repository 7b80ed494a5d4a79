package main

import (
	"encoding/json"
	"io"

	"github.com/urfave/cli/v2"
)

// formatFlag chooses how a command that only looks shows what it found.
func formatFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: value, Usage: "`FORMAT` of what is shown: text or json"}
}

func formatOf(c *cli.Context) (string, error) {
	format := c.String("format")
	if format != "text" && format != "json" {
		return "", usagef("--format %s: have text, json", format)
	}
	return format, nil
}

// writeJSON writes a document for programs.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// jobFlag chooses jobs.
func jobFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "job", Usage: "only the job with this `ID` or data type; repeatable"}
}
