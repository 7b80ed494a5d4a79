package airbyte

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/item"
)

// A scope says what the variables of a template mean where it stands.
type scope struct {
	values *values

	// variables are those beside config and parameters, by name, such as stream_partition.
	variables map[string]variable

	// parameters are those of the component whose template it is; mean sets them, at does for fold.
	parameters map[string]*tree

	// settles tells that values of the configuration are constants, as the conversion has to know them.
	settles bool
}

// A variable gives what a path below it means: an expression of ours, or the reason why there is none.
type variable func(path []string) (meaning, error)

// with is the scope with more variables.
func (sc scope) with(more map[string]variable) scope {
	all := make(map[string]variable, len(sc.variables)+len(more))
	maps.Copy(all, sc.variables)
	maps.Copy(all, more)
	sc.variables = all
	return sc
}

// at is the scope of a template that stands at a node.
func (sc scope) at(n *node) scope {
	if n != nil {
		sc.parameters = n.parameters
	}
	return sc.ready()
}

// ready is a scope for a template.
func (sc scope) ready() scope {
	if sc.values == nil {
		sc.values = &values{all: map[string]any{}, used: map[string]setting{}, decided: map[string]bool{}}
	}
	sc.values.steps = 0
	return sc
}

// A meaning is what a template gives: a constant that the values decide, or an expression of a run.
type meaning struct {
	// constant is a value of JSON as encoding/json has it, whole numbers as int64, where json is empty.
	constant any

	// json is an expression of ours; empty: there is a constant, or nothing.
	json string

	// nothing tells that the template gives nothing: what it would be is left out.
	nothing bool

	// moment tells that it is a time (seconds since 1970 as the expression has them), which has no text of its
	// own.
	moment bool

	// isDay tells a moment that is a date, whose text is one.
	isDay bool

	// isNumeral tells that it is a text of digits, which that platform makes a number in a JSON body.
	isNumeral bool

	// format is that of Python in which it is a time as text, such as the bound of a window; of %s it is a
	// number.
	format string

	// setting is the value of the configuration that the expression is; nil: it is more, or another.
	setting *setting

	// parts are those of a text of several.
	parts []fragment
}

// A fragment of a text is known, or an expression, which may be a value of the configuration.
type fragment struct {
	text, json string
	setting    *setting

	// isNumber tells that the expression is one.
	isNumber bool
}

// A wholeSlice is why a variable that has members, such as stream_slice, is no value itself: it counts as true
// unless it is empty.
type wholeSlice struct{ isEmpty bool }

func (wholeSlice) Error() string { return "a slice as a whole is not understood" }

// JSON is the meaning as a value of the configuration; empty: it is nothing.
func (m meaning) JSON() string {
	switch {
	case m.nothing:
		return ""
	case m.json != "":
		return m.json
	default:
		return encoded(m.constant)
	}
}

// isNumber tells an expression whose value is one.
func (m meaning) isNumber() bool {
	isClock := strings.HasPrefix(m.json, `{"function": "time"`) ||
		strings.HasPrefix(m.json, `{"function": "strtotime"`)
	return m.format == "%s" || isClock
}

// isAlways tells an expression that counts as true, whatever it is in a run: a time.
func (m meaning) isAlways() bool {
	isTime := m.isNumber() || m.moment || m.format != ""
	return isTime || strings.HasPrefix(m.json, `{"window"`) || strings.HasPrefix(m.json, `{"function": "date"`)
}

// isConstant tells that the values decide it.
func (m meaning) isConstant() bool { return m.json == "" && !m.nothing }

var nothing = meaning{nothing: true}

// mean is what a value of the manifest gives, texts as templates: constant, expression or nothing; a text whose
// template gives a number or a list is one, as that platform has it. The error says what is not understood.
func (sc scope) mean(n *node) (meaning, error) {
	if n == nil {
		return nothing, nil
	}
	n.know()
	sc = sc.at(n)
	switch v := n.value.(type) {
	case nil:
		return nothing, nil
	case json.Number:
		return meaning{constant: numberOf(v.String())}, nil
	case bool:
		return meaning{constant: v}, nil
	case string:
		return sc.meanValue(v)
	}
	if n.isList() {
		return sc.meanList(n)
	}
	return sc.meanObject(n)
}

// meanValue is what a text gives with all that Python reads in it.
func (sc scope) meanValue(text string) (meaning, error) {
	m, err := sc.meanTemplate(text)
	if err != nil || m.nothing {
		return m, err
	}
	if m.isConstant() && m.constant == nil {
		return nothing, nil
	}
	v, isLiteral, err := sc.literal(m)
	switch {
	case err != nil:
		return meaning{}, fmt.Errorf("%s: %w", shortened(text), err)
	case !isLiteral:
		return m, nil
	case v == nil:
		return nothing, nil
	default:
		return sc.composed(v, m)
	}
}

// meanOption is what a parameter of the query or a form, or a part of it, gives: a text, a list, or nothing.
func (sc scope) meanOption(n *node) (meaning, error) {
	m, err := sc.meanPrinted(n)
	if err != nil || m.nothing {
		return m, err
	}
	v, isLiteral, err := sc.literal(m)
	if err != nil {
		return m, fmt.Errorf("%s: %w", shortened(n.text()), err)
	}
	switch v.(type) {
	case []any, string:
		if isLiteral {
			return sc.composed(v, m)
		}
	}
	return m, nil
}

// meanText is the same for what is always a text, such as an address or a header.
func (sc scope) meanText(n *node) (meaning, error) {
	m, err := sc.meanPrinted(n)
	if err != nil || m.nothing {
		return m, err
	}
	v, isLiteral, err := sc.literal(m)
	if err != nil || !isLiteral {
		return m, err
	}
	if v == nil {
		return nothing, nil
	}
	if _, isText := v.(string); isText {
		return sc.composed(v, m)
	}
	if hasMarks(v) {
		return m, fmt.Errorf("%s: the text of a list or an object is not understood", shortened(n.text()))
	}
	if text, _ := m.known(); printed(v) == text {
		return m, nil
	}
	sc.decided(m)
	return meaning{constant: v}.asText()
}

// meanPrinted is what a scalar gives as text, before Python reads it.
func (sc scope) meanPrinted(n *node) (meaning, error) {
	m, err := sc.meanPlain(n)
	if err != nil || m.nothing {
		return m, err
	}
	return m.asText()
}

// meanPlain is what a scalar gives before Python reads it.
func (sc scope) meanPlain(n *node) (meaning, error) {
	if n == nil {
		return nothing, nil
	}
	isData := n.isList() || n.isObject()
	if isData {
		return meaning{}, errors.New("a text is wanted")
	}
	n.know()
	sc = sc.at(n)
	if text, ok := n.value.(string); ok {
		return sc.meanTemplate(text)
	}
	if n.value == nil {
		return nothing, nil
	}
	return meaning{constant: n.text()}, nil
}

// printed is asText of what has no object in it.
func (m meaning) printed() meaning {
	m, _ = m.asText()
	return m
}

// asText is a meaning as text: a date as such, a constant as Python prints it.
func (m meaning) asText() (meaning, error) {
	switch {
	case m.moment && m.isDay:
		return meaning{json: function("date", `"Y-m-d"`, m.json)}, nil
	case m.moment:
		return meaning{json: function("date", `"Y-m-d H:i:s.uP"`, m.json)}, nil
	case !m.isConstant():
		return m, nil
	case isUnordered(m.constant):
		return m, errors.New("the text of an object is not understood")
	}
	return meaning{constant: rendered(m.constant)}, nil
}

// isUnordered tells a value with an object whose members have lost their order.
func isUnordered(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 1
	case []any:
		return slices.ContainsFunc(v, isUnordered)
	default:
		return false
	}
}

// meanTemplate is what a text gives, before Python reads it.
func (sc scope) meanTemplate(text string) (meaning, error) {
	if !isTemplate(text) {
		if text == "" {
			return nothing, nil
		}
		return meaning{constant: text}, nil
	}
	t, err := parse(text)
	var m meaning
	if err == nil {
		m, err = sc.render(t)
	}
	if errors.Is(err, errUndefined) {
		return nothing, nil
	}
	if err != nil {
		return meaning{}, fmt.Errorf("%s: %w", shortened(text), err)
	}
	if m.isConstant() && m.constant == "" {
		return nothing, nil
	}
	return m, nil
}

// shortened is a text for a message.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:117]) + "…"
	}
	return text
}

// render is what a template gives: of one expression its value, else a text.
func (sc scope) render(t template) (meaning, error) {
	isOne := len(t) == 1 && t[0].expression != nil
	if isOne {
		e, err := sc.eval(t[0].expression)
		if err != nil {
			return meaning{}, err
		}
		return sc.meaningOf(e)
	}
	var parts []fragment
	for _, p := range t {
		if p.expression == nil {
			parts = joinParts(parts, fragment{text: p.literal})
			continue
		}
		e, err := sc.eval(p.expression)
		if err != nil {
			return meaning{}, err
		}
		more, err := sc.parts(e)
		if err != nil {
			return meaning{}, err
		}
		parts = joinParts(parts, more...)
	}
	return textOfParts(parts), nil
}

// joinParts adds parts; what is known of both becomes one.
func joinParts(parts []fragment, more ...fragment) []fragment {
	for _, p := range more {
		last := len(parts) - 1
		isKnown := p.json == "" && last >= 0 && parts[last].json == ""
		if isKnown {
			parts[last].text += p.text
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// textOfParts is the text that they make.
func textOfParts(parts []fragment) meaning {
	var all []string
	known := ""
	for _, p := range parts {
		switch {
		case p.json != "":
			all = append(all, p.json)
		case p.text != "":
			all = append(all, encoded(p.text))
		}
		known += p.text
	}
	isKnown := !slices.ContainsFunc(parts, func(p fragment) bool { return p.json != "" })
	if isKnown {
		return meaning{constant: known}
	}
	return meaning{json: function("concat", all...), parts: parts}
}

// parts are those of the text of an expression.
func (sc scope) parts(e expression) ([]fragment, error) {
	m, err := sc.meaningOf(e)
	if err != nil || m.nothing {
		return nil, err
	}
	if m, err = m.asText(); err != nil {
		return nil, err
	}
	switch {
	case len(m.parts) > 0:
		return m.parts, nil
	case m.json != "":
		return []fragment{{json: m.json, setting: m.setting, isNumber: m.isNumber()}}, nil
	default:
		return []fragment{{text: rendered(m.constant)}}, nil
	}
}

// textOf is an expression as an argument of ours that is a text.
func (sc scope) textOf(e expression) (string, error) {
	parts, err := sc.parts(e)
	if err != nil {
		return "", err
	}
	if len(parts) == 1 && parts[0].json != "" {
		return parts[0].json, nil
	}
	return textOfParts(parts).JSON(), nil
}

// meaningOf is what an evaluated expression means.
func (sc scope) meaningOf(e expression) (meaning, error) {
	switch e := e.(type) {
	case constant:
		return sc.meaningOfConstant(e.value)
	case formula:
		return e.meaning, nil
	case moment:
		return meaning{json: e.json, moment: true, isDay: e.isDay}, nil
	case seconds:
		return e.meaning(), nil
	case clock:
		return e.meaning(), nil
	case joined:
		return sc.render(e.template)
	case binary:
		if e.operator == "~" || e.operator == "+" {
			return sc.concatenated(e)
		}
		return meaning{}, fmt.Errorf("%s of what only a run knows is not understood", e.operator)
	case filter:
		if e.name == "string" {
			text, err := sc.textOf(e.of)
			return meaning{json: function("concat", text)}, err
		}
		return meaning{}, fmt.Errorf("the filter %s of what only a run knows is not understood", e.name)
	case choice:
		return meaning{}, errors.New("a choice that only a run decides is not understood")
	}
	if variable, path, ok := reference(e); ok {
		bound := sc.variables[variable]
		if bound == nil {
			return meaning{}, unknownName(variable)
		}
		return bound(path)
	}
	return meaning{}, errors.New("what only a run knows is not understood in this way")
}

func (sc scope) meaningOfConstant(v any) (meaning, error) {
	switch v := v.(type) {
	case undefined:
		return nothing, nil
	case setting:
		return sc.meaningOfSetting(v)
	case point:
		if v.isDay {
			return meaning{constant: v.time.Format(time.DateOnly)}, nil
		}
		return meaning{constant: v.time.Format("2006-01-02 15:04:05+00:00")}, nil
	case interval:
		return meaning{}, errors.New("a duration alone is not understood")
	}
	plain, err := sc.settle(v)
	return meaning{constant: plain}, err
}

// meaningOfSetting is an attribute, or a constant where ours print another text.
func (sc scope) meaningOfSetting(s setting) (meaning, error) {
	if s.fault != nil {
		return meaning{}, s.fault
	}
	isAsked := s.isMissing && !sc.settles
	if s.isSecret || isAsked {
		return meaning{json: sc.values.refer(s)}, nil
	}
	isReferred := !sc.settles
	switch v := s.value.(type) {
	case string:
		isReferred = isReferred && v != ""
	case int64:
	default:
		isReferred = false
	}
	if isReferred {
		return meaning{json: sc.values.refer(s), setting: &s}, nil
	}
	plain, err := sc.settle(s)
	return meaning{constant: plain}, err
}

// concatenated is ~, or + where one side is a text.
func (sc scope) concatenated(e binary) (meaning, error) {
	isText := e.operator == "~" || isWords(e.left) || isWords(e.right) || isFormula(e.left) ||
		isFormula(e.right)
	if !isText {
		return meaning{}, errors.New("+ of what only a run knows is understood with a text only")
	}
	return sc.render(template{{literal: ""}, {expression: e.left}, {expression: e.right}})
}

// isFormula tells an expression of ours that is a text.
func isFormula(e expression) bool {
	switch e := e.(type) {
	case formula, clock:
		return true
	case joined:
		return true
	case binary:
		return e.operator == "~" || isWords(e.left) || isWords(e.right) || isFormula(e.left)
	default:
		return false
	}
}

// contexts are names that make an object with that one member a reference of ours.
var contexts = []string{"attr", "time", "window", "placeholder", "kept"}

// meanAll is the same for all members of an object, at any depth, what gives nothing left out.
func (sc scope) meanAll(n *node) (item.Object, error) {
	var all item.Object
	for _, m := range n.members() {
		name, err := sc.at(n).nameOf(m.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if name == "" {
			continue
		}
		v, err := sc.mean(m.value)
		if err == nil && v.isNumeral {
			err = errors.New("a text of digits that is a number in JSON is not understood")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if !v.nothing {
			all = all.With(true, name, v.JSON())
		}
	}
	return all, nil
}

// nameOf is the name of a member, which may be a template that the values decide; empty: there is no such
// member.
func (sc scope) nameOf(text string) (string, error) {
	m, err := sc.meanTemplate(text)
	if err != nil || m.nothing {
		return "", err
	}
	if m.setting != nil {
		v, err := sc.values.decide(*m.setting)
		return rendered(v), err
	}
	if m.json != "" {
		return "", errors.New("a name that only a run knows is not understood")
	}
	return rendered(m.constant), nil
}

func (sc scope) meanObject(n *node) (meaning, error) {
	o, err := sc.meanAll(n)
	if err != nil {
		return meaning{}, err
	}
	return meaning{json: o.String()}, isData(o)
}

// isData says that an object would be an expression of ours.
func isData(o item.Object) error {
	for i := 0; i < len(o); i += 2 {
		isReference := len(o) == 2 && slices.Contains(contexts, o[i])
		if isReference || o[i] == "function" {
			return fmt.Errorf("an object with the member %s cannot stand here: it is an expression", o[i])
		}
	}
	return nil
}

// sorted is an object by the names of its members.
func sorted(members map[string]string) item.Object {
	var o item.Object
	for _, name := range slices.Sorted(maps.Keys(members)) {
		o = o.With(true, name, members[name])
	}
	return o
}

// meanList is a list; it is constant if all its elements are.
func (sc scope) meanList(n *node) (meaning, error) {
	parts, constants := []string{}, []any{}
	isConstant := true
	for _, e := range n.elements() {
		m, err := sc.mean(e)
		if err != nil {
			return meaning{}, err
		}
		if m.nothing {
			m = meaning{constant: nil}
		}
		isConstant = isConstant && m.isConstant()
		parts, constants = append(parts, m.JSON()), append(constants, m.constant)
	}
	if isConstant {
		return meaning{constant: constants}, nil
	}
	return meaning{json: "[" + strings.Join(parts, ", ") + "]"}, nil
}

// constant is what a value of the manifest gives where the conversion has to know it, nil for nothing: what it
// refers to in the configuration decides.
func (sc scope) constant(n *node) (any, error) {
	sc.settles = true
	m, err := sc.mean(n)
	switch {
	case err != nil, m.nothing:
		return nil, err
	case m.json != "":
		return nil, fmt.Errorf("%s: only a run knows it", shortened(n.text()))
	default:
		return m.constant, nil
	}
}

// object is the object that a template in the place of one gives, nil for nothing; its texts are no templates.
func (sc scope) object(n *node) (*node, error) {
	n.know()
	sc = sc.at(n)
	sc.settles = true
	t, err := parse(n.text())
	if err != nil {
		return nil, err
	}
	var found any
	if len(t) == 1 && t[0].expression != nil {
		e, err := sc.eval(t[0].expression)
		if err != nil {
			return nil, err
		}
		c, _ := e.(constant)
		found = c.value
	}
	of, isTree := found.(*tree)
	if !isTree {
		v, err := sc.constant(n)
		if all, ok := v.(map[string]any); ok && len(all) == 0 {
			v = nil
		}
		if err == nil && v != nil {
			err = errors.New("a text in place of names and values is understood of a parameter only")
		}
		return nil, err
	}
	budget := maxSteps
	if of.hasTemplate(&budget) {
		return nil, errors.New("a template within a parameter is not understood")
	}
	return n.document.node(of, surroundings{place: n.place}), nil
}

// hasTemplate tells whether a text of a tree has more than itself in it, or whether there are too many to tell.
func (t *tree) hasTemplate(budget *int) bool {
	*budget--
	if *budget <= 0 {
		return true
	}
	switch v := t.value.(type) {
	case string:
		return isTemplate(v)
	case []*tree:
		return slices.ContainsFunc(v, func(e *tree) bool { return e.hasTemplate(budget) })
	case *object:
		return slices.ContainsFunc(v.names, func(name string) bool {
			return isTemplate(name) || v.members[name].hasTemplate(budget)
		})
	default:
		return false
	}
}
