package template

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
	"sluice/source/expr"
)

// utc are the names of time zones that are UTC.
var utc = []string{"UTC", "utc", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Universal"}

// clock is one of the platform's functions about times or texts.
func (sc Scope) clock(name string, all map[string]Expression) Expression {
	switch name {
	case "now_utc":
		return sc.now()
	case "today_utc":
		return sc.today()
	case "today_with_timezone":
		fault.If(!slices.Contains(utc, sc.textArgument(all["timezone"])), "only UTC is supported")
		return sc.today()
	case "day_delta":
		return sc.dayDelta(all)
	case "duration":
		return Constant{parseInterval(sc.textArgument(all["datestring"]))}
	case "timestamp":
		return sc.timestamp(all["dt"])
	case "str_to_datetime":
		return sc.timeOf(all["s"], "")
	case "format_datetime":
		format, from := sc.textArgument(all["format"]), ""
		if all["input_format"] != nil {
			from = sc.textArgument(all["input_format"])
		}
		return formatTime(sc.timeOf(all["dt"], from), format)
	case "sanitize_url":
		return sc.sanitized(all["value"])
	}
	text := sc.textArgument(all["value"])
	return Constant{strings.ToLower(capitals().ReplaceAllString(text, "${1}_${2}"))}
}

// capitals are those of a name that are not its first letter.
var capitals = pattern.Lazy(`(.)([A-Z])`)

// now is the present.
func (sc Scope) now() moment {
	t := sc.Values.Now
	return moment{at: write.Calling("time"), known: &t}
}

// today is the beginning of the day.
func (sc Scope) today() moment {
	t := sc.Values.Now.Truncate(times.Day)
	return moment{at: write.Calling("strtotime", write.Text("today")), isDay: true, known: &t}
}

// dayDelta is the present some days on, as text.
func (sc Scope) dayDelta(all map[string]Expression) Expression {
	v, isConstant := sc.plain(all["num_days"])
	days, isWhole := python.Whole(v)
	fault.If(!isConstant || !isWhole, "the number of days is not supported")
	format := "%Y-%m-%dT%H:%M:%S.%f%z"
	if all["format"] != nil {
		format = sc.textArgument(all["format"])
	}
	return formatTime(sc.now().plus(interval{days: int(days)}, 1), format)
}

// timestamp is the number of a text's time.
func (sc Scope) timestamp(dt Expression) Expression {
	if s, ok := dt.(seconds); ok {
		s.isFraction = false
		return s
	}
	v, isConstant := sc.constantOf(dt)
	if _, isNumber := python.Numeric(v); isConstant && isNumber {
		return Constant{python.Apply("int", v, nil)}
	}
	t := sc.timeOf(dt, "")
	if m, ok := t.(moment); ok {
		return seconds{at: m.at, isFraction: true}
	}
	p, _ := pointIn(t)
	return Constant{float64(p.time.UnixMicro()) / 1e6}
}

// timeOf is a text as a time, read by a format of Python, or without one as dates are written.
func (sc Scope) timeOf(e Expression, format string) Expression {
	v, isConstant := sc.constantOf(e)
	switch c := e.(type) {
	case moment:
		return c
	case seconds:
		if c.zeros == 0 {
			return moment{at: c.at}
		}
	}
	if p, ok := v.(point); ok {
		return Constant{p}
	}
	if isConstant {
		return Constant{point{time: readTime(v, format)}}
	}
	m := sc.MeaningOf(e)
	if format == "" {
		format = m.Format
	}
	fault.If(m.Expr == nil, "%w", python.ErrUndefined)
	switch {
	case m.Moment || format == "%s":
		return moment{at: m.Expr}
	case format == "" || format == "%Y%m%d" || strings.HasPrefix(format, "%Y-%m-%d"):
		return moment{at: write.Calling("strtotime", m.Expr)}
	}
	panic(fault.New("the format %q is not supported for a value that is known only in a run", format))
}

// writtenTimes are the ways in which dates are written.
var writtenTimes = []string{
	"2006-01-02", time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "20060102",
}

// readTime reads a constant as a time.
func readTime(v any, format string) time.Time {
	text := python.Rendered(v)
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && (format == "%s" || format == "" && len(text) > 8) {
		return time.Unix(n, 0).UTC()
	}
	layouts := writtenTimes
	if format != "" {
		layouts = []string{times.LayoutOf(format)}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	panic(fault.New("a value is not supported as a time"))
}

// sanitized is a text for a path or a query.
func (sc Scope) sanitized(e Expression) Expression {
	if v, isConstant := sc.constantOf(e); isConstant {
		return Constant{url.QueryEscape(python.Rendered(v))}
	}
	return formula{Meaning{Expr: write.Calling("urlencode", sc.textOf(e))}}
}

// clocked is arithmetic of times; not ok: it is none.
func (sc Scope) clocked(operator string, left, right Expression) (Expression, bool) {
	if s, ok := left.(seconds); ok {
		return s.times(operator, right), true
	}
	if s, ok := right.(seconds); ok && operator == "*" {
		return s.times(operator, left), true
	}
	c, _ := right.(Constant)
	i, isInterval := c.Value.(interval)
	m, isMoment := left.(moment)
	p, isPoint := pointIn(left)
	sign := map[string]int{"+": 1, "-": -1}[operator]
	fault.If(!isInterval && isMoment && operator != "~", "%s of a time is supported only with a duration", operator)
	switch {
	case !isInterval:
		return nil, false
	case sign == 0:
		panic(fault.New("%s of a duration is not supported", operator))
	case isPoint:
		return Constant{p.plus(i, sign)}, true
	case !isMoment:
		panic(fault.New("a duration is supported only with a time"))
	}
	sc.Values.NoteIf(i.years+i.months > 0,
		"months are those of the calendar: if a month lacks the day, such as 31 February, "+
			"the time is some days later than in Airbyte")
	return m.plus(i, sign), true
}

// compared compares times by the clock of the conversion, and notes how long that holds; not ok: they are none.
func (sc Scope) compared(operator string, left, right Expression) (is, ok bool) {
	if !isClock(left) && !isClock(right) {
		return false, false
	}
	a, isKnown := sc.present(left)
	if !isKnown {
		return false, false
	}
	b, isKnown := sc.present(right)
	if !isKnown {
		return false, false
	}
	is, _ = python.Operate(operator, a, b).(bool)
	isOrder := strings.ContainsAny(operator, "<>")
	constant, moving := a, b
	if isClock(left) {
		constant, moving = b, a
	}
	// A clock goes on: what is less than it stays less.
	staysSo := isOrder && python.Less(constant, moving)
	bothMove := isClock(left) && isClock(right)
	if !bothMove && !staysSo {
		sc.Values.Note(
			fmt.Sprintf("%s %s %s depends on the date of the conversion, %s: convert again when the result changes",
				told(left, a), operator, told(right, b), sc.Values.Now.Format(time.DateOnly)),
		)
	}
	return is, true
}

// told is a compared value for a person.
func told(e Expression, v any) string {
	if isClock(e) {
		return "a time before or after now"
	}
	return python.Printed(v)
}

// present is what an expression is at the conversion.
func (sc Scope) present(e Expression) (v any, ok bool) {
	switch e := e.(type) {
	case moment:
		if e.known != nil {
			return e.known.Unix(), true
		}
	case clock:
		if e.known != nil {
			return expr.FormatDate(e.php, e.known.Truncate(time.Second)), true
		}
	}
	v, ok = sc.constantOf(e)
	if p, isPoint := v.(point); isPoint {
		return p.time.Unix(), true
	}
	return v, ok
}
