// Package python has the values of the language that templates are written in: how they print, compare, add up and
// are read from texts, and the filters and methods of texts and lists. It knows no template and no manifest. What it does
// not understand is a fault.
package python

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// Undefined is what a variable does not have.
type Undefined struct{}

// A tuple is a list that Python prints in round brackets; it stands nowhere but in what literal gives.
type tuple []any

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
		return map[bool]string{true: "True", false: "False"}[v]
	case float64:
		return printedFraction(v)
	case tuple:
		all := written([]any(v), representedText, Printed)
		inner := all[1 : len(all)-1]
		if len(v) == 1 {
			inner += ","
		}
		return "(" + inner + ")"
	case []any, map[string]any:
		return written(v, representedText, Printed)
	}
	return fmt.Sprint(v)
}

// Encoded is a constant as JSON; texts have the fewest escapes.
func Encoded(v any) string {
	return written(v, func(text string) string { return string(item.Quote(text)) }, func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			return "null"
		}
		return string(text)
	})
}

// written is a value with its texts in quotes of some kind, and what is neither text, list nor object in another way.
func written(v any, quoted func(string) string, plain func(any) string) string {
	var all []string
	switch v := v.(type) {
	case string:
		return quoted(v)
	case []any:
		for _, e := range v {
			all = append(all, written(e, quoted, plain))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, quoted(name)+": "+written(v[name], quoted, plain))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return plain(v)
}

// printedFraction has a point or an exponent, always.
func printedFraction(f float64) string {
	digits := strconv.FormatFloat(f, 'f', -1, 64)
	isHuge := f >= 1e16 || f <= -1e16
	switch {
	case isHuge || f != 0 && f > -1e-4 && f < 1e-4:
		return strconv.FormatFloat(f, 'e', -1, 64)
	case !strings.Contains(digits, "."):
		return digits + ".0"
	}
	return digits
}

// representedText is a text in single quotes, or in double ones where it has single ones only.
func representedText(text string) string {
	quote := "'"
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = `"`
	}
	escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, quote, `\`+quote).Replace(text)
	return quote + escaped + quote
}

// Everywhere has, at any depth, in the place of each value what one function makes of it, before what is in it.
func Everywhere(v any, by func(any) any) any {
	v = by(v)
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = Everywhere(v[i], by)
		}
	case map[string]any:
		for name := range v {
			v[name] = Everywhere(v[name], by)
		}
	}
	return v
}

// Listed has lists in the place of tuples.
func Listed(v any) any {
	return Everywhere(v, func(v any) any {
		if t, ok := v.(tuple); ok {
			return []any(t)
		}
		return v
	})
}

// IsUnordered tells a value with an object whose members have lost their order.
func IsUnordered(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 1
	case []any:
		return slices.ContainsFunc(v, IsUnordered)
	}
	return false
}

// NumberOf is a number with these digits, as int64 where it is whole and has neither a point nor an exponent.
func NumberOf(digits string) any {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i
	}
	f, _ := strconv.ParseFloat(digits, 64)
	return f
}

// Holds tells what the value of a template counts as where a condition is wanted.
func Holds(value any) bool {
	text, ok := value.(string)
	if !ok {
		// A template that gives None has the text of it, which is something.
		return value == nil || Truthy(value)
	}
	return !slices.Contains([]string{"", "False", "false", "{}", "[]", "()", "0", "0.0"}, text)
}

// Truthy tells whether a plain value counts as true.
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	f, isNumber := Numeric(v)
	return !isNumber || f != 0
}

// Numeric is a number, or a boolean, which is one.
func Numeric(v any) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	i, ok := Whole(v)
	return float64(i), ok
}

// Whole is a number without a fraction, or a boolean.
func Whole(v any) (int64, bool) {
	if v == true {
		return 1, true
	}
	i, ok := v.(int64)
	return i, ok || v == false
}

// Placed is a place from the beginning, where -1 is the last.
func Placed(i int64, length int) int64 {
	if i < 0 {
		return i + int64(length)
	}
	return i
}

// ElementOf is what a plain value has at a key.
func ElementOf(of, key any) any {
	i, isNumber := key.(int64)
	switch v := of.(type) {
	case map[string]any:
		name, _ := key.(string)
		if e, ok := v[name]; ok {
			return e
		}
	case []any:
		i = Placed(i, len(v))
		if isNumber && i >= 0 && i < int64(len(v)) {
			return v[i]
		}
	case string:
		return ElementOf(characters(v), key)
	}
	return Undefined{}
}

// characters are those of a text.
func characters(text string) []any {
	var all []any
	for _, r := range text {
		all = append(all, string(r))
	}
	return all
}
