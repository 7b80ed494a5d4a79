package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

type line struct{ text, colour string }

// lines are one for the whole run, one for what all of it waits for, and one for each job that is being fetched.
func (v *Live) lines(now time.Time, width, height int) []line {
	// The last column may wrap.
	width = max(width-1, 1)
	all := []line{{v.progress.total(now, width), bold}}
	if held, _ := v.waits.reason(now, true); held != "" && height > 2 {
		all = append(all, line{runewidth.Truncate(OneLine(v.Secrets.Redact(held)), width, "…"), yellow})
		height--
	}
	// The line of the run and that of the cursor need room too.
	room := min(mostJobs, max(height-2, 0))
	shown, more := v.shown(now, room)
	names := nameColumns(shown, width)
	for _, j := range shown {
		all = append(all, v.line(j, now, width, names))
	}
	if more > 0 && room > 0 {
		all = append(all, line{text: runewidth.Truncate(fmt.Sprintf("… and %d jobs more", more), width, "…")})
	}
	return all
}

// shown returns the jobs that there is room for, in the order in which they began, and how many are left out. Jobs that
// wait for others are left out first.
func (v *Live) shown(now time.Time, room int) (jobs []*jobProgress, more int) {
	var busy, waiting []*jobProgress
	for _, j := range v.progress.jobs {
		switch {
		case j.busy(now):
			busy = append(busy, j)
		case v.waitsFor(j, now) != "":
			waiting = append(waiting, j)
		}
	}
	if left := len(busy) + len(waiting) - room; left > 0 {
		// One line says how many.
		more = left + 1
		waiting = waiting[:max(len(waiting)-more, 0)]
		busy = busy[:min(len(busy), max(room-1, 0))]
	}
	isShown := func(j *jobProgress) bool { return slices.Contains(busy, j) || slices.Contains(waiting, j) }
	for _, j := range v.progress.jobs {
		if isShown(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs, more
}

// nameColumns is how many columns the ids of jobs take.
func nameColumns(jobs []*jobProgress, width int) int {
	widest := 0
	for _, j := range jobs {
		widest = max(widest, runewidth.StringWidth(j.id))
	}
	return min(widest, widestJob, max(width*3/10, narrowestJob))
}

// total is about the whole run. Where it is too wide, its last parts are left out.
func (p *runProgress) total(now time.Time, width int) string {
	var parts []string
	if estimate := p.extents.whole(now).String(); estimate != "" {
		parts = append(parts, estimate)
	}
	parts = append(parts, now.Sub(p.began).Truncate(time.Second).String())
	parts = append(parts, grouped(p.all.items)+" items")
	if roots, ended := p.extents.roots(); roots > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d jobs done", ended, roots))
	}
	parts = append(parts, perSecond(p.all.rate), Bytes(p.all.bytes), p.asked())
	for len(parts) > 1 && runewidth.StringWidth(strings.Join(parts, "  ")) > width {
		parts = parts[:len(parts)-1]
	}
	return runewidth.Truncate(strings.Join(parts, "  "), width, "…")
}

// asked is about requests.
func (p *runProgress) asked() string {
	text := fmt.Sprintf("%d in flight", p.inFlight())
	if p.wasted > 0 {
		text += ", " + grouped(int64(p.wasted)) + " not needed"
	}
	if p.repaired > 0 {
		text += ", went back " + Count(p.repaired, "time")
	}
	if p.kept > 0 {
		text += ", " + Count(p.kept, "page") + " from the journal"
	}
	return text
}

// line has the same columns for all jobs, by the width alone, so that they do not jump.
func (v *Live) line(j *jobProgress, now time.Time, width, names int) line {
	state, colour := j.state(now)
	// Between two requests it waits for a moment only, unless all are held.
	isHeld := now.Before(v.waits.spent.Until) || !j.busy(now)
	if state == "" && isHeld {
		state = v.waitsFor(j, now)
	}
	all := v.progress.extents
	if estimate := all.estimate(j.extent, now).String(); estimate != "" && len(all.jobs) > 1 {
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
