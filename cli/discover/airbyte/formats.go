package airbyte

import (
	"fmt"
	"strings"
)

// A directive is one of Python's formats of times: the letters of PHP, and the layout of Go, empty: there is
// none.
type directive struct{ php, layout string }

// directives, longest first where one begins another.
var directives = []struct {
	text string
	directive
}{
	{"%epoch_microseconds", directive{php: "U000000"}},
	{"%s_as_float", directive{php: "U.0"}},
	{"%_ms", directive{"v", "000"}},
	{"%ms", directive{php: "U000"}},
	{"%-d", directive{"j", ""}},
	{"%-m", directive{"n", ""}},
	{"%-H", directive{"G", ""}},
	{"%-I", directive{"g", ""}},
	{"%Y", directive{"Y", "2006"}},
	{"%y", directive{"y", "06"}},
	{"%m", directive{"m", "01"}},
	{"%d", directive{"d", "02"}},
	{"%H", directive{"H", "15"}},
	{"%I", directive{"h", "03"}},
	{"%M", directive{"i", "04"}},
	{"%S", directive{"s", "05"}},
	{"%f", directive{"u", "000000"}},
	{"%p", directive{"A", "PM"}},
	{"%b", directive{"M", "Jan"}},
	{"%h", directive{"M", ""}},
	{"%B", directive{"F", "January"}},
	{"%a", directive{"D", "Mon"}},
	{"%A", directive{"l", "Monday"}},
	{"%z", directive{"O", "Z0700"}},
	{"%Z", directive{"T", ""}},
	{"%s", directive{php: "U"}},
	{"%F", directive{"Y-m-d", "2006-01-02"}},
	{"%T", directive{"H:i:s", "15:04:05"}},
	{"%R", directive{"H:i", "15:04"}},
	{"%D", directive{"m/d/y", "01/02/06"}},
	{"%G", directive{"o", ""}},
	{"%V", directive{"W", ""}},
	{"%u", directive{"N", ""}},
	{"%w", directive{"w", ""}},
	{"%%", directive{"%", "%"}},
}

// phpFormat is a format of Python in the letters of PHP.
func phpFormat(format string) (string, error) {
	return translated(format, func(d directive) string { return d.php }, func(c byte) string {
		means := isLetter(c) && c != '_'
		if means || c == '\\' {
			return `\` + string(c)
		}
		return string([]byte{c})
	})
}

// layoutOf is a format of Python as a layout to read by.
func layoutOf(format string) (string, error) {
	return translated(format, func(d directive) string { return d.layout }, func(c byte) string {
		return string([]byte{c})
	})
}

func translated(format string, pick func(directive) string, literal func(byte) string) (string, error) {
	var b strings.Builder
	for rest := format; rest != ""; {
		if rest[0] != '%' {
			b.WriteString(literal(rest[0]))
			rest = rest[1:]
			continue
		}
		d, ok := beginning(rest)
		made := pick(d.directive)
		if !ok || made == "" {
			return "", fmt.Errorf("the format %q is not understood", format)
		}
		b.WriteString(made)
		rest = rest[len(d.text):]
	}
	return b.String(), nil
}

// beginning is the directive that a text begins with.
func beginning(text string) (d struct {
	text string
	directive
}, ok bool) {
	for _, d := range directives {
		if strings.HasPrefix(text, d.text) {
			return d, true
		}
	}
	return d, false
}
