// Package python has the values of the language that templates are written in: how they print, compare, add up and
// are read from texts, and the filters and methods of texts and lists. It knows no template and no manifest.
package python

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Rendered is what a template prints for a constant.
func Rendered(v any) string {
	if _, ok := v.(Undefined); ok {
		return ""
	}
	return Printed(v)
}

// Printed is the text of a constant as Python prints it.
func Printed(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return v
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return printedFraction(v)
	default:
		return represented(v)
	}
}

// printedFraction has a point or an exponent, always.
func printedFraction(f float64) string {
	digits := strconv.FormatFloat(f, 'f', -1, 64)
	isHuge := f >= 1e16 || f <= -1e16
	if isHuge || f != 0 && f > -1e-4 && f < 1e-4 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	return digits
}

// represented is a constant as Python writes it inside a list.
func represented(v any) string {
	switch v := v.(type) {
	case string:
		return representedText(v)
	case []any:
		all := make([]string, len(v))
		for i, e := range v {
			all[i] = represented(e)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case tuple:
		inner := strings.TrimSuffix(strings.TrimPrefix(represented([]any(v)), "["), "]")
		if len(v) == 1 {
			inner += ","
		}
		return "(" + inner + ")"
	case map[string]any:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, representedText(name)+": "+represented(v[name]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	case nil, bool, int64, float64:
		return Printed(v)
	default:
		return fmt.Sprint(v)
	}
}

// representedText is a text in single quotes, or in double ones where it has single ones only.
func representedText(text string) string {
	quote := "'"
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = `"`
	}
	escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, quote, `\`+quote).
		Replace(text)
	return quote + escaped + quote
}
