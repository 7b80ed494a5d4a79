package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "  sluice version",
		Action: withNone(func(context.Context) error {
			built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
			known := revision
			if info, ok := debug.ReadBuildInfo(); ok {
				vcs := setting(info, "vcs.revision")
				known = cmp.Or(known, vcs)
			}
			if known != "" {
				built = "commit " + known + ", " + built
			}
			_, err := fmt.Fprintf(w.Stdout, "sluice %s (%s)\n", version, built)
			return err
		}),
	}
}
