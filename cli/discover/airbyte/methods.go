package airbyte

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// call is a method of a value, or one of the platform's functions.
func (sc scope) call(e call) (expression, error) {
	if n, ok := e.of.(name); ok {
		return sc.macro(n.name, e)
	}
	m, ok := e.of.(index)
	if !ok {
		return nil, errors.New("a call of this kind is not understood")
	}
	key, _ := m.key.(constant)
	method, ok := key.value.(string)
	if !ok {
		return nil, errors.New("a call of this kind is not understood")
	}
	of, err := sc.eval(m.of)
	if err != nil {
		return nil, err
	}
	arguments, err := sc.evals(e.arguments)
	if err != nil {
		return nil, err
	}
	if made, ok, err := sc.clockMethod(method, of, arguments, e.keywords); ok || err != nil {
		return made, err
	}
	if made, ok := sc.presentMember(method, m, arguments); ok {
		return made, nil
	}
	if len(e.keywords) > 0 {
		return nil, fmt.Errorf("%s with named arguments is not understood", method)
	}
	c, isConstant := of.(constant)
	if isConstant && method == "get" {
		return sc.got(c, arguments)
	}
	left := call{of: index{of: of, key: m.key, isDotted: m.isDotted}, arguments: arguments}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return left, err
	}
	values, areConstant, err := sc.plains(arguments)
	if err != nil || !areConstant {
		return left, err
	}
	made, err := invoke(method, v, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return constant{made}, nil
}

// presentMember is get with a default of a variable that has the member, or has it not; not ok: that is not
// known.
func (sc scope) presentMember(method string, of index, arguments []expression) (expression, bool) {
	if method != "get" || len(arguments) != 2 {
		return nil, false
	}
	variable, path, ok := below(of.of, arguments[0])
	bound := sc.variables[variable]
	if !ok || bound == nil {
		return nil, false
	}
	m, err := bound(path)
	switch {
	case err != nil:
		return nil, false
	case m.nothing:
		return arguments[1], true
	case m.json == "":
		return constant{m.constant}, true
	default:
		return call{of: of, arguments: arguments[:1]}, true
	}
}

// got is a member of an object, or a default.
func (sc scope) got(of constant, arguments []expression) (expression, error) {
	isOne := len(arguments) == 1 || len(arguments) == 2
	if !isOne {
		return nil, errors.New("get: its arguments are not understood")
	}
	key, isConstant, err := sc.plain(arguments[0])
	if err != nil {
		return nil, err
	}
	if !isConstant {
		return nil, errors.New("get: a name that only a run has is not understood")
	}
	v, err := sc.element(of.value, key)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(undefined); !ok {
		return constant{v}, nil
	}
	if len(arguments) == 2 {
		return arguments[1], nil
	}
	return constant{nil}, nil
}

// invoke is a method of a plain value.
func invoke(method string, v any, arguments []any) (any, error) {
	switch v := v.(type) {
	case string:
		return invokeText(method, v, arguments)
	case undefined:
		return nil, errUndefined
	case map[string]any:
		return invokeObject(method, v, arguments)
	default:
		return nil, errors.New("this method is not understood")
	}
}

// invokeObject is a method whose result does not depend on the order of members.
func invokeObject(method string, v map[string]any, arguments []any) (any, error) {
	if len(v) > 1 || len(arguments) > 0 {
		return nil, errors.New("this method is not understood")
	}
	all := []any{}
	for name, value := range v {
		switch method {
		case "keys":
			all = append(all, name)
		case "values":
			all = append(all, value)
		case "items":
			all = append(all, []any{name, value})
		default:
			return nil, errors.New("this method is not understood")
		}
	}
	return all, nil
}

func invokeText(method, text string, arguments []any) (any, error) {
	var all []string
	for _, a := range arguments {
		s, ok := a.(string)
		if !ok {
			return invokeMixed(method, text, arguments)
		}
		all = append(all, s)
	}
	switch len(all) {
	case 0:
		return invokePlain(method, text)
	case 1:
		return invokeWith(method, text, all[0], arguments)
	}
	isReplace := method == "replace" && len(all) == 2
	if isReplace {
		made, _, err := replaced(text, all[0], all[1])
		return made, err
	}
	return invokeMixed(method, text, arguments)
}

func invokePlain(method, text string) (any, error) {
	switch method {
	case "lower", "casefold":
		return strings.ToLower(text), nil
	case "upper":
		return strings.ToUpper(text), nil
	case "title":
		return titled(text), nil
	case "capitalize":
		return capitalized(text), nil
	case "strip":
		return strings.TrimSpace(text), nil
	case "lstrip":
		return strings.TrimLeftFunc(text, unicode.IsSpace), nil
	case "rstrip":
		return strings.TrimRightFunc(text, unicode.IsSpace), nil
	case "split":
		return texts(strings.Fields(text)), nil
	case "isdigit", "isnumeric", "isdecimal":
		isOther := strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		return text != "" && !isOther, nil
	case "format":
		return filledIn(text, nil)
	default:
		return nil, errors.New("this method is not understood")
	}
}

func texts(all []string) []any {
	made := make([]any, len(all))
	for i, s := range all {
		made[i] = s
	}
	return made
}

func invokeWith(method, text, by string, arguments []any) (any, error) {
	switch method {
	case "split":
		if by == "" {
			return nil, errors.New("it wants a text to split by")
		}
		return texts(strings.Split(text, by)), nil
	case "strip":
		return strings.Trim(text, by), nil
	case "lstrip":
		return strings.TrimLeft(text, by), nil
	case "rstrip":
		return strings.TrimRight(text, by), nil
	case "startswith":
		return strings.HasPrefix(text, by), nil
	case "endswith":
		return strings.HasSuffix(text, by), nil
	case "removeprefix":
		return strings.TrimPrefix(text, by), nil
	case "removesuffix":
		return strings.TrimSuffix(text, by), nil
	case "count":
		return int64(strings.Count(text, by)), nil
	case "find":
		at := strings.Index(text, by)
		if at < 0 {
			return int64(-1), nil
		}
		return int64(len([]rune(text[:at]))), nil
	default:
		return invokeMixed(method, text, arguments)
	}
}

// invokeMixed are the methods whose arguments are not texts alone.
func invokeMixed(method, text string, arguments []any) (any, error) {
	switch method {
	case "format":
		return filledIn(text, arguments)
	case "join":
		if len(arguments) == 1 {
			return applyList("join", arguments[0], map[string]any{"d": text})
		}
	case "zfill":
		width, ok := whole(arguments[0])
		isShort := ok && width < 100 && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+")
		if isShort {
			return strings.Repeat("0", max(0, int(width)-len([]rune(text)))) + text, nil
		}
	}
	return nil, errors.New("this method is not understood")
}

// filledIn is a text with values in the place of {}.
func filledIn(text string, arguments []any) (any, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		two := text[i:min(i+2, len(text))]
		switch {
		case two == "{{" || two == "}}":
			b.WriteByte(text[i])
			i++
		case two == "{}" && len(arguments) > 0:
			b.WriteString(rendered(arguments[0]))
			arguments = arguments[1:]
			i++
		case text[i] == '{' || text[i] == '}':
			return nil, errors.New("its text is not understood")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String(), nil
}
