package template

import (
	"errors"
	"maps"
	"slices"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
)

// MacroArguments are the names of the arguments of the functions that are understood.
var MacroArguments = map[string][]string{
	"camel_case_to_snake_case": {"value"},
	"day_delta":                {"num_days", "format"},
	"duration":                 {"datestring"},
	"format_datetime":          {"dt", "format", "input_format"},
	"max":                      {},
	"min":                      {},
	"now_utc":                  {},
	"sanitize_url":             {"value"},
	"str_to_datetime":          {"s"},
	"timestamp":                {"dt"},
	"today_utc":                {},
	"today_with_timezone":      {"timezone"},
}

// Bind are the arguments of a filter or a function by their names, as far as they are known.
func Bind(names []string, arguments []Expression, keywords map[string]Expression) map[string]Expression {
	fault.If(len(arguments) > len(names), "it has too many arguments")
	all := map[string]Expression{}
	for i, a := range arguments {
		all[names[i]] = a
	}
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		fault.If(!slices.Contains(names, name), "its argument %s is not supported", name)
		all[name] = keywords[name]
	}
	return all
}

// arguments are those of something by their names, evaluated.
func (sc Scope) arguments(
	of string, names []string, arguments []Expression, keywords map[string]Expression,
) map[string]Expression {
	all := fault.Within(of, func() map[string]Expression { return Bind(names, arguments, keywords) })
	for _, name := range names {
		if all[name] != nil {
			all[name] = sc.eval(all[name])
		}
	}
	return all
}

// call is a method of a value, or one of the platform's functions.
func (sc Scope) call(e Invocation) Expression {
	if n, ok := e.Of.(Name); ok {
		return sc.macro(n.Name, e)
	}
	m, _ := e.Of.(Index)
	method, ok := ConstantText(m.Key)
	fault.If(!ok, "a call of this kind is not supported")
	of, arguments := sc.eval(m.Of), sc.evals(e.Arguments)
	if made, ok := sc.clockMethod(method, of, arguments, e.Keywords); ok {
		return made
	}
	if made, ok := sc.presentMember(method, m, arguments); ok {
		return made
	}
	fault.If(len(e.Keywords) > 0, "%s with named arguments is not supported", method)
	if c, isConstant := of.(Constant); isConstant && method == "get" {
		return sc.got(c, arguments)
	}
	v, isConstant := sc.plain(of)
	if isConstant {
		if values, areConstant := sc.plains(arguments); areConstant {
			return Constant{fault.Within(method, func() any { return python.Invoke(method, v, values) })}
		}
	}
	return Invocation{Of: Index{Of: of, Key: m.Key, isDotted: m.isDotted}, Arguments: arguments}
}

// presentMember is get with a default of a variable that has the member, or has it not; not ok: that is not
// known.
func (sc Scope) presentMember(method string, of Index, arguments []Expression) (Expression, bool) {
	if method != "get" || len(arguments) != 2 {
		return nil, false
	}
	variable, path, ok := Reference(Index{Of: of.Of, Key: arguments[0]})
	bound := sc.variables[variable]
	if !ok || bound == nil {
		return nil, false
	}
	m, err := fault.Result(func() Meaning { return bound(path) })
	switch {
	case err != nil:
		return nil, false
	case m.Nothing:
		return arguments[1], true
	case m.Expr == nil:
		return Constant{m.Constant}, true
	}
	return Invocation{Of: of, Arguments: arguments[:1]}, true
}

// got is a member of an object, or a default.
func (sc Scope) got(of Constant, arguments []Expression) Expression {
	fault.If(len(arguments) != 1 && len(arguments) != 2, "get: its arguments are not supported")
	key, isConstant := sc.plain(arguments[0])
	fault.If(!isConstant, "get: a name that is known only in a run is not supported")
	v := sc.element(of.Value, key)
	_, isMissing := v.(python.Undefined)
	switch {
	case !isMissing:
		return Constant{v}
	case len(arguments) == 2:
		return arguments[1]
	}
	return Constant{nil}
}

// filter is a value behind which a filter stands: what a run knows keeps it.
func (sc Scope) filter(e Filter) Expression {
	if d, ok := e.Of.(Dict); ok && e.Name == "string" {
		return sc.ordered(d)
	}
	known, ok := python.Filters[e.Name]
	fault.If(!ok, "the filter %s is not supported", e.Name)
	made := sc.arguments("filter "+e.Name, known.Arguments, e.Arguments, e.Keywords)
	of := sc.eval(e.Of)
	switch e.Name {
	case "default", "d":
		return sc.byDefault(of, made)
	case "base64encode", "hash", "hmac":
		isLater := func(e Expression) bool { return e != nil && isOutside(e) }
		if isLater(of) || isLater(made["key"]) || isLater(made["salt"]) {
			return formula{Meaning{Expr: sc.digested(e.Name, of, made)}}
		}
	case "string":
		if isWords(of) {
			return of
		}
	case "int", "round":
		if s, ok := of.(seconds); ok {
			s.isFraction = false
			return s
		}
	}
	return sc.filtered(of, made, e.Name)
}

// ordered is the text of an object as its template has its members.
func (sc Scope) ordered(d Dict) Expression {
	var all write.Object
	for i, key := range d.Keys {
		name := sc.textArgument(key)
		v, isConstant := sc.constantOf(sc.eval(d.Values[i]))
		fault.If(!isConstant || python.IsUnordered(v), "the text of an object is not supported")
		all = all.And(name, write.Data(v))
	}
	return Constant{`"""` + write.JSON(all) + `"""`}
}

// filtered is what a filter makes of constants; what a run knows stays.
func (sc Scope) filtered(of Expression, made map[string]Expression, name string) Expression {
	left := Filter{Of: of, Name: name, Keywords: made}
	v, isConstant := sc.plain(of)
	if !isConstant {
		return left
	}
	arguments := python.Arguments{}
	for argument, e := range made {
		arguments[argument], isConstant = sc.plain(e)
		if !isConstant {
			return left
		}
	}
	return Constant{fault.Within("filter "+name, func() any { return python.Apply(name, v, arguments) })}
}

// byDefault is the value, or its default where it is not there; with boolean, where it is empty.
func (sc Scope) byDefault(of Expression, made map[string]Expression) Expression {
	byDefault := made["default_value"]
	if byDefault == nil {
		byDefault = Constant{""}
	}
	ofEmpty := false
	if made["boolean"] != nil {
		is, isConstant := sc.truth(made["boolean"])
		fault.If(!isConstant, "filter default: boolean is not supported")
		ofEmpty = is
	}
	c, isConstant := of.(Constant)
	if !isConstant {
		return Filter{Of: of, Name: "default", Keywords: made}
	}
	_, isLacking := c.Value.(python.Undefined)
	if ofEmpty {
		is, _ := sc.truth(of)
		isLacking = !is
	}
	if isLacking {
		return byDefault
	}
	return of
}

// digested is a hash or a code of what a run knows.
func (sc Scope) digested(name string, of Expression, made map[string]Expression) write.ConfigValue {
	text := sc.textOf(of)
	kind := map[string]string{"hash": "md5", "hmac": "sha256"}[name]
	if made["hash_type"] != nil {
		kind = sc.textArgument(made["hash_type"])
	}
	switch {
	case name == "base64encode":
		return write.Calling("base64_encode", text)
	case python.Hashes[kind] == nil:
		panic(fault.New("the hash %s is not supported", kind))
	case name == "hash" && made["salt"] != nil:
		text = write.Calling("concat", text, sc.textOf(made["salt"]))
		return write.Calling("hash", write.Text(kind), text)
	case name == "hash":
		return write.Calling("hash", write.Text(kind), text)
	case made["key"] == nil || kind != "sha256":
		panic(fault.New("hmac wants a key, and sha256"))
	}
	return write.Calling("hash_hmac", write.Text(kind), text, sc.textOf(made["key"]))
}

// is is a test.
func (sc Scope) is(e Binary) Expression {
	word, argument := testOf(e.Right)
	if operator := python.Comparing[word]; operator != "" && argument != nil {
		made := sc.binary(Binary{operator, e.Left, argument})
		if e.Operator == "is" {
			return made
		}
		return sc.unary("not", sc.eval(made))
	}
	isDefinition := word == "defined" || word == "undefined"
	test := python.Tests[word]
	fault.If(test == nil && !isDefinition || argument != nil, "the test %s is not supported", word)
	left := sc.eval(e.Left)
	c, isConstant := left.(Constant)
	if !isConstant {
		return Binary{e.Operator, left, e.Right}
	}
	var is bool
	if s, ok := c.Value.(manifest.Setting); ok && s.IsSecret {
		is = word == "defined" || word == "string"
	} else {
		v := sc.settle(c.Value)
		_, isUndefined := v.(python.Undefined)
		if isDefinition {
			is = isUndefined == (word == "undefined")
		} else {
			is = test(v)
		}
	}
	return Constant{is == (e.Operator == "is")}
}

// testOf is the name of a test, and its argument.
func testOf(e Expression) (word string, argument Expression) {
	if n, ok := e.(Name); ok {
		return n.Name, nil
	}
	return TestNamed(e)
}

// macro is one of the platform's functions. What it cannot make of what only a run has stays.
func (sc Scope) macro(name string, e Invocation) Expression {
	names, ok := MacroArguments[name]
	fault.If(!ok, "the function %s is not supported", name)
	if name == "max" || name == "min" {
		return sc.extreme(name, e)
	}
	all := sc.arguments(name, names, e.Arguments, e.Keywords)
	if name == "format_datetime" && sc.isOfItem(all["dt"]) {
		return Invocation{Of: e.Of, Keywords: all}
	}
	made, err := fault.Result(func() Expression { return sc.clock(name, all) })
	var unknown unknownName
	switch {
	case errors.As(err, &unknown) && slices.Contains(later, string(unknown)):
		return Invocation{Of: e.Of, Keywords: all}
	case err != nil:
		panic(fault.New("%s: %w", name, err))
	}
	return made
}

// isOfItem tells an expression about the item of a transformation.
func (sc Scope) isOfItem(e Expression) bool {
	return Names(e, "record") && sc.variables["property"] != nil
}

// extreme is the least or greatest of constants.
func (sc Scope) extreme(name string, e Invocation) Expression {
	arguments := sc.evals(e.Arguments)
	if len(arguments) == 2 && slices.ContainsFunc(arguments, isClock) {
		operator := map[string]string{"max": ">", "min": "<"}[name]
		is, ok := sc.compared(operator, arguments[1], arguments[0])
		switch {
		case ok && is:
			return arguments[1]
		case ok:
			return arguments[0]
		}
	}
	values, areConstant := sc.plains(arguments)
	if !areConstant || len(e.Keywords) > 0 {
		return Invocation{Of: e.Of, Arguments: arguments, Keywords: e.Keywords}
	}
	if len(values) == 1 {
		if list, ok := values[0].([]any); ok {
			values = list
		}
	}
	return Constant{python.Ordered(name, values)}
}

// clockMethod is a method of a time; not ok: it is of none.
func (sc Scope) clockMethod(
	method string, of Expression, arguments []Expression, keywords map[string]Expression,
) (Expression, bool) {
	m, isMoment := of.(moment)
	p, isPoint := pointIn(of)
	isPlain := len(arguments) == 0
	switch {
	case !isMoment && !isPoint:
		return nil, false
	case method == "replace" && isMoment && isPlain:
		return m.replace(keywords), true
	case method == "isoformat":
		return sc.isoformat(of, arguments, keywords), true
	case len(keywords) > 0:
		panic(fault.New("%s of a time with named arguments is not supported", method))
	case method == "strftime" && len(arguments) == 1:
		return formatTime(of, sc.textArgument(arguments[0])), true
	case method == "date" && isMoment:
		m = m.midnight()
		m.isDay = true
		return m, true
	case method == "date":
		return Constant{point{p.time.Truncate(times.Day), true}}, true
	case method == "timestamp" && isMoment:
		return seconds{at: m.at, isFraction: true}, true
	case method == "timestamp":
		return Constant{float64(p.time.Unix())}, true
	}
	panic(fault.New("%s of a time is not supported", method))
}

// isoformat is the text of a time as ISO 8601 has it: with another separator than T, or to the second, the minute or the hour.
func (sc Scope) isoformat(of Expression, arguments []Expression, keywords map[string]Expression) Expression {
	m, _ := of.(moment)
	p, isPoint := pointIn(of)
	all := sc.arguments("isoformat", []string{"sep", "timespec"}, arguments, keywords)
	if m.isDay || p.isDay {
		fault.If(len(all) > 0, "isoformat of a date takes no arguments")
		return formatTime(of, "%Y-%m-%d")
	}
	separator, precision := "T", "auto"
	if all["sep"] != nil {
		separator = sc.textArgument(all["sep"])
	}
	if all["timespec"] != nil {
		precision = sc.textArgument(all["timespec"])
	}
	clock, isKnown := map[string]string{
		"auto": "%H:%M:%S.%f", "microseconds": "%H:%M:%S.%f", "milliseconds": "%H:%M:%S.%_ms",
		"seconds": "%H:%M:%S", "minutes": "%H:%M", "hours": "%H",
	}[precision]
	fault.If(!isKnown || separator != "T" && separator != " ", "isoformat with these arguments is not supported")
	if isPoint && precision == "auto" {
		clock = "%H:%M:%S"
	}
	return formatTime(of, "%Y-%m-%d"+separator+clock+"+00:00")
}
