package cli

import (
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/sink/s3"
	"sluice/source"
	"sluice/source/config"
)

// list collects the values of a flag that may be repeated, in order and as they were
// given; the library's own would trim them.
type list []string

// Set implements [cli.Generic].
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func (l *list) String() string { return strings.Join(*l, " ") }

// listed is a flag with a list of values, which shells complete.
type listed struct {
	cli.StringFlag
	values []string
}

// choice is a flag that refuses what is not one of its values.
func choice(f cli.StringFlag, values ...string) *listed {
	f.Action = func(_ *cli.Context, value string) error {
		if slices.Contains(values, value) {
			return nil
		}
		return usagef("--%s %s: unknown%s", f.Name, value, config.Have(value, values))
	}
	return &listed{f, values}
}

// formatFlag chooses how a command that only looks shows what it found.
func formatFlag(format *string, usual string) cli.Flag {
	return choice(cli.StringFlag{
		Name: "format", Aliases: []string{"f"}, Value: usual, Destination: format,
		Usage: "`FORMAT` of what is shown: text or json",
	}, "text", "json")
}

// jobFlag chooses jobs.
func jobFlag(o *source.Options) cli.Flag {
	return &cli.GenericFlag{Name: "job", Destination: (*list)(&o.Jobs), Usage: "only the job with this `ID` or data type; repeatable"}
}

// stateFlag says what time.previousStart is. run, which wants to know the name of the
// file, reads it once the report of an earlier run is gone.
func stateFlag(w *world, o *source.Options, file *string) cli.Flag {
	f := &cli.StringFlag{
		Name: "state", Destination: file, Usage: "`FILE` or s3://bucket/key with the start of the last complete run of each job, for time.previousStart, and its values for the function last",
	}
	if file == nil {
		f.Action = func(c *cli.Context, name string) error {
			bucket, err := inBucket("--state", name, s3.Options{Secrets: o.Secrets, Dial: w.dial})
			if err != nil {
				return err
			}
			defer bucket.close()
			return previousStarts(c.Context, w, name, bucket, o)
		}
	}
	return f
}

// logFlags say what stderr shows.
type logFlags struct{ level, format string }

func (l *logFlags) flags(usual string) []cli.Flag {
	return []cli.Flag{
		choice(cli.StringFlag{Name: "log-level", Destination: &l.level, DefaultText: strconv.Quote(usual), Usage: "`LEVEL` of what stderr shows: debug, info, warn or error"}, "debug", "info", "warn", "error"),
		choice(cli.StringFlag{Name: "log-format", Destination: &l.format, Value: "text", Usage: "`FORMAT` of what stderr shows: text or json"}, "text", "json"),
	}
}

// log makes what the flags say; without a level it is the usual one.
func (l *logFlags) log(w io.Writer, usual slog.Level, secrets *secret.Set) *view.Log {
	_ = usual.UnmarshalText([]byte(l.level)) // what is no level, such as none, changes nothing
	return &view.Log{W: w, JSON: l.format == "json", Level: usual, Secrets: secrets}
}
