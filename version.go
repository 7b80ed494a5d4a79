package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

func versionCommand(w *world) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Example: "  sluice version",
		RunE: action(func(c invocation) error {
			if len(c.args) > 0 {
				return usagef("version takes no arguments")
			}
			return writeVersion(w.stdout)
		}),
	}
}

func writeVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "sluice %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
