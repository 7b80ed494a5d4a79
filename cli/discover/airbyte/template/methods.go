package template

import (
	"errors"
	"fmt"

	"sluice/cli/discover/airbyte/python"
)

// call is a method of a value, or one of the platform's functions.
func (sc Scope) call(e Call) (Expression, error) {
	if n, ok := e.Of.(Name); ok {
		return sc.macro(n.Name, e)
	}
	m, ok := e.Of.(Index)
	if !ok {
		return nil, errors.New("a call of this kind is not understood")
	}
	key, _ := m.Key.(Constant)
	method, ok := key.Value.(string)
	if !ok {
		return nil, errors.New("a call of this kind is not understood")
	}
	of, err := sc.eval(m.Of)
	if err != nil {
		return nil, err
	}
	arguments, err := sc.evals(e.Arguments)
	if err != nil {
		return nil, err
	}
	if made, ok, err := sc.clockMethod(method, of, arguments, e.Keywords); ok || err != nil {
		return made, err
	}
	if made, ok := sc.presentMember(method, m, arguments); ok {
		return made, nil
	}
	if len(e.Keywords) > 0 {
		return nil, fmt.Errorf("%s with named arguments is not understood", method)
	}
	c, isConstant := of.(Constant)
	if isConstant && method == "get" {
		return sc.got(c, arguments)
	}
	left := Call{Of: Index{Of: of, Key: m.Key, isDotted: m.isDotted}, Arguments: arguments}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return left, err
	}
	values, areConstant, err := sc.plains(arguments)
	if err != nil || !areConstant {
		return left, err
	}
	made, err := python.Invoke(method, v, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return Constant{made}, nil
}

// presentMember is get with a default of a variable that has the member, or has it not; not ok: that is not
// known.
func (sc Scope) presentMember(method string, of Index, arguments []Expression) (Expression, bool) {
	if method != "get" || len(arguments) != 2 {
		return nil, false
	}
	variable, path, ok := below(of.Of, arguments[0])
	bound := sc.variables[variable]
	if !ok || bound == nil {
		return nil, false
	}
	m, err := bound(path)
	switch {
	case err != nil:
		return nil, false
	case m.Nothing:
		return arguments[1], true
	case m.Expr == "":
		return Constant{m.Constant}, true
	default:
		return Call{Of: of, Arguments: arguments[:1]}, true
	}
}

// got is a member of an object, or a default.
func (sc Scope) got(of Constant, arguments []Expression) (Expression, error) {
	if len(arguments) != 1 && len(arguments) != 2 {
		return nil, errors.New("get: its arguments are not understood")
	}
	key, isConstant, err := sc.plain(arguments[0])
	if err != nil {
		return nil, err
	}
	if !isConstant {
		return nil, errors.New("get: a name that only a run has is not understood")
	}
	v, err := sc.element(of.Value, key)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(python.Undefined); !ok {
		return Constant{v}, nil
	}
	if len(arguments) == 2 {
		return arguments[1], nil
	}
	return Constant{nil}, nil
}
