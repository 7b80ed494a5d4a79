package airbyte

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

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

// utc are the names of time zones that are UTC.
var utc = []string{"UTC", "utc", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Universal"}

// macro is one of the platform's functions.
func (sc scope) macro(name string, e call) (expression, error) {
	names, ok := macroArguments[name]
	if !ok {
		return nil, fmt.Errorf("the function %s is not understood", name)
	}
	if name == "max" || name == "min" {
		return sc.extreme(name, e)
	}
	given, err := asked(names, e.arguments, e.keywords)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[string]expression{}
	for _, n := range names {
		if given[n] == nil {
			continue
		}
		if all[n], err = sc.eval(given[n]); err != nil {
			return nil, err
		}
	}
	if name == "format_datetime" && sc.isOfItem(all["dt"]) {
		return call{of: e.of, keywords: all}, nil
	}
	made, err := sc.clock(name, all)
	var unknown unknownName
	if errors.As(err, &unknown) && slices.Contains(later, string(unknown)) {
		return call{of: e.of, keywords: all}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return made, nil
}

// macroArguments are the names of the arguments of the functions that are understood.
var macroArguments = map[string][]string{
	"day_delta": {
		"num_days",
		"format",
	}, "duration": {"datestring"}, "format_datetime": {"dt", "format", "input_format"},
	"max": {}, "min": {}, "now_utc": {}, "str_to_datetime": {"s"}, "timestamp": {"dt"}, "today_utc": {},
	"today_with_timezone": {"timezone"}, "sanitize_url": {"value"}, "camel_case_to_snake_case": {"value"},
}

func (sc scope) clock(name string, all map[string]expression) (expression, error) {
	switch name {
	case "now_utc":
		return sc.now(), nil
	case "today_utc":
		return sc.today(), nil
	case "today_with_timezone":
		zone, err := sc.textArgument(all["timezone"])
		if err == nil && !slices.Contains(utc, zone) {
			err = errors.New("only UTC is understood")
		}
		return sc.today(), err
	case "day_delta":
		return sc.dayDelta(all)
	case "duration":
		text, err := sc.textArgument(all["datestring"])
		if err != nil {
			return nil, err
		}
		i, err := parseInterval(text)
		return constant{i}, err
	case "timestamp":
		return sc.timestamp(all["dt"])
	case "str_to_datetime":
		return sc.timeOf(all["s"], nil)
	case "format_datetime":
		return sc.formatDatetime(all)
	case "sanitize_url":
		return sc.sanitized(all["value"])
	case "camel_case_to_snake_case":
		text, err := sc.textArgument(all["value"])
		return constant{strings.ToLower(capitals().ReplaceAllString(text, "${1}_${2}"))}, err
	default:
		return nil, errors.New("it is not understood")
	}
}

// now is the present.
func (sc scope) now() moment {
	t := sc.values.now
	return moment{json: function("time"), known: &t}
}

// today is the beginning of the day.
func (sc scope) today() moment {
	t := sc.values.now.Truncate(24 * time.Hour)
	return moment{json: function("strtotime", `"today"`), isDay: true, known: &t}
}

// textArgument is a constant text.
func (sc scope) textArgument(e expression) (string, error) {
	v, isConstant, err := sc.plain(e)
	text, ok := v.(string)
	isText := isConstant && ok
	if err == nil && !isText {
		err = errors.New("an argument is no text that the values decide")
	}
	return text, err
}

// extreme is the least or greatest of constants.
func (sc scope) extreme(name string, e call) (expression, error) {
	arguments, err := sc.evals(e.arguments)
	if err != nil {
		return nil, err
	}
	isPair := len(arguments) == 2
	if isPair && slices.ContainsFunc(arguments, isClock) {
		operator := map[string]string{"max": ">", "min": "<"}[name]
		is, ok, err := sc.compared(operator, arguments[1], arguments[0])
		switch {
		case err != nil:
			return nil, err
		case ok && is:
			return arguments[1], nil
		case ok:
			return arguments[0], nil
		}
	}
	values, areConstant, err := sc.plains(arguments)
	if err != nil {
		return nil, err
	}
	if !areConstant || len(e.keywords) > 0 {
		return call{of: e.of, arguments: arguments, keywords: e.keywords}, nil
	}
	if list, ok := only(values).([]any); ok {
		values = list
	}
	v, err := ordered(name, values)
	return constant{v}, err
}

func only(all []any) any {
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// dayDelta is the present some days on, as text.
func (sc scope) dayDelta(all map[string]expression) (expression, error) {
	v, isConstant, err := sc.plain(all["num_days"])
	if err != nil {
		return nil, err
	}
	days, isWhole := whole(v)
	if !isConstant || !isWhole {
		return nil, errors.New("the number of days is not understood")
	}
	format := "%Y-%m-%dT%H:%M:%S.%f%z"
	if all["format"] != nil {
		if format, err = sc.textArgument(all["format"]); err != nil {
			return nil, err
		}
	}
	return sc.now().plus(interval{days: int(days)}, 1).format(format)
}

var intervals = pattern(
	`^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?` +
		`(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$`,
)

// parseInterval reads a duration of ISO 8601.
func parseInterval(text string) (interval, error) {
	m := intervals().FindStringSubmatch(text)
	isEmpty := m == nil || text == "P" || strings.HasSuffix(text, "T")
	if isEmpty {
		return interval{}, fmt.Errorf("the duration %q is not understood", text)
	}
	n := make([]int, len(m))
	for i := range m {
		n[i], _ = strconv.Atoi(m[i])
	}
	return interval{years: n[1], months: n[2], days: 7*n[3] + n[4], seconds: 3600*n[5] + 60*n[6] + n[7]}, nil
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
	arguments := []string{encoded(step), m.json}
	if m.json == function("time") {
		arguments = arguments[:1]
	}
	return m.moved(arguments, func(t time.Time) time.Time { return point{t, m.isDay}.plus(i, sign).time })
}

// moved is a moment that strtotime makes of it.
func (m moment) moved(arguments []string, by func(time.Time) time.Time) moment {
	m.json = function("strtotime", arguments...)
	if m.known != nil {
		t := by(*m.known)
		m.known = &t
	}
	return m
}

// plus is a point some time on; a day that the month does not have is its last one.
func (p point) plus(i interval, sign int) point {
	t := p.time
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location()).AddDate(sign*i.years, sign*i.months, 0)
	last := first.AddDate(0, 1, -1).Day()
	t = time.Date(
		first.Year(),
		first.Month(),
		min(t.Day(), last),
		t.Hour(),
		t.Minute(),
		t.Second(),
		t.Nanosecond(),
		t.Location(),
	)
	t = t.AddDate(0, 0, sign*i.days)
	if !p.isDay {
		t = t.Add(time.Duration(sign*i.seconds) * time.Second)
	}
	return point{t, p.isDay}
}

// clocked is arithmetic of times; not ok: it is none.
func clocked(operator string, left, right expression) (expression, bool, error) {
	if s, ok := left.(seconds); ok {
		made, err := s.times(operator, right)
		return made, true, err
	}
	if s, ok := right.(seconds); ok && operator == "*" {
		made, err := s.times(operator, left)
		return made, true, err
	}
	c, isConstant := right.(constant)
	i, isInterval := c.value.(interval)
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
	if l, ok := left.(constant); ok {
		if p, ok := l.value.(point); ok {
			return constant{p.plus(i, sign)}, true, nil
		}
	}
	return nil, false, errors.New("a duration is understood with a time only")
}

// isMonthly tells a clock and a duration of months, whose days our clock counts in its own way.
func isMonthly(left, right expression) bool {
	c, _ := right.(constant)
	i, _ := c.value.(interval)
	_, isMoment := left.(moment)
	return isMoment && i.years+i.months > 0
}

// times are seconds by 1000 or a million.
func (s seconds) times(operator string, by expression) (expression, error) {
	c, _ := by.(constant)
	zeros := map[any]int{int64(1): 0, int64(1000): 3, int64(1_000_000): 6}
	n, ok := zeros[comparable64(c.value)]
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
func (sc scope) clockMethod(
	method string, of expression, arguments []expression, keywords map[string]expression,
) (expression, bool, error) {
	m, isMoment := of.(moment)
	c, _ := of.(constant)
	p, isPoint := c.value.(point)
	if !isMoment && !isPoint {
		return nil, false, nil
	}
	isPlain := len(arguments) == 0
	if method == "replace" {
		made, err := m.replace(keywords)
		isReplaced := isMoment && isPlain && err == nil
		if !isReplaced {
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
		return constant{point{time.Date(y, month, d, 0, 0, 0, 0, time.UTC), true}}, true, nil
	case method == "timestamp" && isMoment:
		return seconds{json: m.json, isFraction: true}, true, nil
	case method == "timestamp":
		return constant{float64(p.time.Unix())}, true, nil
	}
	return nil, false, fmt.Errorf("%s of a time is not understood", method)
}

// replace is a moment with its day begun, or its month.
func (m moment) replace(keywords map[string]expression) (expression, error) {
	zero := func(name string) bool {
		c, ok := keywords[name].(constant)
		return ok && c.value == int64(0)
	}
	first, isFirst := keywords["day"].(constant)
	isFirst = isFirst && first.value == int64(1)
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

// timestamp is the number of a text's time.
func (sc scope) timestamp(dt expression) (expression, error) {
	if s, ok := dt.(seconds); ok {
		s.isFraction = false
		return s, nil
	}
	v, isConstant, err := sc.constantOf(dt)
	if err != nil {
		return nil, err
	}
	if isConstant {
		if _, isNumber := numeric(v); isNumber {
			return applyNumberExpression(v)
		}
	}
	t, err := sc.timeOf(dt, nil)
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case moment:
		return seconds{json: t.json, isFraction: true}, nil
	case constant:
		p, _ := t.value.(point)
		return constant{float64(p.time.UnixMicro()) / 1e6}, nil
	}
	return nil, errors.New("it is not understood")
}

func applyNumberExpression(v any) (expression, error) {
	made, err := applyNumber("int", v, nil)
	return constant{made}, err
}

// constantOf is a plain value; what comes from outside is none.
func (sc scope) constantOf(e expression) (v any, isConstant bool, err error) {
	if e == nil {
		return nil, false, errors.New("an argument is missing")
	}
	if isOutside(e) {
		return nil, false, nil
	}
	return sc.plain(e)
}

// timeOf is a text as a time, read by a format of Python, or as dates are written.
func (sc scope) timeOf(e expression, format *string) (expression, error) {
	v, isConstant, err := sc.constantOf(e)
	if err != nil {
		return nil, err
	}
	switch c := e.(type) {
	case moment:
		return c, nil
	case seconds:
		if c.zeros == 0 {
			return moment{json: c.json}, nil
		}
	}
	if isConstant {
		if p, ok := v.(point); ok {
			return constant{p}, nil
		}
		t, err := readTime(v, format)
		return constant{point{time: t}}, err
	}
	m, err := sc.meaningOf(e)
	if err != nil {
		return nil, err
	}
	if format == nil && m.format != "" {
		format = &m.format
	}
	of := "%Y-%m-%d"
	if format != nil {
		of = *format
	}
	isSeconds := m.moment || of == "%s"
	isDate := of == "%Y%m%d" || strings.HasPrefix(of, "%Y-%m-%d")
	switch {
	case m.json == "":
		return nil, errUndefined
	case isSeconds:
		return moment{json: m.json}, nil
	case isDate:
		return moment{json: function("strtotime", m.json)}, nil
	default:
		return nil, fmt.Errorf("the format %q is not understood for what only a run has", *format)
	}
}

// readTime reads a constant as a time.
func readTime(v any, format *string) (time.Time, error) {
	text := rendered(v)
	n, err := strconv.ParseInt(text, 10, 64)
	isNumber := err == nil
	mayBeSeconds := format == nil && len(text) > 8
	isSeconds := mayBeSeconds || format != nil && *format == "%s"
	if isNumber && isSeconds {
		return time.Unix(n, 0).UTC(), nil
	}
	layouts := []string{
		"2006-01-02", time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
		"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04:05.999999999Z07:00", "20060102",
	}
	if format != nil {
		layout, err := layoutOf(*format)
		if err != nil {
			return time.Time{}, err
		}
		layouts = []string{layout}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errors.New("a value is not understood as a time")
}

// formatDatetime is a time in another format.
func (sc scope) formatDatetime(all map[string]expression) (expression, error) {
	format, err := sc.textArgument(all["format"])
	if err != nil {
		return nil, err
	}
	var from *string
	if all["input_format"] != nil {
		text, err := sc.textArgument(all["input_format"])
		if err != nil {
			return nil, err
		}
		from = &text
	}
	t, err := sc.timeOf(all["dt"], from)
	if err != nil {
		return nil, err
	}
	return formatTime(t, format)
}

// formatTime is a moment or a point as text.
func formatTime(e expression, format string) (expression, error) {
	if m, ok := e.(moment); ok {
		return m.format(format)
	}
	c, _ := e.(constant)
	p, ok := c.value.(point)
	if !ok {
		return nil, errors.New("it is no time")
	}
	text, err := formatPoint(p.time, format)
	return constant{text}, err
}

func formatPoint(t time.Time, format string) (string, error) {
	php, err := phpFormat(format)
	if err != nil {
		return "", err
	}
	isFine := t.Nanosecond() != 0 && strings.ContainsAny(php, "uv")
	if isFine {
		return "", errors.New("a part of a second is not understood")
	}
	return expr.FormatDate(php, t.UTC()), nil
}

// format is a moment as text; as Unix seconds it is a number.
func (m moment) format(format string) (expression, error) {
	if format == "%s" {
		return seconds{json: m.json}, nil
	}
	php, err := phpFormat(format)
	if err != nil {
		return nil, err
	}
	return clock{m, php}, nil
}

// meaning is the text of a clock.
func (c clock) meaning() meaning {
	return meaning{json: function("date", encoded(c.php), c.json), isNumeral: isNumeral(c.php)}
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
func (s seconds) meaning() meaning {
	format := "U" + strings.Repeat("0", s.zeros)
	switch {
	case s.isFraction:
		return meaning{json: function("date", encoded(format+".0"), s.json), isNumeral: true}
	case s.zeros > 0:
		return meaning{json: function("date", encoded(format), s.json), isNumeral: true}
	default:
		return meaning{json: s.json}
	}
}

// capitals are those of a name that are not its first letter.
var capitals = pattern(`(.)([A-Z])`)

// sanitized is a text for a path or a query.
func (sc scope) sanitized(e expression) (expression, error) {
	v, isConstant, err := sc.constantOf(e)
	if err != nil {
		return nil, err
	}
	if isConstant {
		return constant{url.QueryEscape(rendered(v))}, nil
	}
	text, err := sc.textOf(e)
	return formula{meaning{json: function("urlencode", text)}}, err
}
