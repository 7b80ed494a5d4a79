package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

const (
	bold      = "\x1b[1m"
	yellow    = "\x1b[33m"
	mostJobs  = 20          // that are shown
	widestJob = 24          // of a job's id, in columns
	lingering = time.Second // how long a job is shown when nothing happens to it
)

// From which width on a job has which columns.
const (
	roomForItems = 56
	roomForRate  = 70
	roomForPage  = 90
	roomForBytes = 100
)

// line is one line of a view.
type line struct{ text, colour string }

// field is a part of a line; where the line is too narrow, those with the
// greatest rank go first.
type field struct {
	text string
	rank int
}

// lines draws the run as it stands: a line for the whole, and one for each job that
// is being fetched. No line is wider than the terminal, and all fit its height.
func (s *standing) lines(now time.Time, width, height int) []line {
	width = max(width-1, 1) // the last column may wrap
	flying := 0
	var busy []*jobStanding
	for _, j := range s.order {
		flying += len(j.flying)
		if j.busy(now) {
			busy = append(busy, j)
		}
	}
	all := []line{{fit(width,
		field{now.Sub(s.began).Truncate(time.Second).String(), 0},
		field{grouped(s.all.items) + " items", 1},
		field{bytesText(s.all.bytes), 4},
		field{speed(recently(s.samples, s.began, now, s.all.items)), 3},
		field{fmt.Sprintf("%d in flight", flying), 5},
		field{fmt.Sprintf("%d of %d jobs done", s.ended, len(s.roots)), 2},
	), bold}}
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
		all = append(all, j.line(s.began, now, width, names))
	}
	if more > 0 && room > 0 {
		all = append(all, line{text: fit(width, field{fmt.Sprintf("… and %d jobs more", more), 0})})
	}
	return all
}

// busy tells whether the job is being fetched.
func (j *jobStanding) busy(now time.Time) bool {
	return len(j.flying) > 0 || len(j.waits) > 0 || !j.ended && now.Sub(j.last) < lingering
}

// line has the same columns for all jobs, so that they do not jump: what there is
// room for depends on the width alone, and the state has the rest.
func (j *jobStanding) line(began, now time.Time, width, names int) line {
	var b strings.Builder
	b.WriteString(runewidth.FillRight(middleCut(j.id, names), names))
	column := func(room int, format string, args ...any) {
		if width >= room {
			fmt.Fprintf(&b, "  "+format, args...)
		}
	}
	column(roomForPage, "page %-4d", j.page)
	column(roomForItems, "%9s items", grouped(j.counts.items))
	column(roomForBytes, "%10s", bytesText(j.counts.bytes))
	column(roomForRate, "%8s", speed(recently(j.samples, began, now, j.counts.items)))
	state, colour := j.state(now)
	column(0, "%s", state)
	return line{runewidth.Truncate(strings.TrimRight(b.String(), " "), width, "…"), colour}
}

// middleCut shortens a name to a number of columns. Names that begin alike differ
// at their end.
func middleCut(name string, columns int) string {
	width := runewidth.StringWidth(name)
	if width <= columns {
		return name
	}
	end := columns / 2
	return runewidth.Truncate(name, columns-end, "…") + runewidth.TruncateLeft(name, width-end, "")
}

// state says what the job waits for.
func (j *jobStanding) state(now time.Time) (text, colour string) {
	if len(j.waits) > 0 {
		w := j.waits[0]
		left := max(w.At.Add(w.Delay).Sub(now), 0).Round(time.Second)
		return fmt.Sprintf("waiting %s: %s", left, w.Reason), yellow
	}
	if len(j.flying) == 0 {
		return "", ""
	}
	first := j.flying[0]
	what := "page " + strconv.Itoa(first.Page)
	if first.Login() {
		what = "login"
	}
	if more := len(j.flying) - 1; more > 0 {
		what += fmt.Sprintf(" +%d", more)
	}
	if took := now.Sub(first.At).Truncate(time.Second); took > 0 {
		what += ", " + took.String()
	}
	return "waiting for " + what, ""
}

// fit joins fields with blanks, without those for which there is no room, and cuts
// what is left.
func fit(width int, fields ...field) string {
	for {
		var texts []string
		worst := 0
		for i, f := range fields {
			if f.text != "" {
				texts = append(texts, f.text)
			}
			if f.rank > fields[worst].rank {
				worst = i
			}
		}
		text := strings.TrimRight(strings.Join(texts, "  "), " ")
		if runewidth.StringWidth(text) <= width || fields[worst].rank <= 1 {
			return runewidth.Truncate(text, width, "…")
		}
		fields = slices.Delete(slices.Clone(fields), worst, worst+1)
	}
}

// grouped is a number with its digits in groups of three.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// speed is items per second as people read it.
func speed(perSecond float64) string {
	if perSecond < 10 {
		return fmt.Sprintf("%.1f/s", perSecond)
	}
	return grouped(int64(perSecond)) + "/s"
}
