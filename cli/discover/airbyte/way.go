package airbyte

import (
	"slices"
	"strconv"
)

// A way is what an expression names: a variable, and steps below it.
type way struct {
	variable string
	steps    []string

	// hasDefault tells that what is missing counts as byDefault, which is a constant.
	hasDefault bool
	byDefault  any
}

// trail is the way that an expression names, by . or [] with constants, by get, or by a default of any kind
// that is a constant. A default on the way must be empty.
func trail(e expression) (w way, ok bool) {
	switch e := e.(type) {
	case name:
		return way{variable: e.name}, true
	case index:
		key, ok := stepOf(e.key)
		return stepBelow(e.of, key, ok)
	case call:
		return trailOfGet(e)
	case filter:
		if e.name == "default" || e.name == "d" {
			return trailOr(e.of, append(e.arguments, byName(e.keywords, "default_value")...))
		}
	case binary:
		if e.operator == "or" {
			return trailOr(e.left, []expression{e.right})
		}
	}
	return way{}, false
}

// stepBelow is a step below what an expression names.
func stepBelow(of expression, key string, ok bool) (way, bool) {
	w, isWay := trail(of)
	isEmpty := !w.hasDefault || !truthy(w.byDefault)
	if !ok || !isWay || !isEmpty {
		return way{}, false
	}
	return way{variable: w.variable, steps: append(slices.Clone(w.steps), key)}, true
}

// byName is an argument by its name, if it is there.
func byName(keywords map[string]expression, name string) []expression {
	if e := keywords[name]; e != nil {
		return []expression{e}
	}
	return nil
}

func trailOfGet(e call) (way, bool) {
	of, ok := e.of.(index)
	method, _ := constantText(of.key)
	isGet := ok && method == "get" && len(e.keywords) == 0
	if !isGet || len(e.arguments) == 0 {
		return way{}, false
	}
	key, ok := stepOf(e.arguments[0])
	w, ok := stepBelow(of.of, key, ok)
	w.hasDefault = true
	if len(e.arguments) > 1 {
		byDefault, isConstant := knownValue(e.arguments[1])
		w.byDefault, ok = byDefault, ok && isConstant
	}
	return w, ok
}

func trailOr(of expression, arguments []expression) (way, bool) {
	w, ok := trail(of)
	w.hasDefault, w.byDefault = true, any("")
	if len(arguments) > 0 {
		byDefault, isConstant := knownValue(arguments[0])
		w.byDefault, ok = byDefault, ok && isConstant
	}
	return w, ok
}

// knownValue is a constant, or an empty list or object.
func knownValue(e expression) (any, bool) {
	switch e := e.(type) {
	case constant:
		return e.value, true
	case list:
		return []any{}, len(e.elements) == 0
	case dict:
		return map[string]any{}, len(e.keys) == 0
	}
	return nil, false
}

// stepOf is a step.
func stepOf(e expression) (string, bool) {
	c, _ := e.(constant)
	switch v := c.value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), v >= 0
	}
	return "", false
}
