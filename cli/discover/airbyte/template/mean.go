package template

import (
	"encoding/json"
	"errors"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
)

// Mean is what a value of the manifest gives, texts as templates: constant, expression or nothing; a text whose
// template gives a number or a list is one, as Airbyte has it.
func (sc Scope) Mean(n *manifest.Section) Meaning {
	if n == nil {
		return Nothing
	}
	n.Know()
	sc = sc.At(n)
	switch v := n.Value.(type) {
	case nil:
		return Nothing
	case json.Number:
		return Meaning{Constant: python.NumberOf(v.String())}
	case bool:
		return Meaning{Constant: v}
	case string:
		return sc.meanValue(v)
	}
	if n.IsList() {
		return sc.meanList(n)
	}
	return Meaning{Expr: data(sc.MeanAll(n))}
}

// meanValue is what a text gives with all that Python reads in it.
func (sc Scope) meanValue(text string) Meaning {
	m := sc.meanTemplate(text)
	return fault.Within(shortened(text), func() Meaning {
		v, isLiteral := sc.literal(m)
		isNone := m.IsConstant() && m.Constant == nil || isLiteral && v == nil
		switch {
		case m.Nothing, isNone:
			return Nothing
		case !isLiteral:
			return m
		}
		return sc.composed(v, m)
	})
}

// MeanOption is what a parameter of the query or a form, or a part of it, gives: a text, a list, or nothing.
func (sc Scope) MeanOption(n *manifest.Section) Meaning {
	m := sc.MeanPlain(n).AsText()
	return fault.Within(shortened(n.Text()), func() Meaning {
		v, isLiteral := sc.literal(m)
		switch v.(type) {
		case []any, string:
			if isLiteral {
				return sc.composed(v, m)
			}
		}
		return m
	})
}

// MeanText is the same for what is always a text, such as an address or a header.
func (sc Scope) MeanText(n *manifest.Section) Meaning {
	m := sc.MeanPlain(n).AsText()
	return fault.Within(shortened(n.Text()), func() Meaning {
		v, isLiteral := sc.literal(m)
		known, _ := m.Known()
		_, isText := v.(string)
		switch {
		case !isLiteral:
			return m
		case v == nil:
			return Nothing
		case isText:
			return sc.composed(v, m)
		case hasMarks(v):
			panic(fault.New("the text of a list or an object is not supported"))
		case python.Printed(v) == known:
			return m
		}
		sc.decided(m)
		return Meaning{Constant: v}.AsText()
	})
}

// MeanPlain is what a scalar gives before Python reads it.
func (sc Scope) MeanPlain(n *manifest.Section) Meaning {
	if n == nil {
		return Nothing
	}
	fault.If(n.IsList() || n.IsObject(), "a text is wanted")
	n.Know()
	switch text := n.Value.(type) {
	case string:
		return sc.At(n).meanTemplate(text)
	case nil:
		return Nothing
	}
	return Meaning{Constant: n.Text()}
}

// meanTemplate is what a text gives, before Python reads it.
func (sc Scope) meanTemplate(text string) Meaning {
	if source, ok := sc.filled[text]; ok {
		text = source
	}
	m, err := Meaning{Constant: text}, error(nil)
	if IsTemplate(text) {
		m, err = fault.Result(func() Meaning { return sc.render(parse(text)) })
	}
	switch {
	case errors.Is(err, python.ErrUndefined), err == nil && m.IsConstant() && m.Constant == "":
		return Nothing
	case err != nil:
		panic(fault.New("%s: %w", shortened(text), err))
	}
	return m
}

// MeanAll is the same for all members of an object, at any depth, what gives nothing left out.
func (sc Scope) MeanAll(n *manifest.Section) (all write.Object) {
	for _, m := range n.Members() {
		one := fault.Within(m.Name, func() (one write.Object) {
			name := sc.At(n).NameOf(m.Name)
			if name == "" {
				return nil
			}
			value := sc.MeanMember(m.Value)
			return one.With(value != nil, name, value)
		})
		all = append(all, one...)
	}
	return all
}

// MeanMember is what a member of an object gives; nil: nothing.
func (sc Scope) MeanMember(n *manifest.Section) write.ConfigValue {
	v := sc.Mean(n)
	fault.If(v.IsNumeral, "a text of digits that is a number in JSON is not supported")
	if v.Nothing {
		return nil
	}
	return v.timed().Value()
}

// NameOf is the name of a member, which may be a template that the values decide; empty: there is no such
// member.
func (sc Scope) NameOf(text string) string {
	m := sc.meanTemplate(text)
	switch {
	case m.Nothing:
		return ""
	case m.setting != nil:
		return python.Rendered(fault.Of(sc.Values.Decide(*m.setting)))
	case m.Expr != nil:
		panic(fault.New("a name that is known only in a run is not supported"))
	}
	return python.Rendered(m.Constant)
}

// meanList is a list; it is constant if all its elements are.
func (sc Scope) meanList(n *manifest.Section) Meaning {
	parts, constants := write.Array{}, []any{}
	isConstant := true
	for _, e := range n.Elements() {
		m := sc.Mean(e).timed()
		m.Nothing = false
		isConstant = isConstant && m.IsConstant()
		parts, constants = append(parts, m.Value()), append(constants, m.Constant)
	}
	if isConstant {
		return Meaning{Constant: constants}
	}
	return Meaning{Expr: parts}
}

// Constant is what a value of the manifest gives where the conversion has to know it, nil for nothing: what it
// refers to in the configuration decides.
func (sc Scope) Constant(n *manifest.Section) any {
	sc.settles = true
	m := sc.Mean(n)
	fault.If(m.Expr != nil, "%s: its value is known only in a run", shortened(n.Text()))
	return m.Constant
}

// FixedText is the text of what the conversion has to know; empty: it is nothing.
func (sc Scope) FixedText(n *manifest.Section) string {
	v := sc.Constant(n)
	if v == nil {
		return ""
	}
	return python.Printed(v)
}

// Only is the one expression that the template of a node in this scope is, with all evaluated that the values decide.
// The purpose is for the fault of a template that is more.
func (sc Scope) Only(n *manifest.Section, purpose string) Expression {
	if b, ok := n.Value.(bool); ok {
		return Constant{b}
	}
	e, ok := Single(parse(n.Text()))
	fault.If(!ok, "a text around an expression is not supported %s", purpose)
	return sc.At(n).Fold(e)
}

// FilterOf is the expression of a filter.
func FilterOf(n *manifest.Section, sc Scope) Expression {
	if n == nil {
		// It leaves nothing.
		return Constant{""}
	}
	return sc.Only(n, "as a condition")
}

// PathOf is a path whose steps the values decide.
func PathOf(n *manifest.Section, sc Scope) (path []string) {
	for _, step := range n.Elements() {
		m := sc.MeanText(step)
		text, ok := m.Constant.(string)
		fault.If(!ok || m.Expr != nil || m.Nothing, "a path that --values does not determine is not supported")
		path = append(path, text)
	}
	return path
}

// shortened is a text for a message.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:117]) + "…"
	}
	return text
}
