package template

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

// isWords tells what is a text, whatever it is.
func isWords(e Expression) bool {
	c, _ := e.(Constant)
	if s, ok := c.Value.(manifest.Setting); ok {
		_, isString := s.Value.(string)
		return isString || s.IsSecret
	}
	_, isString := c.Value.(string)
	return isString
}

// textArgument is a constant text.
func (sc Scope) textArgument(e Expression) string {
	v, _ := sc.plain(e)
	text, ok := v.(string)
	fault.If(!ok, "an argument is not a text that --values determines")
	return text
}

// constantOf is a plain value; what comes from outside is none.
func (sc Scope) constantOf(e Expression) (v any, isConstant bool) {
	fault.If(e == nil, "an argument is missing")
	if isOutside(e) {
		return nil, false
	}
	return sc.plain(e)
}

// Bounds of what an expression makes: how many steps it takes, how many bytes its values have.
const (
	maxSteps = 20_000
	maxValue = 4 * python.MaxText
)

// Values of constants beside those of JSON.
type (
	// A group is an object of the configuration.
	group struct {
		path    string
		members map[string]any
	}

	// given are the parameters of a component; an object among them is a *tree.
	given map[string]*manifest.Tree
)

// later are variables that have values only in a run.
var later = strings.Fields("record response headers last_record last_page_size last_page_token_value next_page_token " +
	"stream_slice stream_partition stream_interval creation_response polling_response download_target " +
	"api_response components_values partition decoded_response")

// isOutside tells a value that only a run has.
func isOutside(e Expression) bool {
	c, ok := e.(Constant)
	s, _ := c.Value.(manifest.Setting)
	return !ok || s.IsSecret || s.IsMissing
}

// element is what a constant has at a key.
func (sc Scope) element(of, key any) any {
	name, isText := key.(string)
	switch v := of.(type) {
	case python.Undefined:
		fault.Check(python.ErrUndefined)
	case group:
		if member, ok := v.members[name]; ok && isText {
			return tracked(manifest.Join(v.path, name), member)
		}
		return python.Undefined{}
	case given:
		return parameter(v, name)
	case *manifest.Tree:
		return parameter(v.Object().Members, name)
	case manifest.Setting:
		plain, isList := v.Value.([]any)
		i, isNumber := key.(int64)
		if isList && isNumber {
			path := manifest.Join(v.Path, strconv.FormatInt(python.Placed(i, len(plain)), 10))
			return tracked(path, python.ElementOf(plain, i))
		}
	}
	return python.ElementOf(sc.settle(of), key)
}

// tracked is a value of the configuration that knows where it stands.
func tracked(path string, v any) any {
	switch v := v.(type) {
	case manifest.Setting, python.Undefined:
		return v
	case map[string]any:
		return group{path, v}
	}
	return manifest.Setting{Path: path, Value: v}
}

// settle is the plain value of a constant; what is a setting decides.
func (sc Scope) settle(v any) any {
	switch v := v.(type) {
	case manifest.Setting:
		return sc.settle(fault.Of(sc.Values.Decide(v)))
	case group:
		if v.path != "" {
			sc.Values.Decided[v.path] = true
		}
		return sc.settle(v.members)
	case *manifest.Tree:
		budget := maxSteps
		return v.Plain(&budget)
	case given:
		all := map[string]any{}
		for name := range v {
			all[name] = parameter(v, name)
		}
		return sc.settle(all)
	case []any:
		all := slices.Clone(v)
		for i, e := range v {
			all[i] = sc.settle(e)
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all[name] = sc.settle(v[name])
		}
		return all
	}
	return v
}

// parameter is one of a component; undefined: there is none.
func parameter(all given, name string) any {
	t := all[name]
	switch {
	case t == nil:
		return python.Undefined{}
	case t.Object() != nil:
		return t
	}
	budget := maxSteps
	return t.Plain(&budget)
}

// plain is the value of an expression if it is a constant; a setting of it decides.
func (sc Scope) plain(e Expression) (v any, isConstant bool) {
	c, isConstant := e.(Constant)
	return sc.settle(c.Value), isConstant
}

// plains are the values of expressions, if all are constants.
func (sc Scope) plains(all []Expression) (values []any, areConstant bool) {
	for _, e := range all {
		v, isConstant := sc.plain(e)
		if !isConstant {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// truth is whether a constant counts as true; a secret that there is does.
func (sc Scope) truth(e Expression) (is, isConstant bool) {
	c, _ := e.(Constant)
	switch v := c.Value.(type) {
	case manifest.Setting:
		if v.IsSecret {
			return true, true
		}
	case group:
		return len(v.members) > 0, true
	}
	if v, isConstant := sc.plain(e); isConstant {
		return python.Truthy(v), true
	}
	return sc.laterTruth(e)
}

// laterTruth is whether what only a run knows counts as true, whatever it is: a time does, and a slice that is
// not empty.
func (sc Scope) laterTruth(e Expression) (is, isKnown bool) {
	switch e := e.(type) {
	case moment, clock:
		return true, true
	case formula:
		return e.isAlways(), e.isAlways()
	}
	variable, path, ok := Reference(e)
	bound := sc.variables[variable]
	if !ok || bound == nil {
		return false, false
	}
	m, err := fault.Result(func() Meaning { return bound(path) })
	var of WholeSlice
	if errors.As(err, &of) {
		return !of.IsEmpty, true
	}
	return m.isAlways(), err == nil && m.isAlways()
}
