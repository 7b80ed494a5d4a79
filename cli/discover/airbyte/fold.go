package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Values of constants beside those of JSON.
type (
	// undefined is what a variable does not have.
	undefined struct{}

	// A group is an object of the configuration.
	group struct {
		path    string
		members map[string]any
	}

	// given are the parameters of a component; an object among them is a *tree.
	given map[string]*tree
)

// A formula is an expression of ours that stands for an expression of a template.
type formula struct{ meaning }

// errUndefined tells that an expression goes below what is not there: the platform takes its default then.
var errUndefined = errors.New("it goes below a value that is not there")

// later are variables that have values only in a run.
var later = []string{
	"record", "response", "headers", "last_record", "last_page_size", "last_page_token_value",
	"next_page_token",
	"stream_slice", "stream_partition", "stream_interval", "creation_response", "polling_response",
	"download_target",
	"api_response", "components_values", "partition", "decoded_response",
}

// fold is the expression with all that the values decide in it evaluated: an expression that is a constant
// then, or the same with less in it. Conditions of which the values decide a part become simpler. Constants are
// those of JSON, and undefined{}; what a secret is stays a reference to config.
func (sc scope) fold(e expression) (expression, error) {
	sc = sc.ready()
	e, err := sc.eval(e)
	if err != nil {
		return nil, err
	}
	return sc.settled(e)
}

// settled has no settings, but for secrets and what is missing.
func (sc scope) settled(e expression) (expression, error) {
	var err error
	take := func(e expression) expression {
		if err != nil || e == nil {
			return e
		}
		e, err = sc.settled(e)
		return e
	}
	switch e := e.(type) {
	case constant:
		if isOutside(e) {
			return e, nil
		}
		v, err := sc.settle(e.value)
		return constant{v}, err
	case index:
		return index{take(e.of), take(e.key), e.isDotted}, err
	case cut:
		return cut{take(e.from), take(e.to)}, err
	case unary:
		return unary{e.operator, take(e.of)}, err
	case binary:
		return binary{e.operator, take(e.left), take(e.right)}, err
	case choice:
		return choice{take(e.condition), take(e.yes), take(e.no)}, err
	case list:
		return list{each(e.elements, take)}, err
	case filter:
		return filter{take(e.of), e.name, each(e.arguments, take), e.keywords}, err
	case call:
		return call{take(e.of), each(e.arguments, take), e.keywords}, err
	default:
		return e, nil
	}
}

func each(all []expression, f func(expression) expression) []expression {
	made := make([]expression, len(all))
	for i, e := range all {
		made[i] = f(e)
	}
	return made
}

// settle is the plain value of a constant; what is a setting decides.
func (sc scope) settle(v any) (any, error) {
	switch v := v.(type) {
	case setting:
		plain, err := sc.values.decide(v)
		if err != nil {
			return nil, err
		}
		return sc.settle(plain)
	case group:
		if v.path != "" {
			sc.values.decided[v.path] = true
		}
		return sc.settle(v.members)
	case *tree:
		budget := maxSteps
		return v.plain(&budget), nil
	case given:
		all := map[string]any{}
		for name := range v {
			all[name] = parameter(v, name)
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
		for name, e := range v {
			plain, err := sc.settle(e)
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
		return undefined{}
	}
	if t.object() != nil {
		return t
	}
	budget := maxSteps
	return t.plain(&budget)
}

// plain is the value of an expression if it is a constant; a setting of it decides.
func (sc scope) plain(e expression) (v any, isConstant bool, err error) {
	c, ok := e.(constant)
	if !ok {
		return nil, false, nil
	}
	v, err = sc.settle(c.value)
	return v, true, err
}

// plains are the values of expressions, if all are constants.
func (sc scope) plains(all []expression) (values []any, areConstant bool, err error) {
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
func (sc scope) truth(e expression) (is, isConstant bool, err error) {
	if c, ok := e.(constant); ok {
		if s, ok := c.value.(setting); ok && s.isSecret {
			return true, true, nil
		}
		if g, ok := c.value.(group); ok {
			return len(g.members) > 0, true, nil
		}
	}
	v, isConstant, err := sc.plain(e)
	if err != nil || isConstant {
		return truthy(v), isConstant, err
	}
	is, isConstant = sc.laterTruth(e)
	return is, isConstant, nil
}

// laterTruth is whether what only a run knows counts as true, whatever it is: a time does, and a slice that is
// not empty.
func (sc scope) laterTruth(e expression) (is, isKnown bool) {
	switch e := e.(type) {
	case moment, clock:
		return true, true
	case formula:
		return e.isAlways(), e.isAlways()
	}
	variable, path, ok := reference(e)
	bound := sc.variables[variable]
	if !ok || bound == nil {
		return false, false
	}
	m, err := bound(path)
	var of wholeSlice
	if errors.As(err, &of) {
		return !of.isEmpty, true
	}
	return m.isAlways(), err == nil && m.isAlways()
}

// Bounds of what an expression makes: how many steps it takes, how many bytes its values have.
const (
	maxSteps = 20_000
	maxValue = 4 * maxText
)

// eval is an expression with all its constant parts evaluated; settings stay where they stand alone.
func (sc scope) eval(e expression) (expression, error) {
	made, err := sc.evalOnce(e)
	if err != nil {
		return nil, err
	}
	sc.values.steps++
	if c, ok := made.(constant); ok {
		elements, bytes := measured(c.value)
		sc.values.steps += elements
		if bytes > maxValue {
			return nil, errors.New("it makes too much")
		}
	}
	if sc.values.steps > maxSteps {
		return nil, errors.New("it takes too many steps")
	}
	return made, nil
}

// measured is how many elements a value has, at any depth, and how many bytes its texts.
func measured(v any) (elements, bytes int) {
	switch v := v.(type) {
	case string:
		return 0, len(v)
	case []any:
		for _, e := range v {
			n, m := measured(e)
			elements, bytes = elements+n+1, bytes+m
		}
	case map[string]any:
		for name, e := range v {
			n, m := measured(e)
			elements, bytes = elements+n+1, bytes+m+len(name)
		}
	}
	return elements, bytes
}

func (sc scope) evalOnce(e expression) (expression, error) {
	if v, ok := sc.variable(e); ok {
		return v, nil
	}
	switch e := e.(type) {
	case name:
		return sc.name(e)
	case index:
		return sc.index(e)
	case call:
		return sc.call(e)
	case filter:
		return sc.filter(e)
	case unary:
		return sc.unary(e)
	case binary:
		return sc.binary(e)
	case choice:
		return sc.choice(e)
	case list:
		return sc.list(e)
	case dict:
		return sc.dict(e)
	case joined:
		return sc.joined(e)
	default:
		return e, nil
	}
}

// variable is what a reference means where it is a constant; else the reference stays.
func (sc scope) variable(e expression) (expression, bool) {
	variable, path, ok := reference(e)
	if !ok {
		return nil, false
	}
	bound := sc.variables[variable]
	if bound == nil {
		return e, slices.Contains(later, variable)
	}
	m, err := bound(path)
	switch {
	case err != nil, m.json != "":
		return e, true
	case m.nothing:
		return constant{undefined{}}, true
	default:
		return constant{m.constant}, true
	}
}

func (sc scope) name(e name) (expression, error) {
	switch e.name {
	case "config":
		if sc.values.fault != nil {
			return nil, sc.values.fault
		}
		return constant{group{members: sc.values.all}}, nil
	case "parameters", "options":
		return constant{given(sc.parameters)}, nil
	}
	return nil, unknownName(e.name)
}

// An unknownName is a variable that is not known where it stands.
type unknownName string

func (u unknownName) Error() string { return string(u) + " is not known here" }

// objectMethods are what a point before them means, whatever members an object has.
var objectMethods = []string{
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

func (sc scope) index(e index) (expression, error) {
	of, err := sc.eval(e.of)
	if err != nil {
		return nil, err
	}
	if c, ok := e.key.(cut); ok {
		return sc.cut(of, c)
	}
	key, err := sc.eval(e.key)
	if err != nil {
		return nil, err
	}
	step, isKnown, err := sc.plain(key)
	if err != nil {
		return nil, err
	}
	c, isConstant := of.(constant)
	if !isKnown || !isConstant {
		if _, ok := of.(moment); ok {
			return nil, fmt.Errorf("%v of a time is not understood", step)
		}
		return index{of, key, e.isDotted}, nil
	}
	text, _ := step.(string)
	isMethod := e.isDotted && slices.Contains(objectMethods, text)
	if isMethod {
		return nil, fmt.Errorf("%s without brackets is a method, no value", text)
	}
	v, err := sc.element(c.value, step)
	return constant{v}, err
}

// element is what a constant has at a key.
func (sc scope) element(of, key any) (any, error) {
	name, isText := key.(string)
	switch v := of.(type) {
	case undefined:
		return nil, errUndefined
	case group:
		if !isText {
			return undefined{}, nil
		}
		return v.member(name), nil
	case given:
		if !isText {
			return undefined{}, nil
		}
		return parameter(v, name), nil
	case *tree:
		if !isText {
			return undefined{}, nil
		}
		return parameter(v.value.(*object).members, name), nil
	case setting:
		plain, isList := v.value.([]any)
		i, isNumber := key.(int64)
		if isList && isNumber {
			i = placed(i, len(plain))
			if i < 0 || i >= int64(len(plain)) {
				return undefined{}, nil
			}
			return tracked(join(v.path, strconv.FormatInt(i, 10)), plain[i]), nil
		}
	}
	plain, err := sc.settle(of)
	if err != nil {
		return nil, err
	}
	return elementOf(plain, key), nil
}

// placed is a place from the beginning, where -1 is the last.
func placed(i int64, length int) int64 {
	if i < 0 {
		return i + int64(length)
	}
	return i
}

// elementOf is what a plain value has at a key.
func elementOf(of, key any) any {
	switch v := of.(type) {
	case map[string]any:
		name, _ := key.(string)
		if e, ok := v[name]; ok {
			return e
		}
	case []any:
		i, isNumber := key.(int64)
		i = placed(i, len(v))
		isThere := i >= 0 && i < int64(len(v))
		if isNumber && isThere {
			return v[i]
		}
	case string:
		runes := []rune(v)
		i, isNumber := key.(int64)
		i = placed(i, len(runes))
		isThere := i >= 0 && i < int64(len(runes))
		if isNumber && isThere {
			return string(runes[i])
		}
	}
	return undefined{}
}

// member is one of a group, which knows where it stands.
func (g group) member(name string) any {
	v, ok := g.members[name]
	if !ok {
		return undefined{}
	}
	return tracked(join(g.path, name), v)
}

// tracked is a value of the configuration that knows where it stands.
func tracked(path string, v any) any {
	switch v := v.(type) {
	case setting:
		return v
	case map[string]any:
		return group{path, v}
	default:
		return setting{path: path, value: v}
	}
}

// cut is a part of a text or a list.
func (sc scope) cut(of expression, c cut) (expression, error) {
	bounds := []expression{constant{nil}, constant{nil}}
	for i, e := range []expression{c.from, c.to} {
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
		return index{of: of, key: cut{bounds[0], bounds[1]}}, nil
	}
	switch v := v.(type) {
	case string:
		runes := []rune(v)
		from, to := span(ends, len(runes))
		return constant{string(runes[from:to])}, nil
	case []any:
		from, to := span(ends, len(v))
		return constant{v[from:to]}, nil
	case undefined:
		return nil, errUndefined
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
		return int(min(max(placed(i, length), 0), int64(length)))
	}
	from, to = bound(ends[0], 0), bound(ends[1], length)
	return from, max(from, to)
}

func (sc scope) unary(e unary) (expression, error) {
	of, err := sc.eval(e.of)
	if err != nil {
		return nil, err
	}
	if e.operator == "not" {
		is, isConstant, err := sc.truth(of)
		if err != nil || !isConstant {
			return unary{"not", of}, err
		}
		return constant{!is}, nil
	}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return unary{e.operator, of}, err
	}
	if e.operator == "-" {
		v, err = arithmetic("-", int64(0), v)
	}
	return constant{v}, err
}

func (sc scope) binary(e binary) (expression, error) {
	switch e.operator {
	case "and", "or":
		return sc.either(e)
	case "is", "is not":
		return sc.is(e)
	}
	left, err := sc.eval(e.left)
	if err != nil {
		return nil, err
	}
	right, err := sc.eval(e.right)
	if err != nil {
		return nil, err
	}
	if slices.Contains(levels[comparisons], e.operator) {
		is, ok, err := sc.compared(e.operator, left, right)
		if ok || err != nil {
			return constant{is}, err
		}
	}
	if made, ok, err := clocked(e.operator, left, right); ok || err != nil {
		if isMonthly(left, right) {
			sc.values.note(
				"months before now are those of the calendar: where a month lacks the day, such as " +
					"31 February, the time is some days later than that of the manifest",
			)
		}
		return made, err
	}
	isJoin := e.operator == "~" || e.operator == "+"
	isLater := isOutside(left) || isOutside(right)
	if isJoin && isLater {
		return binary{e.operator, left, right}, nil
	}
	both, areConstant, err := sc.plains([]expression{left, right})
	if err != nil || !areConstant {
		return binary{e.operator, left, right}, err
	}
	v, err := operate(e.operator, both[0], both[1])
	return constant{v}, err
}

// isOutside tells a value that only a run has.
func isOutside(e expression) bool {
	c, ok := e.(constant)
	if !ok {
		return true
	}
	s, ok := c.value.(setting)
	isGiven := s.isSecret || s.isMissing
	return ok && isGiven
}

// either is and, or or: one of its sides if the left one decides.
func (sc scope) either(e binary) (expression, error) {
	left, err := sc.eval(e.left)
	if err != nil {
		return nil, err
	}
	is, isConstant, err := sc.truth(left)
	if err != nil {
		return nil, err
	}
	takesLeft := is == (e.operator == "or")
	if isConstant && takesLeft {
		return left, nil
	}
	right, err := sc.eval(e.right)
	if err != nil || isConstant {
		return right, err
	}
	return binary{e.operator, left, right}, nil
}

func (sc scope) choice(e choice) (expression, error) {
	condition, err := sc.eval(e.condition)
	if err != nil {
		return nil, err
	}
	is, isConstant, err := sc.truth(condition)
	if err != nil {
		return nil, err
	}
	no := e.no
	if no == nil {
		no = constant{undefined{}}
	}
	switch {
	case isConstant && is:
		return sc.eval(e.yes)
	case isConstant:
		return sc.eval(no)
	}
	yes, err := sc.eval(e.yes)
	if err != nil {
		return nil, err
	}
	no, err = sc.eval(no)
	return choice{condition, yes, no}, err
}

func (sc scope) list(e list) (expression, error) {
	all, err := sc.evals(e.elements)
	if err != nil {
		return nil, err
	}
	values, areConstant, err := sc.plains(all)
	if err != nil || !areConstant {
		return list{all}, err
	}
	return constant{append([]any{}, values...)}, nil
}

func (sc scope) evals(all []expression) ([]expression, error) {
	var made []expression
	for _, e := range all {
		v, err := sc.eval(e)
		if err != nil {
			return nil, err
		}
		made = append(made, v)
	}
	return made, nil
}

func (sc scope) dict(e dict) (expression, error) {
	keys, err := sc.evals(e.keys)
	if err != nil {
		return nil, err
	}
	of, err := sc.evals(e.values)
	if err != nil {
		return nil, err
	}
	names, isNamed, err := sc.plains(keys)
	if err != nil {
		return nil, err
	}
	values, areConstant, err := sc.plains(of)
	if err != nil {
		return nil, err
	}
	if !isNamed || !areConstant {
		return dict{keys, of}, nil
	}
	all := map[string]any{}
	for i, n := range names {
		name, ok := n.(string)
		if !ok {
			return nil, errors.New("a name in an object is no text")
		}
		all[name] = values[i]
	}
	return constant{all}, nil
}

// joined is the text of a template, if all of it is constant.
func (sc scope) joined(e joined) (expression, error) {
	if len(e.template) == 0 {
		return constant{""}, nil
	}
	var all template
	isConstant := true
	var b strings.Builder
	for _, p := range e.template {
		if p.expression == nil {
			b.WriteString(p.literal)
			all = append(all, p)
			continue
		}
		made, err := sc.eval(p.expression)
		if err != nil {
			return nil, err
		}
		all = append(all, piece{expression: made})
		if isOutside(made) {
			isConstant = false
			continue
		}
		if isConstant {
			v, _, err := sc.plain(made)
			if err != nil {
				return nil, err
			}
			b.WriteString(rendered(v))
		}
	}
	if isConstant {
		return constant{b.String()}, nil
	}
	return joined{all}, nil
}

// rendered is what a template prints for a constant.
func rendered(v any) string {
	if _, ok := v.(undefined); ok {
		return ""
	}
	return printed(v)
}
