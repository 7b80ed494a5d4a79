package cli

import (
	"errors"
	"fmt"
	"time"

	"sluice/pipeline"
)

// conclude tells people in three lines how it ended: what came, what it took, and
// where it is. The reason of a failure is main's to print.
func (e *extraction) conclude(r *pipeline.Report, err error) {
	if errors.Is(err, errReaderGone) {
		return
	}
	var all pipeline.JobReport
	warnings := len(r.Warnings)
	for _, j := range r.Jobs {
		all.Items += j.Items
		all.Requests += j.Requests
		all.Retries += j.Retries
		all.Logins += j.Logins
		all.BytesIn += j.BytesIn
		warnings += len(j.Warnings)
	}
	if err != nil && all.Requests+all.Logins == 0 {
		return // the one line that says why is enough
	}
	took := r.FinishedAt.Sub(r.StartedAt)
	came := fmt.Sprintf("%s in %s", many(all.Items, "item"), rounded(took))
	if took >= time.Second {
		came += fmt.Sprintf(" (%s)", speed(float64(all.Items)/took.Seconds()))
	}
	var signal *interrupted
	switch {
	case err == nil:
		e.log.log.Info("done: " + came + ", " + r.Verdict.String() + because(r))
	case errors.As(err, &signal):
		e.log.log.Info(signal.Error() + " after " + came)
	default:
		e.log.log.Info("failed after " + came)
	}
	asked := fmt.Sprintf("asked: %s for %s, %s", many(int64(all.Requests), "request"), many(int64(len(r.Jobs)), "job"), bytesText(all.BytesIn))
	for _, extra := range []struct {
		n    int
		noun string
	}{{all.Logins, "login"}, {all.Retries, "retry"}, {warnings, "warning"}} {
		if extra.n > 0 {
			asked += ", " + many(int64(extra.n), extra.noun)
		}
	}
	e.log.log.Info(asked)
	e.log.log.Info("written: " + e.written(r, err))
}

// rounded is a time of which people read no more than matters.
func rounded(took time.Duration) time.Duration {
	switch {
	case took < time.Second:
		return took.Round(time.Millisecond)
	case took < time.Minute:
		return took.Round(100 * time.Millisecond)
	}
	return took.Round(time.Second)
}

// because names the first job that made the verdict what it is.
func because(r *pipeline.Report) string {
	for _, j := range r.Jobs {
		if r.Verdict != pipeline.Complete && j.Verdict == r.Verdict {
			return fmt.Sprintf(": %s ended by %s", j.ID, j.StopReason)
		}
	}
	return ""
}

// written says where the data is.
func (e *extraction) written(r *pipeline.Report, err error) string {
	stdout := e.sink.Output == "-" || e.sink.Output == ""
	switch n := len(r.Outputs); {
	case stdout && err != nil:
		return "to stdout, what came before"
	case stdout:
		return "to stdout"
	case n == 0 && err != nil:
		return "nothing that is visible"
	case n == 0:
		return "to " + e.sink.Output
	case n == 1:
		return r.Outputs[0].URI + ", " + bytesText(r.Outputs[0].Bytes)
	default:
		var bytes int64
		for _, o := range r.Outputs {
			bytes += o.Bytes
		}
		return fmt.Sprintf("%s and %d more, %s", r.Outputs[0].URI, n-1, bytesText(bytes))
	}
}

// many is a number with its noun.
func many(n int64, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "retry":
		noun = "retrie"
	}
	return grouped(n) + " " + noun + "s"
}
