package jq

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// use notes that a definition is needed by a text.
func (h *Shaping) use(name, text string) string {
	if !slices.Contains(h.used, name) {
		h.used = append(h.used, name)
	}
	return text
}

// valueOf is the value of a field as jq computes it of an item.
func (h *Shaping) valueOf(n *manifest.Node, kind string) (string, error) {
	if n == nil || n.Value == nil {
		return "", errors.New("there is no value")
	}
	text, isText := n.Value.(string)
	if !isText {
		m, err := h.Scope.Mean(n)
		return m.JSON(), err
	}
	n.Know()
	t, err := template.Parse(text)
	if err != nil {
		return "", err
	}
	h.isDated = false
	jq, err := h.rendered(t, n, kind)
	return h.orText(jq, n), err
}

// rendered is what a template gives, as the type that is wanted.
func (h *Shaping) rendered(t template.Template, n *manifest.Node, kind string) (string, error) {
	var all []string
	for _, p := range t {
		if p.Expression == nil {
			all = append(all, write.Quote(p.Literal))
			continue
		}
		e, err := h.scope(n).Fold(p.Expression)
		if err != nil {
			return "", err
		}
		if len(t) == 1 && isWhole(e) {
			return h.wholly(e, n, kind)
		}
		jq, err := h.jq(e, n)
		if err != nil {
			return "", err
		}
		if len(t) > 1 {
			jq = h.text(jq, e)
		}
		all = append(all, jq)
	}
	switch len(all) {
	case 0:
		return `""`, nil
	case 1:
		return h.conversion(all[0], kind), nil
	}
	return h.conversion("("+strings.Join(all, " + ")+")", kind), nil
}

// asString is the value of a template that is the filter string alone: a number stays a text.
func (h *Shaping) asString(f template.Filter, n *manifest.Node, kind string) (string, error) {
	of, err := h.jq(f.Of, n)
	switch kind {
	case "":
		h.use("dump", "")
		return h.use("lit", "("+of+` | if type == "string" then lit else dump end)`), err
	case "string":
		return h.use("dump", "("+of+` | if type == "string" then . else dump end)`), err
	}
	return "", errors.New("the filter string beside a value_type is not understood")
}

// text is a value as it is printed.
func (h *Shaping) text(jq string, e template.Expression) string {
	if c, ok := e.(template.Constant); ok {
		return write.Quote(python.Rendered(c.Value))
	}
	return h.use("str", "("+jq+" | str)")
}

// conversion is a value as that platform reads it of the text that a template gives.
func (h *Shaping) conversion(jq, kind string) string {
	switch kind {
	case "string":
		return h.use("str", "("+jq+" | str)")
	case "integer":
		h.use("str", "")
		return h.use(
			"lit",
			"("+jq+` | (lit) as $x | if ($x | type) == "boolean" or ($x | type) == "number" `+
				`and $x == ($x | floor) then $x else str end)`,
		)
	case "boolean":
		h.use("str", "")
		return h.use("lit", "("+jq+` | (lit) as $x | if ($x | type) == "boolean" then $x else str end)`)
	}
	if isCertain(jq) {
		return jq
	}
	return h.use("lit", "("+jq+" | lit)")
}

// isCertain tells a constant that no reading changes.
func isCertain(jq string) bool {
	if !strings.HasPrefix(jq, `"`) || strings.Count(jq, `"`) != 2 {
		return false
	}
	_, isLiteral := python.Literal(item.Unquote([]byte(jq)))
	return !isLiteral
}

// scope is that of a template about an item.
func (h *Shaping) scope(n *manifest.Node) template.Scope {
	later := func([]string) (template.Meaning, error) { return template.Meaning{}, errors.New("it is known later") }
	return h.Scope.With(map[string]template.Variable{"value": later, "property": later, "path": later}).At(n)
}

// condition is where a template counts as true.
func (h *Shaping) condition(n *manifest.Node) (string, error) {
	e, err := template.FilterOf(n, h.scope(n))
	if err != nil {
		return "", err
	}
	jq, err := h.jq(e, n)
	return h.use("kept", "("+jq+" | kept)"), err
}

// jq is an expression about the item, which is its input.
func (h *Shaping) jq(e template.Expression, n *manifest.Node) (string, error) {
	e = template.Unwrapped(e)
	if !template.Names(e, "record", "value") {
		return h.outside(e, n)
	}
	switch e := e.(type) {
	case template.Name:
		if e.Name == "value" {
			return "$value", nil
		}
		return ".", nil
	case template.Call:
		if _, isFunction := e.Of.(template.Name); isFunction {
			return h.dated(e, n)
		}
		return h.member(e, n)
	case template.Index:
		return h.member(e, n)
	case template.Filter:
		return h.filtered(e, n)
	case template.Unary:
		return h.unary(e, n)
	case template.Binary:
		return h.binary(e, n)
	case template.Choice:
		return h.choice(e, n)
	}
	return "", fmt.Errorf("this expression is not understood of an item")
}

// outside is what no item decides: a constant, or a value of the run, which the job adds under a name of its
// own.
func (h *Shaping) outside(e template.Expression, n *manifest.Node) (string, error) {
	if c, ok := e.(template.Constant); ok {
		switch v := c.Value.(type) {
		case python.Undefined:
			return `""`, nil
		case manifest.Setting:
			if v.IsSecret {
				return "", fmt.Errorf("the secret %s as a part of items is not understood", v.Path)
			}
		default:
			return python.Encoded(c.Value), nil
		}
	}
	m, err := h.Scope.At(n).MeaningOf(e)
	if err != nil {
		return "", err
	}
	if m.Moment {
		return "", errors.New("a value that is no item's is not understood here")
	}
	if m.Expr == "" {
		return python.Encoded(m.Constant), nil
	}
	name := fmt.Sprintf("sluice_%d", len(h.added)+1)
	h.added = append(h.added, name)
	h.Job.UserData = append(h.Job.UserData, name, m.Expr)
	return "." + name, nil
}

// member is a value of the item at a path, or what a method makes of one.
func (h *Shaping) member(e template.Expression, n *manifest.Node) (string, error) {
	if variable, path, ok := template.Reference(e); ok && len(path) > 0 {
		missing := `""`
		if _, isGet := e.(template.Call); isGet {
			missing = "null"
		}
		at := h.use("at", "at("+steps(path)+"; "+missing+")")
		if variable == "value" {
			return "($value | " + at + ")", nil
		}
		return at, nil
	}
	if c, ok := e.(template.Call); ok {
		return h.method(c, n)
	}
	i := e.(template.Index)
	of, err := h.jq(i.Of, n)
	if err != nil {
		return "", err
	}
	if template.IsMinusOne(i.Key) {
		return "(" + of + ` | if type == "array" and length > 0 then .[-1] else "" end)`, nil
	}
	step, ok := template.StepOf(i.Key)
	if !ok {
		return "", errors.New("a part of a list or a text is not understood")
	}
	return h.use("at", "("+of+" | at("+steps([]string{step})+`; ""))`), nil
}

// method is what a method makes of a value of the item.
func (h *Shaping) method(c template.Call, n *manifest.Node) (string, error) {
	of, ok := c.Of.(template.Index)
	method, _ := template.ConstantText(of.Key)
	var arguments []string
	for _, a := range c.Arguments {
		jq, err := h.jq(a, n)
		if err != nil {
			return "", err
		}
		arguments = append(arguments, jq)
	}
	isPlain := ok && len(c.Keywords) == 0
	value, err := h.jq(of.Of, n)
	if err != nil {
		return "", err
	}
	if method == "get" && len(arguments) == 1 {
		arguments = append(arguments, "null")
	}
	known, isKnown := methods[method]
	if !isPlain || !isKnown || known.arguments != len(arguments) {
		return "", fmt.Errorf("%s() of an item is not understood", method)
	}
	if method == "get" {
		key, ok := template.ConstantText(c.Arguments[0])
		if !ok {
			return "", errors.New("a name that an item decides is not understood")
		}
		arguments[0] = steps([]string{key})
	}
	return h.called(known, append([]string{value}, arguments...)), nil
}

// filtered is what a filter makes of a value of the item.
func (h *Shaping) filtered(f template.Filter, n *manifest.Node) (string, error) {
	of, err := h.jq(f.Of, n)
	if err != nil {
		return "", err
	}
	argument := func(name string) (string, error) {
		for _, e := range append(template.ByName(f.Keywords, name), f.Arguments...) {
			return h.jq(e, n)
		}
		return "", fmt.Errorf("the filter %s without an argument is not understood", f.Name)
	}
	if known, ok := filters[f.Name]; ok {
		return h.called(known, []string{of}), nil
	}
	switch f.Name {
	case "string":
		return "", errors.New("the filter string within an expression is not understood")
	case "default", "d":
		return h.byDefault(f, n, argument)
	case "replace":
		return h.replaced(of, f, n)
	case "join":
		by, err := argument("d")
		return h.use("str", "("+of+" | map(str) | join("+by+"))"), err
	}
	return "", fmt.Errorf("the filter %s of an item is not understood", f.Name)
}

// byDefault is a value, or another where the item has none.
func (h *Shaping) byDefault(
	f template.Filter, n *manifest.Node, argument func(string) (string, error),
) (string, error) {
	variable, path, ok := template.Reference(f.Of)
	isMember := ok && variable == "record" && len(path) > 0 && f.Keywords["boolean"] == nil &&
		len(f.Arguments) < 2
	if !isMember {
		return "", errors.New("the filter default of more than a member is not understood")
	}
	if c, ok := f.Of.(template.Call); ok {
		// What get gives is there, if only as null.
		return h.jq(c, n)
	}
	byDefault, err := argument("default_value")
	return h.use("at", "at("+steps(path)+"; "+byDefault+")"), err
}

func (h *Shaping) replaced(of string, f template.Filter, n *manifest.Node) (string, error) {
	all := f.Arguments
	if len(all) == 0 {
		all = append(template.ByName(f.Keywords, "old"), template.ByName(f.Keywords, "new")...)
	}
	if len(all) != 2 || f.Keywords["count"] != nil {
		return "", errors.New("the filter replace wants two texts")
	}
	old, err1 := h.jq(all[0], n)
	by, err2 := h.jq(all[1], n)
	h.use("str", "")
	return "(" + of + " | str | split(" + old + ") | join(" + by + "))", errors.Join(err1, err2)
}

func (h *Shaping) unary(e template.Unary, n *manifest.Node) (string, error) {
	of, err := h.jq(e.Of, n)
	if e.Operator == "not" {
		return h.use("yes", "("+of+" | yes | not)"), err
	}
	return "(" + e.Operator + "(" + of + "))", err
}

func (h *Shaping) choice(e template.Choice, n *manifest.Node) (string, error) {
	no := e.No
	if no == nil {
		no = template.Constant{Value: ""}
	}
	condition, err1 := h.jq(e.Condition, n)
	yes, err2 := h.jq(e.Yes, n)
	other, err3 := h.jq(no, n)
	return h.use("yes", "(if "+condition+" | yes then "+yes+" else "+other+" end)"), errors.Join(err1, err2, err3)
}

func (h *Shaping) binary(e template.Binary, n *manifest.Node) (string, error) {
	if e.Operator == "is" || e.Operator == "is not" {
		return h.test(e, n)
	}
	left, err1 := h.jq(e.Left, n)
	right, err2 := h.jq(e.Right, n)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	switch e.Operator {
	case "and":
		return h.use("yes", "("+left+" as $l | if $l | yes then "+right+" else $l end)"), nil
	case "or":
		return h.use("yes", "("+left+" as $l | if $l | yes then $l else "+right+" end)"), nil
	case "==", "!=":
		// What is missing is not the empty text there.
		if left == `""` || right == `""` {
			return "", errors.New("a comparison with the empty text is not understood")
		}
		return "(" + left + " " + e.Operator + " " + right + ")", nil
	case "<", "<=", ">", ">=", "+", "-", "*":
		return "(" + left + " " + e.Operator + " " + right + ")", nil
	case "~":
		return "(" + h.text(left, e.Left) + " + " + h.text(right, e.Right) + ")", nil
	case "in":
		return h.contained(left, right), nil
	case "not in":
		return "(" + h.contained(left, right) + " | not)", nil
	}
	return "", fmt.Errorf("the operator %s of an item is not understood", e.Operator)
}

// contained is for in.
func (h *Shaping) contained(left, right string) string {
	return h.use("has_", "("+left+" as $l | "+right+" | has_($l))")
}

// test is for is.
func (h *Shaping) test(e template.Binary, n *manifest.Node) (string, error) {
	test, with := template.TestNamed(e.Right)
	not := ""
	if e.Operator == "is not" {
		not = " | not"
	}
	if test == "defined" {
		_, path, ok := template.Reference(e.Left)
		if _, isGet := e.Left.(template.Call); ok && isGet {
			return "(true" + not + ")", nil
		}
		if !ok || len(path) == 0 {
			return "", errors.New("is defined of more than a member is not understood")
		}
		return h.use("there", "(there("+steps(path)+")"+not+")"), nil
	}
	of, err := h.jq(e.Left, n)
	if err != nil {
		return "", err
	}
	switch test {
	case "none":
		return "(" + of + " == null" + not + ")", nil
	case "true", "false", "sameas":
		c, ok := with.(template.Constant)
		if ok {
			return "(" + of + " == " + python.Encoded(c.Value) + not + ")", nil
		}
	case "string", "number", "boolean":
		return "((" + of + ` | type) == ` + write.Quote(test) + not + ")", nil
	}
	return "", fmt.Errorf("the test %s of an item is not understood", test)
}
