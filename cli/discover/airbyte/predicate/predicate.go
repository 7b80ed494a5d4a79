// Package predicate says the conditions of templates in the language of recursionFilter.
package predicate

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// OfAnswer is a condition that holds where an expression about a variable does. Where mayLack is set it may hold nowhere for
// what an answer lacks.
func OfAnswer(e template.Expression, root string, mayLack bool) (c FilterCondition) {
	t := Tester{Root: root, but: &c, mayLack: mayLack}
	all, err := fault.Result(func() Alternatives { return t.kept(e) })
	switch {
	case err != nil:
		c.Why = err.Error()
	case all.Never() || all.Always():
		c.Why = "it is the same for all answers"
	default:
		c.Text = all.String()
	}
	return c
}

// Wider is a condition about items that holds wherever the expression does. It tells whether it holds nowhere
// else.
func Wider(e template.Expression, root string) (all Alternatives, exact bool) {
	t := Tester{Root: root, wide: new(bool)}
	all = t.kept(e)
	return all, !*t.wide
}

// A half is where an expression holds in some way.
type half = func(template.Expression) Alternatives

// kept is where the text that an expression gives, as a template, counts as true.
func (t Tester) kept(e template.Expression) Alternatives {
	switch e := e.(type) {
	case template.Constant:
		return either(python.Holds(e.Value))
	case template.Ternary:
		return t.choose(e, t.kept)
	case template.Joined:
		return t.keptTemplate(e)
	case template.Binary:
		switch e.Operator {
		case "and":
			return t.keptAnd(e)
		case "or":
			return t.join(e, t.truth, t.kept, Alternatives.or)
		}
	}
	_, isMember := t.Path(e)
	switch {
	case isBoolean(e):
		return t.truth(e)
	case isMember && t.wide != nil:
		// The text of a null value is None, which counts as true, and an item that lacks the value is like one with
		// null.
		return t.widened(t.unlike(e, emptyTexts[1:]))
	}
	return t.unsaid()
}

// keptAnd is for a and b, which is a where a does not hold: null is kept then.
func (t Tester) keptAnd(e template.Binary) Alternatives {
	path, isMember := t.Path(e.Left)
	switch {
	case isBoolean(e):
		return t.truth(e)
	case isBoolean(e.Left):
		return t.join(e, t.truth, t.kept, Alternatives.and)
	case isMember && !t.isOfItem() && t.isWithin(e.Right, path):
		t.but.ButNull = path
		return t.kept(e.Right)
	case isMember:
		return t.widened(t.join(e, t.truth, t.kept, Alternatives.and).or(one(path + "==")))
	}
	return t.unsaid()
}

// isWithin tells that an expression holds only where there is something at a path of an answer, or below it.
func (t Tester) isWithin(e template.Expression, path string) bool {
	return slices.ContainsFunc(t.there(e), func(at string) bool { return strings.HasPrefix(at+".", path+".") })
}

// keptTemplate is kept for the text of a template.
func (t Tester) keptTemplate(of template.Joined) Alternatives {
	e, ok := template.Single(of.Template)
	if !ok {
		return t.unsaid()
	}
	if text, isText := template.ConstantText(e); isText {
		return either(python.Holds(strings.TrimSpace(text)))
	}
	return t.kept(e)
}

// choose is yes where the condition holds, else no.
func (t Tester) choose(e template.Ternary, of half) Alternatives {
	is, isNot := t.truth(e.Condition), t.falsehood(e.Condition)
	return t.bounded(is.and(of(e.Yes)).or(isNot.and(of(e.No))))
}

// isBoolean tells whether an expression gives true or false and nothing else.
func isBoolean(e template.Expression) bool {
	switch e := e.(type) {
	case template.Constant:
		_, ok := e.Value.(bool)
		return ok
	case template.Unary:
		return e.Operator == "not"
	case template.Ternary:
		return isBoolean(e.Yes) && isBoolean(e.No)
	case template.Invocation:
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

// join is two halves by and or or.
func (t Tester) join(e template.Binary, left, right half, by func(a, b Alternatives) Alternatives) Alternatives {
	return t.bounded(by(left(e.Left), right(e.Right)))
}

// truth is where an expression holds within another one, falsehood where it does not.
func (t Tester) truth(e template.Expression) Alternatives { return t.counts(e, true) }

func (t Tester) falsehood(e template.Expression) Alternatives { return t.counts(e, false) }

// emptyTexts are those of values that count as false.
var emptyTexts = []string{"", "false", "0", "[]", "{}"}

// counts is where an expression counts as true or false.
func (t Tester) counts(e template.Expression, is bool) Alternatives {
	switch e := e.(type) {
	case template.Constant:
		return either(python.Truthy(e.Value) == is)
	case template.Unary:
		if e.Operator == "not" {
			return t.counts(e.Of, !is)
		}
	case template.Ternary:
		return t.choose(e, func(e template.Expression) Alternatives { return t.counts(e, is) })
	case template.Invocation:
		if method, ok := methodOf(e); ok && is {
			return t.begins(e, method)
		}
	case template.Binary:
		return t.compare(e, is)
	case template.Filter:
		if of, ok := LengthOf(e); ok {
			return t.counts(of, is)
		}
	}
	if is {
		return t.unlike(e, emptyTexts)
	}
	path, ok := t.Path(e)
	if !ok {
		return t.unsaid()
	}
	var a Alternatives
	for _, text := range emptyTexts {
		a = a.or(one(path + "==" + text))
	}
	return t.unlessMissing(path, a)
}

// unlike is where a value is there and none of these.
func (t Tester) unlike(e template.Expression, texts []string) Alternatives {
	path, ok := t.Path(e)
	if !ok {
		return t.unsaid()
	}
	var all []string
	for _, text := range texts {
		all = append(all, path+"!="+text)
	}
	return Alternatives{all}
}
