package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
)

// logger is the observer that tells people on stderr what happens.
type logger struct{ log *slog.Logger }

var _ pipeline.Observer = logger{}

// newLogger writes lines for people (format text) or for programs (json). Every
// line passes through secrets.
func newLogger(w io.Writer, level slog.Level, format string, secrets *pipeline.Secrets) logger {
	w = &redacting{w: w, secrets: secrets}
	if format == "json" {
		return logger{slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))}
	}
	return logger{slog.New(&lines{w: w, level: level})}
}

// Observe implements [pipeline.Observer].
func (l logger) Observe(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.RequestSent:
		l.log.Debug(e.Method+" "+e.URL, "job", e.Job, "page", e.Page, "attempt", e.Attempt)
	case pipeline.ResponseDone:
		l.log.Debug(fmt.Sprintf("%d %s %s", e.Status, e.Method, e.URL), "job", e.Job, "page", e.Page, "bytes", e.Bytes,
			"firstByte", e.FirstByte.Round(time.Microsecond), "total", e.Total.Round(time.Microsecond))
	case pipeline.Retrying:
		l.log.Warn(fmt.Sprintf("%s: trying again in %s (attempt %d)", e.Reason, e.Delay.Round(time.Millisecond), e.Attempt+1), "job", e.Job, "page", e.Page)
	case pipeline.LoggedIn:
		until := "until the end of the run"
		if !e.Expires.IsZero() {
			until = "until " + e.Expires.UTC().Format("2006-01-02 15:04:05 UTC")
		}
		l.log.Info("logged in, the session is good " + until)
	case pipeline.PageJudged:
		l.log.Info(counted(int64(e.Items), "item"), "job", e.Job, "page", e.Page)
	case pipeline.WalkEnded:
		l.log.Info(fmt.Sprintf("%s in %s, ended by %s: %s", counted(e.Items, "item"), counted(int64(e.Pages), "page"), e.Stop.Reason, e.Stop.Verdict), "job", e.Job)
	case pipeline.Warned:
		l.log.Warn(e.Text, "job", e.Job)
	}
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// redacting takes secrets out of each line that is written.
type redacting struct {
	w       io.Writer
	secrets *pipeline.Secrets
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
