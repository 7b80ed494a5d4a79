package template

import (
	"errors"
	"fmt"
	"strings"
	"time"

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
		json  string
		isDay bool

		// known is what it is at the conversion; nil: only a run has it.
		known *time.Time
	}

	// seconds are a number of a moment: its Unix time, times 1 followed by zeros.
	seconds struct {
		json       string
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

// parseInterval reads a duration of ISO 8601.
func parseInterval(text string) (i interval, err error) {
	p, ok := times.ParsePeriod(text)
	if !ok || p.HasFraction() {
		return i, fmt.Errorf("the duration %q is not understood", text)
	}
	for _, a := range p.Amounts {
		n := int(a.N)
		switch a.Unit {
		case "year":
			i.years = n
		case "month":
			i.months = n
		case "week":
			i.days += 7 * n
		case "day":
			i.days += n
		case "hour":
			i.seconds += 3600 * n
		case "minute":
			i.seconds += 60 * n
		case "second":
			i.seconds += n
		}
	}
	return i, nil
}

// step is an interval as strtotime reads it; sign is 1 or -1.
func (i interval) step(sign int) string {
	var all []string
	add := func(n int, unit string) {
		if n != 0 {
			all = append(all, fmt.Sprintf("%+d %s", sign*n, unit))
		}
	}
	add(i.years, "years")
	add(i.months, "months")
	add(i.days, "days")
	add(i.seconds, "seconds")
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
	arguments := []string{python.Encoded(step), m.json}
	if m.json == write.Calling("time") {
		arguments = arguments[:1]
	}
	return m.moved(arguments, func(t time.Time) time.Time { return point{t, m.isDay}.plus(i, sign).time })
}

// moved is a moment that strtotime makes of it.
func (m moment) moved(arguments []string, by func(time.Time) time.Time) moment {
	m.json = write.Calling("strtotime", arguments...)
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

// clocked is arithmetic of times; not ok: it is none.
func clocked(operator string, left, right Expression) (Expression, bool, error) {
	if s, ok := left.(seconds); ok {
		made, err := s.times(operator, right)
		return made, true, err
	}
	if s, ok := right.(seconds); ok && operator == "*" {
		made, err := s.times(operator, left)
		return made, true, err
	}
	c, isConstant := right.(Constant)
	i, isInterval := c.Value.(interval)
	if !isConstant || !isInterval {
		if _, ok := left.(moment); ok && operator != "~" {
			return nil, false, fmt.Errorf("%s of a time is understood with a duration only", operator)
		}
		return nil, false, nil
	}
	sign := map[string]int{"+": 1, "-": -1}[operator]
	if sign == 0 {
		return nil, false, fmt.Errorf("%s of a duration is not understood", operator)
	}
	if m, ok := left.(moment); ok {
		return m.plus(i, sign), true, nil
	}
	if l, ok := left.(Constant); ok {
		if p, ok := l.Value.(point); ok {
			return Constant{p.plus(i, sign)}, true, nil
		}
	}
	return nil, false, errors.New("a duration is understood with a time only")
}

// isMonthly tells a clock and a duration of months, whose days our clock counts in its own way.
func isMonthly(left, right Expression) bool {
	c, _ := right.(Constant)
	i, _ := c.Value.(interval)
	_, isMoment := left.(moment)
	return isMoment && i.years+i.months > 0
}

// times are seconds by 1000 or a million.
func (s seconds) times(operator string, by Expression) (Expression, error) {
	c, _ := by.(Constant)
	zeros := map[any]int{int64(1): 0, int64(1000): 3, int64(1_000_000): 6}
	n, ok := zeros[comparable64(c.Value)]
	if !ok || operator != "*" {
		return nil, fmt.Errorf("%s of a time is not understood", operator)
	}
	s.zeros += n
	return s, nil
}

// comparable64 is a whole number, or nil.
func comparable64(v any) any {
	if i, ok := v.(int64); ok {
		return i
	}
	return nil
}

// clockMethod is a method of a time; not ok: it is of none.
func (sc Scope) clockMethod(
	method string, of Expression, arguments []Expression, keywords map[string]Expression,
) (Expression, bool, error) {
	m, isMoment := of.(moment)
	c, _ := of.(Constant)
	p, isPoint := c.Value.(point)
	if !isMoment && !isPoint {
		return nil, false, nil
	}
	isPlain := len(arguments) == 0
	if method == "replace" {
		made, err := m.replace(keywords)
		if !isMoment || !isPlain || err != nil {
			err = errors.Join(err, errors.New("replace of a time is understood for the clock only"))
		}
		return made, true, err
	}
	if len(keywords) > 0 {
		return nil, false, fmt.Errorf("%s of a time with named arguments is not understood", method)
	}
	switch {
	case method == "strftime" && len(arguments) == 1:
		format, err := sc.textArgument(arguments[0])
		if err != nil {
			return nil, false, err
		}
		made, err := formatTime(of, format)
		return made, true, err
	case method == "isoformat" && isPlain:
		format := "%Y-%m-%dT%H:%M:%S.%f+00:00"
		if isPoint {
			format = "%Y-%m-%dT%H:%M:%S+00:00"
		}
		if m.isDay || p.isDay {
			format = "%Y-%m-%d"
		}
		made, err := formatTime(of, format)
		return made, true, err
	case method == "date" && isMoment:
		m = m.midnight()
		m.isDay = true
		return m, true, nil
	case method == "date":
		y, month, d := p.time.Date()
		return Constant{point{time.Date(y, month, d, 0, 0, 0, 0, time.UTC), true}}, true, nil
	case method == "timestamp" && isMoment:
		return seconds{json: m.json, isFraction: true}, true, nil
	case method == "timestamp":
		return Constant{float64(p.time.Unix())}, true, nil
	}
	return nil, false, fmt.Errorf("%s of a time is not understood", method)
}

// replace is a moment with its day begun, or its month.
func (m moment) replace(keywords map[string]Expression) (Expression, error) {
	zero := func(name string) bool {
		c, ok := keywords[name].(Constant)
		return ok && c.Value == int64(0)
	}
	first, isFirst := keywords["day"].(Constant)
	isFirst = isFirst && first.Value == int64(1)
	used := 0
	for _, name := range []string{"hour", "minute", "second", "microsecond"} {
		if zero(name) {
			used++
		}
	}
	isHour := zero("hour") && zero("minute")
	isMidnight := isHour && zero("second")
	onlySecond := used == 1 && zero("microsecond")
	if isFirst {
		used++
	}
	if used != len(keywords) {
		return nil, errors.New("replace of a time is understood for the beginning of a day or a month only")
	}
	isDay, keepsTime := isMidnight || m.isDay, onlySecond || used == 1
	switch {
	case isFirst && isDay:
		return m.midnight().first(), nil
	case isFirst && keepsTime:
		return m.first(), nil
	case isMidnight:
		return m.midnight(), nil
	case onlySecond:
		return m, nil
	default:
		return nil, errors.New("replace of a time is understood for the beginning of a day or a month only")
	}
}

// midnight is the beginning of the day.
func (m moment) midnight() moment {
	return m.moved(
		[]string{`"midnight"`, m.json},
		func(t time.Time) time.Time { return t.Truncate(24 * time.Hour) },
	)
}

// first is the same time on the first day of the month.
func (m moment) first() moment {
	return m.moved([]string{`"first day of this month"`, m.json}, func(t time.Time) time.Time {
		return t.AddDate(0, 0, 1-t.Day())
	})
}

// formatTime is a moment or a point as text.
func formatTime(e Expression, format string) (Expression, error) {
	if m, ok := e.(moment); ok {
		return m.format(format)
	}
	c, _ := e.(Constant)
	p, ok := c.Value.(point)
	if !ok {
		return nil, errors.New("it is no time")
	}
	text, err := formatPoint(p.time, format)
	return Constant{text}, err
}

func formatPoint(t time.Time, format string) (string, error) {
	php, err := times.PHP(format)
	if err != nil {
		return "", err
	}
	if t.Nanosecond() != 0 && strings.ContainsAny(php, "uv") {
		return "", errors.New("a part of a second is not understood")
	}
	return expr.FormatDate(php, t.UTC()), nil
}

// format is a moment as text; as Unix seconds it is a number.
func (m moment) format(format string) (Expression, error) {
	if format == "%s" {
		return seconds{json: m.json}, nil
	}
	php, err := times.PHP(format)
	if err != nil {
		return nil, err
	}
	return clock{m, php}, nil
}

// meaning is the text of a clock.
func (c clock) meaning() Meaning {
	return Meaning{Expr: write.Calling("date", python.Encoded(c.php), c.json), IsNumeral: isNumeral(c.php)}
}

// isNumeral tells a format whose texts are all digits.
func isNumeral(php string) bool {
	isOther := strings.ContainsFunc(
		php,
		func(r rune) bool { return !strings.ContainsRune("YUnjGNwoB0123456789mdHis", r) },
	)
	return !isOther && php != "" && !strings.ContainsAny(php[:1], "mdHis")
}

// meaning is what the number of a moment is.
func (s seconds) meaning() Meaning {
	format := "U" + strings.Repeat("0", s.zeros)
	switch {
	case s.isFraction:
		return Meaning{Expr: write.Calling("date", python.Encoded(format+".0"), s.json), IsNumeral: true}
	case s.zeros > 0:
		return Meaning{Expr: write.Calling("date", python.Encoded(format), s.json), IsNumeral: true}
	default:
		return Meaning{Expr: s.json}
	}
}
