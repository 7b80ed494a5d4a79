package view

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"sluice/pipeline/report"
)

// Close tells how a run ended: what came, what it took, and where it is, after a line for each child job. failure is how
// it ended if not well, such as "interrupted", and output what --output says.
func (l *Log) Close(r *report.Report, failure, output string) {
	var all report.JobReport
	warnings := len(r.Warnings)
	for _, j := range r.Jobs {
		all.Add(j)
		warnings += len(j.Warnings)
	}
	if failure != "" && all.Requests+all.Logins == 0 {
		return
	}
	took := r.FinishedAt.Sub(r.StartedAt)
	came := fmt.Sprintf("%s in %s", Count(all.Items, "item"), Rounded(took))
	if took >= time.Second {
		came += fmt.Sprintf(" (%s)", perSecond(float64(all.Items)/took.Seconds()))
	}
	ended := failure + " after " + came
	where := written(r.Outputs, failure != "", output)
	switch {
	case r.Status == report.Sealed:
		ended, where = "sealed: "+came+", "+verdict(r), "nothing that is visible before sluice publish"
	case failure == "":
		ended = "done: " + came + ", " + verdict(r)
	}
	requests := Count(all.Requests, "request")
	if all.Wasted > 0 {
		requests += fmt.Sprintf(" (%d in vain)", all.Wasted)
	}
	asked := fmt.Sprintf("asked: %s for %s, %s", requests, Count(len(r.Jobs), "job"), Bytes(all.BytesIn))
	for _, extra := range []struct {
		n    int
		noun string
	}{{all.Logins, "login"}, {all.Retries, "retry"}, {warnings, "warning"}} {
		if extra.n > 0 {
			asked += ", " + Count(extra.n, extra.noun)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, j := range r.Jobs {
		if slices.Contains(l.children, j.ID) && failure == "" {
			l.write(
				slog.LevelInfo,
				fmt.Sprintf("%s in %s in all: %s", Count(j.Items, "item"), Count(j.Pages, "page"), j.Verdict),
				"job",
				j.ID,
			)
		}
	}
	l.write(slog.LevelInfo, ended)
	l.write(slog.LevelInfo, asked)
	l.write(slog.LevelInfo, "written: "+where)
	if r.Resumable != nil && *r.Resumable {
		l.write(slog.LevelInfo, "a run with --run-id "+r.RunID+" continues here")
	} else if r.Resumable != nil {
		l.write(slog.LevelWarn, "there is no journal: no run can continue here")
	}
}

// Rounded leaves out the digits of a duration that do not matter to people.
func Rounded(took time.Duration) time.Duration {
	switch {
	case took < time.Second:
		return took.Round(time.Millisecond)
	case took < time.Minute:
		return took.Round(100 * time.Millisecond)
	}
	return took.Round(time.Second)
}

// verdict is that of the run, with the first job that it comes from.
func verdict(r *report.Report) string {
	for _, j := range r.Jobs {
		if r.Verdict != report.Complete && j.Verdict == r.Verdict {
			return fmt.Sprintf("%s: %s ended by %s", r.Verdict, j.ID, j.StopReason)
		}
	}
	return r.Verdict.String()
}

// written says where the data is.
func written(outputs []report.OutputReport, failed bool, output string) string {
	stdout := output == "-" || output == ""
	var bytes int64
	for _, o := range outputs {
		bytes += o.Bytes
	}
	switch n := len(outputs); {
	case n > 1:
		return fmt.Sprintf("%s and %d more, %s", outputs[0].URI, n-1, Bytes(bytes))
	case n == 1:
		return outputs[0].URI + ", " + Bytes(bytes)
	case stdout && failed:
		return "to stdout, what came before"
	case stdout:
		return "to stdout"
	case failed:
		return "nothing that is visible"
	}
	return "to " + output
}

// Count is a number with its noun, in the plural where that is due.
func Count[N int | int64](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "retry":
		noun = "retrie"
	}
	return grouped(int64(n)) + " " + noun + "s"
}

// Bytes is a number of bytes as people read it.
func Bytes(n int64) string {
	if n < 1024 {
		return Count(n, "byte")
	}
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	value, u := float64(n)/1024, 0
	for ; value >= 1024; u++ {
		value /= 1024
	}
	return fmt.Sprintf("%.1f %s", value, units[u])
}

// grouped is a number with its digits in groups of three.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func perSecond(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f/s", rate)
	}
	return grouped(int64(rate)) + "/s"
}
