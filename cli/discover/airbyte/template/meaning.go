package template

import (
	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
)

// A Meaning is what a template gives: a constant that the values decide, or an expression of a run.
type Meaning struct {
	// Constant is a value of JSON as encoding/json has it, whole numbers as int64, where json is empty.
	Constant any

	// Expr is an expression of ours; nil: there is a constant, or nothing.
	Expr write.ConfigValue

	// Nothing tells that the template gives nothing: what it would be is left out.
	Nothing bool

	// Moment tells that it is a time (seconds since 1970 as the expression has them), which has no text of its
	// own.
	Moment bool

	// IsDay tells a moment that is a date, whose text is one.
	IsDay bool

	// IsNumeral tells that it is a text of digits, which Airbyte makes a number in a JSON body.
	IsNumeral bool

	// Format is that of Python in which it is a time as text, such as the bound of a window; of %s it is a
	// number.
	Format string

	// setting is the value of the configuration that the expression is; nil: it is more, or another.
	setting *manifest.Setting

	// parts are those of a text of several.
	parts []Meaning
}

// A formula is an expression of ours that stands for an expression of a template.
type formula struct{ Meaning }

func (f formula) meaning() Meaning { return f.Meaning }

// A WholeSlice is why a variable that has members, such as stream_slice, is no value itself: it counts as true
// unless it is empty.
type WholeSlice struct{ IsEmpty bool }

func (WholeSlice) Error() string { return "a slice as a whole is not supported" }

// Nothing is the meaning of what gives nothing.
var Nothing = Meaning{Nothing: true}

// Value is the meaning as a value of the configuration, nil where it is nothing.
func (m Meaning) Value() write.ConfigValue {
	if m.IsConstant() {
		return write.Data(m.Constant)
	}
	return m.Expr
}

// isNumber tells an expression whose value is one.
func (m Meaning) isNumber() bool {
	return m.Format == "%s" || write.Calls(m.Expr, "time", "strtotime")
}

// isAlways tells an expression that counts as true, whatever it is in a run: a time.
func (m Meaning) isAlways() bool {
	r, _ := m.Expr.(write.Reference)
	return m.isNumber() || m.Moment || m.Format != "" || r.Kind == "window" || write.Calls(m.Expr, "date")
}

// IsConstant tells that the values decide it.
func (m Meaning) IsConstant() bool { return m.Expr == nil && !m.Nothing }

// Known is a text that is known at conversion.
func (m Meaning) Known() (string, bool) {
	v := m.Constant
	if m.setting != nil {
		v = m.setting.Value
	}
	text, ok := v.(string)
	return text, ok
}

// AsText is a meaning as text: a date as such, a constant as Python prints it.
func (m Meaning) AsText() Meaning {
	letters := write.Text("Y-m-d H:i:s.uP")
	if m.IsDay {
		letters = "Y-m-d"
	}
	switch {
	case m.Moment:
		return Meaning{Expr: write.Calling("date", letters, m.Expr)}
	case !m.IsConstant():
		return m
	case python.IsUnordered(m.Constant):
		panic(fault.New("the text of an object is not supported"))
	}
	return Meaning{Constant: python.Rendered(m.Constant)}
}

// Printed is the meaning as text, but for an object.
func (m Meaning) Printed() Meaning {
	if python.IsUnordered(m.Constant) {
		return m
	}
	return m.AsText()
}

// timed is a meaning with the text of a time in its place, as it stands in JSON.
func (m Meaning) timed() Meaning {
	if m.Moment {
		return m.AsText()
	}
	return m
}

// data is an object that must be no expression of ours.
func data(o write.Object) write.Object {
	for _, m := range o {
		fault.If(o.IsExpression(m.Name), "an object with the member %s cannot stand here: it is an expression", m.Name)
	}
	return o
}
