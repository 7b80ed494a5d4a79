package cli

import (
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/time/rate"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/source/config"
)

// list collects the values of a flag that may be repeated as they were given; the library would trim them.
type list []string

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
func (e *extraction) formatFlag(usual string) cli.Flag {
	return choice(cli.StringFlag{
		Name: "format", Aliases: []string{"f"}, Value: usual, Destination: &e.sink.Format,
		Usage: "`FORMAT` of what is shown: text or json",
	}, "text", "json")
}

func (e *extraction) jobFlag() cli.Flag {
	return &cli.GenericFlag{
		Name:        "job",
		Destination: (*list)(&e.source.Jobs),
		Usage:       "only the job with this `ID` or data type; repeatable",
	}
}

func (e *extraction) stateFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "state", Destination: &e.state, Usage: "`FILE` or s3://bucket/key with the start of the last complete run of each job, for time.previousStart, and its values for the function last",
	}
}

type logFlags struct{ level, format string }

func (l *logFlags) flags(usual string) []cli.Flag {
	return []cli.Flag{
		choice(
			cli.StringFlag{
				Name:        "log-level",
				Destination: &l.level,
				DefaultText: strconv.Quote(usual),
				Usage:       "`LEVEL` of what stderr shows: debug, info, warn or error",
			},
			"debug",
			"info",
			"warn",
			"error",
		),
		choice(
			cli.StringFlag{
				Name:        "log-format",
				Destination: &l.format,
				Value:       "text",
				Usage:       "`FORMAT` of what stderr shows: text or json",
			},
			"text",
			"json",
		),
	}
}

// log makes what the flags say; without a level it is the usual one.
func (l *logFlags) log(w io.Writer, usual slog.Level, secrets *secret.Set) *view.Log {
	// What is no level, such as none, changes nothing.
	_ = usual.UnmarshalText([]byte(l.level))
	return &view.Log{W: view.Printable(w), JSON: l.format == "json", Level: usual, Secrets: secrets}
}

func (e *extraction) outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "output",
			Aliases:     []string{"o"},
			Value:       "-",
			Destination: &e.sink.Output,
			Usage:       "`DEST`: - (stdout), FILE, DIR/ (one file per data type), s3://bucket/key, s3://bucket/prefix/; without a bucket config.outputBucket",
		},
		choice(
			cli.StringFlag{
				Name:        "format",
				Aliases:     []string{"f"},
				Destination: &e.sink.Format,
				Usage:       "`FORMAT`: ndjson or csv (default what the name says, else ndjson)",
			},
			sink.Formats()...),
		choice(
			cli.StringFlag{
				Name:        "compress",
				Aliases:     []string{"z"},
				Destination: &e.sink.Compress,
				Usage:       "`COMPRESSION`: none, gzip or zstd (default what the name says, else none)",
			},
			sink.Compressions()...),
		&cli.StringFlag{
			Name:        "name",
			Destination: &e.sink.Name,
			Usage:       "`TEMPLATE` of names below DIR/; placeholders {dataType} {job} {date} {runId} {part} {shard} {shards} {attr:NAME} {ext} (default {dataType}.{ext})",
		},
		sizeFlag(
			&e.sink.Roll,
			"roll",
			"",
			"after `SIZE` of text before compression, begin another file of a data type with the next page: {dataType}-{part}.{ext} below DIR/",
		),
		&cli.StringFlag{
			Name:        "run-id",
			Destination: &e.sink.RunID,
			Usage:       "`ID` of the run in names and report (default a new ULID)",
		},
		&cli.StringFlag{
			Name:        "date",
			Destination: &e.sink.Date,
			Usage:       "date of the run in names: `YYYY-MM-DD` (default today, UTC)",
		},
		&cli.StringFlag{
			Name:        "columns",
			Destination: &e.columns,
			Usage:       "CSV columns, in order: `A,B` (default all that occur)",
		},
		&cli.StringFlag{
			Name:        "columns-from",
			Destination: &e.columnsFrom,
			Usage:       "a `FILE` with one CSV column a line",
		},
		&cli.BoolFlag{
			Name:        "envelope",
			Destination: &e.sink.Enveloped,
			Usage:       `wrap each item: {"job", "dataType", "page", "item"}`,
		},
	}
}

func (e *extraction) sourceFlags() []cli.Flag {
	return []cli.Flag{
		e.jobFlag(),
		&cli.IntFlag{
			Name:        "concurrency",
			Value:       1,
			Destination: &e.source.Concurrency,
			Usage:       "`N` API requests in flight",
		},
		&cli.StringFlag{
			Name: "rate", Usage: "API requests per time, such as 10/s or 300/m: `N[/s|/m|/h]` (default no bound)",
			Action: func(_ *cli.Context, text string) error {
				number, unit, _ := strings.Cut(text, "/")
				n, err := strconv.ParseFloat(number, 64)
				per := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
				// Which NaN is not.
				if err != nil || !(n > 0 && n <= 1e6) || per == 0 {
					return usagef(
						"--rate %s: must be a number of requests, such as 10/s, 300/m or 1000/h",
						text,
					)
				}
				e.source.Limiter = rate.NewLimiter(rate.Limit(n/per.Seconds()), 1)
				return nil
			},
		},
		e.shardFlag(),
		e.stateFlag(),
		&cli.BoolFlag{
			Name:        "strict",
			Destination: &e.accept.Strict,
			Usage:       "publish nothing, and end with status 3, unless the data is known to be complete",
		},
		&cli.Int64Flag{
			Name:        "min-items",
			Destination: &e.accept.MinItems,
			Usage:       "publish nothing, and end with status 3, if a job has fewer than `N` items",
		},
		&cli.BoolFlag{
			Name:        "confirm-end",
			Destination: &e.source.ConfirmEnd,
			Usage:       "after the end ask for one page more, to prove that it was the end",
		},
		&cli.StringFlag{
			Name:        "record",
			Destination: &e.record,
			Usage:       "write the HTTP traffic to files in `DIR`, secrets removed",
		},
		&cli.StringFlag{
			Name:        "replay",
			Destination: &e.replay,
			Usage:       "run from the traffic that --record has written to `DIR`, without network",
		},
	}
}

func (e *extraction) reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "summary",
			Destination: &e.summary,
			Usage:       "write the report to `FILE` as JSON, also when the run fails; - is the last line of stdout",
		},
		&cli.StringFlag{
			Name:        "report",
			Destination: &e.page,
			Usage:       "write a page about the run to `FILE`, for a browser, also when the run fails",
		},
		&cli.StringFlag{
			Name:        "trace",
			Destination: &e.trace,
			Usage:       "write a timeline of the run to `FILE`, for ui.perfetto.dev or chrome://tracing",
		},
		choice(
			cli.StringFlag{
				Name:        "progress",
				Value:       "auto",
				Destination: &e.progress,
				Usage:       "`WHEN` stderr shows a live view: auto (on a terminal), always or never",
			},
			"auto",
			"always",
			"never",
		),
	}
}
