package template

import (
	"errors"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

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
	case Call:
		if of, ok := e.Of.(Name); ok && len(e.Arguments) == 1 {
			return of.Name, e.Arguments[0]
		}
	}
	return "", nil
}

// ConstantText is a constant text.
func ConstantText(e Expression) (string, bool) {
	c, ok := e.(Constant)
	if !ok {
		return "", false
	}
	text, ok := c.Value.(string)
	return text, ok
}

// isOfItem tells an expression about the item of a transformation.
func (sc Scope) isOfItem(e Expression) bool {
	return Names(e, "record") && sc.variables["property"] != nil
}

// Only is the one expression that the template of a node in this scope is, with all evaluated that the values decide.
// The purpose is for the error of a template that is more.
func (sc Scope) Only(n *manifest.Node, purpose string) (Expression, error) {
	t, err := Parse(n.Text())
	if err != nil {
		return nil, err
	}
	e, ok := Single(t)
	if !ok {
		return nil, errors.New("a text around an expression is not understood " + purpose)
	}
	return sc.Fold(e)
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

// IsMinusOne tells the place of the last element.
func IsMinusOne(e Expression) bool {
	if u, ok := e.(Unary); ok && u.Operator == "-" {
		c, _ := u.Of.(Constant)
		return c.Value == int64(1)
	}
	c, _ := e.(Constant)
	return c.Value == int64(-1)
}

// FixedText is the text of what the conversion has to know; empty: it is nothing.
func (sc Scope) FixedText(n *manifest.Node) (string, error) {
	v, err := sc.Constant(n)
	if err != nil || v == nil {
		return "", err
	}
	return python.Printed(v), nil
}

// shortened is a text for a message.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:117]) + "…"
	}
	return text
}

// PathOf is a path whose steps the values decide.
func PathOf(n *manifest.Node, sc Scope) (path []string, err error) {
	for _, step := range n.Elements() {
		m, err := sc.MeanText(step)
		if err != nil {
			return nil, err
		}
		text, ok := m.Constant.(string)
		if !ok || m.Expr != "" || m.Nothing {
			return nil, errors.New("a path that the values do not decide is not understood")
		}
		path = append(path, text)
	}
	return path, nil
}

// FilterOf is the expression of a filter.
func FilterOf(n *manifest.Node, sc Scope) (Expression, error) {
	if n == nil {
		// It leaves nothing.
		return Constant{""}, nil
	}
	if b, ok := n.Value.(bool); ok {
		return Constant{b}, nil
	}
	return sc.At(n).Only(n, "as a condition")
}
