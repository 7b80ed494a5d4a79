package airbyte

import (
	"slices"
	"strconv"
	"strings"
)

// condition is an expression in the language of recursionFilter, about the members of the variable root
// (record, or response with its headers). It tells whether that says the same; false: the values decide it, or
// nothing does.
func condition(e expression, root string) (string, bool) {
	all, ok := tester{root: root}.kept(e)
	isConstant := all.never() || all.always()
	if !ok || isConstant {
		return "", false
	}
	return all.String(), true
}

// widened is a condition about items that holds wherever the expression does. It tells whether it holds nowhere
// else.
func widened(e expression, root string) (all alternatives, exact bool) {
	t := tester{root: root, widens: true, wide: new(bool)}
	all, _ = t.kept(e)
	return all, !*t.wide
}

// holds tells what the value of a template counts as where a condition is wanted.
func holds(value any) bool {
	text, ok := value.(string)
	if !ok {
		// A template that gives None has the text of it, which is something.
		return value == nil || truthy(value)
	}
	return !slices.Contains([]string{"", "False", "false", "{}", "[]", "()", "0", "0.0"}, text)
}

// Alternatives are conditions joined by |, each some that are joined by &. None hold never, an empty one
// always.
type alternatives [][]string

// maxAlternatives is how many there may be.
const maxAlternatives = 64

func (a alternatives) never() bool { return len(a) == 0 }

func (a alternatives) always() bool {
	return slices.ContainsFunc(a, func(all []string) bool { return len(all) == 0 })
}

func (a alternatives) String() string {
	var texts []string
	for _, all := range a {
		text := strings.Join(all, "&")
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "|")
}

// or holds where one of both does.
func (a alternatives) or(b alternatives) alternatives { return slices.Concat(a, b) }

// and holds where both do.
func (a alternatives) and(b alternatives) alternatives {
	var both alternatives
	for _, x := range a {
		for _, y := range b {
			both = append(both, union(x, y))
		}
	}
	return both
}

// union are the conditions of both, each once.
func union(x, y []string) []string {
	all := slices.Clone(x)
	for _, condition := range y {
		if !slices.Contains(all, condition) {
			all = append(all, condition)
		}
	}
	return all
}

// always holds everywhere.
func always() alternatives { return alternatives{nil} }

// one is a condition.
func one(condition string) alternatives { return alternatives{{condition}} }

// either is a constant.
func either(is bool) alternatives {
	if is {
		return always()
	}
	return nil
}

// A tester makes conditions about the members of a variable.
type tester struct {
	root string

	// widens: what cannot be said holds everywhere, and wide is set then.
	widens bool
	wide   *bool
}

// unsaid is what cannot be said.
func (t tester) unsaid() (alternatives, bool) {
	if !t.widens {
		return nil, false
	}
	*t.wide = true
	return always(), true
}

// isOfItem tells that what is missing counts as the empty text. In an answer it satisfies no condition.
func (t tester) isOfItem() bool { return t.root == "record" }

// kept is where the text that an expression gives, as a template, counts as true.
func (t tester) kept(e expression) (alternatives, bool) {
	switch e := e.(type) {
	case constant:
		return either(holds(e.value)), true
	case choice:
		return t.keptChoice(e)
	case joined:
		return t.keptTemplate(e.template)
	case binary:
		switch e.operator {
		case "and":
			return t.keptAnd(e)
		case "or":
			return t.join(e, t.truth, t.kept, alternatives.or)
		}
	}
	if isBoolean(e) {
		return t.truth(e)
	}
	// The text of a null value is None, which counts as true, and an item that lacks the value is like one with
	// null.
	if _, _, ok := t.path(e); ok && t.widens {
		*t.wide = true
		return t.unlike(e, "false", "0", "[]", "{}")
	}
	return t.unsaid()
}

// keptAnd is for a and b, which is a where a does not hold: null is kept then.
func (t tester) keptAnd(e binary) (alternatives, bool) {
	switch {
	case isBoolean(e):
		return t.truth(e)
	case isBoolean(e.left):
		return t.join(e, t.truth, t.kept, alternatives.and)
	}
	path, _, ok := t.path(e.left)
	isWide := ok && t.widens
	if !isWide {
		return t.unsaid()
	}
	*t.wide = true
	both, ok := t.join(e, t.truth, t.kept, alternatives.and)
	return both.or(one(path + "==")), ok
}

// keptTemplate is kept for the text of a template.
func (t tester) keptTemplate(of template) (alternatives, bool) {
	switch {
	case len(of) == 0:
		return nil, true
	case len(of) > 1:
		return t.unsaid()
	case of[0].expression == nil:
		return either(holds(strings.TrimSpace(of[0].literal))), true
	}
	return t.kept(of[0].expression)
}

func (t tester) keptChoice(e choice) (alternatives, bool) {
	no := e.no
	if no == nil {
		no = constant{""}
	}
	return t.choose(choice{e.condition, e.yes, no}, t.kept)
}

// choose is yes where the condition holds, else no.
func (t tester) choose(e choice, of func(expression) (alternatives, bool)) (alternatives, bool) {
	is, ok1 := t.truth(e.condition)
	isNot, ok2 := t.falsehood(e.condition)
	yes, ok3 := of(e.yes)
	no, ok4 := of(e.no)
	if !areAll(ok1, ok2, ok3, ok4) {
		return t.unsaid()
	}
	return t.bounded(is.and(yes).or(isNot.and(no)))
}

func areAll(oks ...bool) bool { return !slices.Contains(oks, false) }

// bounded refuses what is too long.
func (t tester) bounded(a alternatives) (alternatives, bool) {
	if len(a) > maxAlternatives {
		return t.unsaid()
	}
	return a, true
}

// isBoolean tells whether an expression gives true or false and nothing else.
func isBoolean(e expression) bool {
	switch e := e.(type) {
	case constant:
		_, ok := e.value.(bool)
		return ok
	case unary:
		return e.operator == "not"
	case choice:
		return isBoolean(e.yes) && isBoolean(e.no)
	case call:
		_, ok := methodOf(e)
		return ok
	case binary:
		if e.operator == "and" || e.operator == "or" {
			return isBoolean(e.left) && isBoolean(e.right)
		}
		return !slices.Contains([]string{"+", "-", "*", "/", "//", "%", "~", "**"}, e.operator)
	}
	return false
}

type half = func(expression) (alternatives, bool)

// join is two halves by and or or.
func (t tester) join(
	e binary, left, right half, by func(a, b alternatives) alternatives,
) (alternatives, bool) {
	a, ok1 := left(e.left)
	b, ok2 := right(e.right)
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	return t.bounded(by(a, b))
}

// truth is where an expression holds within another one.
func (t tester) truth(e expression) (alternatives, bool) {
	switch e := e.(type) {
	case constant:
		return either(truthy(e.value)), true
	case unary:
		if e.operator == "not" {
			return t.falsehood(e.of)
		}
	case choice:
		if e.no != nil {
			return t.choose(e, t.truth)
		}
	case call:
		if method, ok := methodOf(e); ok {
			return t.begins(e, method)
		}
	case binary:
		return t.compare(e)
	case filter:
		if e.name == "length" || e.name == "count" {
			return t.truth(e.of)
		}
	}
	return t.unlike(e, "", "false", "0", "[]", "{}")
}

// unlike is where a value is there and none of these.
func (t tester) unlike(e expression, texts ...string) (alternatives, bool) {
	path, _, ok := t.path(e)
	if !ok {
		return t.unsaid()
	}
	var all []string
	for _, text := range texts {
		all = append(all, path+"!="+text)
	}
	return alternatives{all}, true
}

// falsehood is where an expression does not hold within another one.
func (t tester) falsehood(e expression) (alternatives, bool) {
	switch e := e.(type) {
	case constant:
		return either(!truthy(e.value)), true
	case unary:
		if e.operator == "not" {
			return t.truth(e.of)
		}
	case choice:
		if e.no != nil {
			return t.choose(e, t.falsehood)
		}
	case binary:
		return t.compareNot(e)
	case filter:
		if e.name == "length" || e.name == "count" {
			return t.falsehood(e.of)
		}
	}
	path, _, ok := t.path(e)
	if !ok || !t.isOfItem() {
		return t.unsaid()
	}
	var a alternatives
	for _, text := range []string{"", "false", "0", "[]", "{}"} {
		a = a.or(one(path + "==" + text))
	}
	return a, true
}

// opposites are the operators that hold where another does not.
var opposites = map[string]string{
	"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}

func (t tester) compareNot(e binary) (alternatives, bool) {
	switch e.operator {
	case "and":
		return t.join(e, t.falsehood, t.falsehood, alternatives.or)
	case "or":
		return t.join(e, t.falsehood, t.falsehood, alternatives.and)
	}
	opposite, ok := opposites[e.operator]
	if !ok {
		// What cannot be compared ends the whole template.
		return t.unsaid()
	}
	return t.compare(binary{opposite, e.left, e.right})
}

func (t tester) compare(e binary) (alternatives, bool) {
	switch e.operator {
	case "and":
		return t.both(e)
	case "or":
		return t.join(e, t.truth, t.truth, alternatives.or)
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
func (t tester) both(e binary) (alternatives, bool) {
	guarded := t.guarded(e)
	if guarded == nil {
		return t.join(e, t.truth, t.truth, alternatives.and)
	}
	left, ok1 := t.truth(e.left)
	text, ok2 := t.value(guarded.right)
	path, _, ok3 := t.path(guarded.left)
	if !areAll(ok1, ok2, ok3) {
		return t.unsaid()
	}
	return t.bounded(left.and(one(path + "!=" + text)))
}

// guarded is the right half of an and if it is a != about what the left one says is there, in an answer; else
// nil.
func (t tester) guarded(e binary) *binary {
	unequal, ok := e.right.(binary)
	isUnequal := ok && unequal.operator == "!="
	if !isUnequal || t.isOfItem() {
		return nil
	}
	path, _, ok := t.path(unequal.left)
	if ok && slices.Contains(t.there(e.left), path) {
		return &unequal
	}
	return nil
}

// there are the paths of an answer that must be there for an expression to hold.
func (t tester) there(e expression) []string {
	b, ok := e.(binary)
	if !ok {
		path, _, _ := t.path(e)
		return []string{path}
	}
	switch b.operator {
	case "and":
		return slices.Concat(t.there(b.left), t.there(b.right))
	case "==":
		path, _, _ := t.path(b.left)
		return []string{path}
	case "in":
		path, _ := t.member(b)
		return []string{path}
	case "is":
		if test, _ := testNamed(b.right); test == "defined" {
			path, _, _ := t.path(b.left)
			return []string{path}
		}
	}
	return nil
}

// equal compares with a constant. A number, a text or a boolean is unlike what is missing and unlike null.
func (t tester) equal(e binary) (alternatives, bool) {
	if _, ok := e.left.(constant); ok {
		e.left, e.right = e.right, e.left
	}
	c, ok := e.right.(constant)
	if !ok {
		return t.unsaid()
	}
	if c.value == nil {
		return t.isNone(e.left, e.operator == "==")
	}
	if size, ok := e.left.(filter); ok {
		return t.size(size, e.operator, c)
	}
	path, _, ok1 := t.path(e.left)
	text, ok2 := t.value(c)
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	if !truthy(c.value) && t.hasDefault(e.left) {
		return t.sameByDefault(path, e.operator, text)
	}
	// What is missing is not the empty text there, but is in a condition of ours.
	if text == "" {
		return t.empty(path, e.operator)
	}
	isMissed := e.operator == "!=" && !t.isOfItem()
	if isMissed {
		return t.unsaid()
	}
	return one(path + e.operator + text), true
}

// hasDefault tells whether what is missing counts as something else than null.
func (t tester) hasDefault(e expression) bool {
	w, _ := trail(e)
	return w.hasDefault && w.byDefault != nil
}

// sameByDefault is for a comparison with what a value may be by default.
func (t tester) sameByDefault(path, operator, text string) (alternatives, bool) {
	isWide := t.widens && t.isOfItem()
	if !isWide {
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
func (t tester) empty(path, operator string) (alternatives, bool) {
	isSafe := operator == "==" && t.isOfItem()
	if !isSafe || !t.widens {
		return t.unsaid()
	}
	*t.wide = true
	return one(path + "=="), true
}

// isNone is a comparison with null, which an item cannot tell from what it lacks.
func (t tester) isNone(of expression, is bool) (alternatives, bool) {
	path, isGet, ok := t.path(of)
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
func (t tester) size(of filter, operator string, with constant) (alternatives, bool) {
	isLength := of.name == "length" || of.name == "count"
	n, ok := with.value.(int64)
	if !isLength || !ok {
		return t.unsaid()
	}
	isSome := operator == ">" && n == 0 || operator == ">=" && n == 1 || operator == "!=" && n == 0
	isNone := operator == "==" && n == 0 || operator == "<" && n == 1
	switch {
	case isSome:
		return t.truth(of.of)
	case isNone:
		return t.falsehood(of.of)
	}
	return t.unsaid()
}

// swapped are operators with their sides changed.
var swapped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// order compares by < and the like. Null cannot be compared there, and what cannot be evaluated counts as true.
func (t tester) order(e binary) (alternatives, bool) {
	if _, ok := e.left.(constant); ok {
		e.left, e.right, e.operator = e.right, e.left, swapped[e.operator]
	}
	c, ok := e.right.(constant)
	if !ok {
		return t.unsaid()
	}
	if size, ok := e.left.(filter); ok {
		return t.size(size, e.operator, c)
	}
	path, _, ok1 := t.path(e.left)
	text, ok2 := t.value(c)
	_, isTruth := c.value.(bool)
	isComparable := ok1 && ok2 && text != ""
	if !isComparable || isTruth {
		return t.unsaid()
	}
	a := one(path + e.operator + text)
	isLess := strings.HasPrefix(e.operator, "<")
	// The empty text is less than any, and what has a default is never null by itself.
	isWhole := isLess || !t.isOfItem()
	if isWhole || t.hasDefault(e.left) {
		return a, true
	}
	return a.or(one(path + "==")), true
}

// contains is for in and not in.
func (t tester) contains(e binary) (alternatives, bool) {
	isIn := e.operator == "in"
	if elements, ok := constants(e.right); ok {
		return t.oneOf(e, elements, isIn)
	}
	if path, ok := t.member(e); ok {
		// % is like any text, null included; nothing is like what is missing.
		if isIn && !t.isOfItem() {
			return one(path + "~~%"), true
		}
		return t.unsaid()
	}
	path, _, ok1 := t.path(e.right)
	text, ok2 := t.part(e.left)
	if !areAll(ok1, ok2, isIn) {
		return t.unsaid()
	}
	// An answer's object may have a member of the name; in that of an item it is asked for in vain.
	isDoubtful := isWord(text) && !isProse(path)
	if isDoubtful && !t.isOfItem() {
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
func (t tester) member(e binary) (string, bool) {
	of, ok := e.right.(name)
	key, isText := constantText(e.left)
	isMember := ok && isText && of.name == t.root
	if !isMember || !isPlain(key) {
		return "", false
	}
	return key, true
}

// oneOf compares with the elements of a list.
func (t tester) oneOf(e binary, elements []constant, isIn bool) (alternatives, bool) {
	operator, by := "==", alternatives.or
	all := either(false)
	if !isIn {
		operator, by = "!=", alternatives.and
		all = always()
	}
	for _, element := range elements {
		a, ok := t.equal(binary{operator, e.left, element})
		if !ok {
			return t.unsaid()
		}
		all = by(all, a)
	}
	return t.bounded(all)
}

// constants are the elements of a list of constants.
func constants(e expression) (all []constant, ok bool) {
	switch e := e.(type) {
	case list:
		for _, element := range e.elements {
			c, ok := element.(constant)
			if !ok {
				return nil, false
			}
			all = append(all, c)
		}
		return all, true
	case constant:
		elements, ok := e.value.([]any)
		for _, element := range elements {
			all = append(all, constant{element})
		}
		return all, ok
	}
	return nil, false
}

// is is for tests.
func (t tester) is(e binary) (alternatives, bool) {
	test, with := testNamed(e.right)
	isIt := e.operator == "is"
	switch test {
	case "none":
		return t.isNone(e.left, isIt)
	case "sameas", "eq", "equalto", "true", "false":
		operator := map[bool]string{true: "==", false: "!="}[isIt]
		return t.equal(binary{operator, e.left, with})
	case "defined", "undefined":
		isDefined := isIt == (test == "defined")
		path, _, ok := t.path(e.left)
		isSaid := ok && isDefined && !t.isOfItem()
		if isSaid {
			return one(path + "~~%"), true
		}
	}
	return t.unsaid()
}

// testNamed is the name of a test, and what it compares with.
func testNamed(e expression) (test string, with expression) {
	switch e := e.(type) {
	case name:
		switch e.name {
		case "true", "false":
			return e.name, constant{e.name == "true"}
		case "None":
			return "none", nil
		}
		return e.name, nil
	case call:
		if of, ok := e.of.(name); ok && len(e.arguments) == 1 {
			return of.name, e.arguments[0]
		}
	}
	return "", nil
}

// methodOf is startswith or endswith.
func methodOf(e call) (method index, ok bool) {
	of, _ := e.of.(index)
	name, _ := constantText(of.key)
	isKnown := name == "startswith" || name == "endswith"
	return of, isKnown && len(e.arguments) == 1
}

// begins is for the methods of texts.
func (t tester) begins(e call, method index) (alternatives, bool) {
	path, _, ok1 := t.path(method.of)
	text, ok2 := t.part(e.arguments[0])
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	if name, _ := constantText(method.key); name == "endswith" {
		return one(path + "~~%" + text), true
	}
	return one(path + "~~" + text + "%"), true
}

// path is that of a member of the variable; isGet tells that what is missing is null.
func (t tester) path(e expression) (path string, isGet, ok bool) {
	way, ok := trail(e)
	isFalsy := !way.hasDefault || !truthy(way.byDefault)
	if !ok || len(way.steps) == 0 || !isFalsy {
		return "", false, false
	}
	for _, step := range way.steps {
		if !isPlain(step) {
			return "", false, false
		}
	}
	path = strings.Join(way.steps, ".")
	isHeader := way.variable == "headers" && t.root == "response"
	switch {
	case way.variable == t.root:
		return path, way.hasDefault, true
	case isHeader && len(way.steps) == 1:
		return "$header." + path, way.hasDefault, true
	}
	return "", false, false
}

// isPlain tells whether a step may stand in a condition.
func isPlain(step string) bool {
	return step != "" && !strings.ContainsAny(step, ".&|=!<>~$* ")
}

// value is a constant as a condition has it.
func (t tester) value(e expression) (string, bool) {
	c, ok := e.(constant)
	if !ok {
		return "", false
	}
	switch v := c.value.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case string:
		isSafe := !strings.ContainsAny(v, "&|") && !strings.ContainsAny(firstOf(v), "=!<>~")
		return v, isSafe
	}
	return "", false
}

// part is a text that stands within another one.
func (t tester) part(e expression) (string, bool) {
	text, ok := constantText(e)
	value, isSafe := t.value(constant{text})
	isPlain := isSafe && !strings.ContainsAny(text, `%"\`)
	return value, ok && isPlain && text != ""
}

// firstOf is the first byte.
func firstOf(text string) string { return text[:min(1, len(text))] }

// constantText is a constant text.
func constantText(e expression) (string, bool) {
	c, ok := e.(constant)
	if !ok {
		return "", false
	}
	text, ok := c.value.(string)
	return text, ok
}
