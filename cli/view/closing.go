package view

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// Close tells how a run ended: what came, what it took, and where it is, after a line for each child job.
// failure is how it ended if not well, such as "interrupted", and output what --output says.
func (l *Log) Close(r *report.Report, failure, output string) {
	var all report.JobReport
	for _, j := range r.Jobs {
		all.Add(j)
	}
	if failure != "" && all.Requests+all.Logins == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if failure == "" {
		l.closeJobs(r)
	}
	l.write(slog.LevelInfo, ended(r, failure, all.Items))
	l.write(slog.LevelInfo, asked(r, &all))
	l.writeShown(slog.LevelInfo, "written: "+where(r, failure != "", output, l.Secrets))
	if r.Resumable == nil {
		return
	}
	if *r.Resumable {
		l.writeShown(slog.LevelInfo, "a run with --run-id "+l.Secrets.Name(r.RunID)+" continues from here")
		return
	}
	l.write(slog.LevelWarn, "there is no --checkpoint: a later run begins anew")
}

// closeJobs writes a line for each child job, and for each other one whose verdict has become worse since its
// lines: only the whole run shows some of what there is to doubt.
func (l *Log) closeJobs(r *report.Report) {
	// What is doubted of several jobs is said of the first.
	told := map[string]bool{}
	for _, j := range r.Jobs {
		isDue := slices.Contains(l.children, j.ID) || j.Skipped > 0
		if said, isSaid := l.verdicts[j.ID]; isSaid {
			// The line of the run has what is doubted of all jobs.
			isDue = j.Reason != r.Reason && !told[j.Reason] && j.Verdict > said
			told[j.Reason] = told[j.Reason] || isDue
		}
		if !isDue {
			continue
		}
		came := Count(j.Items, "item") + " in " + Count(j.Pages, "page") + filtered(j.Filtered) + " in all"
		if j.Skipped > 0 {
			came += ", none for " + Count(j.Skipped, "item") + " above"
		}
		l.write(slog.LevelInfo, came+": "+j.Verdict.Because(j.Reason), "job", j.ID)
	}
}

// ended says how a run ended, and what came.
func ended(r *report.Report, failure string, items int64) string {
	took := r.FinishedAt.Sub(r.StartedAt)
	came := Count(items, "item") + " in " + Rounded(took).String()
	if took >= time.Second {
		came += " (" + perSecond(float64(items)/took.Seconds()) + ")"
	}
	switch {
	case r.Status == report.Sealed:
		return "sealed: " + came + ", " + r.Verdict.Because(r.Reason)
	case failure == "":
		return "done: " + came + ", " + r.Verdict.Because(r.Reason)
	}
	return failure + " after " + came
}

// asked says what a run took. all is its jobs together.
func asked(r *report.Report, all *report.JobReport) string {
	requests := Count(all.Requests, "request")
	if all.Wasted > 0 {
		requests += fmt.Sprintf(" (%d not needed)", all.Wasted)
	}
	text := fmt.Sprintf("asked: %s for %s, %s", requests, Count(len(r.Jobs), "job"), Bytes(all.BytesIn))
	if all.Seams != nil && all.Seams.Repaired > 0 {
		text += ", went back " + Count(all.Seams.Repaired, "time") + " for an overlap"
	}
	warnings := len(r.Warnings)
	for _, j := range r.Jobs {
		warnings += len(j.Warnings)
	}
	extras := []struct {
		n    int
		noun string
	}{{all.Logins, "login"}, {all.Retries, "retry"}, {warnings, "warning"}}
	for _, extra := range extras {
		if extra.n > 0 {
			text += ", " + Count(extra.n, extra.noun)
		}
	}
	return text
}

// where says where the data of a run is, without secrets.
func where(r *report.Report, failed bool, output string, secrets *secret.Set) string {
	if r.Status == report.Sealed {
		return "nothing that is visible before sluice publish"
	}
	return written(r.Outputs, failed, output, secrets)
}

// written says where the data is.
func written(outputs []report.OutputReport, failed bool, output string, secrets *secret.Set) string {
	stdout := output == "-" || output == ""
	var bytes int64
	for _, o := range outputs {
		bytes += o.Bytes
	}
	switch n := len(outputs); {
	case n > 1:
		return fmt.Sprintf("%s and %d more, %s", secrets.Name(outputs[0].URI), n-1, Bytes(bytes))
	case n == 1:
		return secrets.Name(outputs[0].URI) + ", " + Bytes(bytes)
	case stdout && failed:
		return "to stdout, what came before"
	case stdout:
		return "to stdout"
	case failed:
		return "nothing that is visible"
	}
	return "to " + secrets.Name(output)
}
