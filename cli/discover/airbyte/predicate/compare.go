package predicate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// Opposites are the operators that hold where another does not.
var Opposites = map[string]string{
	"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}

// Swapped are operators with their sides changed.
var Swapped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// compare is where a comparison holds, or where it does not.
func (t Tester) compare(e template.Binary, is bool) Alternatives {
	switch {
	case e.Operator == "and" && is:
		return t.both(e)
	case e.Operator == "and":
		return t.join(e, t.falsehood, t.falsehood, Alternatives.or)
	case e.Operator == "or" && is:
		return t.join(e, t.truth, t.truth, Alternatives.or)
	case e.Operator == "or":
		return t.join(e, t.falsehood, t.falsehood, Alternatives.and)
	case !is:
		// What cannot be compared ends the whole template: it has no opposite.
		e.Operator = Opposites[e.Operator]
	}
	switch e.Operator {
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
func (t Tester) both(e template.Binary) Alternatives {
	unequal, ok := e.Right.(template.Binary)
	path, isMember := t.Path(unequal.Left)
	isGuarded := ok && unequal.Operator == "!=" && !t.isOfItem() && isMember && slices.Contains(t.there(e.Left), path)
	if !isGuarded {
		return t.join(e, t.truth, t.truth, Alternatives.and)
	}
	text, ok := t.Value(unequal.Right)
	if !ok {
		return t.unsaid()
	}
	return t.bounded(t.truth(e.Left).and(one(path + "!=" + text)))
}

// there are the paths of an answer that must be there for an expression to hold.
func (t Tester) there(e template.Expression) []string {
	b, ok := e.(template.Binary)
	if !ok {
		b = template.Binary{Operator: "==", Left: e}
	}
	test, _ := template.TestNamed(b.Right)
	switch {
	case b.Operator == "and":
		return slices.Concat(t.there(b.Left), t.there(b.Right))
	case b.Operator == "in":
		path, isMember := t.member(b)
		if elements, ok := constants(b.Right); ok && !isMember && len(elements) > 0 {
			path, _ = t.printed(b.Left, elements[0])
		}
		return []string{path}
	case b.Operator == "==", b.Operator == "is" && test == "defined":
		path, _ := t.printed(b.Left, b.Right)
		return []string{path}
	}
	return nil
}

// equal compares with a constant. A number, a text or a boolean is unlike what is missing and unlike null.
func (t Tester) equal(e template.Binary) Alternatives {
	if _, ok := e.Left.(template.Constant); ok {
		e.Left, e.Right = e.Right, e.Left
	}
	c, isConstant := e.Right.(template.Constant)
	size, isSize := LengthOf(e.Left)
	switch {
	case isConstant && c.Value == nil:
		return t.isNone(e.Left, e.Operator == "==")
	case isConstant && isSize:
		return t.size(size, e.Operator, c)
	}
	path, ok := t.printed(e.Left, e.Right)
	text, isText := t.Value(e.Right)
	isEqual := e.Operator == "=="
	condition := one(path + e.Operator + text)
	way, _ := template.Trail(e.Left)
	switch {
	case !ok || !isText:
	case !python.Truthy(c.Value) && way.HasDefault && way.ByDefault != nil:
		// It compares with what a value may be by default.
		if t.isOfItem() && isEqual {
			return t.widened(condition.or(one(path + "==")))
		}
		if t.isOfItem() {
			return t.widened(condition)
		}
	case text == "":
		// What is missing is not the empty text there, but is in a condition of ours.
		if isEqual && t.isOfItem() {
			return t.widened(one(path + "=="))
		}
	case isEqual:
		return condition
	default:
		return t.unlessMissing(path, condition)
	}
	return t.unsaid()
}

// printed is the path of a member that is compared with a constant, or whose text is: conditions compare texts anyway.
func (t Tester) printed(e, with template.Expression) (path string, ok bool) {
	f, _ := e.(template.Filter)
	if f.Name != "string" || len(f.Arguments) > 0 {
		return t.Path(e)
	}
	text, isText := template.ConstantText(with)
	path, ok = t.Path(f.Of)
	// Python writes other values in its own way.
	isOwn := text == "" || strings.ContainsAny(text[:1], "[{") || slices.Contains([]string{"None", "True", "False", "null", "true", "false"}, text)
	return path, ok && isText && !isOwn
}

// isNone is a comparison with null, which an item cannot tell from what it lacks.
func (t Tester) isNone(of template.Expression, is bool) Alternatives {
	path, ok := t.Path(of)
	if ok && t.isOfItem() && is {
		return t.widened(one(path + "=="))
	}
	return t.unsaid()
}

// size compares the length of a list.
func (t Tester) size(of template.Expression, operator string, with template.Constant) Alternatives {
	n, ok := with.Value.(int64)
	comparison := operator + strconv.FormatInt(n, 10)
	switch {
	case !ok:
	case slices.Contains([]string{">0", ">=1", "!=0"}, comparison):
		return t.truth(of)
	case slices.Contains([]string{"==0", "<1"}, comparison):
		return t.falsehood(of)
	}
	return t.unsaid()
}

// order compares by < and the like. Null cannot be compared there, and what cannot be evaluated counts as true.
func (t Tester) order(e template.Binary) Alternatives {
	if _, ok := e.Left.(template.Constant); ok {
		e.Left, e.Right, e.Operator = e.Right, e.Left, Swapped[e.Operator]
	}
	c, isConstant := e.Right.(template.Constant)
	if size, ok := LengthOf(e.Left); ok && isConstant {
		return t.size(size, e.Operator, c)
	}
	path, ok := t.Path(e.Left)
	text, isText := t.Value(e.Right)
	_, isTruth := c.Value.(bool)
	if !ok || !isText || text == "" || isTruth {
		return t.unsaid()
	}
	a := one(path + e.Operator + text)
	way, _ := template.Trail(e.Left)
	hasDefault := way.HasDefault && way.ByDefault != nil
	// The empty text is less than any, and what has a default is never null by itself.
	if strings.HasPrefix(e.Operator, "<") || !t.isOfItem() || hasDefault {
		return a
	}
	return a.or(one(path + "=="))
}

// contains is for in and not in.
func (t Tester) contains(e template.Binary) Alternatives {
	isIn := e.Operator == "in"
	if elements, ok := constants(e.Right); ok {
		return t.oneOf(e, elements, isIn)
	}
	if path, ok := t.member(e); ok {
		// % is like any text, null included; nothing is like what is missing.
		if isIn && !t.isOfItem() {
			return one(path + "~~%")
		}
		return t.unsaid()
	}
	path, ok := t.Path(e.Right)
	text, isText := t.part(e.Left)
	isWord := !strings.ContainsAny(text, " .,:;'!?/")
	if f, isFilter := e.Right.(template.Filter); isFilter && f.Name == "string" && strings.Trim(text, "0123456789") == "" {
		path, ok = t.Path(f.Of)
		isWord = false
	}
	// An answer's object may have a member of the name; in that of an item it is asked for in vain.
	if !ok || !isText || !isIn || isWord && !isProse(path) && !t.isOfItem() {
		return t.unsaid()
	}
	return one(path + "~~%" + text + "%")
}

// isProse tells whether what a path leads to is a text for people, by its name.
func isProse(path string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	isIn := func(word string) bool { return strings.Contains(name, word) }
	return slices.ContainsFunc([]string{"message", "msg", "description", "detail", "reason", "title", "text"}, isIn)
}

// member is the path of what in asks for, where the right side is the variable itself.
func (t Tester) member(e template.Binary) (string, bool) {
	of, _ := e.Right.(template.Name)
	key, isText := template.ConstantText(e.Left)
	if !isText || of.Name != t.Root || !isPlain(key) {
		return "", false
	}
	return key, true
}

// oneOf compares with the elements of a list.
func (t Tester) oneOf(e template.Binary, elements []template.Constant, isIn bool) Alternatives {
	operator, by := "==", Alternatives.or
	if !isIn {
		operator, by = "!=", Alternatives.and
	}
	all := either(!isIn)
	for _, element := range elements {
		all = by(all, t.equal(template.Binary{Operator: operator, Left: e.Left, Right: element}))
	}
	return t.bounded(all)
}

// constants are the elements of a list of constants.
func constants(e template.Expression) (all []template.Constant, ok bool) {
	switch e := e.(type) {
	case template.Sequence:
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
func (t Tester) is(e template.Binary) Alternatives {
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
		path, ok := t.Path(e.Left)
		if ok && isDefined && !t.isOfItem() {
			return one(path + "~~%")
		}
	}
	return t.unsaid()
}

// begins is for the methods of texts.
func (t Tester) begins(e template.Invocation, method template.Index) Alternatives {
	path, ok := t.Path(method.Of)
	text, isText := t.part(e.Arguments[0])
	if !ok || !isText {
		return t.unsaid()
	}
	if name, _ := template.ConstantText(method.Key); name == "endswith" {
		return one(path + "~~%" + text)
	}
	return one(path + "~~" + text + "%")
}
