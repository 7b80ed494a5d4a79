package expr

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// FormatDate formats t, in UTC, with the letters of PHP's date. What is no letter of it, or stands after a
// backslash, stands for itself.
func FormatDate(format string, t time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c == '\\' && i+1 < len(format) {
			i++
			b.WriteByte(format[i])
			continue
		}
		if layout, ok := dateLayouts[c]; ok {
			b.WriteString(t.Format(layout))
		} else if number, ok := dateNumbers[c]; ok {
			b.WriteString(number(t))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dateLayouts are the letters that the time package has a layout for, of whole seconds in UTC.
var dateLayouts = map[byte]string{
	'd': "02", 'j': "2", 'D': "Mon", 'l': "Monday",
	'm': "01", 'n': "1", 'M': "Jan", 'F': "January",
	'Y': "2006", 'x': "2006", 'X': "+2006", 'y': "06",
	'u': "000000", 'v': "000", 'I': "0", 'Z': "0",
	'a': "pm", 'A': "PM", 'g': "3", 'h': "03", 'H': "15", 'i': "04", 's': "05",
	'e': "MST", 'T': "MST", 'O': "-0700", 'P': "-07:00", 'p': "Z07:00",
	'c': "2006-01-02T15:04:05-07:00",
	'r': time.RFC1123Z,
}

// dateNumbers are the other letters.
var dateNumbers = map[byte]func(t time.Time) string{
	'N': func(t time.Time) string { return strconv.Itoa((int(t.Weekday())+6)%7 + 1) },
	'S': func(t time.Time) string { return ordinalSuffix(t.Day()) },
	'w': func(t time.Time) string { return strconv.Itoa(int(t.Weekday())) },
	'z': func(t time.Time) string { return strconv.Itoa(t.YearDay() - 1) },
	'W': func(t time.Time) string { _, week := t.ISOWeek(); return fmt.Sprintf("%02d", week) },
	't': func(t time.Time) string { return strconv.Itoa(monthEnd(t.Year(), t.Month()).Day()) },
	'L': func(t time.Time) string { return strconv.Itoa(monthEnd(t.Year(), time.December).YearDay() - 365) },
	'o': func(t time.Time) string { year, _ := t.ISOWeek(); return fmt.Sprintf("%04d", year) },
	// Swatch beats: thousandths of a day, an hour ahead of UTC.
	'B': func(t time.Time) string {
		return fmt.Sprintf("%03d", (t.Hour()*3600+t.Minute()*60+t.Second()+3600)*10/864%1000)
	},
	'G': func(t time.Time) string { return strconv.Itoa(t.Hour()) },
	'U': func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) },
}

// ordinalSuffix is what stands behind the number of a day, as in 1st.
func ordinalSuffix(day int) string {
	isTeen := day/10 == 1
	switch {
	case isTeen:
		return "th"
	case day%10 == 1:
		return "st"
	case day%10 == 2:
		return "nd"
	case day%10 == 3:
		return "rd"
	}
	return "th"
}

func monthEnd(year int, month time.Month) time.Time {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
}

// lastFunction gives the greatest value that the items of the job had at a path in earlier runs, else its second
// argument. A date is moved back by the third, so that what came late is asked for again. What it gives is not less than
// the fourth.
func lastFunction(in *functionInput) jsontext.Value {
	if in.last == nil {
		const why = "last is for the endpoint, parameters, headers, userData, windows and until of a job"
		return in.fail(&placedError{in.at, why})
	}
	path := in.text(0)
	if in.err != nil || in.unknown(0) {
		return nil
	}
	value, known := in.last(path)
	switch {
	case !known:
		// A step that is wrong is not to show when there is a value, one day.
		in.stepBack(time.Unix(0, 0))
		return in.fail(errUnknown)
	case value == nil:
		return in.values[1].JSON
	}
	t, layout, isDate := ParseDate(value)
	hasStep := len(in.values) > 2 && (in.unknown(2) || in.text(2) != "")
	switch {
	case !hasStep && isDate && hasTicks(item.Unquote(value)):
		// No API takes it so as a parameter.
		return in.atLeast(item.Quote(t.Format(layout)))
	case !hasStep:
		return in.atLeast(value)
	case !isDate:
		return in.fault(2, "the last value is not a date, and last steps back from dates only. From Unix seconds "+
			`step back with {"function": "strtotime", "args": ["-10 minutes", {"function": "last", …}]}`)
	}
	return in.atLeast(item.Quote(in.stepBack(t).In(t.Location()).Format(layout)))
}

// atLeast is a value, or the fourth argument if there is one and the value is less: an earlier date, or a smaller number.
func (in *functionInput) atLeast(value jsontext.Value) jsontext.Value {
	if len(in.values) < 4 || in.unknown(3) {
		return value
	}
	least := in.values[3].JSON
	t, _, isDate := ParseDate(value)
	if isDate {
		bound, err := ParseTime(in.text(3), in.clock())
		if err != nil {
			return in.fault(3, "last needs a date here, as the last value is one")
		}
		if t.Before(bound) {
			return least
		}
		return value
	}
	text, _ := item.Text(value)
	number, err1 := strconv.ParseFloat(text, 64)
	bound, err2 := strconv.ParseFloat(in.text(3), 64)
	if err1 != nil || err2 != nil {
		return in.fault(3, "last compares a date with a date, and a number with a number: this is of another kind than the last value")
	}
	if number < bound {
		return least
	}
	return value
}

// stepBack is t moved back by the third argument, if there is one.
func (in *functionInput) stepBack(t time.Time) time.Time {
	if len(in.values) < 3 || in.unknown(2) || in.text(2) == "" {
		return t
	}
	back, err := ParseTime(in.text(2), t)
	if err != nil || back.After(t) {
		in.fault(2, `last needs a step back here, such as "-10 minutes"`)
	}
	return back
}

// dateLayoutsRead are the layouts of the dates that are compared as times, the commonest first.
var dateLayoutsRead = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05",
	"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z0700",
	"2006-01-02T15:04Z07:00", "2006-01-02 15:04", "2006-01-02",
	"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC1123Z,
}

// A date in quotes has at least and at most so many bytes.
const shortestDate, longestDate = len(`"2006-01-02"`), 42

// ParseDate reads a JSON text that is a date, in UTC if it names no zone, and returns its layout too; that of a date
// of ticks is RFC 3339.
func ParseDate(value []byte) (t time.Time, layout string, ok bool) {
	mayBeDate := shortestDate <= len(value) && len(value) <= longestDate
	if item.Kind(value) != '"' || !mayBeDate {
		return time.Time{}, "", false
	}
	text := item.Unquote(value)
	if hasTicks(text) {
		return parseTicks(text)
	}
	for _, layout := range dateLayoutsRead {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		// A fraction is read though the layout has none.
		seconds, fraction, hasPoint := strings.Cut(text, ".")
		if hasPoint && len(seconds) == len("2006-01-02T15:04:05") {
			digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789"))
			layout = strings.Replace(layout, ":05", ":05."+strings.Repeat("0", digits), 1)
		}
		return t, layout, true
	}
	return time.Time{}, "", false
}

// A date of ticks is one as .NET writes it into JSON, "/Date(1790000000000+0200)/": milliseconds since 1970 in UTC,
// and the zone of a clock that showed them, which does not move them.
const ticksBegin, ticksEnd = "/Date(", ")/"

func hasTicks(text string) bool {
	return strings.HasPrefix(text, ticksBegin) && strings.HasSuffix(text, ticksEnd)
}

// parseTicks is [ParseDate] of a date of ticks.
func parseTicks(text string) (t time.Time, layout string, ok bool) {
	ticks := strings.TrimSuffix(strings.TrimPrefix(text, ticksBegin), ticksEnd)
	// Its own sign is no zone.
	if at := strings.LastIndexAny(ticks, "+-"); at > 0 {
		if _, err := time.Parse("-0700", ticks[at:]); err != nil {
			return time.Time{}, "", false
		}
		ticks = ticks[:at]
	}
	milliseconds, err := strconv.ParseInt(ticks, 10, 64)
	t = time.UnixMilli(milliseconds).UTC()
	if err != nil || !inCalendar(t) {
		return time.Time{}, "", false
	}
	if milliseconds%1000 != 0 {
		return t, "2006-01-02T15:04:05.000Z07:00", true
	}
	return t, time.RFC3339, true
}
