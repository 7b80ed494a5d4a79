package template

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// Bind are the arguments of a filter or a function by their names, as far as they are known.
func Bind(names []string, arguments []Expression, keywords map[string]Expression) (map[string]Expression, error) {
	if len(arguments) > len(names) {
		return nil, errors.New("it has too many arguments")
	}
	all := map[string]Expression{}
	for i, a := range arguments {
		all[names[i]] = a
	}
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("its argument %s is not understood", name)
		}
		all[name] = keywords[name]
	}
	return all, nil
}

// filter is a value behind which a filter stands: what a run knows keeps it.
func (sc Scope) filter(e Filter) (Expression, error) {
	if d, ok := e.Of.(Dict); ok && e.Name == "string" {
		return sc.ordered(d)
	}
	known, ok := python.Filters[e.Name]
	names := known.Arguments
	if !ok {
		return nil, fmt.Errorf("the filter %s is not understood", e.Name)
	}
	arguments, err := Bind(names, e.Arguments, e.Keywords)
	if err != nil {
		return nil, fmt.Errorf("filter %s: %w", e.Name, err)
	}
	made := map[string]Expression{}
	for _, name := range names {
		if arguments[name] == nil {
			continue
		}
		if made[name], err = sc.eval(arguments[name]); err != nil {
			return nil, err
		}
	}
	of, err := sc.eval(e.Of)
	if errors.Is(err, python.ErrUndefined) && (e.Name == "default" || e.Name == "d") {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	switch e.Name {
	case "default", "d":
		return sc.byDefault(of, made)
	case "base64encode", "hash", "hmac":
		if made, ok, err := sc.digested(e.Name, of, made); ok || err != nil {
			return made, err
		}
	case "string":
		if isWords(of) {
			return of, nil
		}
	case "int", "round":
		if s, ok := of.(seconds); ok {
			s.isFraction = false
			return s, nil
		}
	}
	return sc.filtered(of, made, e)
}

// ordered is the text of an object as its template has its members.
func (sc Scope) ordered(d Dict) (Expression, error) {
	var all item.Object
	for i, key := range d.Keys {
		name, err := sc.textArgument(key)
		if err != nil {
			return nil, err
		}
		v, isConstant, err := sc.evalPlain(d.Values[i])
		if err != nil {
			return nil, err
		}
		if !isConstant || python.IsUnordered(v) {
			return nil, errors.New("the text of an object is not understood")
		}
		all = all.With(true, name, python.Encoded(v))
	}
	return Constant{`"""` + all.String() + `"""`}, nil
}

// evalPlain is the plain value of an expression that is to be evaluated.
func (sc Scope) evalPlain(e Expression) (v any, isConstant bool, err error) {
	made, err := sc.eval(e)
	if err != nil {
		return nil, false, err
	}
	return sc.constantOf(made)
}

// isWords tells what is a text, whatever it is.
func isWords(e Expression) bool {
	c, ok := e.(Constant)
	if !ok {
		return false
	}
	switch v := c.Value.(type) {
	case string:
		return true
	case manifest.Setting:
		_, isString := v.Value.(string)
		return isString || v.IsSecret
	default:
		return false
	}
}

// filtered is what a filter makes of constants; what a run knows stays.
func (sc Scope) filtered(of Expression, made map[string]Expression, e Filter) (Expression, error) {
	left := Filter{Of: of, Name: e.Name, Keywords: made}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return left, err
	}
	arguments := python.Arguments{}
	for name, a := range made {
		arguments[name], isConstant, err = sc.plain(a)
		if err != nil || !isConstant {
			return left, err
		}
	}
	value, err := python.Apply(e.Name, v, arguments)
	if err != nil {
		return nil, fmt.Errorf("filter %s: %w", e.Name, err)
	}
	return Constant{value}, nil
}

// byDefault is the value, or its default where it is not there; with boolean, where it is empty.
func (sc Scope) byDefault(of Expression, made map[string]Expression) (Expression, error) {
	byDefault := made["default_value"]
	if byDefault == nil {
		byDefault = Constant{""}
	}
	ofEmpty := false
	if made["boolean"] != nil {
		is, isConstant, err := sc.truth(made["boolean"])
		if err != nil || !isConstant {
			return nil, errors.Join(err, errors.New("filter default: boolean is not understood"))
		}
		ofEmpty = is
	}
	c, isConstant := of.(Constant)
	if !isConstant {
		return Filter{Of: of, Name: "default", Keywords: made}, nil
	}
	if ofEmpty {
		is, _, err := sc.truth(of)
		if err != nil || is {
			return of, err
		}
		return byDefault, nil
	}
	if _, ok := c.Value.(python.Undefined); ok {
		return byDefault, nil
	}
	return of, nil
}

// digested is a hash or a code of what a run knows; not ok: of a constant, or of nothing that can be said.
func (sc Scope) digested(name string, of Expression, made map[string]Expression) (Expression, bool, error) {
	isLater := isOutside(of) || made["key"] != nil && isOutside(made["key"]) ||
		made["salt"] != nil && isOutside(made["salt"])
	if !isLater {
		return nil, false, nil
	}
	text, err := sc.textOf(of)
	if err != nil {
		return nil, false, err
	}
	kind := map[string]string{"hash": "md5", "hmac": "sha256"}[name]
	if made["hash_type"] != nil {
		v, isConstant, err := sc.plain(made["hash_type"])
		s, isText := v.(string)
		if !isConstant || !isText {
			return nil, false, errors.Join(err, errors.New("the kind of a hash is not understood"))
		}
		kind = s
	}
	if kind != "" && python.Hashes[kind] == nil {
		return nil, false, fmt.Errorf("the hash %s is not understood", kind)
	}
	switch name {
	case "base64encode":
		return formula{Meaning{Expr: write.Calling("base64_encode", text)}}, true, nil
	case "hash":
		if made["salt"] != nil {
			salt, err := sc.textOf(made["salt"])
			if err != nil {
				return nil, false, err
			}
			text = write.Calling("concat", text, salt)
		}
		return formula{Meaning{Expr: write.Calling("hash", python.Encoded(kind), text)}}, true, nil
	}
	if made["key"] == nil || kind != "sha256" {
		return nil, false, errors.New("hmac wants a key, and sha256")
	}
	key, err := sc.textOf(made["key"])
	return formula{Meaning{Expr: write.Calling("hash_hmac", python.Encoded(kind), text, key)}}, true, err
}

// is is a test.
func (sc Scope) is(e Binary) (Expression, error) {
	word, argument := testOf(e.Right)
	if operator := python.Comparing[word]; operator != "" && argument != nil {
		made, err := sc.binary(Binary{operator, e.Left, argument})
		if err != nil || e.Operator == "is" {
			return made, err
		}
		return sc.unary(Unary{"not", made})
	}
	test := python.Tests[word]
	if test == nil && word != "defined" && word != "undefined" || argument != nil {
		return nil, fmt.Errorf("the test %s is not understood", word)
	}
	left, err := sc.eval(e.Left)
	if err != nil {
		return nil, err
	}
	c, isConstant := left.(Constant)
	if !isConstant {
		return Binary{e.Operator, left, e.Right}, nil
	}
	var is bool
	if s, ok := c.Value.(manifest.Setting); ok && s.IsSecret {
		is = word == "defined" || word == "string"
	} else {
		v, err := sc.settle(c.Value)
		if err != nil {
			return nil, err
		}
		_, isUndefined := v.(python.Undefined)
		switch word {
		case "defined":
			is = !isUndefined
		case "undefined":
			is = isUndefined
		default:
			is = test(v)
		}
	}
	return Constant{is == (e.Operator == "is")}, nil
}

// testOf is the name of a test, and its argument.
func testOf(e Expression) (word string, argument Expression) {
	switch e := e.(type) {
	case Name:
		return e.Name, nil
	case Call:
		n, _ := e.Of.(Name)
		if len(e.Arguments) == 1 {
			return n.Name, e.Arguments[0]
		}
	}
	return "", nil
}
