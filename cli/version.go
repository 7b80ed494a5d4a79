package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is set by the linker.
var version = "dev"

func versionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "  sluice version",
		Action: withNone(func(context.Context) error {
			built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						built = "commit " + s.Value + ", " + built
					}
				}
			}
			_, err := fmt.Fprintf(w.stdout, "sluice %s (%s)\n", version, built)
			return err
		}),
	}
}
