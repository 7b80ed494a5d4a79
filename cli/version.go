package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// version is set by the linker.
var version = "dev"

func versionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "  sluice version",
		Action:    withNone(func(context.Context) error { return writeVersion(w.stdout) }),
	}
}

func writeVersion(w io.Writer) error {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	parts := append(origin(settings), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	_, err := fmt.Fprintf(w, "sluice %s (%s)\n", version, strings.Join(parts, ", "))
	return err
}

// origin is the commit that the program was built from, its date, and whether files
// had been changed since, as the go command writes it into what it builds in a
// clone; nothing of what is not known.
func origin(settings []debug.BuildSetting) (parts []string) {
	const commit, date = 12, len("2026-01-31") // that much of them
	known := map[string]string{}
	for _, s := range settings {
		known[s.Key] = s.Value
	}
	if revision := known["vcs.revision"]; len(revision) >= commit {
		parts = append(parts, "commit "+revision[:commit])
	}
	if at := known["vcs.time"]; len(at) >= date {
		parts = append(parts, at[:date])
	}
	if known["vcs.modified"] == "true" {
		parts = append(parts, "changed since")
	}
	return parts
}
