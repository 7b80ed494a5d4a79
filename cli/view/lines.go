package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
	// That are shown.
	mostJobs = 20
	// Of a job's id, in columns.
	widestJob = 24
	// How long a job is shown when nothing happens to it.
	shownIdle = time.Second
)

type line struct{ text, colour string }

// lines are one for the whole run, one for what all of it waits for, and one for each job that is being fetched.
func (v *Live) lines(now time.Time, width, height int) []line {
	// The last column may wrap.
	width = max(width-1, 1)
	inFlight := 0
	var busy []*job
	for _, j := range v.sorted {
		inFlight += len(j.inFlight)
		if len(j.inFlight) > 0 || len(j.waits) > 0 || !j.ended && now.Sub(j.last) < shownIdle {
			busy = append(busy, j)
		}
	}
	all := []line{{v.total(now, width, inFlight), bold}}
	if held, _ := v.waits.reason(now, true); held != "" && height > 2 {
		all = append(all, line{runewidth.Truncate(OneLine(v.Secrets.Redact(held[2:])), width, "…"), yellow})
		height--
	}
	room := min(mostJobs, max(height-2, 0))
	more := 0
	if len(busy) > room {
		more = len(busy) - max(room-1, 0)
		busy = busy[:len(busy)-more]
	}
	names := 0
	for _, j := range busy {
		names = max(names, runewidth.StringWidth(j.id))
	}
	names = min(names, widestJob, max(width*3/10, 8))
	for _, j := range busy {
		all = append(all, v.line(j, now, width, names))
	}
	if more > 0 && room > 0 {
		all = append(all, line{text: runewidth.Truncate(fmt.Sprintf("… and %d jobs more", more), width, "…")})
	}
	return all
}

func (v *Live) total(now time.Time, width, inFlight int) string {
	asked := fmt.Sprintf("%d in flight", inFlight)
	if v.wasted > 0 {
		asked += ", " + grouped(int64(v.wasted)) + " in vain"
	}
	if v.kept > 0 {
		asked += ", " + Count(v.kept, "page") + " from the journal"
	}
	var parts []string
	if v.roots == 1 && len(v.sorted) > 0 && v.sorted[0].progress(now) != "" {
		parts = append(parts, v.sorted[0].progress(now))
	}
	parts = append(parts, now.Sub(v.began).Truncate(time.Second).String(), grouped(v.all.items)+" items")
	if v.roots > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d jobs done", v.ended, v.roots))
	}
	parts = append(parts, perSecond(v.all.rate), Bytes(v.all.bytes), asked)
	for len(parts) > 1 && runewidth.StringWidth(strings.Join(parts, "  ")) > width {
		parts = parts[:len(parts)-1]
	}
	return runewidth.Truncate(strings.Join(parts, "  "), width, "…")
}

// line has the same columns for all jobs, by the width alone, so that they do not jump.
func (v *Live) line(j *job, now time.Time, width, names int) line {
	var b strings.Builder
	b.WriteString(runewidth.FillRight(shortenMiddle(j.id, names), names))
	state, colour := j.state(now)
	if progress := j.progress(now); progress != "" && v.roots > 1 {
		state = strings.TrimSuffix(progress+"; "+state, "; ")
	}
	for _, column := range []struct {
		// Which width on it is shown.
		from int

		text string
	}{
		{90, fmt.Sprintf("page %-4d", j.page)},
		{56, fmt.Sprintf("%9s items", grouped(j.items))},
		{100, fmt.Sprintf("%10s", Bytes(j.bytes))},
		{70, fmt.Sprintf("%8s", perSecond(j.rate))},
		{0, OneLine(v.Secrets.Redact(state))},
	} {
		if width >= column.from {
			b.WriteString("  " + column.text)
		}
	}
	return line{runewidth.Truncate(strings.TrimRight(b.String(), " "), width, "…"), colour}
}

// shortenMiddle shortens a name to a number of columns. Names that begin alike differ at their end.
func shortenMiddle(name string, columns int) string {
	width := runewidth.StringWidth(name)
	if width <= columns {
		return name
	}
	end := columns / 2
	return runewidth.Truncate(name, columns-end, "…") + runewidth.TruncateLeft(name, width-end, "")
}

// state says what the job waits for.
func (j *job) state(now time.Time) (text, colour string) {
	if len(j.waits) > 0 {
		w := j.waits[0]
		left := max(w.At.Add(w.Delay).Sub(now), 0).Round(time.Second)
		return fmt.Sprintf("again in %s: %s", left, w.Reason), yellow
	}
	if len(j.inFlight) == 0 {
		return "", ""
	}
	first := j.inFlight[0]
	what := "for page " + strconv.Itoa(first.Page)
	if first.Login() {
		what = "for the login"
	}
	if took := now.Sub(first.At).Truncate(time.Second); took > 0 {
		what = took.String() + " " + what
	}
	if more := len(j.inFlight) - 1; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	return "waiting " + what, ""
}

// progress says how much of the job has come, and how long the rest will take; empty if that is not known.
func (j *job) progress(now time.Time) string {
	took := now.Sub(j.began)
	if j.share <= j.kept || j.ended || took < time.Second {
		return ""
	}
	share := min(j.share, 0.99)
	left := time.Duration(float64(took) * (1 - share) / (share - j.kept))
	return fmt.Sprintf("%.0f %%, %s left", math.Floor(100*share), left.Round(time.Second))
}
