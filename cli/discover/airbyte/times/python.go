package times

import (
	"strings"
	"time"

	"sluice/cli/discover/airbyte/fault"
)

// A directive is one of strftime: the letters of the function date, the layout of package time that reads it where
// the text is as strftime writes it, and the lenient one, by which cursors are read; the shortest time that it tells
// apart. Templates do not know those that are onlyOfCursors, cursors those without a tick.
type directive struct {
	text, php, layout, lenient string

	tick          time.Duration
	onlyOfCursors bool
}

// directives, longest first where one begins another.
var directives = []directive{
	{text: "%epoch_microseconds", php: "U000000"},
	{text: "%s_as_float", php: "U.0"},
	{text: "%_ms", php: "v", layout: "000", lenient: "999999", tick: time.Second},
	{text: "%ms", php: "U000"},
	{text: "%-d", php: "j", lenient: "2", tick: Day},
	{text: "%-m", php: "n", lenient: "1", tick: Day},
	{text: "%-H", php: "G", lenient: "15", tick: time.Hour},
	{text: "%-I", php: "g", lenient: "3", tick: time.Hour},
	{text: "%:z", php: "P", lenient: "-07:00", tick: Day, onlyOfCursors: true},
	{text: "%Y", php: "Y", layout: "2006", lenient: "2006", tick: Day},
	{text: "%y", php: "y", layout: "06", lenient: "06", tick: Day},
	{text: "%m", php: "m", layout: "01", lenient: "1", tick: Day},
	{text: "%d", php: "d", layout: "02", lenient: "2", tick: Day},
	{text: "%H", php: "H", layout: "15", lenient: "15", tick: time.Hour},
	{text: "%I", php: "h", layout: "03", lenient: "3", tick: time.Hour},
	{text: "%M", php: "i", layout: "04", lenient: "4", tick: time.Minute},
	{text: "%S", php: "s", layout: "05", lenient: "5", tick: time.Second},
	{text: "%f", php: "u", layout: "000000", lenient: "999999", tick: time.Second},
	{text: "%p", php: "A", layout: "PM", lenient: "PM", tick: time.Hour},
	{text: "%b", php: "M", layout: "Jan", lenient: "Jan", tick: Day},
	{text: "%h", php: "M"},
	{text: "%B", php: "F", layout: "January", lenient: "January", tick: Day},
	{text: "%a", php: "D", layout: "Mon", lenient: "Mon", tick: Day},
	{text: "%A", php: "l", layout: "Monday", lenient: "Monday", tick: Day},
	{text: "%z", php: "O", layout: "Z0700", lenient: "-0700", tick: Day},
	{text: "%Z", php: "T", lenient: "MST", tick: Day},
	{text: "%s", php: "U"},
	{text: "%F", php: "Y-m-d", layout: "2006-01-02", lenient: "2006-1-2", tick: Day},
	{text: "%T", php: "H:i:s", layout: "15:04:05", lenient: "15:4:5", tick: time.Second},
	{text: "%x", php: "m/d/y", lenient: "1/2/06", tick: Day, onlyOfCursors: true},
	{text: "%X", php: "H:i:s", lenient: "15:4:5", tick: time.Second, onlyOfCursors: true},
	{text: "%R", php: "H:i", layout: "15:04"},
	{text: "%D", php: "m/d/y", layout: "01/02/06"},
	{text: "%G", php: "o"},
	{text: "%V", php: "W"},
	{text: "%u", php: "N"},
	{text: "%w", php: "w"},
	{text: "%%", php: "%", layout: "%", lenient: "%", tick: Day},
}

// PHP is a format of Python in the letters of the function date.
func PHP(format string) string { return translated(format, func(d directive) string { return d.php }) }

// LayoutOf is a format of Python as a layout to read by.
func LayoutOf(format string) string {
	return translated(format, func(d directive) string { return d.layout })
}

func translated(format string, pick func(directive) string) string {
	var b strings.Builder
	for d := range directivesOf(format, func(d directive) bool { return !d.onlyOfCursors }) {
		fault.If(pick(d) == "", "the format %q is not supported", format)
		b.WriteString(pick(d))
	}
	return b.String()
}

// directivesOf goes through those of a format that fit, and characters that stand for themselves. One that is not known
// has no letters.
func directivesOf(format string, fits func(directive) bool) func(yield func(directive) bool) {
	return func(yield func(directive) bool) {
		for rest := format; rest != ""; {
			d := directive{text: rest[:1], php: standing(rest[0]), layout: rest[:1], lenient: rest[:1], tick: Day}
			if rest[0] == '%' {
				d = directive{text: rest[:min(2, len(rest))]}
				for _, known := range directives {
					if d.php == "" && strings.HasPrefix(rest, known.text) && fits(known) {
						d = known
					}
				}
			}
			if !yield(d) {
				return
			}
			rest = rest[len(d.text):]
		}
	}
}

// standing is a character that stands for itself in the letters of date.
func standing(c byte) string {
	isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	if isLetter || c == '\\' {
		return `\` + string([]byte{c})
	}
	return string([]byte{c})
}
