package template

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
)

// A Meaning is what a template gives: a constant that the values decide, or an expression of a run.
type Meaning struct {
	// Constant is a value of JSON as encoding/json has it, whole numbers as int64, where json is empty.
	Constant any

	// Expr is an expression of ours; empty: there is a constant, or nothing.
	Expr string

	// Nothing tells that the template gives nothing: what it would be is left out.
	Nothing bool

	// Moment tells that it is a time (seconds since 1970 as the expression has them), which has no text of its
	// own.
	Moment bool

	// IsDay tells a moment that is a date, whose text is one.
	IsDay bool

	// IsNumeral tells that it is a text of digits, which that platform makes a number in a JSON body.
	IsNumeral bool

	// Format is that of Python in which it is a time as text, such as the bound of a window; of %s it is a
	// number.
	Format string

	// setting is the value of the configuration that the expression is; nil: it is more, or another.
	setting *manifest.Setting

	// parts are those of a text of several.
	parts []fragment
}

// A fragment of a text is known, or an expression, which may be a value of the configuration.
type fragment struct {
	text, json string
	setting    *manifest.Setting

	// isNumber tells that the expression is one.
	isNumber bool
}

// A WholeSlice is why a variable that has members, such as stream_slice, is no value itself: it counts as true
// unless it is empty.
type WholeSlice struct{ IsEmpty bool }

func (WholeSlice) Error() string { return "a slice as a whole is not understood" }

// JSON is the meaning as a value of the configuration; empty: it is nothing.
func (m Meaning) JSON() string {
	switch {
	case m.Nothing:
		return ""
	case m.Expr != "":
		return m.Expr
	default:
		return python.Encoded(m.Constant)
	}
}

// isNumber tells an expression whose value is one.
func (m Meaning) isNumber() bool {
	return m.Format == "%s" || write.Calls(m.Expr, "time", "strtotime")
}

// isAlways tells an expression that counts as true, whatever it is in a run: a time.
func (m Meaning) isAlways() bool {
	return m.isNumber() || m.Moment || m.Format != "" || write.Named(m.Expr, "window") != "" || write.Calls(m.Expr, "date")
}

// IsConstant tells that the values decide it.
func (m Meaning) IsConstant() bool { return m.Expr == "" && !m.Nothing }

// Nothing is the meaning of what gives nothing.
var Nothing = Meaning{Nothing: true}

// Printed is asText of what has no object in it.
func (m Meaning) Printed() Meaning {
	m, _ = m.asText()
	return m
}

// asText is a meaning as text: a date as such, a constant as Python prints it.
func (m Meaning) asText() (Meaning, error) {
	switch {
	case m.Moment && m.IsDay:
		return Meaning{Expr: write.Calling("date", `"Y-m-d"`, m.Expr)}, nil
	case m.Moment:
		return Meaning{Expr: write.Calling("date", `"Y-m-d H:i:s.uP"`, m.Expr)}, nil
	case !m.IsConstant():
		return m, nil
	case python.IsUnordered(m.Constant):
		return m, errors.New("the text of an object is not understood")
	}
	return Meaning{Constant: python.Rendered(m.Constant)}, nil
}

// render is what a template gives: of one expression its value, else a text.
func (sc Scope) render(t Template) (Meaning, error) {
	if len(t) == 1 && t[0].Expression != nil {
		e, err := sc.eval(t[0].Expression)
		if err != nil {
			return Meaning{}, err
		}
		return sc.MeaningOf(e)
	}
	var parts []fragment
	for _, p := range t {
		if p.Expression == nil {
			parts = joinParts(parts, fragment{text: p.Literal})
			continue
		}
		e, err := sc.eval(p.Expression)
		if err != nil {
			return Meaning{}, err
		}
		more, err := sc.parts(e)
		if err != nil {
			return Meaning{}, err
		}
		parts = joinParts(parts, more...)
	}
	return textOfParts(parts), nil
}

// joinParts adds parts; what is known of both becomes one.
func joinParts(parts []fragment, more ...fragment) []fragment {
	for _, p := range more {
		last := len(parts) - 1
		if p.json == "" && last >= 0 && parts[last].json == "" {
			parts[last].text += p.text
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// textOfParts is the text that they make.
func textOfParts(parts []fragment) Meaning {
	var all []string
	known := ""
	for _, p := range parts {
		switch {
		case p.json != "":
			all = append(all, p.json)
		case p.text != "":
			all = append(all, python.Encoded(p.text))
		}
		known += p.text
	}
	isKnown := !slices.ContainsFunc(parts, func(p fragment) bool { return p.json != "" })
	if isKnown {
		return Meaning{Constant: known}
	}
	return Meaning{Expr: write.Calling("concat", all...), parts: parts}
}

// parts are those of the text of an expression.
func (sc Scope) parts(e Expression) ([]fragment, error) {
	m, err := sc.MeaningOf(e)
	if err != nil || m.Nothing {
		return nil, err
	}
	if m, err = m.asText(); err != nil {
		return nil, err
	}
	switch {
	case len(m.parts) > 0:
		return m.parts, nil
	case m.Expr != "":
		return []fragment{{json: m.Expr, setting: m.setting, isNumber: m.isNumber()}}, nil
	default:
		return []fragment{{text: python.Rendered(m.Constant)}}, nil
	}
}

// textOf is an expression as an argument of ours that is a text.
func (sc Scope) textOf(e Expression) (string, error) {
	parts, err := sc.parts(e)
	if err != nil {
		return "", err
	}
	if len(parts) == 1 && parts[0].json != "" {
		return parts[0].json, nil
	}
	return textOfParts(parts).JSON(), nil
}

// MeaningOf is what an evaluated expression means.
func (sc Scope) MeaningOf(e Expression) (Meaning, error) {
	switch e := e.(type) {
	case Constant:
		return sc.meaningOfConstant(e.Value)
	case formula:
		return e.Meaning, nil
	case moment:
		return Meaning{Expr: e.json, Moment: true, IsDay: e.isDay}, nil
	case seconds:
		return e.meaning(), nil
	case clock:
		return e.meaning(), nil
	case Joined:
		return sc.render(e.Template)
	case Binary:
		if e.Operator == "~" || e.Operator == "+" {
			return sc.concatenated(e)
		}
		return Meaning{}, fmt.Errorf("%s of what only a run knows is not understood", e.Operator)
	case Filter:
		if e.Name == "string" {
			text, err := sc.textOf(e.Of)
			return Meaning{Expr: write.Calling("concat", text)}, err
		}
		return Meaning{}, fmt.Errorf("the filter %s of what only a run knows is not understood", e.Name)
	case Choice:
		return Meaning{}, errors.New("a choice that only a run decides is not understood")
	}
	if variable, path, ok := Reference(e); ok {
		bound := sc.variables[variable]
		if bound == nil {
			return Meaning{}, unknownName(variable)
		}
		return bound(path)
	}
	return Meaning{}, errors.New("what only a run knows is not understood in this way")
}

func (sc Scope) meaningOfConstant(v any) (Meaning, error) {
	switch v := v.(type) {
	case python.Undefined:
		return Nothing, nil
	case manifest.Setting:
		return sc.meaningOfSetting(v)
	case point:
		if v.isDay {
			return Meaning{Constant: v.time.Format(time.DateOnly)}, nil
		}
		return Meaning{Constant: v.time.Format("2006-01-02 15:04:05+00:00")}, nil
	case interval:
		return Meaning{}, errors.New("a duration alone is not understood")
	}
	plain, err := sc.settle(v)
	return Meaning{Constant: plain}, err
}

// meaningOfSetting is an attribute, or a constant where ours print another text.
func (sc Scope) meaningOfSetting(s manifest.Setting) (Meaning, error) {
	if s.Fault != nil {
		return Meaning{}, s.Fault
	}
	if s.IsSecret || s.IsMissing && !sc.settles {
		return Meaning{Expr: write.Attr(sc.Values.Refer(s))}, nil
	}
	isReferred := !sc.settles
	switch v := s.Value.(type) {
	case string:
		isReferred = isReferred && v != ""
	case int64:
	default:
		isReferred = false
	}
	if isReferred {
		return Meaning{Expr: write.Attr(sc.Values.Refer(s)), setting: &s}, nil
	}
	plain, err := sc.settle(s)
	return Meaning{Constant: plain}, err
}

// concatenated is ~, or + where one side is a text.
func (sc Scope) concatenated(e Binary) (Meaning, error) {
	isText := e.Operator == "~" || isWords(e.Left) || isWords(e.Right) || isFormula(e.Left) ||
		isFormula(e.Right)
	if !isText {
		return Meaning{}, errors.New("+ of what only a run knows is understood with a text only")
	}
	return sc.render(Template{{Literal: ""}, {Expression: e.Left}, {Expression: e.Right}})
}

// isFormula tells an expression of ours that is a text.
func isFormula(e Expression) bool {
	switch e := e.(type) {
	case formula, clock:
		return true
	case Joined:
		return true
	case Binary:
		return e.Operator == "~" || isWords(e.Left) || isWords(e.Right) || isFormula(e.Left)
	default:
		return false
	}
}
