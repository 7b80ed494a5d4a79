// Package view is what people see of a run, made of its events and its report alone, with every secret replaced.
package view

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

const (
	// Pages of a job that the log shows one by one.
	firstPages = 5
	// How often the same warning is shown.
	warningsShown = 3
	// Different warnings that are counted at a time.
	warningsKept = 1000
)

// Log is the observer that writes a line for each thing that happens. W is all that it needs.
type Log struct {
	W io.Writer

	// Lines are for programs.
	JSON bool

	Level slog.Level

	// Of the lines about pages.
	Pages slog.Level

	Secrets *secret.Set

	mu sync.Mutex

	// How often each came, by job and text.
	warnings map[[2]string]int

	// Child jobs that were asked for.
	children []string

	waits waits
}

// Observe implements [pipeline.Observer].
func (l *Log) Observe(e pipeline.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits.note(e)
	switch e := e.(type) {
	case pipeline.RequestSent:
		// Each request counts.
		if l.Level <= slog.LevelDebug {
			l.write(slog.LevelDebug, e.Where(), "job", e.Job, "page", e.Page, "attempt", e.Attempt)
		}
	case pipeline.ResponseDone:
		if l.Level <= slog.LevelDebug {
			l.write(slog.LevelDebug, fmt.Sprintf("%d %s", e.Status, e.Where()), "job", e.Job, "page", e.Page, "bytes", e.Bytes,
				"firstByte", e.FirstByte.Round(time.Microsecond), "total", e.Total.Round(time.Microsecond))
		}
	case pipeline.Retrying:
		if e.Unready {
			if l.count(e.Job, e.Reason) < warningsShown {
				l.write(slog.LevelInfo, fmt.Sprintf("%s: asking again in %s", e.Reason, e.Delay), "job", e.Job, "page", e.Page)
			}
			return
		}
		at := ""
		if e.Delay > time.Minute {
			at = ", at " + timeOfDay(e.At.Add(e.Delay))
		}
		l.write(slog.LevelWarn, fmt.Sprintf("%s: trying again in %s%s (attempt %d)", e.Reason, e.Delay.Round(time.Millisecond), at, e.Attempt+1), "job", e.Job, "page", e.Page)
	case pipeline.StoringAgain:
		l.write(slog.LevelWarn, fmt.Sprintf("the destination: %s: trying again in %s", e.Reason, e.Delay.Round(time.Millisecond)))
	case pipeline.LoggedIn:
		l.write(slog.LevelInfo, LoggedIn(e.Expires))
	case pipeline.Continued:
		text := "the run that began at " + e.Since.UTC().Format(time.RFC3339)
		if e.Ended {
			text += " has ended, and all of it is visible: nothing is asked for"
		} else {
			text = fmt.Sprintf("continuing %s: %s in %s are there, of %s", text, Count(e.Items, "item"), Count(e.Pages, "page"), Count(e.Attempts, "attempt"))
		}
		l.write(slog.LevelInfo, text)
	case pipeline.PageJudged:
		level := l.Pages
		// Ten thousand lines are too many.
		if e.Depth > 0 || e.Page > firstPages {
			level = slog.LevelDebug
		}
		l.write(level, Count(e.Items, "item"), "job", e.Job, "page", e.Page)
	case pipeline.WalkEnded:
		if e.Stop.Reason.Rule().CutShort {
			// The error says why.
			return
		}
		level := slog.LevelInfo
		// A child job may have a million walks: Close sums them up.
		if e.Depth > 0 {
			level = slog.LevelDebug
			if !slices.Contains(l.children, e.Job) {
				l.children = append(l.children, e.Job)
			}
		}
		l.write(level, fmt.Sprintf("%s in %s, ended by %s: %s", Count(e.Items, "item"), Count(e.Pages, "page"), e.Stop.Reason, e.Stop.Verdict), "job", e.Job)
	case pipeline.Warned:
		switch n := l.count(e.Job, e.Text); {
		case n < warningsShown:
			l.write(slog.LevelWarn, e.Text, "job", e.Job)
		case n == warningsShown:
			l.write(slog.LevelWarn, e.Text+" (further warnings like this are only counted)", "job", e.Job)
		}
	}
}

func (l *Log) count(job, text string) int {
	key := [2]string{job, text}
	if l.warnings == nil || l.warnings[key] == 0 && len(l.warnings) >= warningsKept {
		l.warnings = make(map[[2]string]int)
	}
	l.warnings[key]++
	return l.warnings[key]
}

// Error writes why a command failed.
func (l *Log) Error(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(slog.LevelError, text)
}

// write writes a line with attributes, which are names and values in turn.
func (l *Log) write(level slog.Level, text string, attributes ...any) {
	if level < l.Level {
		return
	}
	l.waits.last = time.Now()
	if l.JSON {
		r := slog.NewRecord(time.Now(), level, text, 0)
		r.Add(attributes...)
		var line bytes.Buffer
		// Into memory.
		_ = slog.NewJSONHandler(&line, nil).Handle(context.Background(), r)
		_, _ = l.W.Write(l.Secrets.RedactJSON(line.Bytes()))
		return
	}
	where, details := "", ""
	for pair := range slices.Chunk(attributes, 2) {
		switch name, value := pair[0], OneLine(fmt.Sprint(pair[1])); {
		case name == "job" && value != "":
			where += value + ": "
			// What is about no job may show lines of the configuration.
			text = OneLine(text)
		case name == "page" && value != "0":
			where += "page " + value + ": "
		case name != "job" && name != "page":
			details += fmt.Sprintf(" %s=%s", name, value)
		}
	}
	prefix := "sluice: "
	if level == slog.LevelWarn {
		prefix += "warning: "
	}
	_, _ = io.WriteString(l.W, l.Secrets.Redact(prefix+where+text+details+"\n"))
}

func timeOfDay(at time.Time) string { return at.UTC().Format("15:04:05 UTC") }

// LoggedIn says until when a session is good; the zero time is the end of the run.
func LoggedIn(expires time.Time) string {
	if expires.IsZero() {
		return "logged in, the session is good until the end of the run"
	}
	return "logged in, the session is good until " + expires.UTC().Format("2006-01-02 15:04:05 UTC")
}
