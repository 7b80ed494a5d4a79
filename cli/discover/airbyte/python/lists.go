package python

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

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

// Holds tells what the value of a template counts as where a condition is wanted.
func Holds(value any) bool {
	text, ok := value.(string)
	if !ok {
		// A template that gives None has the text of it, which is something.
		return value == nil || Truthy(value)
	}
	return !slices.Contains([]string{"", "False", "false", "{}", "[]", "()", "0", "0.0"}, text)
}

func size(all []any, _ Arguments) (any, error) { return int64(len(all)), nil }

func same(all []any, _ Arguments) (any, error) { return all, nil }

func first(all []any, _ Arguments) (any, error) {
	if len(all) == 0 {
		return Undefined{}, nil
	}
	return all[0], nil
}

func last(all []any, _ Arguments) (any, error) {
	if len(all) == 0 {
		return Undefined{}, nil
	}
	return all[len(all)-1], nil
}

func joined(all []any, arguments Arguments) (any, error) {
	glue, _ := arguments["d"].(string)
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = Rendered(e)
	}
	return strings.Join(texts, glue), nil
}

func reversed(all []any, _ Arguments) (any, error) {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all, nil
}

func listOf(v any) ([]any, error) {
	switch v := v.(type) {
	case Undefined:
		return nil, nil
	case []any:
		return v, nil
	case map[string]any:
		if len(v) > 1 {
			return nil, errors.New("the order of an object is not understood")
		}
		var all []any
		for name := range v {
			all = append(all, name)
		}
		return all, nil
	case string:
		var all []any
		for _, r := range v {
			all = append(all, string(r))
		}
		return all, nil
	default:
		return nil, errors.New("it wants a list")
	}
}

func unique(all []any, _ Arguments) (any, error) {
	made := []any{}
	for _, e := range all {
		if !slices.ContainsFunc(made, func(o any) bool { return Equal(o, e) }) {
			made = append(made, e)
		}
	}
	return made, nil
}

func mapped(all []any, arguments Arguments) (any, error) {
	name, ok := arguments["attribute"].(string)
	if !ok || strings.Contains(name, ".") {
		return nil, errors.New("its argument is not understood")
	}
	made := []any{}
	for _, e := range all {
		made = append(made, ElementOf(e, name))
	}
	return made, nil
}

func total(all []any, _ Arguments) (any, error) {
	var sum any = int64(0)
	for _, e := range all {
		var err error
		if sum, err = Arithmetic("+", sum, e); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func sorted(name string) func([]any, Arguments) (any, error) {
	return func(all []any, _ Arguments) (any, error) { return Ordered(name, all) }
}

// Ordered are sort, min and max.
func Ordered(name string, all []any) (any, error) {
	var failed error
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b any) int {
		isLess, err := Less(a, b)
		isMore, _ := Less(b, a)
		if err != nil {
			failed = err
		}
		switch {
		case isLess:
			return -1
		case isMore:
			return 1
		default:
			return 0
		}
	})
	switch {
	case failed != nil:
		return nil, failed
	case name == "sort":
		return sorted, nil
	case len(sorted) == 0:
		return Undefined{}, nil
	case name == "min":
		return sorted[0], nil
	default:
		return sorted[len(sorted)-1], nil
	}
}

// Tests are what stands behind is, of plain values.
var Tests = map[string]func(v any) bool{
	"none":     func(v any) bool { return v == nil },
	"string":   func(v any) bool { _, ok := v.(string); return ok },
	"boolean":  func(v any) bool { _, ok := v.(bool); return ok },
	"integer":  func(v any) bool { _, ok := v.(int64); return ok },
	"float":    func(v any) bool { _, ok := v.(float64); return ok },
	"number":   func(v any) bool { _, ok := Numeric(v); return ok },
	"mapping":  func(v any) bool { _, ok := v.(map[string]any); return ok },
	"sequence": isSequence,
	"iterable": isSequence,
	"true":     func(v any) bool { return v == true },
	"false":    func(v any) bool { return v == false },
}

func isSequence(v any) bool {
	switch v.(type) {
	case string, []any, map[string]any, Undefined:
		return true
	default:
		return false
	}
}

// Comparing are tests that are operators.
var Comparing = map[string]string{
	"in": "in", "eq": "==", "equalto": "==", "ne": "!=", "lt": "<", "lessthan": "<", "le": "<=", "gt": ">",
	"greaterthan": ">", "ge": ">=",
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
	switch v := of.(type) {
	case map[string]any:
		name, _ := key.(string)
		if e, ok := v[name]; ok {
			return e
		}
	case []any:
		i, isNumber := key.(int64)
		i = Placed(i, len(v))
		if isNumber && i >= 0 && i < int64(len(v)) {
			return v[i]
		}
	case string:
		runes := []rune(v)
		i, isNumber := key.(int64)
		i = Placed(i, len(runes))
		if isNumber && i >= 0 && i < int64(len(runes)) {
			return string(runes[i])
		}
	}
	return Undefined{}
}

// IsUnordered tells a value with an object whose members have lost their order.
func IsUnordered(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 1
	case []any:
		return slices.ContainsFunc(v, IsUnordered)
	default:
		return false
	}
}

// NumberOf is a number with these digits, as int64 where it is whole and has neither a point nor an exponent.
func NumberOf(digits string) any {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i
	}
	f, _ := strconv.ParseFloat(digits, 64)
	return f
}
