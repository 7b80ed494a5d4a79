package view

import (
	"slices"
	"strings"

	"sluice/pipeline/report"
)

// What the page says in words: all of it is made here of the report, so that it says what the log does.

// A headline is what the page of a run begins with.
type headline struct {
	// The configuration and the APIs; empty: not known.
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`

	// The date of a run of another day.
	Date string `json:"date,omitempty"`

	// A verdict, or failed: the colour and the shape.
	Kind string `json:"kind"`

	Title string `json:"title"`

	// What that means.
	Says string `json:"says"`

	// What made the verdict; empty where it is complete, or the error says it.
	Because string `json:"because,omitempty"`
}

// A toldJob is what the page says of a job besides its figures.
type toldJob struct {
	// What made its verdict; empty where it is complete.
	Because string `json:"because,omitempty"`

	// How it ended, where that is not what made its verdict.
	Ended string `json:"ended,omitempty"`

	// Those that are not what made its verdict.
	Warnings []string `json:"warnings"`
}

var titles = map[report.Verdict]string{
	report.Complete:   "Complete",
	report.Unverified: "Not verified",
	report.Incomplete: "Incomplete",
}

var meanings = map[report.Verdict]string{
	report.Complete:   "Every job ended as the API’s own rules say.",
	report.Unverified: "It is not certain that all items came, each once.",
	report.Incomplete: "There is evidence that items are missing.",
}

// headlineOf says what a run is about, and what it has come to.
func headlineOf(r *report.Report, of Subject) headline {
	h := headline{Name: of.name(), From: some(of.Hosts), Date: backfilled(r)}
	if r.Status == report.Failed {
		h.Kind, h.Title, h.Says = "failed", "Failed", whenItFailed(r)
		return h
	}
	h.Kind, h.Title = r.Verdict.String(), titles[r.Verdict]
	h.Says, h.Because = meanings[r.Verdict], sentence(r.Reason)
	if r.Status == report.Sealed {
		h.Title = "Sealed: " + strings.ToLower(titles[r.Verdict])
		h.Says = "One shard of a run. Nothing of the run is visible before sluice publish has judged all " +
			"shards. " + h.Says
	}
	return h
}

// whenItFailed says how far a run came that failed: its verdict is about its data, which may have come.
func whenItFailed(r *report.Report) string {
	isCut := func(j report.JobReport) bool { return j.StopReason.Rule().CutShort }
	switch {
	case len(r.Jobs) == 0:
		return "It failed before any job began."
	case slices.ContainsFunc(r.Jobs, isCut):
		return "It failed before all its jobs had ended."
	}
	return "All its jobs had ended when it failed."
}

// jobsOf says what became of each job, in their order.
func jobsOf(r *report.Report) []toldJob {
	all := []toldJob{}
	for _, j := range r.Jobs {
		told := toldJob{Because: sentence(j.Reason)}
		isBegun := j.Requests > 0
		switch ended := j.StopReason.Ended(); {
		case j.StopReason.Rule().CutShort && !isBegun:
			told.Ended = "The run failed before the job began."
		case ended == j.Reason:
			told.Because = sentence(capital(ended))
		default:
			told.Ended = sentence(capital(ended))
		}
		isSaid := func(text string) bool { return text == j.Reason }
		told.Warnings = slices.DeleteFunc(slices.Clone(j.Warnings), isSaid)
		all = append(all, told)
	}
	return all
}

// sentence ends a text with a stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return text + "."
}

// capital is a text of our own words that begins with a capital letter.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
