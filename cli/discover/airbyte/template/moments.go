package template

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/source/expr"
)

// Times in expressions.
type (
	// A moment is a time that a run knows: Unix seconds as an expression of ours; isDay: a date, without a
	// time.
	moment struct {
		at    write.ConfigValue
		isDay bool

		// known is what it is at the conversion; nil: only a run has it.
		known *time.Time
	}

	// seconds are a number of a moment: its Unix time, times 1 followed by zeros.
	seconds struct {
		at         write.ConfigValue
		zeros      int
		isFraction bool
	}

	// A clock is a moment as text, in PHP's letters.
	clock struct {
		moment
		php string
	}

	// A point is a time that is known, as a value of a constant.
	point struct {
		time  time.Time
		isDay bool
	}

	// An interval is a duration, as a value of a constant: numbers of years, months, days, and seconds.
	interval struct{ years, months, days, seconds int }
)

// pointIn is the time that a constant is.
func pointIn(e Expression) (point, bool) {
	c, _ := e.(Constant)
	p, ok := c.Value.(point)
	return p, ok
}

// parseInterval reads a duration of ISO 8601.
func parseInterval(text string) (i interval) {
	p, ok := times.ParsePeriod(text)
	fault.If(!ok || p.HasFraction(), "the duration %q is not supported", text)
	i.years, i.months = p.Months()
	for _, a := range p.Amounts {
		switch a.Unit {
		case "week":
			i.days += 7 * int(a.N)
		case "day":
			i.days += int(a.N)
		}
	}
	i.seconds = int(p.Exact/time.Second) - i.days*int(times.Day/time.Second)
	return i
}

// step is an interval as strtotime reads it; sign is 1 or -1.
func (i interval) step(sign int) string {
	var all []string
	for n, unit := range []string{"years", "months", "days", "seconds"} {
		if amount := []int{i.years, i.months, i.days, i.seconds}[n]; amount != 0 {
			all = append(all, fmt.Sprintf("%+d %s", sign*amount, unit))
		}
	}
	return strings.Join(all, " ")
}

// plus is a moment some time on; sign is 1 or -1.
func (m moment) plus(i interval, sign int) moment {
	if m.isDay {
		i.seconds = 0
	}
	step := i.step(sign)
	if step == "" {
		return m
	}
	return m.moved(step, func(t time.Time) time.Time { return point{t, m.isDay}.plus(i, sign).time })
}

// moved is a moment that strtotime makes of it.
func (m moment) moved(step string, by func(time.Time) time.Time) moment {
	isNow := write.Same(m.at, write.Calling("time")) && strings.ContainsAny(step[:1], "+-")
	if isNow {
		m.at = write.Calling("strtotime", write.Text(step))
	} else {
		m.at = write.Calling("strtotime", write.Text(step), m.at)
	}
	if m.known != nil {
		t := by(*m.known)
		m.known = &t
	}
	return m
}

// plus is a point some time on; a day that the month does not have is its last one.
func (p point) plus(i interval, sign int) point {
	t := times.MonthsOn(p.time, sign*i.years, sign*i.months)
	t = t.AddDate(0, 0, sign*i.days)
	if !p.isDay {
		t = t.Add(time.Duration(sign*i.seconds) * time.Second)
	}
	return point{t, p.isDay}
}

// times are seconds by 1000 or a million.
func (s seconds) times(operator string, by Expression) Expression {
	c, _ := by.(Constant)
	factor, _ := c.Value.(int64)
	zeros, ok := map[int64]int{1: 0, 1000: 3, 1_000_000: 6}[factor]
	fault.If(!ok || operator != "*", "%s of a time is not supported", operator)
	s.zeros += zeros
	return s
}

// replace is a moment with its day begun, or its month.
func (m moment) replace(keywords map[string]Expression) Expression {
	has := func(name string, value int64) bool { return keywords[name] == Constant{value} }
	used := 0
	for _, name := range []string{"hour", "minute", "second", "microsecond"} {
		if has(name, 0) {
			used++
		}
	}
	isMidnight := has("hour", 0) && has("minute", 0) && has("second", 0)
	onlySecond := used == 1 && has("microsecond", 0)
	isFirst := has("day", 1)
	isDay, keepsTime := isMidnight || m.isDay, onlySecond || used == 0
	if isFirst {
		used++
	}
	switch {
	case used != len(keywords):
	case isFirst && isDay:
		return m.midnight().first()
	case isFirst && keepsTime:
		return m.first()
	case isMidnight:
		return m.midnight()
	case onlySecond:
		return m
	}
	panic(fault.New("replace of a time is supported only for the beginning of a day or a month"))
}

// midnight is the beginning of the day.
func (m moment) midnight() moment {
	return m.moved("midnight", func(t time.Time) time.Time { return t.Truncate(times.Day) })
}

// first is the same time on the first day of the month.
func (m moment) first() moment {
	return m.moved("first day of this month", func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) })
}

// formatTime is a moment or a point as text; a moment as Unix seconds is a number.
func formatTime(e Expression, format string) Expression {
	m, isMoment := e.(moment)
	if isMoment && format == "%s" {
		return seconds{at: m.at}
	}
	php := times.PHP(format)
	if isMoment {
		return clock{m, php}
	}
	p, _ := pointIn(e)
	fault.If(p.time.Nanosecond() != 0 && strings.ContainsAny(php, "uv"), "a part of a second is not supported")
	return Constant{expr.FormatDate(php, p.time.UTC())}
}

func (m moment) meaning() Meaning { return Meaning{Expr: m.at, Moment: true, IsDay: m.isDay} }

// meaning is the text of a clock.
func (c clock) meaning() Meaning {
	pieces, _ := c.pieces()
	isLetter := func(p letter) bool { return python.IsLetter(p.php[0]) }
	if !slices.ContainsFunc(pieces, isLetter) && pieces != nil {
		return Meaning{Constant: strings.ReplaceAll(c.php, `\`, "")}
	}
	return Meaning{Expr: write.Calling("date", write.Text(c.php), c.at), IsNumeral: isNumeral(c.php)}
}

// isNumeral tells a format whose texts are all digits.
func isNumeral(php string) bool {
	isAllDigits := strings.Trim(php, "YUnjGNwoB0123456789mdHis") == ""
	return isAllDigits && php != "" && !strings.ContainsAny(php[:1], "mdHis")
}

// meaning is what the number of a moment is.
func (s seconds) meaning() Meaning {
	format := "U" + strings.Repeat("0", s.zeros)
	switch {
	case s.isFraction:
		format += ".0"
	case s.zeros == 0:
		return Meaning{Expr: s.at}
	}
	return Meaning{Expr: write.Calling("date", write.Text(format), s.at), IsNumeral: true}
}

// isClock tells a time that is known at the conversion, and another in each run.
func isClock(e Expression) bool {
	switch e := e.(type) {
	case moment:
		return e.known != nil
	case clock:
		return e.known != nil
	}
	return false
}

// widths are how many bytes letters of PHP's date have, where all times have as many.
var widths = map[byte]int{
	'Y': 4, 'm': 2, 'd': 2, 'H': 2, 'h': 2, 'i': 2, 's': 2, 'y': 2,
	'u': 6, 'v': 3, 'A': 2, 'M': 3, 'D': 3, 'O': 5, 'P': 6,
}

// zones are the offsets from UTC of times in UTC, by their letters.
var zones = map[string]string{"O": "+0000", "P": "+00:00"}

// clockOf is a time as text that a variable is; not ok: it is something else.
func (sc Scope) clockOf(e Expression) (c clock, ok bool) {
	variable, path, isReference := Reference(e)
	bound := sc.variables[variable]
	if !isReference || bound == nil {
		return c, false
	}
	m, err := fault.Result(func() Meaning { return bound(path) })
	if err != nil || m.Expr == nil || m.Format == "" {
		return c, false
	}
	f, err := times.ParseLayout(m.Format)
	if err != nil || !f.IsTime() || f.Digits > 0 {
		return c, false
	}
	return clock{moment{at: write.Calling("strtotime", m.Expr)}, f.Date(0)}, true
}

// cut is a part of the text of a clock, between two places in it; not ok: it ends within a number.
func (c clock) cut(ends []any) (clock, bool) {
	pieces, all := c.pieces()
	if pieces == nil {
		return c, false
	}
	from, to := span(ends, all)
	var b strings.Builder
	at := 0
	for _, p := range pieces {
		begin, end := max(from, at), min(to, at+p.width)
		at += p.width
		switch {
		case begin >= end:
		case end-begin == p.width:
			b.WriteString(p.php)
		case p.php == "u":
			// Of whole seconds.
			b.WriteString(strings.Repeat("0", end-begin))
		case zones[p.php] != "":
			from := at - p.width
			b.WriteString(zones[p.php][begin-from : end-from])
		default:
			return c, false
		}
	}
	c.php = b.String()
	return c, true
}

// A letter of a format, or a byte that stands for itself.
type letter struct {
	php   string
	width int
}

// pieces are the letters of a format, and how long its texts are; nil: that differs.
func (c clock) pieces() (pieces []letter, all int) {
	for i := 0; i < len(c.php); i++ {
		p := letter{php: c.php[i : i+1], width: 1}
		switch b := c.php[i]; {
		case b == '\\' && i+1 < len(c.php):
			p.php = c.php[i : i+2]
			i++
		case python.IsLetter(b) && b != '_':
			p.width = widths[b]
		}
		if p.width == 0 {
			return nil, 0
		}
		all += p.width
		pieces = append(pieces, p)
	}
	return pieces, all
}

// span is where a part begins and ends, as Python has it.
func span(ends []any, length int) (from, to int) {
	bound := func(v any, byDefault int) int {
		i, ok := v.(int64)
		if !ok {
			return byDefault
		}
		return int(min(max(python.Placed(i, length), 0), int64(length)))
	}
	from, to = bound(ends[0], 0), bound(ends[1], length)
	return from, max(from, to)
}

// IsTextOfTimes tells a text of times that Python reads as nothing else, as it does [2024-01-01,2024-12-31].
func (m Meaning) IsTextOfTimes() bool {
	isLiteral := func(at time.Time) bool {
		var text strings.Builder
		for _, p := range m.parts {
			f, err := times.ParseLayout(p.Format)
			switch {
			case p.Expr == nil:
				text.WriteString(python.Rendered(p.Constant))
			case p.Format == "" || err != nil:
				return true
			default:
				text.WriteString(f.Write(at))
			}
		}
		_, isRead := python.Literal(text.String())
		return isRead
	}
	// The numbers of one of them begin with 0, those of the other do not.
	return !isLiteral(time.Date(2001, 1, 1, 1, 1, 1, 0, time.UTC)) && !isLiteral(time.Date(2024, 12, 31, 23, 59, 59, 0, time.UTC))
}
