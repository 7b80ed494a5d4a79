package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
	// Ends a colour.
	plain = "\x1b[0m"

	// The most jobs that are shown.
	mostJobs = 20
	// The most columns of a job's id, and the fewest that are set aside for it.
	widestJob, narrowestJob = 24, 8
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
	for _, j := range v.progress.jobs {
		inFlight += len(j.inFlight)
		if j.busy(now) {
			busy = append(busy, j)
		}
	}
	all := []line{{v.progress.total(now, width, inFlight), bold}}
	if held, _ := v.waits.reason(now, true); held != "" && height > 2 {
		all = append(all, line{runewidth.Truncate(OneLine(v.Secrets.Redact(held)), width, "…"), yellow})
		height--
	}
	// The line of the run and that of the cursor need room too.
	room := min(mostJobs, max(height-2, 0))
	more := 0
	if len(busy) > room {
		// One line says how many are left out.
		shown := max(room-1, 0)
		more = len(busy) - shown
		busy = busy[:shown]
	}
	names := nameColumns(busy, width)
	for _, j := range busy {
		all = append(all, v.line(j, now, width, names))
	}
	if more > 0 && room > 0 {
		all = append(all, line{text: runewidth.Truncate(fmt.Sprintf("… and %d jobs more", more), width, "…")})
	}
	return all
}

// nameColumns is how many columns the ids of jobs take.
func nameColumns(jobs []*job, width int) int {
	widest := 0
	for _, j := range jobs {
		widest = max(widest, runewidth.StringWidth(j.id))
	}
	return min(widest, widestJob, max(width*3/10, narrowestJob))
}

// total is about the whole run. Where it is too wide, its last parts are left out.
func (p *progress) total(now time.Time, width, inFlight int) string {
	var parts []string
	if p.roots == 1 && len(p.jobs) > 0 {
		if estimate := p.jobs[0].estimate(now); estimate != "" {
			parts = append(parts, estimate)
		}
	}
	parts = append(parts, now.Sub(p.began).Truncate(time.Second).String())
	parts = append(parts, grouped(p.all.items)+" items")
	if p.roots > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d jobs done", p.ended, p.roots))
	}
	parts = append(parts, perSecond(p.all.rate), Bytes(p.all.bytes), p.asked(inFlight))
	for len(parts) > 1 && runewidth.StringWidth(strings.Join(parts, "  ")) > width {
		parts = parts[:len(parts)-1]
	}
	return runewidth.Truncate(strings.Join(parts, "  "), width, "…")
}

// asked is about requests.
func (p *progress) asked(inFlight int) string {
	text := fmt.Sprintf("%d in flight", inFlight)
	if p.wasted > 0 {
		text += ", " + grouped(int64(p.wasted)) + " in vain"
	}
	if p.repaired > 0 {
		text += ", " + Count(p.repaired, "seam") + " repaired"
	}
	if p.kept > 0 {
		text += ", " + Count(p.kept, "page") + " from the journal"
	}
	return text
}

// line has the same columns for all jobs, by the width alone, so that they do not jump.
func (v *Live) line(j *job, now time.Time, width, names int) line {
	state, colour := j.state(now)
	if estimate := j.estimate(now); estimate != "" && v.progress.roots > 1 {
		state = strings.TrimSuffix(estimate+"; "+state, "; ")
	}
	columns := []struct {
		// The least width at which the column is shown.
		from int

		text string
	}{
		{90, fmt.Sprintf("page %-4d", j.page)},
		{56, fmt.Sprintf("%9s items", grouped(j.items))},
		{100, fmt.Sprintf("%10s", Bytes(j.bytes))},
		{70, fmt.Sprintf("%8s", perSecond(j.rate))},
		{0, OneLine(v.Secrets.Redact(state))},
	}
	text := runewidth.FillRight(shortenMiddle(j.id, names), names)
	for _, column := range columns {
		if width >= column.from {
			text += "  " + column.text
		}
	}
	return line{runewidth.Truncate(strings.TrimRight(text, " "), width, "…"), colour}
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
