package template

import (
	"slices"
	"strconv"

	"sluice/cli/discover/airbyte/python"
)

// A Way is what an expression names: a variable, and steps below it.
type Way struct {
	Variable string
	Steps    []string

	// HasDefault tells that what is missing counts as byDefault, which is a constant.
	HasDefault bool
	ByDefault  any
}

// Trail is the way that an expression names, by . or [] with constants, by get, or by a default of any kind
// that is a constant. A default on the way must be empty.
func Trail(e Expression) (w Way, ok bool) {
	switch e := e.(type) {
	case Name:
		return Way{Variable: e.Name}, true
	case Index:
		key, ok := StepOf(e.Key)
		return stepBelow(e.Of, key, ok)
	case Call:
		return trailOfGet(e)
	case Filter:
		if e.Name == "default" || e.Name == "d" {
			return trailOr(e.Of, append(e.Arguments, ByName(e.Keywords, "default_value")...))
		}
	case Binary:
		if e.Operator == "or" {
			return trailOr(e.Left, []Expression{e.Right})
		}
	}
	return Way{}, false
}

// stepBelow is a step below what an expression names.
func stepBelow(of Expression, key string, ok bool) (Way, bool) {
	w, isWay := Trail(of)
	if !ok || !isWay || w.HasDefault && python.Truthy(w.ByDefault) {
		return Way{}, false
	}
	return Way{Variable: w.Variable, Steps: append(slices.Clone(w.Steps), key)}, true
}

// ByName is an argument by its name, if it is there.
func ByName(keywords map[string]Expression, name string) []Expression {
	if e := keywords[name]; e != nil {
		return []Expression{e}
	}
	return nil
}

func trailOfGet(e Call) (Way, bool) {
	of, ok := e.Of.(Index)
	method, _ := ConstantText(of.Key)
	if !ok || method != "get" || len(e.Keywords) != 0 || len(e.Arguments) == 0 {
		return Way{}, false
	}
	key, ok := StepOf(e.Arguments[0])
	w, ok := stepBelow(of.Of, key, ok)
	w.HasDefault = true
	if len(e.Arguments) > 1 {
		byDefault, isConstant := KnownValue(e.Arguments[1])
		w.ByDefault, ok = byDefault, ok && isConstant
	}
	return w, ok
}

func trailOr(of Expression, arguments []Expression) (Way, bool) {
	w, ok := Trail(of)
	w.HasDefault, w.ByDefault = true, any("")
	if len(arguments) > 0 {
		byDefault, isConstant := KnownValue(arguments[0])
		w.ByDefault, ok = byDefault, ok && isConstant
	}
	return w, ok
}

// KnownValue is a constant, or an empty list or object.
func KnownValue(e Expression) (any, bool) {
	switch e := e.(type) {
	case Constant:
		return e.Value, true
	case List:
		return []any{}, len(e.Elements) == 0
	case Dict:
		return map[string]any{}, len(e.Keys) == 0
	}
	return nil, false
}

// StepOf is a step.
func StepOf(e Expression) (string, bool) {
	c, _ := e.(Constant)
	switch v := c.Value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), v >= 0
	}
	return "", false
}
