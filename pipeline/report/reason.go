package report

import "strings"

// What made a verdict. It is the one reason that people are shown, in the log, on the page and in the report.

// reason is the first of the worst, on one line: below it a warning may show lines of the configuration.
func (w *Warnings) reason() string {
	line, _, _ := strings.Cut(w.worst().String(), "\n")
	return line
}

// Because is the verdict with what made it, if that is known.
func (v Verdict) Because(reason string) string {
	if reason == "" {
		return v.String()
	}
	return v.String() + ": " + reason
}

// Ended says to people how a job ended: the reason, and what it means; empty where it has not.
func (r StopReason) Ended() string {
	// Names of members stand there as in the documentation.
	words := strings.ReplaceAll(r.Rule().Words, "`", "")
	switch {
	case r == "":
		return ""
	case r.Rule().CutShort:
		return words
	}
	return "ended by " + string(r) + ": " + words
}
