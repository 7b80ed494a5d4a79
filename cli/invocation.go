package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// invocation is one command line, parsed: the command and its flags, and args, the
// arguments. A flag that the command does not have has its zero value.
type invocation struct {
	*cobra.Command
	args []string
}

// action makes a command of a function.
func action(f func(c invocation) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error { return f(invocation{cmd, args}) }
}

// String returns the value of a flag.
func (c invocation) String(flag string) string {
	v, _ := c.Flags().GetString(flag)
	return v
}

// choice returns the value of a flag that is one of [choices].
func (c invocation) choice(flag string) (string, error) {
	value, all := c.String(flag), choices(c.Command, flag)
	if !slices.Contains(all, value) {
		return "", usagef("--%s %s: have %s", flag, value, strings.Join(all, ", "))
	}
	return value, nil
}

// Strings returns the values of a flag that may be repeated, in order and as they
// were given: GetStringArray would take them through CSV, which loses one empty
// value and the \r of \r\n.
func (c invocation) Strings(flag string) []string {
	if f := c.Flags().Lookup(flag); f != nil {
		return f.Value.(pflag.SliceValue).GetSlice()
	}
	return nil
}

// Bool returns the value of a flag.
func (c invocation) Bool(flag string) bool {
	v, _ := c.Flags().GetBool(flag)
	return v
}

// Int returns the value of a flag.
func (c invocation) Int(flag string) int {
	v, _ := c.Flags().GetInt(flag)
	return v
}

// Duration returns the value of a flag.
func (c invocation) Duration(flag string) time.Duration {
	v, _ := c.Flags().GetDuration(flag)
	return v
}

// Changed says whether a flag was given, on the command line or in the
// environment.
func (c invocation) Changed(flag string) bool { return c.Flags().Changed(flag) }

// config returns the one argument of a command that reads a configuration.
func (c invocation) config() (string, error) {
	switch len(c.args) {
	case 0:
		return "", usagef("which configuration? Usage: %s", c.UseLine())
	case 1:
		return c.args[0], nil
	}
	return "", usagef("one configuration at a time, not %s", strings.Join(c.args, " "))
}
