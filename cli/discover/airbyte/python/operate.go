package python

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
)

// ErrUndefined tells that an expression goes below what is not there: the platform takes its default then.
var ErrUndefined = errors.New("it goes below a value that is not there")

// Equal tells whether two plain values are equal.
func Equal(a, b any) bool {
	x, isNumber := Numeric(a)
	y, areNumbers := Numeric(b)
	if isNumber && areNumbers {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

// Less compares numbers, or texts.
func Less(a, b any) bool {
	x, isNumber := Numeric(a)
	y, areNumbers := Numeric(b)
	s, isText := a.(string)
	t, areTexts := b.(string)
	switch {
	case isNumber && areNumbers:
		return x < y
	case isText && areTexts:
		return s < t
	}
	panic(fault.New("it compares what has no order"))
}

// Operate is what an operator makes of two plain values.
func Operate(operator string, a, b any) any {
	switch operator {
	case "==":
		return Equal(a, b)
	case "!=":
		return !Equal(a, b)
	case "<":
		return Less(a, b)
	case ">":
		return Less(b, a)
	case "<=":
		return !Less(b, a)
	case ">=":
		return !Less(a, b)
	case "in":
		return contains(b, a)
	case "not in":
		return !contains(b, a)
	case "~":
		return Operate("+", Rendered(a), Rendered(b))
	}
	return arithmetic(operator, a, b)
}

// contains tells whether a value is in a text, a list or the names of an object.
func contains(all, v any) bool {
	text, isText := v.(string)
	switch all := all.(type) {
	case string:
		if isText {
			return strings.Contains(all, text)
		}
	case []any:
		return slices.ContainsFunc(all, func(e any) bool { return Equal(e, v) })
	case map[string]any:
		_, ok := all[text]
		return ok && isText
	case Undefined:
		return false
	}
	panic(fault.New("in wants a text, a list or an object"))
}

// MaxText is the longest text that an expression makes.
const MaxText = 1 << 16

// arithmetic is +, -, *, /, // and % of numbers, + of texts and lists, and % of a text.
func arithmetic(operator string, a, b any) any {
	s, isText := a.(string)
	t, areTexts := b.(string)
	all, isList := a.([]any)
	more, areLists := b.([]any)
	i, isWhole := Whole(a)
	j, areWhole := Whole(b)
	x, isNumber := Numeric(a)
	y, areNumbers := Numeric(b)
	isSum := operator == "+"
	fault.If(isSum && len(s)+len(t)+len(all)+len(more) > MaxText, "it makes a text or a list that is too long")
	switch {
	case isSum && isText && areTexts:
		return s + t
	case isSum && isList && areLists:
		return slices.Concat(all, more)
	case isText && operator == "%":
		return formatted(s, b)
	case isWhole && areWhole && operator != "/":
		return integers(operator, i, j)
	case isSum && isList && areTexts:
		panic(fault.New("a list + a text fails in Airbyte, too: a filter applies only to the operand right of " +
			"the +, unless both are in parentheses"))
	case !isNumber || !areNumbers:
		panic(fault.New("%s is not supported for these values", operator))
	}
	return fractions(operator, x, y)
}

// integers is arithmetic of whole numbers, rounded down, as far as they are not too large.
func integers(operator string, i, j int64) any {
	largest := int64(1) << 62
	if operator == "*" {
		largest = 1<<31 - 1
	}
	fault.If(max(i, j) > largest || min(i, j) < -largest, "a number is too large")
	switch operator {
	case "+":
		return i + j
	case "-":
		return i - j
	case "*":
		return i * j
	}
	fault.If(j == 0, "it divides by zero")
	rest := (i%j + j) % j
	switch operator {
	case "//":
		return (i - rest) / j
	case "%":
		return rest
	}
	panic(fault.New("%s is not supported", operator))
}

func fractions(operator string, x, y float64) any {
	switch operator {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	}
	fault.If(y == 0, "it divides by zero")
	switch operator {
	case "/":
		return x / y
	case "//":
		return math.Floor(x / y)
	case "%":
		return x - y*math.Floor(x/y)
	}
	panic(fault.New("%s is not supported", operator))
}

// Tests are what stands behind is, of plain values.
var Tests = map[string]func(v any) bool{
	"none":     func(v any) bool { return v == nil },
	"string":   is[string],
	"boolean":  is[bool],
	"integer":  is[int64],
	"float":    is[float64],
	"number":   func(v any) bool { _, ok := Numeric(v); return ok },
	"mapping":  is[map[string]any],
	"sequence": isSequence,
	"iterable": isSequence,
	"true":     func(v any) bool { return v == true },
	"false":    func(v any) bool { return v == false },
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func isSequence(v any) bool {
	return is[string](v) || is[[]any](v) || is[map[string]any](v) || is[Undefined](v)
}

// Comparing are tests that are operators.
var Comparing = map[string]string{
	"in": "in", "eq": "==", "equalto": "==", "ne": "!=", "lt": "<", "lessthan": "<", "le": "<=", "gt": ">",
	"greaterthan": ">", "ge": ">=",
}
