// Package template reads the templates of a manifest, evaluates what the values decide of them, and says the rest as
// expressions of ours.
package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// A Scope says what the variables of a template mean where it stands.
type Scope struct {
	Values *manifest.Values

	// variables are those beside config and parameters, by name, such as stream_partition.
	variables map[string]Variable

	// parameters are those of the component whose template it is; mean sets them, at does for fold.
	parameters map[string]*manifest.Tree

	// settles tells that values of the configuration are constants, as the conversion has to know them.
	settles bool
}

// A Variable gives what a path below it means: an expression of ours, or the reason why there is none.
type Variable func(path []string) (Meaning, error)

// With is the scope with more variables.
func (sc Scope) With(more map[string]Variable) Scope {
	all := make(map[string]Variable, len(sc.variables)+len(more))
	maps.Copy(all, sc.variables)
	maps.Copy(all, more)
	sc.variables = all
	return sc
}

// At is the scope of a template that stands at a node.
func (sc Scope) At(n *manifest.Node) Scope {
	if n != nil {
		sc.parameters = n.Parameters
	}
	return sc.ready()
}

// ready is a scope for a template.
func (sc Scope) ready() Scope {
	if sc.Values == nil {
		sc.Values = &manifest.Values{All: map[string]any{}, Used: map[string]manifest.Setting{}, Decided: map[string]bool{}}
	}
	sc.Values.Steps = 0
	return sc
}

// Mean is what a value of the manifest gives, texts as templates: constant, expression or nothing; a text whose
// template gives a number or a list is one, as that platform has it. The error says what is not understood.
func (sc Scope) Mean(n *manifest.Node) (Meaning, error) {
	if n == nil {
		return Nothing, nil
	}
	n.Know()
	sc = sc.At(n)
	switch v := n.Value.(type) {
	case nil:
		return Nothing, nil
	case json.Number:
		return Meaning{Constant: python.NumberOf(v.String())}, nil
	case bool:
		return Meaning{Constant: v}, nil
	case string:
		return sc.meanValue(v)
	}
	if n.IsList() {
		return sc.meanList(n)
	}
	return sc.meanObject(n)
}

// meanValue is what a text gives with all that Python reads in it.
func (sc Scope) meanValue(text string) (Meaning, error) {
	m, err := sc.meanTemplate(text)
	if err != nil || m.Nothing {
		return m, err
	}
	if m.IsConstant() && m.Constant == nil {
		return Nothing, nil
	}
	v, isLiteral, err := sc.literal(m)
	switch {
	case err != nil:
		return Meaning{}, fmt.Errorf("%s: %w", shortened(text), err)
	case !isLiteral:
		return m, nil
	case v == nil:
		return Nothing, nil
	default:
		return sc.composed(v, m)
	}
}

// MeanOption is what a parameter of the query or a form, or a part of it, gives: a text, a list, or nothing.
func (sc Scope) MeanOption(n *manifest.Node) (Meaning, error) {
	m, err := sc.meanPrinted(n)
	if err != nil || m.Nothing {
		return m, err
	}
	v, isLiteral, err := sc.literal(m)
	if err != nil {
		return m, fmt.Errorf("%s: %w", shortened(n.Text()), err)
	}
	switch v.(type) {
	case []any, string:
		if isLiteral {
			return sc.composed(v, m)
		}
	}
	return m, nil
}

// MeanText is the same for what is always a text, such as an address or a header.
func (sc Scope) MeanText(n *manifest.Node) (Meaning, error) {
	m, err := sc.meanPrinted(n)
	if err != nil || m.Nothing {
		return m, err
	}
	v, isLiteral, err := sc.literal(m)
	if err != nil || !isLiteral {
		return m, err
	}
	if v == nil {
		return Nothing, nil
	}
	if _, isText := v.(string); isText {
		return sc.composed(v, m)
	}
	if hasMarks(v) {
		return m, fmt.Errorf("%s: the text of a list or an object is not understood", shortened(n.Text()))
	}
	if text, _ := m.Known(); python.Printed(v) == text {
		return m, nil
	}
	sc.decided(m)
	return Meaning{Constant: v}.asText()
}

// meanPrinted is what a scalar gives as text, before Python reads it.
func (sc Scope) meanPrinted(n *manifest.Node) (Meaning, error) {
	m, err := sc.MeanPlain(n)
	if err != nil || m.Nothing {
		return m, err
	}
	return m.asText()
}

// MeanPlain is what a scalar gives before Python reads it.
func (sc Scope) MeanPlain(n *manifest.Node) (Meaning, error) {
	if n == nil {
		return Nothing, nil
	}
	if n.IsList() || n.IsObject() {
		return Meaning{}, errors.New("a text is wanted")
	}
	n.Know()
	sc = sc.At(n)
	if text, ok := n.Value.(string); ok {
		return sc.meanTemplate(text)
	}
	if n.Value == nil {
		return Nothing, nil
	}
	return Meaning{Constant: n.Text()}, nil
}

// meanTemplate is what a text gives, before Python reads it.
func (sc Scope) meanTemplate(text string) (Meaning, error) {
	if !IsTemplate(text) {
		if text == "" {
			return Nothing, nil
		}
		return Meaning{Constant: text}, nil
	}
	t, err := Parse(text)
	var m Meaning
	if err == nil {
		m, err = sc.render(t)
	}
	if errors.Is(err, python.ErrUndefined) {
		return Nothing, nil
	}
	if err != nil {
		return Meaning{}, fmt.Errorf("%s: %w", shortened(text), err)
	}
	if m.IsConstant() && m.Constant == "" {
		return Nothing, nil
	}
	return m, nil
}

// MeanAll is the same for all members of an object, at any depth, what gives nothing left out.
func (sc Scope) MeanAll(n *manifest.Node) (item.Object, error) {
	var all item.Object
	for _, m := range n.Members() {
		name, err := sc.At(n).NameOf(m.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if name == "" {
			continue
		}
		v, err := sc.Mean(m.Value)
		if err == nil && v.IsNumeral {
			err = errors.New("a text of digits that is a number in JSON is not understood")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if !v.Nothing {
			all = all.With(true, name, v.JSON())
		}
	}
	return all, nil
}

// NameOf is the name of a member, which may be a template that the values decide; empty: there is no such
// member.
func (sc Scope) NameOf(text string) (string, error) {
	m, err := sc.meanTemplate(text)
	if err != nil || m.Nothing {
		return "", err
	}
	if m.setting != nil {
		v, err := sc.Values.Decide(*m.setting)
		return python.Rendered(v), err
	}
	if m.Expr != "" {
		return "", errors.New("a name that only a run knows is not understood")
	}
	return python.Rendered(m.Constant), nil
}

func (sc Scope) meanObject(n *manifest.Node) (Meaning, error) {
	o, err := sc.MeanAll(n)
	if err != nil {
		return Meaning{}, err
	}
	return Meaning{Expr: o.String()}, isData(o)
}

// isData says that an object would be an expression of ours.
func isData(o item.Object) error {
	for i := 0; i < len(o); i += 2 {
		if write.IsExpression(o, o[i]) {
			return fmt.Errorf("an object with the member %s cannot stand here: it is an expression", o[i])
		}
	}
	return nil
}

// sorted is an object by the names of its members.
func sorted(members map[string]string) item.Object {
	var o item.Object
	for _, name := range slices.Sorted(maps.Keys(members)) {
		o = o.With(true, name, members[name])
	}
	return o
}

// meanList is a list; it is constant if all its elements are.
func (sc Scope) meanList(n *manifest.Node) (Meaning, error) {
	parts, constants := []string{}, []any{}
	isConstant := true
	for _, e := range n.Elements() {
		m, err := sc.Mean(e)
		if err != nil {
			return Meaning{}, err
		}
		if m.Nothing {
			m = Meaning{Constant: nil}
		}
		isConstant = isConstant && m.IsConstant()
		parts, constants = append(parts, m.JSON()), append(constants, m.Constant)
	}
	if isConstant {
		return Meaning{Constant: constants}, nil
	}
	return Meaning{Expr: "[" + strings.Join(parts, ", ") + "]"}, nil
}

// Constant is what a value of the manifest gives where the conversion has to know it, nil for nothing: what it
// refers to in the configuration decides.
func (sc Scope) Constant(n *manifest.Node) (any, error) {
	sc.settles = true
	m, err := sc.Mean(n)
	switch {
	case err != nil, m.Nothing:
		return nil, err
	case m.Expr != "":
		return nil, fmt.Errorf("%s: only a run knows it", shortened(n.Text()))
	default:
		return m.Constant, nil
	}
}
