package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// formatFlag chooses how a command that only looks shows what it found.
func formatFlag(f *pflag.FlagSet, value string) {
	f.StringP("format", "f", value, "`FORMAT` of what is shown: text or json")
}

// looking makes a command of a function that reads the configuration name, and shows
// in the format what it finds.
func looking(f func(c invocation, name, format string) error) func(*cobra.Command, []string) error {
	return action(func(c invocation) error {
		format, err := c.choice("format")
		if err != nil {
			return err
		}
		name, err := c.config()
		if err != nil {
			return err
		}
		return f(c, name, format)
	})
}

// stateFlag says what time.previousStart is. Only run writes the file.
func stateFlag(f *pflag.FlagSet) {
	f.String("state", "", "`FILE` with the start of the last successful run, for time.previousStart")
}

// jobFlag chooses jobs.
func jobFlag(f *pflag.FlagSet) {
	f.StringArray("job", nil, "only the job with this `ID` or data type; repeatable")
}
