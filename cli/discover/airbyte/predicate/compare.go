package predicate

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// Opposites are the operators that hold where another does not.
var Opposites = map[string]string{
	"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}

func (t Tester) compareNot(e template.Binary) (Alternatives, bool) {
	switch e.Operator {
	case "and":
		return t.join(e, t.falsehood, t.falsehood, Alternatives.or)
	case "or":
		return t.join(e, t.falsehood, t.falsehood, Alternatives.and)
	}
	opposite, ok := Opposites[e.Operator]
	if !ok {
		// What cannot be compared ends the whole template.
		return t.unsaid()
	}
	return t.compare(template.Binary{Operator: opposite, Left: e.Left, Right: e.Right})
}

func (t Tester) compare(e template.Binary) (Alternatives, bool) {
	switch e.Operator {
	case "and":
		return t.both(e)
	case "or":
		return t.join(e, t.truth, t.truth, Alternatives.or)
	case "==", "!=":
		return t.equal(e)
	case "<", "<=", ">", ">=":
		return t.order(e)
	case "in", "not in":
		return t.contains(e)
	case "is", "is not":
		return t.is(e)
	}
	return t.unsaid()
}

// both is an and. What one half says is there may be unlike something in the other.
func (t Tester) both(e template.Binary) (Alternatives, bool) {
	guarded := t.guarded(e)
	if guarded == nil {
		return t.join(e, t.truth, t.truth, Alternatives.and)
	}
	left, ok1 := t.truth(e.Left)
	text, ok2 := t.Value(guarded.Right)
	path, _, ok3 := t.Path(guarded.Left)
	if !areAll(ok1, ok2, ok3) {
		return t.unsaid()
	}
	return t.bounded(left.and(one(path + "!=" + text)))
}

// guarded is the right half of an and if it is a != about what the left one says is there, in an answer; else
// nil.
func (t Tester) guarded(e template.Binary) *template.Binary {
	unequal, ok := e.Right.(template.Binary)
	if !ok || unequal.Operator != "!=" || t.isOfItem() {
		return nil
	}
	path, _, ok := t.Path(unequal.Left)
	if ok && slices.Contains(t.there(e.Left), path) {
		return &unequal
	}
	return nil
}

// there are the paths of an answer that must be there for an expression to hold.
func (t Tester) there(e template.Expression) []string {
	b, ok := e.(template.Binary)
	if !ok {
		path, _, _ := t.Path(e)
		return []string{path}
	}
	switch b.Operator {
	case "and":
		return slices.Concat(t.there(b.Left), t.there(b.Right))
	case "==":
		path, _, _ := t.Path(b.Left)
		return []string{path}
	case "in":
		path, _ := t.member(b)
		return []string{path}
	case "is":
		if test, _ := template.TestNamed(b.Right); test == "defined" {
			path, _, _ := t.Path(b.Left)
			return []string{path}
		}
	}
	return nil
}

// equal compares with a constant. A number, a text or a boolean is unlike what is missing and unlike null.
func (t Tester) equal(e template.Binary) (Alternatives, bool) {
	if _, ok := e.Left.(template.Constant); ok {
		e.Left, e.Right = e.Right, e.Left
	}
	c, ok := e.Right.(template.Constant)
	if !ok {
		return t.unsaid()
	}
	if c.Value == nil {
		return t.isNone(e.Left, e.Operator == "==")
	}
	if size, ok := e.Left.(template.Filter); ok {
		return t.size(size, e.Operator, c)
	}
	path, _, ok1 := t.Path(e.Left)
	text, ok2 := t.Value(c)
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	if !python.Truthy(c.Value) && t.hasDefault(e.Left) {
		return t.sameByDefault(path, e.Operator, text)
	}
	// What is missing is not the empty text there, but is in a condition of ours.
	if text == "" {
		return t.empty(path, e.Operator)
	}
	if e.Operator == "!=" && !t.isOfItem() {
		return t.unsaid()
	}
	return one(path + e.Operator + text), true
}

// hasDefault tells whether what is missing counts as something else than null.
func (t Tester) hasDefault(e template.Expression) bool {
	w, _ := template.Trail(e)
	return w.HasDefault && w.ByDefault != nil
}

// sameByDefault is for a comparison with what a value may be by default.
func (t Tester) sameByDefault(path, operator, text string) (Alternatives, bool) {
	if !t.widens || !t.isOfItem() {
		return t.unsaid()
	}
	*t.wide = true
	a := one(path + operator + text)
	if operator == "==" {
		return a.or(one(path + "==")), true
	}
	return a, true
}

// empty is for a comparison with the empty text.
func (t Tester) empty(path, operator string) (Alternatives, bool) {
	if operator != "==" || !t.isOfItem() || !t.widens {
		return t.unsaid()
	}
	*t.wide = true
	return one(path + "=="), true
}

// isNone is a comparison with null, which an item cannot tell from what it lacks.
func (t Tester) isNone(of template.Expression, is bool) (Alternatives, bool) {
	path, isGet, ok := t.Path(of)
	isItem := ok && t.isOfItem()
	switch {
	case !isItem:
		return t.unsaid()
	case is && t.widens:
		*t.wide = true
		return one(path + "=="), true
	case !is && isGet && t.widens:
		*t.wide = true
		return always(), true
	}
	return t.unsaid()
}

// size compares the length of a list.
func (t Tester) size(of template.Filter, operator string, with template.Constant) (Alternatives, bool) {
	isLength := of.Name == "length" || of.Name == "count"
	n, ok := with.Value.(int64)
	if !isLength || !ok {
		return t.unsaid()
	}
	isSome := operator == ">" && n == 0 || operator == ">=" && n == 1 || operator == "!=" && n == 0
	isNone := operator == "==" && n == 0 || operator == "<" && n == 1
	switch {
	case isSome:
		return t.truth(of.Of)
	case isNone:
		return t.falsehood(of.Of)
	}
	return t.unsaid()
}

// Swapped are operators with their sides changed.
var Swapped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// order compares by < and the like. Null cannot be compared there, and what cannot be evaluated counts as true.
func (t Tester) order(e template.Binary) (Alternatives, bool) {
	if _, ok := e.Left.(template.Constant); ok {
		e.Left, e.Right, e.Operator = e.Right, e.Left, Swapped[e.Operator]
	}
	c, ok := e.Right.(template.Constant)
	if !ok {
		return t.unsaid()
	}
	if size, ok := e.Left.(template.Filter); ok {
		return t.size(size, e.Operator, c)
	}
	path, _, ok1 := t.Path(e.Left)
	text, ok2 := t.Value(c)
	_, isTruth := c.Value.(bool)
	if !ok1 || !ok2 || text == "" || isTruth {
		return t.unsaid()
	}
	a := one(path + e.Operator + text)
	isLess := strings.HasPrefix(e.Operator, "<")
	// The empty text is less than any, and what has a default is never null by itself.
	if isLess || !t.isOfItem() || t.hasDefault(e.Left) {
		return a, true
	}
	return a.or(one(path + "==")), true
}

// contains is for in and not in.
func (t Tester) contains(e template.Binary) (Alternatives, bool) {
	isIn := e.Operator == "in"
	if elements, ok := constants(e.Right); ok {
		return t.oneOf(e, elements, isIn)
	}
	if path, ok := t.member(e); ok {
		// % is like any text, null included; nothing is like what is missing.
		if isIn && !t.isOfItem() {
			return one(path + "~~%"), true
		}
		return t.unsaid()
	}
	path, _, ok1 := t.Path(e.Right)
	text, ok2 := t.part(e.Left)
	if !areAll(ok1, ok2, isIn) {
		return t.unsaid()
	}
	// An answer's object may have a member of the name; in that of an item it is asked for in vain.
	if isWord(text) && !isProse(path) && !t.isOfItem() {
		return t.unsaid()
	}
	return one(path + "~~%" + text + "%"), true
}

// isWord tells whether a text may be the name of a member.
func isWord(text string) bool { return !strings.ContainsAny(text, " .,:;'!?/") }

// isProse tells whether what a path leads to is a text for people, by its name.
func isProse(path string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	for _, word := range []string{"message", "msg", "description", "detail", "reason", "title", "text"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// member is the path of what in asks for, where the right side is the variable itself.
func (t Tester) member(e template.Binary) (string, bool) {
	of, ok := e.Right.(template.Name)
	key, isText := template.ConstantText(e.Left)
	if !ok || !isText || of.Name != t.Root || !isPlain(key) {
		return "", false
	}
	return key, true
}

// oneOf compares with the elements of a list.
func (t Tester) oneOf(e template.Binary, elements []template.Constant, isIn bool) (Alternatives, bool) {
	operator, by := "==", Alternatives.or
	all := either(false)
	if !isIn {
		operator, by = "!=", Alternatives.and
		all = always()
	}
	for _, element := range elements {
		a, ok := t.equal(template.Binary{Operator: operator, Left: e.Left, Right: element})
		if !ok {
			return t.unsaid()
		}
		all = by(all, a)
	}
	return t.bounded(all)
}

// constants are the elements of a list of constants.
func constants(e template.Expression) (all []template.Constant, ok bool) {
	switch e := e.(type) {
	case template.List:
		for _, element := range e.Elements {
			c, ok := element.(template.Constant)
			if !ok {
				return nil, false
			}
			all = append(all, c)
		}
		return all, true
	case template.Constant:
		elements, ok := e.Value.([]any)
		for _, element := range elements {
			all = append(all, template.Constant{Value: element})
		}
		return all, ok
	}
	return nil, false
}

// is is for tests.
func (t Tester) is(e template.Binary) (Alternatives, bool) {
	test, with := template.TestNamed(e.Right)
	isIt := e.Operator == "is"
	switch test {
	case "none":
		return t.isNone(e.Left, isIt)
	case "sameas", "eq", "equalto", "true", "false":
		operator := map[bool]string{true: "==", false: "!="}[isIt]
		return t.equal(template.Binary{Operator: operator, Left: e.Left, Right: with})
	case "defined", "undefined":
		isDefined := isIt == (test == "defined")
		path, _, ok := t.Path(e.Left)
		if ok && isDefined && !t.isOfItem() {
			return one(path + "~~%"), true
		}
	}
	return t.unsaid()
}
