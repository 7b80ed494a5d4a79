package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/urfave/cli/v2"
	"golang.org/x/time/rate"
)

// runFlags are the flags of run (cli.md).
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "`DEST`: - (stdout), FILE, DIR/ (one file per data type), s3://bucket/key, s3://bucket/prefix/; without a bucket config.outputBucket"},
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Usage: "ndjson or csv; by default what the name says, else ndjson"},
		&cli.StringFlag{Name: "compress", Aliases: []string{"z"}, Usage: "none, gzip or zstd; by default what the name says, else none"},
		&cli.StringFlag{Name: "name", Usage: "`TEMPLATE` of names below DIR/; placeholders {dataType} {job} {date} {runId} {ext}", DefaultText: "{dataType}.{ext}"},
		&cli.StringFlag{Name: "run-id", Usage: "`ID` of the run in names and report", DefaultText: "a new ULID"},
		&cli.StringFlag{Name: "date", Usage: "date of the run in names: `YYYY-MM-DD`", DefaultText: "today, UTC"},
		&cli.StringFlag{Name: "columns", Usage: "CSV columns, in order: `A,B,…`", DefaultText: "all that occur"},
		&cli.StringFlag{Name: "columns-from", Usage: "a `FILE` with one CSV column a line"},
		&cli.BoolFlag{Name: "envelope", Usage: `wrap each item: {"job", "dataType", "page", "item"}`},
		&cli.StringSliceFlag{Name: "job", Usage: "only the job with this `ID` or data type; repeatable"},
		&cli.IntFlag{Name: "concurrency", Value: 1, Usage: "`N` API requests in flight"},
		&cli.StringFlag{Name: "rate", Usage: "API requests per time, such as 10/s or 300/m: `N[/s|/m]`", DefaultText: "no bound"},
		&cli.StringFlag{Name: "summary", Usage: "write the report to `FILE` as JSON, also when the run fails; - is the last line of stdout"},
		&cli.StringFlag{Name: "state", Usage: "`FILE` with the start of the last successful run, for time.previousStart"},
		&cli.BoolFlag{Name: "strict", Usage: "publish nothing, and end with status 3, unless the data is known to be complete"},
		&cli.BoolFlag{Name: "confirm-end", Usage: "behind a short page ask for one page more, to prove that it was the end"},
		&cli.StringFlag{Name: "trace", Usage: "write a timeline of the run to `FILE`, for ui.perfetto.dev or chrome://tracing"},
		&cli.StringFlag{Name: "progress", Value: "auto", Usage: "`WHEN` stderr shows a live view: auto (on a terminal), always or never"},
		logLevelFlag("info"),
		logFormatFlag(),
	}
}

func logLevelFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "log-level", Value: value, Usage: "`LEVEL` of what stderr shows: debug, info, warn or error"}
}

func logFormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "log-format", Value: "text", Usage: "`FORMAT` of what stderr shows: text or json"}
}

// apply puts what the flags say into an extraction. All contradictions between
// flags are errors here.
func (e *extraction) apply(c *cli.Context) (err error) {
	e.sink.Output, e.sink.Format, e.sink.Compress = c.String("output"), c.String("format"), c.String("compress")
	e.sink.Name = c.String("name")
	if e.sink.Columns, err = columns(c); err != nil {
		return err
	}
	if e.runID = c.String("run-id"); e.runID == "" {
		e.runID = ulid.MustNew(ulid.Timestamp(e.world.now()), ulid.DefaultEntropy()).String()
	}
	e.sink.RunID = e.runID
	if e.sink.Date = c.String("date"); e.sink.Date == "" {
		e.sink.Date = e.world.now().UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, e.sink.Date); err != nil {
		return usagef("--date %s: must be a date such as 2026-01-31", e.sink.Date)
	}
	e.envelope, e.strict = c.Bool("envelope"), c.Bool("strict")
	e.source.Jobs, e.source.ConfirmEnd = c.StringSlice("job"), c.Bool("confirm-end")
	if e.source.Concurrency = c.Int("concurrency"); e.source.Concurrency < 1 || e.source.Concurrency > 1000 {
		return usagef("--concurrency %d: must be between 1 and 1000", e.source.Concurrency)
	}
	if e.source.Limiter, err = limiter(c.String("rate")); err != nil {
		return err
	}
	e.state = c.String("state")
	if e.source.PreviousStart, err = previousStart(e.state); err != nil {
		return err
	}
	if err := e.traffic(c); err != nil {
		return err
	}
	if e.s3, err = s3Options(c, e.world); err != nil {
		return err
	}
	e.trace = c.String("trace")
	e.summary = c.String("summary")
	if e.summary == "-" && isStdout(e.sink.Output, e.world.stdout) {
		return usagef("--summary -: the data goes to stdout; name a file for one of the two")
	}
	return nil
}

// columns returns what --columns or --columns-from says, nil if neither.
func columns(c *cli.Context) ([]string, error) {
	list, file := c.String("columns"), c.String("columns-from")
	var all []string
	switch {
	case list != "" && file != "":
		return nil, usagef("--columns and --columns-from: one of the two")
	case list != "":
		all = strings.Split(list, ",")
	case file != "":
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, usagef("--columns-from: %w", err)
		}
		all = strings.Split(strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	default:
		return nil, nil
	}
	for i, column := range all {
		if column == "" {
			return nil, usagef("column %d has no name", i+1)
		}
	}
	return all, nil
}

// limiter reads --rate; nil is no limit. The budget is spent evenly.
func limiter(text string) (*rate.Limiter, error) {
	if text == "" {
		return nil, nil
	}
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(number, 64)
	per := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute}[unit]
	if err != nil || n <= 0 || n > 1e6 || per == 0 {
		return nil, usagef("--rate %s: must be a number of requests, such as 10/s or 300/m", text)
	}
	return rate.NewLimiter(rate.Limit(n/per.Seconds()), 1), nil
}
