package jq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// A jqWriter is a template about the items while it is written as jq.
type jqWriter struct {
	*Shaping
	at *manifest.Section

	// isDated tells that it has a time of the item.
	isDated bool
}

// valueOf is the value of a field as jq computes it of an item.
func (h *Shaping) valueOf(n *manifest.Section, kind string) string {
	fault.If(n == nil || n.Value == nil, "there is no value")
	source, isText := n.Value.(string)
	if !isText {
		return write.JSON(h.Scope.Mean(n).Value())
	}
	n.Know()
	t := &jqWriter{Shaping: h, at: n}
	jq := t.rendered(fault.Of(template.Parse(source)), kind)
	if !t.isDated {
		return jq
	}
	// Where a time is null Airbyte gives the text of the template.
	return "(try " + jq + ` catch if . == "a time that is null" then ` + write.Quote(source) + " else error(.) end)"
}

// condition is where a template counts as true.
func (h *Shaping) condition(n *manifest.Section) string {
	t := &jqWriter{Shaping: h, at: n}
	return "(" + t.jq(template.FilterOf(n, h.scope())) + " | kept)"
}

// scope is that of a template about an item.
func (h *Shaping) scope() template.Scope {
	later := template.Later
	return h.Scope.With(map[string]template.Variable{"value": later, "property": later, "path": later})
}

// rendered is what a template gives, as the type that is wanted.
func (t *jqWriter) rendered(of template.Template, kind string) string {
	if len(of) == 0 {
		return `""`
	}
	var all []string
	for _, p := range of {
		if p.Expression == nil {
			all = append(all, write.Quote(p.Literal))
			continue
		}
		e := t.scope().At(t.at).Fold(p.Expression)
		if len(of) == 1 {
			return t.wholly(e, kind)
		}
		all = append(all, t.printed(e))
	}
	if len(all) == 1 {
		return conversion(all[0], kind)
	}
	return conversion("("+strings.Join(all, " + ")+")", kind)
}

// printed is an expression about the item as it is printed.
func (t *jqWriter) printed(e template.Expression) string {
	jq := t.jq(e)
	c, isConstant := e.(template.Constant)
	if _, isSetting := c.Value.(manifest.Setting); isConstant && !isSetting {
		return write.Quote(python.Rendered(c.Value))
	}
	return "(" + jq + " | str)"
}

// conversion is a value as Airbyte reads it of the text that a template gives.
func conversion(jq, kind string) string {
	_, isLiteral := python.Literal(item.Unquote([]byte(jq)))
	// No reading changes such a constant.
	isCertain := strings.HasPrefix(jq, `"`) && strings.Count(jq, `"`) == 2 && !isLiteral
	switch kind {
	case "string":
		if isCertain {
			return jq
		}
		// A text in quotes is the one within.
		return "(" + jq + ` | str | . as $text | lit | if type == "string" then . else $text end)`
	case "integer":
		return "(" + jq + ` | (lit) as $x | if ($x | type) == "boolean" or ($x | type) == "number" ` +
			`and $x == ($x | floor) then $x else str end)`
	case "boolean":
		return "(" + jq + ` | (lit) as $x | if ($x | type) == "boolean" then $x else str end)`
	}
	if isCertain {
		return jq
	}
	return "(" + jq + " | lit)"
}

// wholly is the value of a template that is one expression. Some filters are understood of an item only as the last of
// it: what they give is exact as a value, but not as a part of another one.
func (t *jqWriter) wholly(e template.Expression, kind string) string {
	switch e := template.Unwrapped(e).(type) {
	case template.Dict:
		return conversion(t.object(e), kind)
	case template.Ternary:
		if isWhole(e) {
			return t.choice(e, func(e template.Expression) string { return t.wholly(e, kind) })
		}
	case template.Filter:
		switch {
		case e.Name == "string":
			return t.asString(e, kind)
		case isWhole(e) && kind != "":
			panic(fault.New("the filter %s beside a value_type is not supported", e.Name))
		case e.Name == "float" && len(e.Arguments)+len(e.Keywords) > 0:
			panic(fault.New("the filter float with a default is not supported of an item"))
		case e.Name == "float":
			return "(" + t.jq(e.Of) + " | float)"
		case e.Name == "regex_search":
			return t.searched(e)
		case e.Name == "list":
			return t.listed(e)
		}
	}
	return conversion(t.jq(e), kind)
}

// isWhole tells whether an expression is such a filter, or chooses one.
func isWhole(e template.Expression) bool {
	switch e := template.Unwrapped(e).(type) {
	case template.Filter:
		return slices.Contains([]string{"string", "float", "regex_search", "list"}, e.Name)
	case template.Dict:
		return true
	case template.Ternary:
		return isWhole(e.Yes) || isWhole(e.No)
	}
	return false
}

// asString is the value of a template that is the filter string alone: a number stays a text.
func (t *jqWriter) asString(f template.Filter, kind string) string {
	of := t.jq(f.Of)
	switch kind {
	case "":
		return "(" + of + ` | if type == "string" then lit else dump end)`
	case "string":
		return "(" + of + ` | if type == "string" then . else dump end)`
	}
	panic(fault.New("the filter string beside a value_type is not supported"))
}

// searched is the first group of a regular expression, and the text of the template where there is no text to
// search.
func (t *jqWriter) searched(f template.Filter) string {
	regex := ""
	for _, e := range append(template.ByName(f.Keywords, "regex"), f.Arguments...) {
		regex, _ = template.ConstantText(e)
	}
	if !plainRegex().MatchString(regex) || len(f.Arguments)+len(f.Keywords) != 1 {
		panic(fault.New("this regular expression is not supported of an item: want plain characters, " +
			"sets of them in brackets, and one group without a mark behind it"))
	}
	path, isMember := memberOf(f.Of)
	fault.If(!isMember, "the filter regex_search of more than a member is not supported")
	if rest, isBegun := strings.CutPrefix(regex, "^"); isBegun {
		regex = `\A` + rest
	}
	if rest, isEnded := strings.CutSuffix(regex, "$"); isEnded {
		regex = rest + `\Z`
	}
	// An empty group is null in some versions of jq.
	search := "[match(" + write.Quote(regex) + `).captures[0].string][0] // "" | lit`
	return "(at(" + steps(path) + `; null) | if type == "string" then ` + search +
		" else " + write.Quote(t.at.Text()) + " end)"
}

// plainRegex is a regular expression that all languages read in the same way, but for its ends.
var plainRegex = pattern.Lazy(
	`^\^?(` + plainPieces + `)*\(((` + plainPieces + `)+)\)(` + plainPieces + `)*\$?$`,
)

const plainPieces = `(?:[A-Za-z0-9 _/:;,@%&=<>"'!~-]|\\[-/._:?+=&#@]|\.|` +
	`\[\^?(?:[A-Za-z0-9 _/:;,.@%=<>?!+]|\\[-/.])+-?\]|\[\^?[A-Za-z0-9_/.]-[A-Za-z0-9]` +
	`(?:[A-Za-z0-9_/.]-[A-Za-z0-9]|[A-Za-z0-9_/.:])*-?\]|\\d)(?:[*+?]\??)?`

// listed is the list of a member of each element. Where one lacks it, the list remains a text.
func (t *jqWriter) listed(f template.Filter) string {
	mapped, _ := f.Of.(template.Filter)
	isMap := mapped.Name == "map" && len(f.Arguments)+len(f.Keywords) == 0
	member, isNamed := template.ConstantText(mapped.Keywords["attribute"])
	isPlain := isMap && isNamed && len(mapped.Keywords) == 1 && len(mapped.Arguments) == 0
	// An object without such a member has these names as well.
	isMethod := member == "fromkeys" || slices.Contains(template.ObjectMethods, member)
	isOdd := strings.Contains(member, ".") || strings.Trim(member, "0123456789") == "" || isMethod
	fault.If(!isPlain || isOdd, "of a list only map(attribute='name') | list is supported")
	return "(" + t.jq(mapped.Of) + " | each_(" + write.Quote(member) + "))"
}

// object is an object of members of the item. Where the item lacks one that is not asked for by get, it remains a text.
func (t *jqWriter) object(d template.Dict) string {
	var all []string
	for i, k := range d.Keys {
		name, isText := template.ConstantText(k)
		fault.If(!isText, "an object with names that are not texts is not supported")
		all = append(all, t.pair(write.Quote(name), d.Values[i]))
	}
	return "([" + strings.Join(all, ", ") + "] | pairs)"
}

// pair is a name and a value in a list, in which the value may be missing.
func (t *jqWriter) pair(name string, value template.Expression) string {
	pair := "[" + name + ", " + t.jq(value) + "]"
	if !template.Names(value, "record", "value") {
		m := t.Scope.At(t.at).MeaningOf(value)
		fault.If(m.Format != "" || m.IsNumeral, "an object with a time of the slice is not supported")
		return pair
	}
	path, isMember := memberOf(value)
	fault.If(!isMember, "an object of more than members of the item is not supported")
	if _, isGet := value.(template.Invocation); isGet {
		return pair
	}
	return "(if there(" + steps(path) + ") then " + pair + " else [" + name + "] end)"
}

// memberOf is the path of the item's member that an expression names.
func memberOf(e template.Expression) (path []string, ok bool) {
	variable, path, ok := template.Reference(e)
	return path, ok && variable == "record" && len(path) > 0
}

// jq is an expression about the item, which is its input.
func (t *jqWriter) jq(e template.Expression) string {
	e = template.Unwrapped(e)
	if !template.Names(e, "record", "value") {
		return t.outside(e)
	}
	switch e := e.(type) {
	case template.Name:
		if e.Name == "value" {
			return "$value"
		}
		return wholeItem
	case template.Invocation:
		if of, isFunction := e.Of.(template.Name); isFunction {
			return t.dated(of.Name, e)
		}
		return t.member(e)
	case template.Index:
		return t.member(e)
	case template.Filter:
		return t.filtered(e)
	case template.Unary:
		if e.Operator == "not" {
			return "(" + t.jq(e.Of) + " | yes | not)"
		}
		return "(" + e.Operator + "(" + t.jq(e.Of) + "))"
	case template.Binary:
		return t.binary(e)
	case template.Ternary:
		return t.choice(e, t.jq)
	}
	panic(fault.New("this expression is not supported of an item"))
}

// choice is one of two values, each of which is written in some way.
func (t *jqWriter) choice(e template.Ternary, by func(template.Expression) string) string {
	return "(if " + t.jq(e.Condition) + " | yes then " + by(e.Yes) + " else " + by(e.No) + " end)"
}

// outside is what no item decides: a constant, or a value of the run, which the job adds under a name of its
// own.
func (t *jqWriter) outside(e template.Expression) string {
	if c, ok := e.(template.Constant); ok {
		s, isSetting := c.Value.(manifest.Setting)
		_, isMissing := c.Value.(python.Undefined)
		switch {
		case isMissing:
			return `""`
		case s.IsSecret:
			panic(fault.New("the secret %s as a part of items is not supported", s.Path))
		case !isSetting:
			return python.Encoded(c.Value)
		}
	}
	m := t.Scope.At(t.at).MeaningOf(e)
	fault.If(m.Moment, "a value from outside the item is not supported here")
	if m.Expr == nil {
		return python.Encoded(m.Constant)
	}
	name := fmt.Sprintf("sluice_%d", len(t.added)+1)
	t.added = append(t.added, name)
	t.Job.UserData = t.Job.UserData.And(name, m.Expr)
	return "." + name
}

// dated is format_datetime of a value of the item: of an ISO 8601 text, in UTC. Of null Airbyte gives the text of
// the template; of other texts and values it may fail, and jq does.
func (t *jqWriter) dated(name string, c template.Invocation) string {
	all := template.Bind(template.MacroArguments[name], c.Arguments, c.Keywords)
	fault.If(name != "format_datetime" || all["input_format"] != nil || all["dt"] == nil,
		"the function %s of an item is not supported in this way", name)
	format, _ := template.ConstantText(all["format"])
	t.isDated = true
	moment := "(" + t.jq(all["dt"]) + " | moment"
	switch {
	case format == "%s":
		return moment + " | tostring)"
	case !numericFormat().MatchString(format):
		panic(fault.New("the format %q of an item is not supported", format))
	}
	return moment + " | strftime(" + write.Quote(strings.ReplaceAll(format, "%z", "+0000")) + "))"
}

// numericFormat is a format of times that has numbers alone, which all versions of jq write alike.
var numericFormat = pattern.Lazy(`(?s)^(?:[^%]|%[YmdHMSjz])+$`)

// member is a value of the item at a path, or what a method makes of one.
func (t *jqWriter) member(e template.Expression) string {
	c, isCall := e.(template.Invocation)
	if variable, path, ok := template.Reference(e); ok && len(path) > 0 {
		missing := `""`
		if isCall {
			missing = "null"
		}
		at := "at(" + steps(path) + "; " + missing + ")"
		if variable == "value" {
			return "($value | " + at + ")"
		}
		return at
	}
	if isCall {
		return t.method(c)
	}
	i := e.(template.Index)
	of := t.jq(i.Of)
	step, ok := template.StepOf(i.Key)
	switch {
	case template.IsMinusOne(i.Key):
		return called(filters["last"], of)
	case !ok:
		panic(fault.New("a part of a list or a text is not supported"))
	}
	return "(" + of + " | at(" + steps([]string{step}) + `; ""))`
}

// methods are those of texts and objects: $0 is the value, $1 the first argument.
var methods = map[string]string{
	"endswith":   "$0 | endswith($1)",
	"get":        "$0 | at($1; $2)",
	"lower":      "$0 | ascii | ascii_downcase",
	"replace":    "$0 | split($1) | join($2)",
	"split":      "$0 | split($1)",
	"startswith": "$0 | startswith($1)",
	"upper":      "$0 | ascii | ascii_upcase",
}

// filters are those of values.
var filters = map[string]string{
	"count":   "$0 | length",
	"first":   `$0 | if type == "array" and length > 0 then .[0] else "" end`,
	"int":     "$0 | int",
	"join":    "$0 | map(str) | join($1)",
	"last":    `$0 | if type == "array" and length > 0 then .[-1] else "" end`,
	"length":  "$0 | length",
	"lower":   "$0 | ascii | ascii_downcase",
	"replace": "$0 | str | split($1) | join($2)",
	"upper":   "$0 | ascii | ascii_upcase",
}

// called is a function of values.
func called(function string, values ...string) string {
	var pairs []string
	for i, v := range values {
		pairs = append(pairs, "$"+strconv.Itoa(i), v)
	}
	return "(" + strings.NewReplacer(pairs...).Replace(function) + ")"
}

// method is what a method makes of a value of the item.
func (t *jqWriter) method(c template.Invocation) string {
	of, ok := c.Of.(template.Index)
	method, _ := template.ConstantText(of.Key)
	values := []string{t.jq(of.Of)}
	for _, a := range c.Arguments {
		values = append(values, t.jq(a))
	}
	if method == "get" && len(values) == 2 {
		values = append(values, "null")
	}
	known := methods[method]
	fault.If(!ok || len(c.Keywords) > 0 || known == "" || strings.Count(known, "$") != len(values),
		"%s() of an item is not supported", method)
	if method == "get" {
		key, ok := template.ConstantText(c.Arguments[0])
		fault.If(!ok, "a name that an item decides is not supported")
		values[1] = steps([]string{key})
	}
	return called(known, values...)
}

// filtered is what a filter makes of a value of the item.
func (t *jqWriter) filtered(f template.Filter) string {
	if f.Name == "default" || f.Name == "d" {
		return t.byDefault(f)
	}
	values := []string{t.jq(f.Of)}
	known := filters[f.Name]
	arguments := template.Bind(python.Filters[f.Name].Arguments, f.Arguments, f.Keywords)
	for _, name := range python.Filters[f.Name].Arguments {
		if arguments[name] != nil && strings.Contains(known, "$1") {
			values = append(values, t.jq(arguments[name]))
		}
	}
	fault.If(known == "" || strings.Count(known, "$") != len(values),
		"the filter %s of an item is not supported", f.Name)
	return called(known, values...)
}

// byDefault is a value, or another where the item has none.
func (t *jqWriter) byDefault(f template.Filter) string {
	path, isMember := memberOf(f.Of)
	byDefault := append(template.ByName(f.Keywords, "default_value"), f.Arguments...)
	fault.If(!isMember || f.Keywords["boolean"] != nil || len(byDefault) != 1,
		"the filter default of more than a member is not supported")
	if c, ok := f.Of.(template.Invocation); ok {
		// What get gives is there, if only as null.
		return t.jq(c)
	}
	return "at(" + steps(path) + "; " + t.jq(byDefault[0]) + ")"
}

// operators of two sides: $0 is the left value, $1 the right one.
var operators = map[string]string{
	"!=":     "$0 != $1",
	"*":      "$0 * $1",
	"+":      "$0 + $1",
	"-":      "$0 - $1",
	"<":      "$0 < $1",
	"<=":     "$0 <= $1",
	"==":     "$0 == $1",
	">":      "$0 > $1",
	">=":     "$0 >= $1",
	"and":    "$0 as $l | if $l | yes then $1 else $l end",
	"in":     "$0 as $l | $1 | has_($l)",
	"not in": "($0 as $l | $1 | has_($l)) | not",
	"or":     "$0 as $l | if $l | yes then $l else $1 end",
	"~":      "$0 + $1",
}

func (t *jqWriter) binary(e template.Binary) string {
	write := t.jq
	switch e.Operator {
	case "is", "is not":
		return t.test(e)
	case "~":
		write = t.printed
	}
	left, right := write(e.Left), write(e.Right)
	known := operators[e.Operator]
	isEquality := e.Operator == "==" || e.Operator == "!="
	fault.If(known == "", "the operator %s of an item is not supported", e.Operator)
	if isEquality && (left == `""` || right == `""`) {
		// What is missing is not the empty text there.
		panic(fault.New("a comparison with the empty text is not supported"))
	}
	return called(known, left, right)
}

// test is for is.
func (t *jqWriter) test(e template.Binary) string {
	test, with := template.TestNamed(e.Right)
	not := ""
	if e.Operator == "is not" {
		not = " | not"
	}
	if test == "defined" {
		_, path, ok := template.Reference(e.Left)
		_, isGet := e.Left.(template.Invocation)
		switch {
		case ok && isGet:
			return "(true" + not + ")"
		case !ok || len(path) == 0:
			panic(fault.New("is defined of more than a member is not supported"))
		}
		return "(there(" + steps(path) + ")" + not + ")"
	}
	of := t.jq(e.Left)
	c, isConstant := with.(template.Constant)
	switch test {
	case "none":
		return "(" + of + " == null" + not + ")"
	case "true", "false", "sameas":
		if isConstant {
			return "(" + of + " == " + python.Encoded(c.Value) + not + ")"
		}
	case "string", "number", "boolean":
		return "((" + of + ` | type) == ` + write.Quote(test) + not + ")"
	}
	panic(fault.New("the test %s of an item is not supported", test))
}
