// Package predicate says the conditions of templates in the language of recursionFilter.
package predicate

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// A Condition is an expression in the language of recursionFilter, about the members of a variable (record, or response with
// its headers).
type Condition struct {
	// Text is empty where the expression cannot be said, for the reason Why.
	Text, Why string

	// ButMissing tells that what an answer lacks should satisfy the expression, and does not satisfy the condition. ButNull is a
	// member for which that is so where it is null; empty: there is none.
	ButMissing bool
	ButNull    string
}

// OfAnswer is a condition that holds where an expression about a variable does. Where mayLack is set it may hold nowhere for
// what an answer lacks.
func OfAnswer(e template.Expression, root string, mayLack bool) (c Condition) {
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

// Alternatives are conditions joined by |, each some that are joined by &. None hold never, an empty one
// always.
type Alternatives [][]string

// maxAlternatives is how many there may be.
const maxAlternatives = 64

// Never tells that they hold nowhere.
func (a Alternatives) Never() bool { return len(a) == 0 }

// Always tells that they hold everywhere.
func (a Alternatives) Always() bool {
	return slices.ContainsFunc(a, func(all []string) bool { return len(all) == 0 })
}

func (a Alternatives) String() string {
	var texts []string
	for _, all := range a {
		text := strings.Join(all, "&")
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "|")
}

// or holds where one of both does.
func (a Alternatives) or(b Alternatives) Alternatives { return slices.Concat(a, b) }

// and holds where both do; each condition stands there once.
func (a Alternatives) and(b Alternatives) (both Alternatives) {
	for _, x := range a {
		for _, y := range b {
			isOther := func(condition string) bool { return slices.Contains(x, condition) }
			both = append(both, slices.Concat(x, slices.DeleteFunc(slices.Clone(y), isOther)))
		}
	}
	return both
}

// one is a condition.
func one(condition string) Alternatives { return Alternatives{{condition}} }

// either is a constant.
func either(is bool) Alternatives {
	if is {
		return Alternatives{nil}
	}
	return nil
}

// A Tester makes conditions about the members of a variable.
type Tester struct {
	Root string

	// wide is set where what cannot be said holds everywhere; nil: it is a fault.
	wide *bool

	// but is told where a condition holds less often; mayLack lets it do so for what an answer lacks.
	but     *Condition
	mayLack bool
}

// unsaid is what cannot be said.
func (t Tester) unsaid() Alternatives { return t.widened(either(true)) }

// unlessMissing is a condition about an item, or about a member that an answer may lack: that satisfies no condition.
func (t Tester) unlessMissing(path string, a Alternatives) Alternatives {
	if t.isOfItem() {
		return a
	}
	fault.If(!t.mayLack, "an answer without %s would satisfy it, and in sluice what is missing satisfies no condition. "+
		"Say with == or in what it must be, or beside it that it is there, such as 'error' in response", path)
	t.but.ButMissing = true
	return a
}

// widened is a condition that holds where another one does, and elsewhere.
func (t Tester) widened(a Alternatives) Alternatives {
	fault.If(t.wide == nil, "the condition has no equivalent in sluice")
	*t.wide = true
	return a
}

// isOfItem tells that what is missing counts as the empty text. In an answer it satisfies no condition.
func (t Tester) isOfItem() bool { return t.Root == "record" }

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

// bounded refuses what is too long.
func (t Tester) bounded(a Alternatives) Alternatives {
	if len(a) > maxAlternatives {
		return t.unsaid()
	}
	return a
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
