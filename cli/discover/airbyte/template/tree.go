package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/python"
)

// A Template is the text of a manifest, read: literal texts, and expressions between {{ and }}.
type Template []templatePart

// A templatePart is a literal text, or an expression.
type templatePart struct {
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
	// A Sequence is a literal.
	Sequence struct{ Elements []Expression }
	// A Dict is an object: its names, and their values.
	Dict struct{ Keys, Values []Expression }
	// Index is of[key]; of.key has a constant text, and isDotted.
	Index struct {
		Of, Key  Expression
		isDotted bool
	}
	// cut is the key of of[from:to]; nil: from the beginning, to the end.
	cut struct{ from, to Expression }
	// Invocation is of(arguments); keywords are those with names.
	Invocation struct {
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
	// Ternary is yes if condition else no, which is undefined where it is missing.
	Ternary struct{ Condition, Yes, No Expression }
	// Joined is the text of a template, such as what stands between {% if %} and {% endif %}.
	Joined struct{ Template Template }
)

// rewritten is an expression with, in the place of each one in it, what a function makes of that; nil stays nil.
func rewritten(e Expression, by func(Expression) Expression) Expression {
	one := func(e Expression) Expression {
		if e == nil {
			return nil
		}
		return by(e)
	}
	all := func(of []Expression) []Expression {
		made := slices.Clone(of)
		for i, e := range of {
			made[i] = one(e)
		}
		return made
	}
	named := func(of map[string]Expression) map[string]Expression {
		made := maps.Clone(of)
		for name, e := range of {
			made[name] = one(e)
		}
		return made
	}
	switch e := e.(type) {
	case Index:
		return Index{one(e.Of), one(e.Key), e.isDotted}
	case cut:
		return cut{one(e.from), one(e.to)}
	case Invocation:
		return Invocation{one(e.Of), all(e.Arguments), named(e.Keywords)}
	case Filter:
		return Filter{one(e.Of), e.Name, all(e.Arguments), named(e.Keywords)}
	case Unary:
		return Unary{e.Operator, one(e.Of)}
	case Binary:
		return Binary{e.Operator, one(e.Left), one(e.Right)}
	case Ternary:
		return Ternary{one(e.Condition), one(e.Yes), one(e.No)}
	case Sequence:
		return Sequence{all(e.Elements)}
	case Dict:
		return Dict{all(e.Keys), all(e.Values)}
	case Joined:
		made := slices.Clone(e.Template)
		for i := range made {
			made[i].Expression = one(made[i].Expression)
		}
		return Joined{made}
	}
	return e
}

// Names tells whether an expression names one of these variables.
func Names(e Expression, variables ...string) bool {
	n, isName := e.(Name)
	found := isName && slices.Contains(variables, n.Name)
	rewritten(e, func(within Expression) Expression {
		found = found || Names(within, variables...)
		return within
	})
	return found
}

// IsTemplate tells whether a text has more than itself in it.
func IsTemplate(text string) bool {
	isOpen := func(open string) bool { return strings.Contains(text, open) }
	return slices.ContainsFunc([]string{"{{", "{%", "{#"}, isOpen)
}

// Single is the expression that a template is.
func Single(t Template) (Expression, bool) {
	switch {
	case len(t) == 0:
		return Constant{""}, true
	case len(t) > 1:
		return nil, false
	case t[0].Expression == nil:
		return Constant{t[0].Literal}, true
	}
	if j, ok := t[0].Expression.(Joined); ok {
		return Single(j.Template)
	}
	return t[0].Expression, true
}

// Unwrapped is an expression that a branch of a template is.
func Unwrapped(e Expression) Expression {
	if j, ok := e.(Joined); ok {
		if inner, ok := Single(j.Template); ok {
			return inner
		}
	}
	return e
}

// ConstantText is a constant text.
func ConstantText(e Expression) (string, bool) {
	c, _ := e.(Constant)
	text, ok := c.Value.(string)
	return text, ok
}

// IsMinusOne tells the place of the last element.
func IsMinusOne(e Expression) bool {
	if u, ok := e.(Unary); ok && u.Operator == "-" {
		return u.Of == Constant{int64(1)}
	}
	return e == Constant{int64(-1)}
}

// TestNamed is the name of a test, and what it compares with.
func TestNamed(e Expression) (test string, with Expression) {
	switch e := e.(type) {
	case Name:
		switch e.Name {
		case "true", "false":
			return e.Name, Constant{e.Name == "true"}
		case "None":
			return "none", nil
		}
		return e.Name, nil
	case Invocation:
		if of, ok := e.Of.(Name); ok && len(e.Arguments) == 1 {
			return of.Name, e.Arguments[0]
		}
	}
	return "", nil
}

// ObjectMethods are what a point before them means, whatever members an object has.
var ObjectMethods = strings.Fields("items keys values get pop copy update clear setdefault popitem")

// A Way is what an expression names: a variable, and steps below it.
type Way struct {
	Variable string
	Steps    []string

	// HasDefault tells that what is missing counts as byDefault, which is a constant.
	HasDefault bool
	ByDefault  any
}

// Reference is what an expression names: a variable and steps below it, by . or [] with constants, or by get
// with one argument. With or without a default, an or, or another function it is none.
func Reference(e Expression) (variable string, path []string, ok bool) {
	w, ok := trail(e, true)
	return w.Variable, w.Steps, ok
}

// Trail is the way that an expression names, by . or [] with constants, by get, or by a default of any kind
// that is a constant. A default on the way must be empty.
func Trail(e Expression) (w Way, ok bool) { return trail(e, false) }

// trail is either, without defaults where it is strict.
func trail(e Expression, isStrict bool) (w Way, ok bool) {
	switch e := e.(type) {
	case Name:
		return Way{Variable: e.Name}, true
	case Index:
		// Behind a point it is a method of Python's, no member.
		text, _ := ConstantText(e.Key)
		isMethod := isStrict && e.isDotted && slices.Contains(ObjectMethods, text)
		w, ok = wayBelow(e.Of, e.Key, isStrict)
		return w, ok && !isMethod
	case Invocation:
		i, _ := e.Of.(Index)
		method, _ := ConstantText(i.Key)
		isGet := method == "get" && len(e.Keywords) == 0 && len(e.Arguments) > 0
		if !isGet || isStrict && len(e.Arguments) > 1 {
			return w, false
		}
		w, ok = wayBelow(i.Of, e.Arguments[0], isStrict)
		if isStrict {
			return w, ok
		}
		return w.or(ok, nil, e.Arguments[1:])
	case Filter:
		if !isStrict && (e.Name == "default" || e.Name == "d") {
			w, ok = Trail(e.Of)
			return w.or(ok, "", append(e.Arguments, ByName(e.Keywords, "default_value")...))
		}
	case Binary:
		if !isStrict && e.Operator == "or" {
			w, ok = Trail(e.Left)
			return w.or(ok, "", []Expression{e.Right})
		}
	}
	return Way{}, false
}

// wayBelow is a step below what an expression names.
func wayBelow(of, key Expression, isStrict bool) (Way, bool) {
	w, isWay := trail(of, isStrict)
	step, isStep := StepOf(key)
	isFromEnd := isStrict && step != ""
	return Way{Variable: w.Variable, Steps: append(slices.Clone(w.Steps), step)},
		isWay && w.IsFalsyByDefault() && (isStep || isFromEnd)
}

// or is a way with a default: the first of the arguments, or else another one.
func (w Way) or(ok bool, byDefault any, arguments []Expression) (Way, bool) {
	w.HasDefault, w.ByDefault = true, byDefault
	if len(arguments) > 0 {
		value, isConstant := KnownValue(arguments[0])
		w.ByDefault, ok = value, ok && isConstant
	}
	return w, ok
}

// IsFalsyByDefault tells that what is missing counts as false.
func (w Way) IsFalsyByDefault() bool { return !w.HasDefault || !python.Truthy(w.ByDefault) }

// ByName is an argument by its name, if it is there.
func ByName(keywords map[string]Expression, name string) []Expression {
	if e := keywords[name]; e != nil {
		return []Expression{e}
	}
	return nil
}

// KnownValue is a constant, or an empty list or object.
func KnownValue(e Expression) (any, bool) {
	switch e := e.(type) {
	case Constant:
		return e.Value, true
	case Sequence:
		return []any{}, len(e.Elements) == 0
	case Dict:
		return map[string]any{}, len(e.Keys) == 0
	}
	return nil, false
}

// StepOf is a step.
func StepOf(e Expression) (string, bool) {
	c, _ := e.(Constant)
	switch v := c.Value.(type) {
	case string:
		return v, true
	case int64:
		return fmt.Sprint(v), v >= 0
	}
	return "", false
}
