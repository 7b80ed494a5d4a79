package view

import (
	"fmt"
	"strings"
	"time"

	"sluice/pipeline/report"
)

// A Subject is what a run is about, as its page names it.
type Subject struct {
	// The name of the configuration's file, without its folder; empty: it is not known.
	Configuration string `json:"configuration,omitempty"`

	// Those of --job; empty: all.
	Jobs []string `json:"jobs,omitempty"`

	// Of the APIs, each once, in the order of the configuration.
	Hosts []string `json:"hosts,omitempty"`
}

// name is the configuration, and the jobs that were chosen of it.
func (s Subject) name() string {
	if len(s.Jobs) == 0 || s.Configuration == "" {
		return s.Configuration
	}
	return some(s.Jobs) + " of " + s.Configuration
}

// some names the first of several, and counts the rest.
func some(all []string) string {
	const most = 3
	switch n := len(all); {
	case n == 0:
		return ""
	case n == 1:
		return all[0]
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most-1], ", "), n-most+1)
	default:
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
}

// title is that of the page, but for the run. What tells the tabs of a browser apart comes first.
func (s Subject) title(r *report.Report, verdict string) string {
	const widest = 40
	when := r.StartedAt.UTC().Format("2006-01-02 15:04")
	about := strings.TrimSpace(shortenMiddle(s.name(), widest) + " " + when)
	if date := backfilled(r); date != "" {
		about = strings.TrimSpace(shortenMiddle(s.name(), widest) + " for " + date + ", " + when)
	}
	parts := []string{about, verdict}
	if from := some(s.Hosts); from != "" {
		parts = append(parts, from)
	}
	return strings.Join(parts, " · ")
}

// backfilled is the date of a run of another day; empty: it is that of the day on which it began.
func backfilled(r *report.Report) string {
	if r.Date == r.StartedAt.UTC().Format(time.DateOnly) {
		return ""
	}
	return r.Date
}
