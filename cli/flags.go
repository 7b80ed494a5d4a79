package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/pflag"
	"golang.org/x/time/rate"
)

// outputFlags say where the items go, and how.
func outputFlags(f *pflag.FlagSet) {
	f.StringP("output", "o", "-", "`DEST`: - (stdout), FILE, DIR/ (one file per data type), s3://bucket/key, s3://bucket/prefix/; without a bucket config.outputBucket")
	f.StringP("format", "f", "", "`FORMAT`: ndjson or csv (default what the name says, else ndjson)")
	f.StringP("compress", "z", "", "`COMPRESSION`: none, gzip or zstd (default what the name says, else none)")
	f.String("name", "", "`TEMPLATE` of names below DIR/; placeholders {dataType} {job} {date} {runId} {ext} (default {dataType}.{ext})")
	f.String("run-id", "", "`ID` of the run in names and report (default a new ULID)")
	f.String("date", "", "date of the run in names: `YYYY-MM-DD` (default today, UTC)")
	f.String("columns", "", "CSV columns, in order: `A,B` (default all that occur)")
	f.String("columns-from", "", "a `FILE` with one CSV column a line")
	f.Bool("envelope", false, `wrap each item: {"job", "dataType", "page", "item"}`)
}

// sourceFlags say what is fetched, and how.
func sourceFlags(f *pflag.FlagSet) {
	jobFlag(f)
	f.Int("concurrency", 1, "`N` API requests in flight")
	f.String("rate", "", "API requests per time, such as 10/s or 300/m: `N[/s|/m]` (default no bound)")
	stateFlag(f)
	f.Bool("strict", false, "publish nothing, and end with status 3, unless the data is known to be complete")
	f.Bool("confirm-end", false, "behind a short page ask for one page more, to prove that it was the end")
}

// reportFlags say what is told of the run.
func reportFlags(f *pflag.FlagSet) {
	f.String("summary", "", "write the report to `FILE` as JSON, also when the run fails; - is the last line of stdout")
	f.String("trace", "", "write a timeline of the run to `FILE`, for ui.perfetto.dev or chrome://tracing")
	f.String("progress", "auto", "`WHEN` stderr shows a live view: auto (on a terminal), always or never")
	logFlags(f, "info")
}

// logFlags say what stderr shows.
func logFlags(f *pflag.FlagSet, level string) {
	f.String("log-level", level, "`LEVEL` of what stderr shows: debug, info, warn or error")
	f.String("log-format", "text", "`FORMAT` of what stderr shows: text or json")
}

// apply puts what the flags say into an extraction. All contradictions between
// flags are errors here.
func (e *extraction) apply(c invocation) (err error) {
	e.sink.Output, e.sink.Format, e.sink.Compress = c.String("output"), c.String("format"), c.String("compress")
	e.sink.Name = c.String("name")
	if e.sink.Columns, err = columns(c, e.world); err != nil {
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
	e.source.Jobs, e.source.ConfirmEnd = c.Strings("job"), c.Bool("confirm-end")
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
	if e.s3, err = s3Options(c, e.world, e.secrets); err != nil {
		return err
	}
	if err := apart(c); err != nil {
		return err
	}
	if e.trace = c.String("trace"); e.trace == "-" {
		return usagef("--trace -: name a file")
	}
	e.summary = c.String("summary")
	if e.summary == "-" && isStdout(e.sink.Output, e.world.stdout) {
		return usagef("--summary -: the data goes to stdout; name a file for one of the two")
	}
	return nil
}

// apart refuses two files of one name. Of devices, such as /dev/null, it says
// nothing.
func apart(c invocation) error {
	taken := map[string]string{}
	for _, what := range []string{"CONFIG", "--output", "--summary", "--state", "--trace"} {
		name := c.args[0]
		if flag, ok := strings.CutPrefix(what, "--"); ok {
			name = c.String(flag)
		}
		info, err := os.Stat(name)
		if name == "" || name == "-" || strings.Contains(name, "://") || err == nil && !info.Mode().IsRegular() {
			continue
		}
		path, err := filepath.Abs(name)
		if err != nil {
			return usagef("%s: %w", what, err)
		}
		if other := taken[path]; other != "" {
			return usagef("%s and %s name one file, %s: the one would replace the other", other, what, name)
		}
		taken[path] = what
	}
	return nil
}

// columns returns what --columns or --columns-from says, nil if neither.
func columns(c invocation, w *world) ([]string, error) {
	list, file := c.String("columns"), c.String("columns-from")
	var all []string
	flag := "--columns"
	switch {
	case list != "" && file != "":
		return nil, usagef("--columns and --columns-from: one of the two")
	case list != "":
		all = strings.Split(list, ",")
	case file != "":
		flag = "--columns-from"
		text, err := w.read(file)
		if err != nil {
			return nil, usagef("%s: %w", flag, err)
		}
		all = strings.Split(strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	default:
		return nil, nil
	}
	for i, column := range all {
		if column == "" {
			return nil, usagef("%s: column %d has no name", flag, i+1)
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
	if err != nil || !(n > 0 && n <= 1e6) || per == 0 { // which NaN is not
		return nil, usagef("--rate %s: must be a number of requests, such as 10/s or 300/m", text)
	}
	return rate.NewLimiter(rate.Limit(n/per.Seconds()), 1), nil
}
