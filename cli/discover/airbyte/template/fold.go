package template

import (
	"errors"
	"maps"
	"slices"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
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

// A formula is an expression of ours that stands for an expression of a template.
type formula struct{ Meaning }

// later are variables that have values only in a run.
var later = []string{
	"record", "response", "headers", "last_record", "last_page_size", "last_page_token_value",
	"next_page_token",
	"stream_slice", "stream_partition", "stream_interval", "creation_response", "polling_response",
	"download_target",
	"api_response", "components_values", "partition", "decoded_response",
}

// Fold is the expression with all that the values decide in it evaluated: an expression that is a constant
// then, or the same with less in it. Conditions of which the values decide a part become simpler. Constants are
// those of JSON, and undefined{}; what a secret is stays a reference to config.
func (sc Scope) Fold(e Expression) (Expression, error) {
	sc = sc.ready()
	e, err := sc.eval(e)
	if err != nil {
		return nil, err
	}
	return sc.settled(e)
}

// settled has no settings, but for secrets and what is missing.
func (sc Scope) settled(e Expression) (Expression, error) {
	switch c := e.(type) {
	case Constant:
		if isOutside(e) {
			return e, nil
		}
		v, err := sc.settle(c.Value)
		return Constant{v}, err
	case Dict, Joined:
		return e, nil
	}
	var failed error
	made := rewritten(e, func(e Expression) Expression {
		within, err := sc.settled(e)
		if failed == nil {
			failed = err
		}
		return within
	})
	return made, failed
}

// settle is the plain value of a constant; what is a setting decides.
func (sc Scope) settle(v any) (any, error) {
	switch v := v.(type) {
	case manifest.Setting:
		plain, err := sc.Values.Decide(v)
		if err != nil {
			return nil, err
		}
		return sc.settle(plain)
	case group:
		if v.path != "" {
			sc.Values.Decided[v.path] = true
		}
		return sc.settle(v.members)
	case *manifest.Tree:
		budget := maxSteps
		return v.Plain(&budget), nil
	case given:
		all := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			var err error
			if all[name], err = sc.settle(parameter(v, name)); err != nil {
				return nil, err
			}
		}
		return all, nil
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			plain, err := sc.settle(e)
			if err != nil {
				return nil, err
			}
			all[i] = plain
		}
		return all, nil
	case map[string]any:
		all := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			plain, err := sc.settle(v[name])
			if err != nil {
				return nil, err
			}
			all[name] = plain
		}
		return all, nil
	default:
		return v, nil
	}
}

// parameter is one of a component; undefined: there is none.
func parameter(all given, name string) any {
	t := all[name]
	if t == nil {
		return python.Undefined{}
	}
	if t.Object() != nil {
		return t
	}
	budget := maxSteps
	return t.Plain(&budget)
}

// plain is the value of an expression if it is a constant; a setting of it decides.
func (sc Scope) plain(e Expression) (v any, isConstant bool, err error) {
	c, ok := e.(Constant)
	if !ok {
		return nil, false, nil
	}
	v, err = sc.settle(c.Value)
	return v, true, err
}

// plains are the values of expressions, if all are constants.
func (sc Scope) plains(all []Expression) (values []any, areConstant bool, err error) {
	for _, e := range all {
		v, isConstant, err := sc.plain(e)
		if err != nil || !isConstant {
			return nil, false, err
		}
		values = append(values, v)
	}
	return values, true, nil
}

// truth is whether a constant counts as true; a secret that there is does.
func (sc Scope) truth(e Expression) (is, isConstant bool, err error) {
	if c, ok := e.(Constant); ok {
		if s, ok := c.Value.(manifest.Setting); ok && s.IsSecret {
			return true, true, nil
		}
		if g, ok := c.Value.(group); ok {
			return len(g.members) > 0, true, nil
		}
	}
	v, isConstant, err := sc.plain(e)
	if err != nil || isConstant {
		return python.Truthy(v), isConstant, err
	}
	is, isConstant = sc.laterTruth(e)
	return is, isConstant, nil
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
	m, err := bound(path)
	var of WholeSlice
	if errors.As(err, &of) {
		return !of.IsEmpty, true
	}
	return m.isAlways(), err == nil && m.isAlways()
}
