package template

import (
	"slices"
	"strconv"
	"strings"
)

// A Template is the text of a manifest, read: literal texts, and expressions between {{ and }}.
type Template []piece

// A piece is a literal text, or an expression.
type piece struct {
	Literal    string
	Expression Expression
}

// An Expression is the tree of one: see the types below it.
type Expression any

// The kinds of an expression.
type (
	// Constant is a text, a number (int64, float64), a bool or nil; a folded one may be a list or an object,
	// too.
	Constant struct{ Value any }
	// Name is a variable.
	Name struct{ Name string }
	// A List is a literal.
	List struct{ Elements []Expression }
	// A Dict is an object: its names, and their values.
	Dict struct{ Keys, Values []Expression }
	// Index is of[key]; of.key has a constant text, and isDotted.
	Index struct {
		Of, Key  Expression
		isDotted bool
	}
	// cut is the key of of[from:to]; nil: from the beginning, to the end.
	cut struct{ from, to Expression }
	// Call is of(arguments); keywords are those with names.
	Call struct {
		Of        Expression
		Arguments []Expression
		Keywords  map[string]Expression
	}
	// Filter is of|name(arguments).
	Filter struct {
		Of        Expression
		Name      string
		Arguments []Expression
		Keywords  map[string]Expression
	}
	// Unary is not, - and +.
	Unary struct {
		Operator string
		Of       Expression
	}
	// Binary is and, or, in, not in, is, is not, ==, !=, <, <=, >, >=, +, -, *, /, //, % or ~. Right of is stands the
	// name of a test, or a call of it.
	Binary struct {
		Operator    string
		Left, Right Expression
	}
	// Choice is yes if condition else no; no is nil where it is missing.
	Choice struct{ Condition, Yes, No Expression }
	// Joined is the text of a template, such as what stands between {% if %} and {% endif %}.
	Joined struct{ Template Template }
)

// maxExpression is how deep an expression is nested.
const maxExpression = 60

// IsTemplate tells whether a text has more than itself in it.
func IsTemplate(text string) bool {
	for _, open := range []string{"{{", "{%", "{#"} {
		if strings.Contains(text, open) {
			return true
		}
	}
	return false
}

// words are names that no variable has.
var words = []string{"and", "or", "not", "if", "else", "elif", "in", "is"}

func isKeyword(text string) bool { return slices.Contains(words, text) }

// Reference is what an expression names: a variable and steps below it, by . or [] with constants, or by get
// with one argument. With or without a default, an or, or another function it is none.
func Reference(e Expression) (variable string, path []string, ok bool) {
	switch e := e.(type) {
	case Name:
		return e.Name, nil, true
	case Index:
		c, _ := e.Key.(Constant)
		text, _ := c.Value.(string)
		// Behind a point it is a method of Python's, no member.
		if e.isDotted && slices.Contains(ObjectMethods, text) {
			return "", nil, false
		}
		return below(e.Of, e.Key)
	case Call:
		get, isIndex := e.Of.(Index)
		if isIndex && len(e.Arguments) == 1 && len(e.Keywords) == 0 && get.Key == (Constant{"get"}) {
			return below(get.Of, e.Arguments[0])
		}
	}
	return "", nil, false
}

func below(of, key Expression) (variable string, path []string, ok bool) {
	c, isConstant := key.(Constant)
	if !isConstant {
		return "", nil, false
	}
	variable, path, ok = Reference(of)
	if !ok {
		return "", nil, false
	}
	switch step := c.Value.(type) {
	case string:
		return variable, append(path, step), true
	case int64:
		return variable, append(path, strconv.FormatInt(step, 10)), true
	default:
		return "", nil, false
	}
}
