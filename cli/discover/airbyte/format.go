package airbyte

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A timeFormat is how the manifest writes times, such as %Y-%m-%d.
type timeFormat struct {
	text string

	// letters are those of the function date, with a NUL where the digits of a second's fraction stand.
	letters string

	// layouts are those of package time that read such a text; none: it is a number.
	layouts []string

	// digits is how many a second's fraction has; isFloat tells that it has as many as it needs, one at least.
	digits  int
	isFloat bool

	// tick is the shortest time that it tells apart, a second at the least.
	tick time.Duration

	// hasZone tells that it has the offset from UTC.
	hasZone bool
}

// isNumber tells that such a time is a number since 1970.
func (f timeFormat) isNumber() bool { return f.layouts == nil }

// The formats of numbers since 1970.
var numberFormats = map[string]timeFormat{
	"%s":                  {letters: "U"},
	"%s_as_float":         {letters: "U.\x00", digits: 1, isFloat: true},
	"%ms":                 {letters: "U\x00", digits: 3},
	"%epoch_microseconds": {letters: "U\x00", digits: 6},
}

// A timeLetter is what a letter of strftime is for us: letters of the function date, and layouts of package time.
type timeLetter struct {
	letter, layout string
	tick           time.Duration
}

// day is what a date tells apart.
const day = 24 * time.Hour

var timeLetters = map[string]timeLetter{
	"Y": {"Y", "2006", day}, "y": {"y", "06", day},
	"m": {"m", "1", day}, "-m": {"n", "1", day},
	"d": {"d", "2", day}, "-d": {"j", "2", day},
	"b": {"M", "Jan", day}, "B": {"F", "January", day},
	"a": {"D", "Mon", day}, "A": {"l", "Monday", day},
	"H": {"H", "15", time.Hour}, "-H": {"G", "15", time.Hour},
	"I": {"h", "3", time.Hour}, "-I": {"g", "3", time.Hour}, "p": {"A", "PM", time.Hour},
	"M": {"i", "4", time.Minute}, "S": {"s", "5", time.Second},
	"f": {"\x00", "999999", time.Second}, "_ms": {"\x00", "999999", time.Second},
	"z": {"O", "-0700", day}, ":z": {"P", "-07:00", day}, "Z": {"T", "MST", day},
	"F": {"Y-m-d", "2006-1-2", day}, "T": {"H:i:s", "15:4:5", time.Second},
	"x": {"m/d/y", "1/2/06", day}, "X": {"H:i:s", "15:4:5", time.Second},
	"%": {"%", "%", day},
}

// formatOf reads a format. The error names what it has that cannot be said.
func formatOf(text string) (timeFormat, error) {
	if f, ok := numberFormats[text]; ok {
		f.text, f.tick = text, time.Second
		return f, nil
	}
	f := timeFormat{text: text, tick: day}
	var letters, layout strings.Builder
	for rest := text; rest != ""; {
		if rest[0] != '%' {
			letters.WriteString(standing(rest[:1]))
			layout.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		name, after := letterAt(rest[1:])
		d, ok := timeLetters[name]
		if !ok {
			return f, fmt.Errorf("the format %s has %%%s, for which there is no letter of date", text, name)
		}
		switch name {
		case "f":
			f.digits = 6
		case "_ms":
			f.digits = 3
		case "z", ":z":
			f.hasZone = true
		}
		f.tick = min(f.tick, d.tick)
		letters.WriteString(d.letter)
		layout.WriteString(d.layout)
		rest = after
	}
	f.letters = letters.String()
	f.layouts = []string{layout.String()}
	if strings.Contains(layout.String(), "-0700") {
		colon := strings.ReplaceAll(layout.String(), "-0700", "Z07:00")
		bare := strings.ReplaceAll(layout.String(), "-0700", "Z0700")
		f.layouts = []string{bare, colon}
	}
	return f, nil
}

// letterAt is the letter of strftime that a text begins with, and what comes after it.
func letterAt(text string) (name, after string) {
	for _, long := range []string{"_ms", "-d", "-m", "-H", "-I", ":z"} {
		if strings.HasPrefix(text, long) {
			return long, text[len(long):]
		}
	}
	if text == "" {
		return "", ""
	}
	return text[:1], text[1:]
}

// standing is a text that stands for itself in the letters of date.
func standing(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if isLetter || c == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// date are the letters of date, with a fraction of a second that is the same for all times.
func (f timeFormat) date(fraction time.Duration) string {
	if f.digits == 0 {
		return f.letters
	}
	digits := fmt.Sprintf("%06d", fraction.Microseconds())[:max(f.digits, 1)]
	if f.isFloat {
		digits = strings.TrimRight(fmt.Sprintf("%06d", fraction.Microseconds()), "0")
		if digits == "" {
			digits = "0"
		}
	}
	switch {
	case fraction != 0 || f.isFloat:
	case f.digits == 3:
		digits = "v"
	default:
		digits = "u"
	}
	return strings.ReplaceAll(f.letters, "\x00", digits)
}

// format is a time as the manifest would send it, in its own zone.
func (f timeFormat) format(t time.Time) string {
	fraction := time.Duration(t.Nanosecond())
	return expr.FormatDate(f.date(fraction), t)
}

// parse reads a time as the manifest's platform does, which keeps its offset; without a zone it is UTC.
func (f timeFormat) parse(text string) (time.Time, error) {
	if f.isNumber() {
		return f.parseNumber(text)
	}
	for _, layout := range f.layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if !f.hasZone || isUTC(t) {
			t = t.UTC()
		}
		return t, nil
	}
	return time.Time{}, errors.New(f.mismatch(text))
}

// isUTC tells that a time has no offset.
func isUTC(t time.Time) bool {
	_, offset := t.Zone()
	return offset == 0
}

// mismatch says that a text is not written so.
func (f timeFormat) mismatch(text string) string { return text + " is not written as " + f.text }

func (f timeFormat) parseNumber(text string) (time.Time, error) {
	if f.isFloat {
		seconds, err := strconv.ParseFloat(text, 64)
		micros := int64(seconds * 1e6)
		return time.UnixMicro(micros).UTC(), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch f.digits {
	case 3:
		return time.UnixMilli(n).UTC(), err
	case 6:
		return time.UnixMicro(n).UTC(), err
	}
	return time.Unix(n, 0).UTC(), err
}

// isNumeral tells that such a text is one of digits.
func (f timeFormat) isNumeral() bool {
	_, err := strconv.ParseFloat(f.format(time.Unix(1e9, 0).UTC()), 64)
	return err == nil
}

// isRead tells that the functions last and strtotime read such a text as that time.
func (f timeFormat) isRead() bool {
	if f.isNumber() {
		return false
	}
	at := time.Date(2023, 4, 5, 16, 17, 18, 123456000, time.UTC)
	text := f.format(at)
	whole := at.Truncate(f.tick)
	read, _, isDate := expr.ParseDate(item.Quote(text))
	said, err := expr.ParseTime(text, time.Time{})
	isGood := isDate && err == nil
	return isGood && read.Truncate(time.Second).Equal(whole) && said.Truncate(time.Second).Equal(whole)
}

// isTime tells that strtotime reads such a text as that time.
func (f timeFormat) isTime() bool {
	if f.isNumber() {
		return false
	}
	at := time.Date(2023, 4, 5, 16, 17, 18, 0, time.UTC).Truncate(f.tick)
	said, err := expr.ParseTime(f.format(at), time.Time{})
	return err == nil && said.Truncate(time.Second).Equal(at)
}

// A period is a length of time as ISO 8601 writes it: P1M, PT0.5S.
type period struct {
	// amounts are those of a calendar, such as 1 month.
	amounts []amount

	// exact is the length; it means nothing where isCalendar, for months and years differ.
	exact      time.Duration
	isCalendar bool
}

type amount struct {
	n    int64
	unit string
}

// periodOf reads a length of time.
func periodOf(text string) (s period, ok bool) {
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || rest == "" {
		return s, false
	}
	units := map[byte]string{'Y': "year", 'M': "month", 'W': "week", 'D': "day"}
	for rest != "" {
		if rest[0] == 'T' {
			units = map[byte]string{'H': "hour", 'M': "minute", 'S': "second"}
			rest = rest[1:]
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if end <= 0 {
			return s, false
		}
		unit := units[rest[end]]
		number := rest[:end]
		rest = rest[end+1:]
		if !s.add(number, unit) {
			return s, false
		}
	}
	return s, true
}

// add adds an amount of a unit; only seconds have a fraction.
func (s *period) add(number, unit string) bool {
	lengths := map[string]time.Duration{
		"week": 7 * day, "day": day,
		"hour": time.Hour, "minute": time.Minute, "second": time.Second,
	}
	length, isExact := lengths[unit]
	whole, fraction, hasFraction := strings.Cut(number, ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil || unit == "" {
		return false
	}
	s.isCalendar = s.isCalendar || !isExact && n > 0
	s.exact += time.Duration(n) * length
	if n > 0 {
		s.amounts = append(s.amounts, amount{n, unit})
	}
	if !hasFraction {
		return true
	}
	part, err := time.ParseDuration("0." + fraction + "s")
	s.exact += part
	return err == nil && unit == "second"
}

// text is the period with a sign before each of its amounts, such as -1 month; a fraction counts as a second.
func (s period) text(sign string) string {
	amounts := s.amounts
	if s.exact%time.Second != 0 {
		amounts = append(amounts[:len(amounts):len(amounts)], amount{1, "second"})
	}
	var all []string
	for _, a := range amounts {
		unit := a.unit
		if a.n != 1 {
			unit += "s"
		}
		all = append(all, fmt.Sprintf("%s%d %s", sign, a.n, unit))
	}
	return strings.Join(all, " ")
}

// isZero tells that there is no length.
func (s period) isZero() bool { return !s.isCalendar && s.exact == 0 }
