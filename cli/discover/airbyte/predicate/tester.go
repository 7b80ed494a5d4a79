package predicate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/template"
)

// LengthOf is what an expression gives the length of.
func LengthOf(e template.Expression) (of template.Expression, ok bool) {
	f, _ := e.(template.Filter)
	return f.Of, f.Name == "length" || f.Name == "count"
}

// methodOf is startswith or endswith.
func methodOf(e template.Invocation) (method template.Index, ok bool) {
	of, _ := e.Of.(template.Index)
	name, _ := template.ConstantText(of.Key)
	return of, (name == "startswith" || name == "endswith") && len(e.Arguments) == 1
}

// Path is that of a member of the variable.
func (t Tester) Path(e template.Expression) (path string, ok bool) {
	way, ok := template.Trail(e)
	isOdd := func(step string) bool { return !isPlain(step) }
	if !ok || len(way.Steps) == 0 || !way.IsFalsyByDefault() || slices.ContainsFunc(way.Steps, isOdd) {
		return "", false
	}
	path = strings.Join(way.Steps, ".")
	switch {
	case way.Variable == t.Root:
		return path, true
	case way.Variable == "headers" && t.Root == "response" && len(way.Steps) == 1:
		return "$header." + path, true
	}
	return "", false
}

// isPlain tells whether a step may stand in a condition.
func isPlain(step string) bool {
	return step != "" && !strings.ContainsAny(step, ".&|=!<>~$* ")
}

// Value is a constant as a condition has it.
func (t Tester) Value(e template.Expression) (string, bool) {
	c, _ := e.(template.Constant)
	switch v := c.Value.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case string:
		return v, !strings.ContainsAny(v, "&|") && !strings.ContainsAny(v[:min(1, len(v))], "=!<>~")
	}
	return "", false
}

// part is a text that stands within another one.
func (t Tester) part(e template.Expression) (string, bool) {
	text, ok := template.ConstantText(e)
	value, isSafe := t.Value(template.Constant{Value: text})
	return value, ok && isSafe && !strings.ContainsAny(text, `%"\`) && text != ""
}

// A FilterCondition is an expression in the language of recursionFilter, about the members of a variable (record, or response with
// its headers).
type FilterCondition struct {
	// Text is empty where the expression cannot be said, for the reason Why.
	Text, Why string

	// ButMissing tells that what an answer lacks should satisfy the expression, and does not satisfy the condition. ButNull is a
	// member for which that is so where it is null; empty: there is none.
	ButMissing bool
	ButNull    string
}

// A Tester makes conditions about the members of a variable.
type Tester struct {
	Root string

	// wide is set where what cannot be said holds everywhere; nil: it is a fault.
	wide *bool

	// but is told where a condition holds less often; mayLack lets it do so for what an answer lacks.
	but     *FilterCondition
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

// bounded refuses what is too long.
func (t Tester) bounded(a Alternatives) Alternatives {
	if len(a) > maxAlternatives {
		return t.unsaid()
	}
	return a
}
