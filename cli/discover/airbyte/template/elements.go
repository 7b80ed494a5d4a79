package template

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

// ObjectMethods are what a point before them means, whatever members an object has.
var ObjectMethods = []string{
	"items",
	"keys",
	"values",
	"get",
	"pop",
	"copy",
	"update",
	"clear",
	"setdefault",
	"popitem",
}

func (sc Scope) index(e Index) (Expression, error) {
	of, err := sc.eval(e.Of)
	if err != nil {
		return nil, err
	}
	if c, ok := e.Key.(cut); ok {
		return sc.cut(of, c)
	}
	key, err := sc.eval(e.Key)
	if err != nil {
		return nil, err
	}
	step, isKnown, err := sc.plain(key)
	if err != nil {
		return nil, err
	}
	c, isConstant := of.(Constant)
	if !isKnown || !isConstant {
		if _, ok := of.(moment); ok {
			return nil, fmt.Errorf("%v of a time is not understood", step)
		}
		return Index{of, key, e.isDotted}, nil
	}
	text, _ := step.(string)
	if e.isDotted && slices.Contains(ObjectMethods, text) {
		return nil, fmt.Errorf("%s without brackets is a method, no value", text)
	}
	v, err := sc.element(c.Value, step)
	return Constant{v}, err
}

// element is what a constant has at a key.
func (sc Scope) element(of, key any) (any, error) {
	name, isText := key.(string)
	switch v := of.(type) {
	case python.Undefined:
		return nil, python.ErrUndefined
	case group:
		if !isText {
			return python.Undefined{}, nil
		}
		return v.member(name), nil
	case given:
		if !isText {
			return python.Undefined{}, nil
		}
		return parameter(v, name), nil
	case *manifest.Tree:
		if !isText {
			return python.Undefined{}, nil
		}
		return parameter(v.Value.(*manifest.Object).Members, name), nil
	case manifest.Setting:
		plain, isList := v.Value.([]any)
		i, isNumber := key.(int64)
		if isList && isNumber {
			i = python.Placed(i, len(plain))
			if i < 0 || i >= int64(len(plain)) {
				return python.Undefined{}, nil
			}
			return tracked(manifest.Join(v.Path, strconv.FormatInt(i, 10)), plain[i]), nil
		}
	}
	plain, err := sc.settle(of)
	if err != nil {
		return nil, err
	}
	return python.ElementOf(plain, key), nil
}

// member is one of a group, which knows where it stands.
func (g group) member(name string) any {
	v, ok := g.members[name]
	if !ok {
		return python.Undefined{}
	}
	return tracked(manifest.Join(g.path, name), v)
}

// tracked is a value of the configuration that knows where it stands.
func tracked(path string, v any) any {
	switch v := v.(type) {
	case manifest.Setting:
		return v
	case map[string]any:
		return group{path, v}
	default:
		return manifest.Setting{Path: path, Value: v}
	}
}

// cut is a part of a text or a list.
func (sc Scope) cut(of Expression, c cut) (Expression, error) {
	bounds := []Expression{Constant{nil}, Constant{nil}}
	for i, e := range []Expression{c.from, c.to} {
		if e == nil {
			continue
		}
		bound, err := sc.eval(e)
		if err != nil {
			return nil, err
		}
		bounds[i] = bound
	}
	ends, isKnown, err := sc.plains(bounds)
	if err != nil {
		return nil, err
	}
	v, isConstant, err := sc.plain(of)
	if err != nil {
		return nil, err
	}
	if c, ok := of.(clock); ok && isKnown {
		if made, ok := c.cut(ends); ok {
			return made, nil
		}
	}
	if !isKnown || !isConstant {
		return Index{Of: of, Key: cut{bounds[0], bounds[1]}}, nil
	}
	switch v := v.(type) {
	case string:
		runes := []rune(v)
		from, to := span(ends, len(runes))
		return Constant{string(runes[from:to])}, nil
	case []any:
		from, to := span(ends, len(v))
		return Constant{v[from:to]}, nil
	case python.Undefined:
		return nil, python.ErrUndefined
	default:
		return nil, errors.New("only texts and lists have parts")
	}
}

// span is where a part begins and ends, as Python has it.
func span(ends []any, length int) (from, to int) {
	bound := func(v any, byDefault int) int {
		i, ok := v.(int64)
		if !ok {
			return byDefault
		}
		return int(min(max(python.Placed(i, length), 0), int64(length)))
	}
	from, to = bound(ends[0], 0), bound(ends[1], length)
	return from, max(from, to)
}
