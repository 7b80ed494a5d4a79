package template

import (
	"slices"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
)

// render is what a template gives: of one expression its value, else a text.
func (sc Scope) render(t Template) Meaning {
	if len(t) == 1 && t[0].Expression != nil {
		return sc.MeaningOf(sc.eval(t[0].Expression))
	}
	var parts []Meaning
	for _, p := range t {
		if p.Expression == nil {
			parts = append(parts, Meaning{Constant: p.Literal})
		} else {
			parts = append(parts, sc.parts(sc.eval(p.Expression))...)
		}
	}
	return joinedText(parts)
}

// joinedText is the text that texts and expressions make; what is known of neighbours becomes one.
func joinedText(all []Meaning) Meaning {
	var parts []Meaning
	for _, p := range all {
		last := len(parts) - 1
		if last >= 0 && p.Expr == nil && parts[last].Expr == nil {
			parts[last].Constant = python.Rendered(parts[last].Constant) + python.Rendered(p.Constant)
		} else {
			parts = append(parts, p)
		}
	}
	var args []write.ConfigValue
	for _, p := range parts {
		if p.Expr != nil || p.Constant != "" {
			args = append(args, p.Value())
		}
	}
	switch {
	case slices.ContainsFunc(parts, func(p Meaning) bool { return p.Expr != nil }):
		return Meaning{Expr: write.Calling("concat", args...), parts: parts}
	case len(parts) == 0:
		return Meaning{Constant: ""}
	}
	return Meaning{Constant: parts[0].Constant}
}

// parts are those of the text of an expression.
func (sc Scope) parts(e Expression) []Meaning {
	m := sc.MeaningOf(e)
	if m.Nothing {
		return nil
	}
	m = m.AsText()
	if len(m.parts) > 0 {
		return m.parts
	}
	return []Meaning{m}
}

// textOf is an expression as an argument of ours that is a text.
func (sc Scope) textOf(e Expression) write.ConfigValue {
	parts := sc.parts(e)
	if len(parts) == 1 {
		return parts[0].Value()
	}
	return joinedText(parts).Value()
}

// MeaningOf is what an evaluated expression means.
func (sc Scope) MeaningOf(e Expression) Meaning {
	if own, ok := e.(interface{ meaning() Meaning }); ok {
		return own.meaning()
	}
	switch e := e.(type) {
	case Constant:
		return sc.meaningOfConstant(e.Value)
	case Joined:
		return sc.render(e.Template)
	case Binary:
		isText := isFormula(e) || isFormula(e.Right)
		fault.If(e.Operator != "~" && e.Operator != "+", "%s of a value that is known only in a run is not supported", e.Operator)
		fault.If(!isText, "+ of a value that is known only in a run is supported only with a text")
		return sc.render(Template{{Literal: ""}, {Expression: e.Left}, {Expression: e.Right}})
	case Filter:
		if e.Name == "string" {
			return Meaning{Expr: write.Calling("concat", sc.textOf(e.Of))}
		}
		panic(fault.New("the filter %s of a value that is known only in a run is not supported", e.Name))
	case Ternary:
		panic(fault.New("a choice that is made only in a run is not supported"))
	}
	variable, path, ok := Reference(e)
	fault.If(!ok, "a value that is known only in a run is not supported in this way")
	fault.If(sc.variables[variable] == nil, "%w", unknownName(variable))
	return sc.variables[variable](path)
}

func (sc Scope) meaningOfConstant(v any) Meaning {
	switch v := v.(type) {
	case python.Undefined:
		return Nothing
	case manifest.Setting:
		return sc.meaningOfSetting(v)
	case point:
		if v.isDay {
			return Meaning{Constant: v.time.Format(time.DateOnly)}
		}
		return Meaning{Constant: v.time.Format("2006-01-02 15:04:05+00:00")}
	case interval:
		panic(fault.New("a duration alone is not supported"))
	}
	return Meaning{Constant: sc.settle(v)}
}

// meaningOfSetting is an attribute, or a constant where ours print another text.
func (sc Scope) meaningOfSetting(s manifest.Setting) Meaning {
	fault.Check(s.Fault)
	if s.IsSecret || s.IsMissing && !sc.settles {
		return Meaning{Expr: write.Attr(sc.Values.Refer(s))}
	}
	text, isText := s.Value.(string)
	_, isWhole := s.Value.(int64)
	if !sc.settles && (isText && text != "" || isWhole) {
		return Meaning{Expr: write.Attr(sc.Values.Refer(s)), setting: &s}
	}
	return Meaning{Constant: sc.settle(s)}
}

// isFormula tells an expression that is a text, whatever a run makes of it.
func isFormula(e Expression) bool {
	switch e := e.(type) {
	case formula, clock, Joined:
		return true
	case Binary:
		return e.Operator == "~" || isFormula(e.Left) || isWords(e.Right)
	}
	return isWords(e)
}
