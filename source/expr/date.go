package expr

import (
	"fmt"
	"strconv"
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

// dateNumbers are the other letters.
var dateNumbers = map[byte]func(t time.Time) string{
	'N': func(t time.Time) string { return strconv.Itoa((int(t.Weekday())+6)%7 + 1) },
	'S': func(t time.Time) string {
		if suffix := map[int]string{1: "st", 2: "nd", 3: "rd"}[t.Day()%10]; suffix != "" && t.Day()/10 != 1 {
			return suffix
		}
		return "th"
	},
	'w': func(t time.Time) string { return strconv.Itoa(int(t.Weekday())) },
	'z': func(t time.Time) string { return strconv.Itoa(t.YearDay() - 1) },
	'W': func(t time.Time) string { _, week := t.ISOWeek(); return fmt.Sprintf("%02d", week) },
	't': func(t time.Time) string { return strconv.Itoa(monthEnd(t.Year(), t.Month()).Day()) },
	'L': func(t time.Time) string { return strconv.Itoa(monthEnd(t.Year(), time.December).YearDay() - 365) },
	'o': func(t time.Time) string { year, _ := t.ISOWeek(); return fmt.Sprintf("%04d", year) },
	'B': func(t time.Time) string { // Swatch beats: thousandths of a day, an hour ahead of UTC
		return fmt.Sprintf("%03d", (t.Hour()*3600+t.Minute()*60+t.Second()+3600)*10/864%1000)
	},
	'G': func(t time.Time) string { return strconv.Itoa(t.Hour()) },
	'U': func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) },
}

func monthEnd(year int, month time.Month) time.Time {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
}
