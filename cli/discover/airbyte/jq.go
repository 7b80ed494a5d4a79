package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// definitions are functions of jq that steps may need, in the order in which they need each other.
var definitions = []struct{ name, text string }{
	{"at", `def at($p; $d): reduce $p[] as $k ([.]; if length == 0 then . else .[0] as $v | ` +
		`if ($v | type) == "object" and ($v | has($k)) then [$v[$k]] ` +
		`elif ($v | type) == "array" and ($k | test("^[0-9]+$")) and ($k | tonumber) < ($v | length) ` +
		`then [$v[$k | tonumber]] else [] end end) | if length == 0 then $d else .[0] end;`},
	{"there", `def there($p): reduce $p[] as $k ([.]; if length > 0 and (.[0] | type) == "object" ` +
		`and (.[0] | has($k)) then [.[0][$k]] else [] end) | length > 0;`},
	{"yes", `def yes: . != null and . != false and . != 0 and . != "" and . != [] and . != {};`},
	{"kept", `def kept: . == null or (. != false and . != 0 and . != [] and . != {} ` +
		`and (. as $v | ["", "False", "false", "{}", "[]", "()", "0", "0.0"] | index([$v]) == null));`},
	{"str", `def rep: if . == null then "None" elif . == true then "True" elif . == false then "False" ` +
		`elif type == "string" then (if contains("'") and (contains("\"") | not) then "\"" else "'" end) ` +
		`as $q | $q + (gsub("\\\\"; "\\\\") | gsub("\n"; "\\n") | gsub("\r"; "\\r") | gsub("\t"; "\\t") ` +
		`| if $q == "'" then gsub("'"; "\\'") else . end) + $q ` +
		`elif type == "array" then "[" + (map(rep) | join(", ")) + "]" ` +
		`elif type == "object" then "{" ` +
		`+ (to_entries | map((.key | rep) + ": " + (.value | rep)) | join(", ")) + "}" ` +
		`else tostring end; def str: if type == "string" then . else rep end;`},
	{"dump", `def dump: if type == "array" then "[" + (map(dump) | join(", ")) + "]" elif type == "object" ` +
		`then "{" + (to_entries | map((.key | tojson) + ": " + (.value | dump)) | join(", ")) ` +
		`+ "}" else tojson end;`},
	{"lit", `def lit: if type != "string" then . elif . == "True" then true elif . == "False" then false ` +
		`elif . == "None" then null elif test("^[-+]?(0(_?0)*|[1-9](_?[0-9])*)$") and length < 16 ` +
		`then gsub("[+_]"; "") | tonumber ` +
		`elif test("^[-+]?([0-9]+[.][0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$|^[-+]?[0-9]+[eE][-+]?[0-9]+$") ` +
		`then ltrimstr("+") | sub("[.](?<e>$|[eE])"; ".0\(.e)") | sub("^(?<s>-?)[.]"; "\(.s)0.") ` +
		`| tonumber else . end;`},
	{"int", `def int: if . == true then 1 elif type == "number" then if . < 0 then ceil else floor end ` +
		`elif type == "string" and test("^ *[-+]?[0-9](_?[0-9])*([.][0-9]*)? *$") ` +
		`then gsub("[ +_]"; "") | tonumber ` +
		`| if . < 0 then ceil else floor end else 0 end;`},
	{"float", `def float: if type == "number" then . elif . == true then 1 ` +
		`elif type == "string" and test("\\A\\s*[-+]?(inf(inity)?|nan)\\s*\\z"; "i") ` +
		`then error("a number that is none") ` +
		`elif type == "string" and test("\\A\\s*[-+]?([0-9](_?[0-9])*[.]?` +
		`([0-9](_?[0-9])*)?|[.][0-9](_?[0-9])*)([eE][-+]?[0-9](_?[0-9])*)?\\s*\\z") ` +
		`then gsub("\\s|_"; "") | ltrimstr("+") | sub("[.](?<e>$|[eE])"; ".0\(.e)") ` +
		`| sub("^(?<s>-?)[.]"; "\(.s)0.") | tonumber else 0 end;`},
	{"each_", `def each_($k): if yes | not then [] ` +
		`elif type != "array" then error("no list of objects") ` +
		`elif all(.[]; type == "object" and has($k)) then map(.[$k]) ` +
		`else "[" + (map(if type == "object" and has($k) then .[$k] | rep else "Undefined" end) ` +
		`| join(", ")) + "]" end;`},
	{"thin", `def thin(f): def leaf: type != "object" and type != "array"; if type == "object" ` +
		`then with_entries(select(.value | (leaf and f) | not) | .value |= thin(f)) ` +
		`elif type == "array" then (if length > 0 and (.[-1] | leaf and f) then .[:-1] else . end) ` +
		`| map(if leaf and f then null else thin(f) end) else . end;`},
	{"moment", `def moment: if . == null then error("a time that is null") elif type != "string" ` +
		`then error("a time that is no text") else ([capture("\\A(?<y>19[7-9][0-9]|2[0-9]{3})-(?<m>[01][0-9])-` +
		`(?<d>[0-3][0-9])([T ](?<h>[01][0-9]|2[0-3]):(?<i>[0-5][0-9])(:(?<s>[0-5][0-9])([.,][0-9]+)?)?` +
		`([Zz]|(?<p>[+-])(?<a>[01][0-9]|2[0-3])(:?(?<b>[0-5][0-9]))?)?)?\\z")] | .[0]) as $t ` +
		`| if $t == null then error("a time that is not understood") else $t | map_values(. // "0") ` +
		`| ([(.y, .m, .d, .h, .i, .s) | tonumber] | .[1] -= 1 | . + [0, 0] | mktime) as $u ` +
		`| if ($u | strftime("%m-%d")) != "\(.m)-\(.d)" then error("a day that is none") ` +
		`else $u - (if .p == "-" then -60 else 60 end) * ((.a | tonumber) * 60 + (.b | tonumber)) end ` +
		`| if . < 0 then error("a time before 1970") else . end end end;`},
	{"pairs", `def pairs: if all(.[]; length == 2) then map({(.[0]): .[1]}) | add else "{" ` +
		`+ (map((.[0] | rep) + ": " + (if length == 2 then .[1] | rep else "Undefined" end)) ` +
		`| join(", ")) + "}" end;`},
	{"ascii", `def ascii: if explode | any(. > 127) then error("a text that is not ASCII") else . end;`},
	{"has_", `def has_($x): if type == "object" then has($x) elif type == "array" then index([$x]) != null ` +
		`elif type == "string" then contains($x) else false end;`},
	{"renamed", `def renamed($a; $b): if type == "object" then with_entries(.key |= (split($a) | join($b)) ` +
		`| .value |= renamed($a; $b)) else . end;`},
	{"snake", `def snake: [match("[A-Z]+[a-z]*|[a-z]+|[0-9]+|[^a-zA-Z0-9]+"; "g").string ` +
		`| if test("^[^a-zA-Z0-9]") then "" else . end] ` +
		`| if length > 2 then .[:1] + (.[1:-1] | map(select(. != ""))) + .[-1:] else . end ` +
		`| if length > 0 and (.[0] | test("^[0-9]+$")) then [""] + . else . end ` +
		`| map(ascii_downcase) | join("_");`},
	{
		"flat",
		`def flat($lists): {s: [[., "_"]], o: {}, f: false} | until(.s | length == 0; .s[-1] as [$v, $p] ` +
			`| .s |= .[:-1] | if ($v | type) == "object" then reduce ($v | to_entries[]) as $e (.; ` +
			`(if .f or (.o | has($e.key)) ` +
			`then "\($p).\($e.key)" else $e.key end) as $k | .s += [[$e.value, $k]]) ` +
			`elif $lists and ($v | type) == "array" then reduce range($v | length) as $i (.; .f = true ` +
			`| .s += [[$v[$i], "\($p).\($i)"]]) else .o[$p] = $v end) | .o;`,
	},
}

// use notes that a definition is needed by a text.
func (h *shaping) use(name, text string) string {
	if !slices.Contains(h.used, name) {
		h.used = append(h.used, name)
	}
	return text
}

// names tells whether an expression names one of these variables.
func names(e expression, variables ...string) bool {
	within := func(all ...expression) bool {
		return slices.ContainsFunc(all, func(e expression) bool { return names(e, variables...) })
	}
	words := func(all map[string]expression) bool {
		for _, e := range all {
			if names(e, variables...) {
				return true
			}
		}
		return false
	}
	switch e := e.(type) {
	case name:
		return slices.Contains(variables, e.name)
	case index:
		return within(e.of, e.key)
	case call:
		return within(append(e.arguments, e.of)...) || words(e.keywords)
	case filter:
		return within(append(e.arguments, e.of)...) || words(e.keywords)
	case unary:
		return within(e.of)
	case binary:
		return within(e.left, e.right)
	case choice:
		return within(e.condition, e.yes, e.no)
	case list:
		return within(e.elements...)
	case dict:
		return within(append(e.keys, e.values...)...)
	case joined:
		for _, p := range e.template {
			if names(p.expression, variables...) {
				return true
			}
		}
	}
	return false
}

// valueOf is the value of a field as jq computes it of an item.
func (h *shaping) valueOf(n *node, kind string) (string, error) {
	if n == nil || n.value == nil {
		return "", errors.New("there is no value")
	}
	text, isText := n.value.(string)
	if !isText {
		m, err := h.sc.mean(n)
		return m.JSON(), err
	}
	n.know()
	t, err := parse(text)
	if err != nil {
		return "", err
	}
	h.isDated = false
	jq, err := h.rendered(t, n, kind)
	return h.orText(jq, n), err
}

// rendered is what a template gives, as the type that is wanted.
func (h *shaping) rendered(t template, n *node, kind string) (string, error) {
	var all []string
	for _, p := range t {
		if p.expression == nil {
			all = append(all, quote(p.literal))
			continue
		}
		e, err := h.scope(n).fold(p.expression)
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
func (h *shaping) asString(f filter, n *node, kind string) (string, error) {
	of, err := h.jq(f.of, n)
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
func (h *shaping) text(jq string, e expression) string {
	if c, ok := e.(constant); ok {
		return quote(rendered(c.value))
	}
	return h.use("str", "("+jq+" | str)")
}

// conversion is a value as that platform reads it of the text that a template gives.
func (h *shaping) conversion(jq, kind string) string {
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
	_, isLiteral := literal(item.Unquote([]byte(jq)))
	return !isLiteral
}

// scope is that of a template about an item.
func (h *shaping) scope(n *node) scope {
	later := func([]string) (meaning, error) { return meaning{}, errors.New("it is known later") }
	return h.sc.with(map[string]variable{"value": later, "property": later, "path": later}).at(n)
}

// condition is where a template counts as true.
func (h *shaping) condition(n *node) (string, error) {
	e, err := filterOf(n, h.scope(n))
	if err != nil {
		return "", err
	}
	jq, err := h.jq(e, n)
	return h.use("kept", "("+jq+" | kept)"), err
}

// jq is an expression about the item, which is its input.
func (h *shaping) jq(e expression, n *node) (string, error) {
	e = unwrapped(e)
	if !names(e, "record", "value") {
		return h.outside(e, n)
	}
	switch e := e.(type) {
	case name:
		if e.name == "value" {
			return "$value", nil
		}
		return ".", nil
	case call:
		if _, isFunction := e.of.(name); isFunction {
			return h.dated(e, n)
		}
		return h.member(e, n)
	case index:
		return h.member(e, n)
	case filter:
		return h.filtered(e, n)
	case unary:
		return h.unary(e, n)
	case binary:
		return h.binary(e, n)
	case choice:
		return h.choice(e, n)
	}
	return "", fmt.Errorf("this expression is not understood of an item")
}

// outside is what no item decides: a constant, or a value of the run, which the job adds under a name of its
// own.
func (h *shaping) outside(e expression, n *node) (string, error) {
	if c, ok := e.(constant); ok {
		if _, isUndefined := c.value.(undefined); isUndefined {
			return `""`, nil
		}
		return encoded(c.value), nil
	}
	m, err := h.sc.at(n).meaningOf(e)
	if err != nil {
		return "", err
	}
	if m.moment {
		return "", errors.New("a value that is no item's is not understood here")
	}
	if m.json == "" {
		return encoded(m.constant), nil
	}
	name := fmt.Sprintf("sluice_%d", len(h.added)+1)
	h.added = append(h.added, name)
	h.j.userData = append(h.j.userData, name, m.json)
	return "." + name, nil
}

// member is a value of the item at a path, or what a method makes of one.
func (h *shaping) member(e expression, n *node) (string, error) {
	if variable, path, ok := reference(e); ok && len(path) > 0 {
		missing := `""`
		if _, isGet := e.(call); isGet {
			missing = "null"
		}
		at := h.use("at", "at("+steps(path)+"; "+missing+")")
		if variable == "value" {
			return "($value | " + at + ")", nil
		}
		return at, nil
	}
	if c, ok := e.(call); ok {
		return h.method(c, n)
	}
	i := e.(index)
	of, err := h.jq(i.of, n)
	if err != nil {
		return "", err
	}
	if isMinusOne(i.key) {
		return "(" + of + ` | if type == "array" and length > 0 then .[-1] else "" end)`, nil
	}
	step, ok := stepOf(i.key)
	if !ok {
		return "", errors.New("a part of a list or a text is not understood")
	}
	return h.use("at", "("+of+" | at("+steps([]string{step})+`; ""))`), nil
}

// method is what a method makes of a value of the item.
func (h *shaping) method(c call, n *node) (string, error) {
	of, ok := c.of.(index)
	method, _ := constantText(of.key)
	var arguments []string
	for _, a := range c.arguments {
		jq, err := h.jq(a, n)
		if err != nil {
			return "", err
		}
		arguments = append(arguments, jq)
	}
	isPlain := ok && len(c.keywords) == 0
	value, err := h.jq(of.of, n)
	if err != nil {
		return "", err
	}
	isGetOfOne := method == "get" && len(arguments) == 1
	if isGetOfOne {
		arguments = append(arguments, "null")
	}
	known := map[string]int{
		"get":        2,
		"split":      1,
		"replace":    2,
		"startswith": 1,
		"endswith":   1,
		"lower":      0,
		"upper":      0,
	}
	count, isKnown := known[method]
	if !isPlain || !isKnown || count != len(arguments) {
		return "", fmt.Errorf("%s() of an item is not understood", method)
	}
	switch method {
	case "get":
		key, ok := constantText(c.arguments[0])
		if !ok {
			return "", errors.New("a name that an item decides is not understood")
		}
		return h.use("at", "("+value+" | at("+steps([]string{key})+"; "+arguments[1]+"))"), nil
	case "split":
		return "(" + value + " | split(" + arguments[0] + "))", nil
	case "replace":
		return "(" + value + " | split(" + arguments[0] + ") | join(" + arguments[1] + "))", nil
	case "lower":
		return h.use("ascii", "("+value+" | ascii | ascii_downcase)"), nil
	case "upper":
		return h.use("ascii", "("+value+" | ascii | ascii_upcase)"), nil
	}
	return "(" + value + " | " + method + "(" + arguments[0] + "))", nil
}

// filtered is what a filter makes of a value of the item.
func (h *shaping) filtered(f filter, n *node) (string, error) {
	of, err := h.jq(f.of, n)
	if err != nil {
		return "", err
	}
	argument := func(name string) (string, error) {
		for _, e := range append(byName(f.keywords, name), f.arguments...) {
			return h.jq(e, n)
		}
		return "", fmt.Errorf("the filter %s without an argument is not understood", f.name)
	}
	switch f.name {
	case "length", "count":
		return "(" + of + " | length)", nil
	case "lower":
		return h.use("ascii", "("+of+" | ascii | ascii_downcase)"), nil
	case "upper":
		return h.use("ascii", "("+of+" | ascii | ascii_upcase)"), nil
	case "int":
		return h.use("int", "("+of+" | int)"), nil
	case "string":
		return "", errors.New("the filter string within an expression is not understood")
	case "first":
		return "(" + of + ` | if type == "array" and length > 0 then .[0] else "" end)`, nil
	case "last":
		return "(" + of + ` | if type == "array" and length > 0 then .[-1] else "" end)`, nil
	case "default", "d":
		return h.byDefault(f, n, argument)
	case "replace":
		return h.replaced(of, f, n)
	case "join":
		by, err := argument("d")
		return h.use("str", "("+of+" | map(str) | join("+by+"))"), err
	}
	return "", fmt.Errorf("the filter %s of an item is not understood", f.name)
}

// byDefault is a value, or another where the item has none.
func (h *shaping) byDefault(f filter, n *node, argument func(string) (string, error)) (string, error) {
	variable, path, ok := reference(f.of)
	isMember := ok && variable == "record" && len(path) > 0 && f.keywords["boolean"] == nil &&
		len(f.arguments) < 2
	if !isMember {
		return "", errors.New("the filter default of more than a member is not understood")
	}
	if c, ok := f.of.(call); ok {
		// What get gives is there, if only as null.
		return h.jq(c, n)
	}
	byDefault, err := argument("default_value")
	return h.use("at", "at("+steps(path)+"; "+byDefault+")"), err
}

func (h *shaping) replaced(of string, f filter, n *node) (string, error) {
	all := f.arguments
	if len(all) == 0 {
		all = append(byName(f.keywords, "old"), byName(f.keywords, "new")...)
	}
	if len(all) != 2 || f.keywords["count"] != nil {
		return "", errors.New("the filter replace wants two texts")
	}
	old, err1 := h.jq(all[0], n)
	by, err2 := h.jq(all[1], n)
	h.use("str", "")
	return "(" + of + " | str | split(" + old + ") | join(" + by + "))", errors.Join(err1, err2)
}

func (h *shaping) unary(e unary, n *node) (string, error) {
	of, err := h.jq(e.of, n)
	if e.operator == "not" {
		return h.use("yes", "("+of+" | yes | not)"), err
	}
	return "(" + e.operator + "(" + of + "))", err
}

func (h *shaping) choice(e choice, n *node) (string, error) {
	no := e.no
	if no == nil {
		no = constant{""}
	}
	condition, err1 := h.jq(e.condition, n)
	yes, err2 := h.jq(e.yes, n)
	other, err3 := h.jq(no, n)
	return h.use(
			"yes",
			"(if "+condition+" | yes then "+yes+" else "+other+" end)",
		), errors.Join(
			err1,
			err2,
			err3,
		)
}

func (h *shaping) binary(e binary, n *node) (string, error) {
	if e.operator == "is" || e.operator == "is not" {
		return h.test(e, n)
	}
	left, err1 := h.jq(e.left, n)
	right, err2 := h.jq(e.right, n)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	switch e.operator {
	case "and":
		return h.use("yes", "("+left+" as $l | if $l | yes then "+right+" else $l end)"), nil
	case "or":
		return h.use("yes", "("+left+" as $l | if $l | yes then $l else "+right+" end)"), nil
	case "==", "!=":
		// What is missing is not the empty text there.
		if left == `""` || right == `""` {
			return "", errors.New("a comparison with the empty text is not understood")
		}
		return "(" + left + " " + e.operator + " " + right + ")", nil
	case "<", "<=", ">", ">=", "+", "-", "*":
		return "(" + left + " " + e.operator + " " + right + ")", nil
	case "~":
		return "(" + h.text(left, e.left) + " + " + h.text(right, e.right) + ")", nil
	case "in":
		return h.contained(left, right), nil
	case "not in":
		return "(" + h.contained(left, right) + " | not)", nil
	}
	return "", fmt.Errorf("the operator %s of an item is not understood", e.operator)
}

// contained is for in.
func (h *shaping) contained(left, right string) string {
	return h.use("has_", "("+left+" as $l | "+right+" | has_($l))")
}

// test is for is.
func (h *shaping) test(e binary, n *node) (string, error) {
	test, with := testNamed(e.right)
	not := ""
	if e.operator == "is not" {
		not = " | not"
	}
	if test == "defined" {
		_, path, ok := reference(e.left)
		if _, isGet := e.left.(call); ok && isGet {
			return "(true" + not + ")", nil
		}
		if !ok || len(path) == 0 {
			return "", errors.New("is defined of more than a member is not understood")
		}
		return h.use("there", "(there("+steps(path)+")"+not+")"), nil
	}
	of, err := h.jq(e.left, n)
	if err != nil {
		return "", err
	}
	switch test {
	case "none":
		return "(" + of + " == null" + not + ")", nil
	case "true", "false", "sameas":
		c, ok := with.(constant)
		if ok {
			return "(" + of + " == " + encoded(c.value) + not + ")", nil
		}
	case "string", "number", "boolean":
		return "((" + of + ` | type) == ` + quote(test) + not + ")", nil
	}
	return "", fmt.Errorf("the test %s of an item is not understood", test)
}
