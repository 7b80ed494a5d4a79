// Package predicate says the conditions of templates in the language of recursionFilter.
package predicate

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// Exact is an expression in the language of recursionFilter, about the members of the variable root
// (record, or response with its headers). It tells whether that says the same; false: the values decide it, or
// nothing does.
func Exact(e template.Expression, root string) (string, bool) {
	all, ok := Tester{Root: root}.kept(e)
	if !ok || all.Never() || all.Always() {
		return "", false
	}
	return all.String(), true
}

// Wider is a condition about items that holds wherever the expression does. It tells whether it holds nowhere
// else.
func Wider(e template.Expression, root string) (all Alternatives, exact bool) {
	t := Tester{Root: root, widens: true, wide: new(bool)}
	all, _ = t.kept(e)
	return all, !*t.wide
}

// A Tester makes conditions about the members of a variable.
type Tester struct {
	Root string

	// widens: what cannot be said holds everywhere, and wide is set then.
	widens bool
	wide   *bool
}

// unsaid is what cannot be said.
func (t Tester) unsaid() (Alternatives, bool) {
	if !t.widens {
		return nil, false
	}
	*t.wide = true
	return always(), true
}

// isOfItem tells that what is missing counts as the empty text. In an answer it satisfies no condition.
func (t Tester) isOfItem() bool { return t.Root == "record" }

// kept is where the text that an expression gives, as a template, counts as true.
func (t Tester) kept(e template.Expression) (Alternatives, bool) {
	switch e := e.(type) {
	case template.Constant:
		return either(python.Holds(e.Value)), true
	case template.Choice:
		return t.keptChoice(e)
	case template.Joined:
		return t.keptTemplate(e.Template)
	case template.Binary:
		switch e.Operator {
		case "and":
			return t.keptAnd(e)
		case "or":
			return t.join(e, t.truth, t.kept, Alternatives.or)
		}
	}
	if isBoolean(e) {
		return t.truth(e)
	}
	// The text of a null value is None, which counts as true, and an item that lacks the value is like one with
	// null.
	if _, _, ok := t.Path(e); ok && t.widens {
		*t.wide = true
		return t.unlike(e, "false", "0", "[]", "{}")
	}
	return t.unsaid()
}

// keptAnd is for a and b, which is a where a does not hold: null is kept then.
func (t Tester) keptAnd(e template.Binary) (Alternatives, bool) {
	switch {
	case isBoolean(e):
		return t.truth(e)
	case isBoolean(e.Left):
		return t.join(e, t.truth, t.kept, Alternatives.and)
	}
	path, _, ok := t.Path(e.Left)
	if !ok || !t.widens {
		return t.unsaid()
	}
	*t.wide = true
	both, ok := t.join(e, t.truth, t.kept, Alternatives.and)
	return both.or(one(path + "==")), ok
}

// keptTemplate is kept for the text of a template.
func (t Tester) keptTemplate(of template.Template) (Alternatives, bool) {
	switch {
	case len(of) == 0:
		return nil, true
	case len(of) > 1:
		return t.unsaid()
	case of[0].Expression == nil:
		return either(python.Holds(strings.TrimSpace(of[0].Literal))), true
	}
	return t.kept(of[0].Expression)
}

func (t Tester) keptChoice(e template.Choice) (Alternatives, bool) {
	no := e.No
	if no == nil {
		no = template.Constant{Value: ""}
	}
	return t.choose(template.Choice{Condition: e.Condition, Yes: e.Yes, No: no}, t.kept)
}

// choose is yes where the condition holds, else no.
func (t Tester) choose(e template.Choice, of func(template.Expression) (Alternatives, bool)) (Alternatives, bool) {
	is, ok1 := t.truth(e.Condition)
	isNot, ok2 := t.falsehood(e.Condition)
	yes, ok3 := of(e.Yes)
	no, ok4 := of(e.No)
	if !areAll(ok1, ok2, ok3, ok4) {
		return t.unsaid()
	}
	return t.bounded(is.and(yes).or(isNot.and(no)))
}

func areAll(oks ...bool) bool { return !slices.Contains(oks, false) }

// bounded refuses what is too long.
func (t Tester) bounded(a Alternatives) (Alternatives, bool) {
	if len(a) > maxAlternatives {
		return t.unsaid()
	}
	return a, true
}

// isBoolean tells whether an expression gives true or false and nothing else.
func isBoolean(e template.Expression) bool {
	switch e := e.(type) {
	case template.Constant:
		_, ok := e.Value.(bool)
		return ok
	case template.Unary:
		return e.Operator == "not"
	case template.Choice:
		return isBoolean(e.Yes) && isBoolean(e.No)
	case template.Call:
		_, ok := methodOf(e)
		return ok
	case template.Binary:
		if e.Operator == "and" || e.Operator == "or" {
			return isBoolean(e.Left) && isBoolean(e.Right)
		}
		return !slices.Contains([]string{"+", "-", "*", "/", "//", "%", "~", "**"}, e.Operator)
	}
	return false
}

type half = func(template.Expression) (Alternatives, bool)

// join is two halves by and or or.
func (t Tester) join(
	e template.Binary, left, right half, by func(a, b Alternatives) Alternatives,
) (Alternatives, bool) {
	a, ok1 := left(e.Left)
	b, ok2 := right(e.Right)
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	return t.bounded(by(a, b))
}

// truth is where an expression holds within another one.
func (t Tester) truth(e template.Expression) (Alternatives, bool) {
	switch e := e.(type) {
	case template.Constant:
		return either(python.Truthy(e.Value)), true
	case template.Unary:
		if e.Operator == "not" {
			return t.falsehood(e.Of)
		}
	case template.Choice:
		if e.No != nil {
			return t.choose(e, t.truth)
		}
	case template.Call:
		if method, ok := methodOf(e); ok {
			return t.begins(e, method)
		}
	case template.Binary:
		return t.compare(e)
	case template.Filter:
		if e.Name == "length" || e.Name == "count" {
			return t.truth(e.Of)
		}
	}
	return t.unlike(e, "", "false", "0", "[]", "{}")
}

// unlike is where a value is there and none of these.
func (t Tester) unlike(e template.Expression, texts ...string) (Alternatives, bool) {
	path, _, ok := t.Path(e)
	if !ok {
		return t.unsaid()
	}
	var all []string
	for _, text := range texts {
		all = append(all, path+"!="+text)
	}
	return Alternatives{all}, true
}

// falsehood is where an expression does not hold within another one.
func (t Tester) falsehood(e template.Expression) (Alternatives, bool) {
	switch e := e.(type) {
	case template.Constant:
		return either(!python.Truthy(e.Value)), true
	case template.Unary:
		if e.Operator == "not" {
			return t.truth(e.Of)
		}
	case template.Choice:
		if e.No != nil {
			return t.choose(e, t.falsehood)
		}
	case template.Binary:
		return t.compareNot(e)
	case template.Filter:
		if e.Name == "length" || e.Name == "count" {
			return t.falsehood(e.Of)
		}
	}
	path, _, ok := t.Path(e)
	if !ok || !t.isOfItem() {
		return t.unsaid()
	}
	var a Alternatives
	for _, text := range []string{"", "false", "0", "[]", "{}"} {
		a = a.or(one(path + "==" + text))
	}
	return a, true
}
