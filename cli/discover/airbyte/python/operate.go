package python

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Truthy tells whether a plain value counts as true.
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	default:
		return true
	}
}

// Numeric is a number, or a boolean, which is one.
func Numeric(v any) (float64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	default:
		return 0, false
	}
}

// Whole is a number without a fraction, or a boolean.
func Whole(v any) (int64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return v, true
	default:
		return 0, false
	}
}

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
func Less(a, b any) (bool, error) {
	x, isNumber := Numeric(a)
	y, areNumbers := Numeric(b)
	if isNumber && areNumbers {
		return x < y, nil
	}
	s, isText := a.(string)
	t, areTexts := b.(string)
	if isText && areTexts {
		return s < t, nil
	}
	return false, errors.New("it compares what has no order")
}

// Operate is what an operator makes of two plain values.
func Operate(operator string, a, b any) (any, error) {
	switch operator {
	case "==":
		return Equal(a, b), nil
	case "!=":
		return !Equal(a, b), nil
	case "<":
		return Less(a, b)
	case ">":
		return Less(b, a)
	case "<=":
		is, err := Less(b, a)
		return !is, err
	case ">=":
		is, err := Less(a, b)
		return !is, err
	case "in":
		return contains(b, a)
	case "not in":
		is, err := contains(b, a)
		return !is, err
	case "~":
		made := Rendered(a) + Rendered(b)
		if len(made) > MaxText {
			return nil, errors.New("it makes a text that is too long")
		}
		return made, nil
	default:
		return Arithmetic(operator, a, b)
	}
}

// contains tells whether a value is in a text, a list or the names of an object.
func contains(all, v any) (bool, error) {
	text, isText := v.(string)
	switch all := all.(type) {
	case string:
		if isText {
			return strings.Contains(all, text), nil
		}
	case []any:
		return slices.ContainsFunc(all, func(e any) bool { return Equal(e, v) }), nil
	case map[string]any:
		_, ok := all[text]
		return ok && isText, nil
	case Undefined:
		return false, nil
	}
	return false, errors.New("in wants a text, a list or an object")
}

// MaxText is the longest text that an expression makes.
const MaxText = 1 << 16

// Arithmetic is +, -, *, /, // and % of numbers, + of texts and lists, and % of a text.
func Arithmetic(operator string, a, b any) (any, error) {
	if operator == "+" {
		if made, ok := sum(a, b); ok {
			return made, nil
		}
	}
	if text, ok := a.(string); ok && operator == "%" {
		return formatted(text, b)
	}
	i, isWhole := Whole(a)
	j, areWhole := Whole(b)
	if isWhole && areWhole && operator != "/" {
		return integers(operator, i, j)
	}
	x, isNumber := Numeric(a)
	y, areNumbers := Numeric(b)
	switch {
	case operator == "+" && isMixed(a, b):
		return nil, errors.New("a list + a text fails on that platform, too: a filter is for what is right of " +
			"the + alone, unless ( ) are around both")
	case !isNumber || !areNumbers:
		return nil, fmt.Errorf("%s is not understood for these values", operator)
	}
	return fractions(operator, x, y)
}

// isMixed tells a list and a text.
func isMixed(a, b any) bool {
	_, isList := a.([]any)
	_, isText := b.(string)
	return isList && isText
}

func sum(a, b any) (any, bool) {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return a + b, ok && len(a)+len(b) <= MaxText
	case []any:
		b, ok := b.([]any)
		return slices.Concat(a, b), ok && len(a)+len(b) <= MaxText
	default:
		return nil, false
	}
}

var errZero = errors.New("it divides by zero")

// integers is arithmetic of whole numbers, rounded down; what is too large becomes a fraction.
func integers(operator string, i, j int64) (any, error) {
	const safe = 1 << 31
	isSafe := i > -safe && i < safe && j > -safe && j < safe
	if !isSafe && operator == "*" {
		return nil, errors.New("a product is too large")
	}
	const large = 1 << 62
	if i > large || i < -large || j > large || j < -large {
		return nil, errors.New("a number is too large")
	}
	switch operator {
	case "+":
		return i + j, nil
	case "-":
		return i - j, nil
	case "*":
		return i * j, nil
	}
	if j == 0 {
		return nil, errZero
	}
	quotient, rest := i/j, i%j
	if rest != 0 && (rest < 0) != (j < 0) {
		quotient, rest = quotient-1, rest+j
	}
	switch operator {
	case "//":
		return quotient, nil
	case "%":
		return rest, nil
	default:
		return nil, fmt.Errorf("%s is not understood", operator)
	}
}

func fractions(operator string, x, y float64) (any, error) {
	switch operator {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	if y == 0 {
		return nil, errZero
	}
	switch operator {
	case "/":
		return x / y, nil
	case "//":
		return math.Floor(x / y), nil
	case "%":
		return x - y*math.Floor(x/y), nil
	default:
		return nil, fmt.Errorf("%s is not understood", operator)
	}
}

// formatted fills in %s and %d of a text.
func formatted(text string, v any) (any, error) {
	all, isList := v.([]any)
	if !isList {
		all = []any{v}
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		_, isWhole := int64(0), false
		if len(all) > 0 {
			_, isWhole = Whole(all[0])
		}
		switch {
		case text[i] == '%':
			b.WriteByte('%')
			continue
		case len(all) == 0:
			return nil, errors.New("values are missing for %")
		case text[i] == 's', text[i] == 'd' && isWhole:
			b.WriteString(Rendered(all[0]))
			all = all[1:]
		default:
			return nil, fmt.Errorf("%%%c is not understood", text[i])
		}
	}
	return b.String(), nil
}

// Undefined is what a variable does not have.
type Undefined struct{}

// ErrUndefined tells that an expression goes below what is not there: the platform takes its default then.
var ErrUndefined = errors.New("it goes below a value that is not there")
