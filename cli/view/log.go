// Package view is what people see of a run, made of its events and its report
// alone, with every secret replaced.
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
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

const (
	// How many pages of a job the log shows one by one.
	firstPages = 5
	// How often the same warning is counted before it is shown no more.
	warningsShown = 3
	// How many different warnings are counted at a time.
	warningsKept = 1000
)

// Log is the observer that writes a line for each thing that happens. W is all that it needs.
type Log struct {
	W io.Writer

	// Lines are for programs.
	JSON bool

	Level slog.Level

	// Pages is the level of the lines about pages.
	Pages slog.Level

	Secrets *secret.Set

	mu sync.Mutex

	// How often each warning came, by job and text.
	warnings map[[2]string]int

	// Child jobs that were asked for.
	children []string

	// What a job of one answer without paging may mean has been said.
	alone bool

	// The worst that the lines of each other job have said.
	verdicts map[string]report.Verdict

	waits waits

	// How much has come; nil before the run begins.
	extents *extents
}

// Observe implements [pipeline.Observer].
func (l *Log) Observe(e pipeline.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits.note(e)
	if l.extents != nil {
		l.extents.note(e)
	}
	switch e := e.(type) {
	case pipeline.RequestSent:
		l.sent(e)
	case pipeline.ResponseDone:
		l.answered(e)
	case pipeline.Retrying:
		l.retrying(e)
	case pipeline.StoringAgain:
		delay := e.Delay.Round(time.Millisecond)
		l.write(slog.LevelWarn, fmt.Sprintf("%s: %s: trying again in %s", e.Where, e.Reason, delay))
	case pipeline.LoggedIn:
		l.write(slog.LevelInfo, LoggedIn(e.Expires))
	case pipeline.Continued:
		l.continued(e)
	case pipeline.PageJudged:
		l.judged(e)
	case pipeline.WalkEnded:
		l.walkEnded(e)
	case pipeline.Warned:
		l.warned(e)
	}
}

// sent makes no text that is not shown, for there are many requests.
func (l *Log) sent(e pipeline.RequestSent) {
	if l.Level <= slog.LevelDebug {
		l.write(slog.LevelDebug, e.Where(), "job", e.Job, "page", e.Page, "attempt", e.Attempt)
	}
}

// answered makes no text that is not shown, for there are many answers.
func (l *Log) answered(e pipeline.ResponseDone) {
	if l.Level > slog.LevelDebug {
		return
	}
	l.write(
		slog.LevelDebug,
		fmt.Sprintf("%d %s", e.Status, e.Where()),
		"job", e.Job,
		"page", e.Page,
		"bytes", e.Bytes,
		"firstByte", e.FirstByte.Round(time.Microsecond),
		"total", e.Total.Round(time.Microsecond),
	)
}

func (l *Log) retrying(e pipeline.Retrying) {
	if e.Unready {
		if l.count(e.Job, e.Reason) < warningsShown {
			text := fmt.Sprintf("%s: asking again in %s", e.Reason, e.Delay)
			l.write(slog.LevelInfo, text, "job", e.Job, "page", e.Page)
		}
		return
	}
	when := e.Delay.Round(time.Millisecond).String()
	if e.Delay > time.Minute {
		when += ", at " + timeOfDay(e.At.Add(e.Delay))
	}
	text := fmt.Sprintf("%s: trying again in %s (attempt %d)", e.Reason, when, e.Attempt+1)
	l.write(slog.LevelWarn, text, "job", e.Job, "page", e.Page)
}

func (l *Log) continued(e pipeline.Continued) {
	run := "the run that began at " + e.Since.UTC().Format(time.RFC3339)
	if e.Ended {
		l.write(slog.LevelInfo, run+" has ended, and all of it is visible: nothing is asked for")
		return
	}
	verb := "are"
	if e.Items == 1 {
		verb = "is"
	}
	there := fmt.Sprintf("%s in %s %s", Count(e.Items, "item"), Count(e.Pages, "page"), verb)
	l.write(
		slog.LevelInfo,
		fmt.Sprintf("continuing %s: %s there, of %s", run, there, Count(e.Attempts, "attempt")),
	)
}

// judged shows the first pages: ten thousand lines are too many.
func (l *Log) judged(e pipeline.PageJudged) {
	level := l.Pages
	if e.Depth > 0 || e.Page > firstPages {
		level = slog.LevelDebug
	}
	// Makes no text that is not shown, for there are many pages.
	if level >= l.Level {
		l.write(level, Count(e.Items, "item"), "job", e.Job, "page", e.Page)
	}
}

// walkEnded shows no walks of child jobs, of which there may be a million: [Log.Close] sums them up.
func (l *Log) walkEnded(e pipeline.WalkEnded) {
	if e.Stop.Reason.Rule().CutShort {
		// The error says why.
		return
	}
	if l.verdicts == nil {
		l.verdicts = map[string]report.Verdict{}
	}
	level := slog.LevelInfo
	if e.Depth > 0 {
		level = slog.LevelDebug
		if !slices.Contains(l.children, e.Job) {
			l.children = append(l.children, e.Job)
		}
	} else {
		l.verdicts[e.Job] = max(l.verdicts[e.Job], e.Stop.Verdict)
	}
	// Makes no text that is not shown, for there are many child walks.
	if level < l.Level {
		return
	}
	came := Count(e.Items, "item") + " in " + Count(e.Pages, "page") + filtered(e.Filtered)
	text := fmt.Sprintf("%s, ended by %s: %s%s", came, e.Stop.Reason, e.Stop.Verdict, RestsOn(e.Stop))
	l.write(level, text, "job", e.Job)
	if e.Stop.Verdict == report.Complete && e.Stop.Ground == report.GroundAlone && !l.alone {
		l.alone = true
		l.write(level, `one answer does not show whether the API has more pages: if it has, set pagination (sluice check `+
			`CONFIG looks for one); if not, "pagination": {"method": "none"} says so`, "job", e.Job)
	}
}

// RestsOn says behind the word complete on what that rests; empty: the word is another one.
func RestsOn(s report.Stop) string {
	rule := s.Ground.Rule()
	switch {
	case s.Ground == "" || s.Verdict != report.Complete:
		return ""
	case s.Ground == report.GroundTotal:
		return fmt.Sprintf(", all %s that the API says", grouped(s.Total))
	case rule.Class == report.Assumed:
		return " " + rule.Words
	}
	return ", " + rule.Words
}

func (l *Log) warned(e pipeline.Warned) {
	switch n := l.count(e.Job, e.Text); {
	case n < warningsShown:
		l.write(slog.LevelWarn, e.Text, "job", e.Job)
	case n == warningsShown:
		l.write(slog.LevelWarn, e.Text+" (further warnings like this are only counted)", "job", e.Job)
	}
}

// count says how often a warning has come, with this time. When too many are counted, it begins anew.
func (l *Log) count(job, text string) int {
	key := [2]string{job, text}
	if l.warnings[key] == 0 && len(l.warnings) >= warningsKept {
		clear(l.warnings)
	}
	if l.warnings == nil {
		l.warnings = make(map[[2]string]int)
	}
	l.warnings[key]++
	return l.warnings[key]
}

// Tell writes what people want to know of a job; job may be empty.
func (l *Log) Tell(job, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(slog.LevelInfo, text, "job", job)
}

// Error writes why a command failed.
func (l *Log) Error(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(slog.LevelError, text)
}

// write writes a line with attributes, which are names and values in turn.
func (l *Log) write(level slog.Level, text string, attributes ...any) {
	if level >= l.Level {
		l.writeShown(level, pipeline.Brief(l.Secrets.Redact(text)), attributes...)
	}
}

// writeShown is [Log.write] of a text without secrets.
func (l *Log) writeShown(level slog.Level, text string, attributes ...any) {
	if level < l.Level {
		return
	}
	l.waits.last = time.Now()
	for i, value := range attributes {
		if name, ok := value.(string); ok {
			attributes[i] = l.Secrets.Name(name)
		}
	}
	if l.JSON {
		l.writeJSON(level, text, attributes)
		return
	}
	where, details := "", ""
	for pair := range slices.Chunk(attributes, 2) {
		name := pair[0]
		value := OneLine(fmt.Sprint(pair[1]))
		switch {
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
	_, _ = io.WriteString(l.W, prefix+where+text+details+"\n")
}

func (l *Log) writeJSON(level slog.Level, text string, attributes []any) {
	r := slog.NewRecord(time.Now(), level, text, 0)
	r.Add(attributes...)
	var line bytes.Buffer
	// Writing into memory does not fail.
	_ = slog.NewJSONHandler(&line, nil).Handle(context.Background(), r)
	_, _ = l.W.Write(line.Bytes())
}

// LoggedIn says until when a session is good; the zero time is the end of the run.
func LoggedIn(expires time.Time) string {
	if expires.IsZero() {
		return "logged in, the session is good until the end of the run"
	}
	return "logged in, the session is good until " + expires.UTC().Format("2006-01-02 15:04:05 UTC")
}
