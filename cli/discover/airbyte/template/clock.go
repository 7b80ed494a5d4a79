package template

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
)

// utc are the names of time zones that are UTC.
var utc = []string{"UTC", "utc", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Universal"}

// macro is one of the platform's functions.
func (sc Scope) macro(name string, e Call) (Expression, error) {
	names, ok := MacroArguments[name]
	if !ok {
		return nil, fmt.Errorf("the function %s is not understood", name)
	}
	if name == "max" || name == "min" {
		return sc.extreme(name, e)
	}
	given, err := Bind(names, e.Arguments, e.Keywords)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[string]Expression{}
	for _, n := range names {
		if given[n] == nil {
			continue
		}
		if all[n], err = sc.eval(given[n]); err != nil {
			return nil, err
		}
	}
	if name == "format_datetime" && sc.isOfItem(all["dt"]) {
		return Call{Of: e.Of, Keywords: all}, nil
	}
	made, err := sc.clock(name, all)
	var unknown unknownName
	if errors.As(err, &unknown) && slices.Contains(later, string(unknown)) {
		return Call{Of: e.Of, Keywords: all}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return made, nil
}

// MacroArguments are the names of the arguments of the functions that are understood.
var MacroArguments = map[string][]string{
	"day_delta": {
		"num_days",
		"format",
	}, "duration": {"datestring"}, "format_datetime": {"dt", "format", "input_format"},
	"max": {}, "min": {}, "now_utc": {}, "str_to_datetime": {"s"}, "timestamp": {"dt"}, "today_utc": {},
	"today_with_timezone": {"timezone"}, "sanitize_url": {"value"}, "camel_case_to_snake_case": {"value"},
}

func (sc Scope) clock(name string, all map[string]Expression) (Expression, error) {
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
		return Constant{i}, err
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
		return Constant{strings.ToLower(capitals().ReplaceAllString(text, "${1}_${2}"))}, err
	default:
		return nil, errors.New("it is not understood")
	}
}

// now is the present.
func (sc Scope) now() moment {
	t := sc.Values.Now
	return moment{json: write.Calling("time"), known: &t}
}

// today is the beginning of the day.
func (sc Scope) today() moment {
	t := sc.Values.Now.Truncate(24 * time.Hour)
	return moment{json: write.Calling("strtotime", `"today"`), isDay: true, known: &t}
}

// textArgument is a constant text.
func (sc Scope) textArgument(e Expression) (string, error) {
	v, isConstant, err := sc.plain(e)
	text, ok := v.(string)
	if err == nil && (!isConstant || !ok) {
		err = errors.New("an argument is no text that the values decide")
	}
	return text, err
}

// extreme is the least or greatest of constants.
func (sc Scope) extreme(name string, e Call) (Expression, error) {
	arguments, err := sc.evals(e.Arguments)
	if err != nil {
		return nil, err
	}
	if len(arguments) == 2 && slices.ContainsFunc(arguments, isClock) {
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
	if !areConstant || len(e.Keywords) > 0 {
		return Call{Of: e.Of, Arguments: arguments, Keywords: e.Keywords}, nil
	}
	if list, ok := only(values).([]any); ok {
		values = list
	}
	v, err := python.Ordered(name, values)
	return Constant{v}, err
}

func only(all []any) any {
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// dayDelta is the present some days on, as text.
func (sc Scope) dayDelta(all map[string]Expression) (Expression, error) {
	v, isConstant, err := sc.plain(all["num_days"])
	if err != nil {
		return nil, err
	}
	days, isWhole := python.Whole(v)
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

// timestamp is the number of a text's time.
func (sc Scope) timestamp(dt Expression) (Expression, error) {
	if s, ok := dt.(seconds); ok {
		s.isFraction = false
		return s, nil
	}
	v, isConstant, err := sc.constantOf(dt)
	if err != nil {
		return nil, err
	}
	if isConstant {
		if _, isNumber := python.Numeric(v); isNumber {
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
	case Constant:
		p, _ := t.Value.(point)
		return Constant{float64(p.time.UnixMicro()) / 1e6}, nil
	}
	return nil, errors.New("it is not understood")
}

func applyNumberExpression(v any) (Expression, error) {
	made, err := python.ToInt(v)
	return Constant{made}, err
}

// constantOf is a plain value; what comes from outside is none.
func (sc Scope) constantOf(e Expression) (v any, isConstant bool, err error) {
	if e == nil {
		return nil, false, errors.New("an argument is missing")
	}
	if isOutside(e) {
		return nil, false, nil
	}
	return sc.plain(e)
}

// timeOf is a text as a time, read by a format of Python, or as dates are written.
func (sc Scope) timeOf(e Expression, format *string) (Expression, error) {
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
			return Constant{p}, nil
		}
		t, err := readTime(v, format)
		return Constant{point{time: t}}, err
	}
	m, err := sc.MeaningOf(e)
	if err != nil {
		return nil, err
	}
	if format == nil && m.Format != "" {
		format = &m.Format
	}
	of := "%Y-%m-%d"
	if format != nil {
		of = *format
	}
	isSeconds := m.Moment || of == "%s"
	isDate := of == "%Y%m%d" || strings.HasPrefix(of, "%Y-%m-%d")
	switch {
	case m.Expr == "":
		return nil, python.ErrUndefined
	case isSeconds:
		return moment{json: m.Expr}, nil
	case isDate:
		return moment{json: write.Calling("strtotime", m.Expr)}, nil
	default:
		return nil, fmt.Errorf("the format %q is not understood for what only a run has", *format)
	}
}

// readTime reads a constant as a time.
func readTime(v any, format *string) (time.Time, error) {
	text := python.Rendered(v)
	n, err := strconv.ParseInt(text, 10, 64)
	isNumber := err == nil
	mayBeSeconds := format == nil && len(text) > 8
	if isNumber && (mayBeSeconds || format != nil && *format == "%s") {
		return time.Unix(n, 0).UTC(), nil
	}
	layouts := []string{
		"2006-01-02", time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
		"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04:05.999999999Z07:00", "20060102",
	}
	if format != nil {
		layout, err := times.LayoutOf(*format)
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
func (sc Scope) formatDatetime(all map[string]Expression) (Expression, error) {
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

// capitals are those of a name that are not its first letter.
var capitals = pattern.Lazy(`(.)([A-Z])`)

// sanitized is a text for a path or a query.
func (sc Scope) sanitized(e Expression) (Expression, error) {
	v, isConstant, err := sc.constantOf(e)
	if err != nil {
		return nil, err
	}
	if isConstant {
		return Constant{url.QueryEscape(python.Rendered(v))}, nil
	}
	text, err := sc.textOf(e)
	return formula{Meaning{Expr: write.Calling("urlencode", text)}}, err
}
