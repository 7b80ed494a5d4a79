package report

import "strings"

// What made a verdict. It is the one reason that people are shown, in the log, on the page and in the report.

// verdict is that of the run, and what made it.
func (d *Draft) verdict(jobs []JobReport) (Verdict, string) {
	run := d.jobs[""]
	if !d.done {
		return Incomplete, ""
	}
	worst := run.Verdict
	for _, j := range jobs {
		worst = max(worst, j.Verdict)
	}
	if worst == Complete {
		return worst, ""
	}
	if run.Verdict == worst {
		return worst, run.Warned.reason()
	}
	for _, j := range jobs {
		if j.Verdict == worst {
			return worst, j.ID + ": " + j.Reason
		}
	}
	return worst, ""
}

// reason says what made the verdict of a job, as it is reported: the first of its warnings that mean it, how it
// ended, or what was known before. run has the warnings of no job.
func (t *Tally) reason(j *JobReport, run *Tally) string {
	own, stop := t.Warned.worst(), j.StopReason.Rule()
	isDoubted := t.known.Verdict == j.Verdict
	switch {
	case j.Verdict == Complete, stop.CutShort:
		return ""
	case own.Verdict == j.Verdict:
		return t.Warned.reason()
	case stop.Verdict == j.Verdict:
		return j.StopReason.Ended()
	case isDoubted && t.known.Text == "":
		return run.Warned.reason()
	case isDoubted:
		return t.known.Text
	case own.Text != "":
		// Those that another version has left do not say what they mean.
		return t.Warned.reason()
	}
	return j.StopReason.Ended()
}

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
