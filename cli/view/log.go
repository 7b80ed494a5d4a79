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
	firstPages    = 5    // pages of a job that the log shows one by one
	warningsShown = 3    // how often the same warning is shown
	warningsKept  = 1000 // different warnings that are counted at a time
)

// Log is the observer that writes a line for each thing that happens. W is all that it needs.
type Log struct {
	W       io.Writer
	JSON    bool // lines are for programs
	Level   slog.Level
	Pages   slog.Level // of the lines about pages
	Secrets *secret.Set

	mu       sync.Mutex
	warnings map[[2]string]int // how often each came, by job and text
	children []string          // child jobs that were asked for
	waits    waits
}

// Observe implements [pipeline.Observer].
func (l *Log) Observe(e pipeline.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits.note(e)
	switch e := e.(type) {
	case pipeline.RequestSent:
		if l.Level <= slog.LevelDebug { // each request counts
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
		if e.Depth > 0 || e.Page > firstPages { // ten thousand lines are too many
			level = slog.LevelDebug
		}
		l.write(level, Count(e.Items, "item"), "job", e.Job, "page", e.Page)
	case pipeline.WalkEnded:
		if e.Stop.Reason.Rule().CutShort {
			return // the error says why
		}
		level := slog.LevelInfo
		if e.Depth > 0 { // a child job may have a million walks: Close sums them up
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
		_ = slog.NewJSONHandler(&line, nil).Handle(context.Background(), r) // into memory
		_, _ = l.W.Write(l.Secrets.RedactJSON(line.Bytes()))
		return
	}
	where, details := "", ""
	for pair := range slices.Chunk(attributes, 2) {
		switch name, value := pair[0], OneLine(fmt.Sprint(pair[1])); {
		case name == "job" && value != "":
			where += value + ": "
			text = OneLine(text) // what is about no job may show lines of the configuration
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
