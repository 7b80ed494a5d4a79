package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// logger is the observer that tells people on stderr what happens.
type logger struct {
	log   *slog.Logger
	pages slog.Level // of what is said about each page; those of child jobs are for debugging
	often *repetitions
	far   *distance
}

var _ pipeline.Observer = logger{}

// newLogger writes lines for people (format text) or for programs (json). Every
// line passes through secrets.
func newLogger(w io.Writer, level slog.Level, format string, secrets *secret.Set) logger {
	w = &redacting{w: w, secrets: secrets}
	if format == "json" {
		return logger{log: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})), often: &repetitions{}, far: &distance{}}
	}
	return logger{log: slog.New(&lines{w: w, level: level}), often: &repetitions{}, far: &distance{}}
}

// Observe implements [pipeline.Observer].
func (l logger) Observe(e pipeline.Event) {
	shown := func(level slog.Level) bool { return l.log.Enabled(context.Background(), level) }
	switch e := e.(type) {
	case pipeline.RequestSent:
		l.far.begin(e.At)
		if !shown(slog.LevelDebug) {
			return // each request counts
		}
		l.log.Debug(e.Method+" "+e.URL, "job", e.Job, "page", e.Page, "attempt", e.Attempt)
	case pipeline.ResponseDone:
		if !shown(slog.LevelDebug) {
			return
		}
		l.log.Debug(fmt.Sprintf("%d %s %s", e.Status, e.Method, e.URL), "job", e.Job, "page", e.Page, "bytes", e.Bytes,
			"firstByte", e.FirstByte.Round(time.Microsecond), "total", e.Total.Round(time.Microsecond))
	case pipeline.Retrying:
		l.log.Warn(fmt.Sprintf("%s: trying again in %s (attempt %d)", e.Reason, e.Delay.Round(time.Millisecond), e.Attempt+1), "job", e.Job, "page", e.Page)
	case pipeline.LoggedIn:
		l.log.Info(loggedIn(e.Expires))
	case pipeline.PageJudged:
		level := below(e.Depth, l.pages)
		if e.Page > firstPages {
			level = slog.LevelDebug
		}
		if shown(level) {
			l.log.Log(context.Background(), level, many(int64(e.Items), "item"), "job", e.Job, "page", e.Page)
		}
		if text := l.far.add(e); text != "" {
			l.log.Log(context.Background(), l.pages, text, "job", e.Job, "page", e.Page)
		}
	case pipeline.WalkEnded:
		if e.Stop.Reason == pipeline.StopFailed {
			return // why, main says
		}
		level := below(e.Depth, slog.LevelInfo)
		if !shown(level) {
			return
		}
		l.log.Log(context.Background(), level, fmt.Sprintf("%s in %s, ended by %s: %s", many(e.Items, "item"), many(int64(e.Pages), "page"), e.Stop.Reason, e.Stop.Verdict), "job", e.Job)
	case pipeline.Warned:
		switch n := l.often.add(e.Job, e.Text); {
		case n < shownTimes:
			l.log.Warn(e.Text, "job", e.Job)
		case n == shownTimes:
			l.log.Warn(e.Text+" (further warnings like this are only counted)", "job", e.Job)
		}
	}
}

// loggedIn says how long a session is good; without end if expires is zero.
func loggedIn(expires time.Time) string {
	if expires.IsZero() {
		return "logged in, the session is good until the end of the run"
	}
	return "logged in, the session is good until " + expires.UTC().Format("2006-01-02 15:04:05 UTC")
}

// below is the level of what happens so deep in the tree of jobs: a child job may
// run a million times.
func below(depth int, level slog.Level) slog.Level {
	if depth > 0 {
		return slog.LevelDebug
	}
	return level
}

const (
	firstPages = 5                // of a job that are shown one by one
	farEvery   = 10 * time.Second // how often the others are, all together
)

// distance is how far a run is. A long one says so now and then, whatever it does:
// neither a line for each of ten thousand pages, nor an hour of silence.
type distance struct {
	mu          sync.Mutex
	began, said time.Time
	items, then int64 // now, and when it was said
}

// begin notes when the first thing happened.
func (d *distance) begin(at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.began.IsZero() {
		d.began, d.said = at, at
	}
}

// add counts a page, and says how far the run is, if it is time.
func (d *distance) add(e pipeline.PageJudged) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items += int64(e.Items)
	since := e.At.Sub(d.said)
	if d.began.IsZero() || since < farEvery {
		return ""
	}
	text := fmt.Sprintf("so far %s in %s, of late %s", many(d.items, "item"), e.At.Sub(d.began).Truncate(time.Second), speed(float64(d.items-d.then)/since.Seconds()))
	d.said, d.then = e.At, d.items
	return text
}

const (
	shownTimes     = 3    // how often the same warning is shown
	rememberedMost = 1000 // warnings that repetitions knows at a time
)

// repetitions counts warnings that are the same.
type repetitions struct {
	mu    sync.Mutex
	times map[[2]string]int
}

// add counts a warning of a job and returns how often there was one like it.
func (r *repetitions) add(job, text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]string{job, text}
	if r.times == nil || r.times[key] == 0 && len(r.times) >= rememberedMost {
		r.times = make(map[[2]string]int)
	}
	r.times[key]++
	return r.times[key]
}

// redacting takes secrets out of each line that is written.
type redacting struct {
	w       io.Writer
	secrets *secret.Set
}

func (r *redacting) Write(b []byte) (int, error) {
	if _, err := io.WriteString(r.w, r.secrets.Redact(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// lines is a handler that writes what a person reads at once: where, what, and
// details behind it.
type lines struct {
	mu    sync.Mutex
	w     io.Writer
	level slog.Level
}

// Enabled implements [slog.Handler].
func (h *lines) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

// Handle implements [slog.Handler].
func (h *lines) Handle(_ context.Context, r slog.Record) error {
	var where, details strings.Builder
	r.Attrs(func(a slog.Attr) bool {
		switch {
		case a.Key == "job" && a.Value.String() != "":
			where.WriteString(a.Value.String() + ": ")
		case a.Key == "page" && a.Value.Int64() > 0:
			fmt.Fprintf(&where, "page %d: ", a.Value.Int64())
		case a.Key != "job" && a.Key != "page":
			fmt.Fprintf(&details, " %s=%s", a.Key, a.Value)
		}
		return true
	})
	word := ""
	if r.Level >= slog.LevelWarn {
		word = "warning: "
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintf(h.w, "sluice: %s%s%s%s\n", word, where.String(), r.Message, details.String())
	return err
}

// WithAttrs implements [slog.Handler]; nobody here uses it.
func (h *lines) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements [slog.Handler]; nobody here uses it.
func (h *lines) WithGroup(string) slog.Handler { return h }
