package expr

import (
	"fmt"
	"strings"
	"time"
)

// FormatDate formats t, which is in UTC, with the letters of PHP's date. A
// backslash makes the next character stand for itself, as does every character
// that is no format letter.
func FormatDate(format string, t time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c == '\\' && i+1 < len(format) {
			i++
			b.WriteByte(format[i])
			continue
		}
		if text, ok := dateLetter(c, t); ok {
			b.WriteString(text)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dateLetter returns what one letter stands for, false if it is no format letter.
func dateLetter(letter byte, t time.Time) (string, bool) {
	if layout, ok := dateLayouts[letter]; ok {
		return t.Format(layout), true
	}
	isoYear, week := t.ISOWeek()
	ends := func(month time.Month) time.Time { return time.Date(t.Year(), month+1, 0, 0, 0, 0, 0, time.UTC) }
	var n int
	format := "%d"
	switch letter {
	case 'N':
		n = (int(t.Weekday())+6)%7 + 1
	case 'S':
		return ordinalSuffix(t.Day()), true
	case 'w':
		n = int(t.Weekday())
	case 'z':
		n = t.YearDay() - 1
	case 'W':
		n, format = week, "%02d"
	case 't':
		n = ends(t.Month()).Day()
	case 'L':
		n = ends(time.December).YearDay() - 365
	case 'o':
		n, format = isoYear, "%04d"
	case 'B': // Swatch beats: thousandths of a day, an hour ahead of UTC
		n, format = (t.Hour()*3600+t.Minute()*60+t.Second()+3600)*10/864%1000, "%03d"
	case 'G':
		n = t.Hour()
	case 'U':
		n = int(t.Unix())
	default:
		return "", false
	}
	return fmt.Sprintf(format, n), true
}

// dateLayouts are the letters that the time package has a layout for. The time is
// in UTC and of whole seconds, as PHP's date has it.
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

func ordinalSuffix(day int) string {
	if suffix := map[int]string{1: "st", 2: "nd", 3: "rd"}[day%10]; suffix != "" && day/10 != 1 {
		return suffix
	}
	return "th"
}
