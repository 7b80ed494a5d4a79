package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A template is the text of a manifest, read: literal texts, and expressions between {{ and }}.
type template []piece

// A piece is a literal text, or an expression.
type piece struct {
	literal    string
	expression expression
}

// An expression is the tree of one: see the types below it.
type expression any

// The kinds of an expression.
type (
	// constant is a text, a number (int64, float64), a bool or nil; a folded one may be a list or an object,
	// too.
	constant struct{ value any }
	// name is a variable.
	name struct{ name string }
	// list and dict are literals.
	list struct{ elements []expression }
	dict struct{ keys, values []expression }
	// index is of[key]; of.key has a constant text, and isDotted.
	index struct {
		of, key  expression
		isDotted bool
	}
	// cut is the key of of[from:to]; nil: from the beginning, to the end.
	cut struct{ from, to expression }
	// call is of(arguments); keywords are those with names.
	call struct {
		of        expression
		arguments []expression
		keywords  map[string]expression
	}
	// filter is of|name(arguments).
	filter struct {
		of        expression
		name      string
		arguments []expression
		keywords  map[string]expression
	}
	// unary is not, - and +; binary is and, or, in, not in, is, is not, ==, !=, <, <=, >, >=, +, -, *, /, //,
	// %, ~. Right of is stands the name of a test, or a call of it.
	unary struct {
		operator string
		of       expression
	}
	binary struct {
		operator    string
		left, right expression
	}
	// choice is yes if condition else no; no is nil where it is missing.
	choice struct{ condition, yes, no expression }
	// joined is the text of a template, such as what stands between {% if %} and {% endif %}.
	joined struct{ template template }
)

// maxExpression is how deep an expression is nested.
const maxExpression = 60

// isTemplate tells whether a text has more than itself in it.
func isTemplate(text string) bool {
	for _, open := range []string{"{{", "{%", "{#"} {
		if strings.Contains(text, open) {
			return true
		}
	}
	return false
}

// parse reads the text of a template.
func parse(text string) (template, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	p := &pieces{rest: strings.TrimSuffix(text, "\n"), set: map[string]expression{}}
	t, end, err := p.read(0)
	if err == nil && end != nil {
		err = fmt.Errorf("{%% %s %%} has no beginning", end[0].text)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// pieces reads the pieces of a template.
type pieces struct {
	rest string

	// set are the variables that {% set %} has made.
	set map[string]expression
}

// read reads pieces up to the end, or to a statement that ends a block, whose tokens it returns.
func (p *pieces) read(depth int) (template, []token, error) {
	if depth > maxExpression {
		return nil, nil, errors.New("a template is nested too deep")
	}
	var t template
	for p.rest != "" {
		literal, open := p.literal()
		if literal != "" {
			t = append(t, piece{literal: literal})
		}
		switch open {
		case "{{":
			e, err := p.expression("}}")
			if err != nil {
				return nil, nil, err
			}
			t = append(t, piece{expression: e})
		case "{%":
			more, end, err := p.statement(depth)
			isEnd := err != nil || end != nil
			if isEnd {
				return t, end, err
			}
			t = append(t, more...)
		case "{#":
			_, rest, ok := strings.Cut(p.rest, "#}")
			if !ok {
				return nil, nil, errors.New("#} is missing")
			}
			p.rest = rest
		}
	}
	return t, nil, nil
}

// literal is the text up to what opens an expression, a statement or a comment.
func (p *pieces) literal() (literal, open string) {
	at := len(p.rest)
	for i := 0; i+1 < len(p.rest); i++ {
		if p.rest[i] == '{' && strings.IndexByte("{%#", p.rest[i+1]) >= 0 {
			at, open = i, p.rest[i:i+2]
			break
		}
	}
	literal, p.rest = p.rest[:at], p.rest[at+len(open):]
	isTrimmed := open != "" && strings.HasPrefix(p.rest, "-")
	if isTrimmed {
		literal, p.rest = strings.TrimRight(literal, " \t\r\n"), p.rest[1:]
	}
	return literal, open
}

// expression reads one up to its end.
func (p *pieces) expression(end string) (expression, error) {
	tokens, rest, err := lex(p.rest, end)
	if err != nil {
		return nil, err
	}
	p.rest = rest
	return p.whole(tokens)
}

// whole is the expression that all the tokens make.
func (p *pieces) whole(tokens []token) (expression, error) {
	g := &grammar{tokens: tokens, set: p.set}
	e, err := g.any()
	if err != nil {
		return nil, err
	}
	if g.peek().kind != '.' {
		return nil, fmt.Errorf("%q is not understood behind an expression", g.peek().text)
	}
	return e, nil
}

// statement reads one behind {%: what it gives, or the tokens of one that ends a block.
func (p *pieces) statement(depth int) (template, []token, error) {
	tokens, rest, err := lex(p.rest, "%}")
	if err != nil {
		return nil, nil, err
	}
	p.rest = rest
	switch tokens[0].text {
	case "if":
		e, err := p.branches(tokens[1:], depth)
		return template{{expression: e}}, nil, err
	case "set":
		isAssignment := len(tokens) > 3 && tokens[1].kind == 'n' && tokens[2].text == "="
		// In a branch it is set only if that is taken.
		if !isAssignment || depth > 0 {
			return nil, nil, errors.New("this {% set %} is not understood")
		}
		e, err := p.whole(tokens[3:])
		p.set[tokens[1].text] = e
		return nil, nil, err
	case "elif", "else", "endif":
		return nil, tokens, nil
	default:
		return nil, nil, fmt.Errorf("{%% %s %%} is not understood", tokens[0].text)
	}
}

// branches reads an if behind its condition, to endif.
func (p *pieces) branches(condition []token, depth int) (expression, error) {
	c, err := p.whole(condition)
	if err != nil {
		return nil, err
	}
	yes, end, err := p.read(depth + 1)
	if err != nil {
		return nil, err
	}
	e := choice{condition: c, yes: joined{yes}, no: constant{""}}
	if end == nil {
		return nil, errors.New("{% endif %} is missing")
	}
	switch end[0].text {
	case "elif":
		e.no, err = p.branches(end[1:], depth+1)
	case "else":
		var no template
		no, end, err = p.read(depth + 1)
		isEnded := end != nil && end[0].text == "endif"
		if err == nil && !isEnded {
			err = errors.New("{% endif %} is missing")
		}
		e.no = joined{no}
	}
	return e, err
}

// A grammar reads an expression.
type grammar struct {
	tokens []token
	set    map[string]expression
	depth  int
}

func (g *grammar) peek() token { return g.tokens[0] }

func (g *grammar) take() token {
	t := g.tokens[0]
	if len(g.tokens) > 1 {
		g.tokens = g.tokens[1:]
	}
	return t
}

// accept takes an operator or a word if it is next.
func (g *grammar) accept(text string) bool {
	t := g.peek()
	isWord := t.kind == 'o' || t.kind == 'n'
	is := isWord && t.text == text
	if is {
		g.take()
	}
	return is
}

func (g *grammar) expect(text string) error {
	if g.accept(text) {
		return nil
	}
	return fmt.Errorf("%q is missing before %q", text, g.peek().text)
}

// any is an expression of any kind: a choice, or what is stronger.
func (g *grammar) any() (expression, error) {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > maxExpression {
		return nil, errors.New("an expression is nested too deep")
	}
	e, err := g.binary(0)
	for err == nil && g.accept("if") {
		c := choice{yes: e}
		c.condition, err = g.binary(0)
		if err == nil && g.accept("else") {
			c.no, err = g.any()
		}
		e = c
	}
	return e, err
}

// levels are the operators of two sides, weakest first; not stands between and and the comparisons.
var levels = [][]string{
	{"or"},
	{"and"},
	{"==", "!=", "<", "<=", ">", ">=", "in", "not in"},
	{"+", "-"},
	{"~"},
	{"*", "/", "//", "%"},
}

// comparisons is the level of those.
const comparisons = 2

func (g *grammar) binary(level int) (expression, error) {
	if level == len(levels) {
		return g.unary(true)
	}
	if level == comparisons && g.accept("not") {
		return g.not()
	}
	left, err := g.binary(level + 1)
	compared := left
	for n := 0; err == nil; n++ {
		operator := g.operator(levels[level])
		if operator == "" {
			break
		}
		var right expression
		right, err = g.binary(level + 1)
		next := binary{operator, left, right}
		// In a < b < c the second is about b, too.
		isChain := level == comparisons && n > 0
		if isChain {
			next = binary{"and", left, binary{operator, compared, right}}
		}
		left, compared = next, right
	}
	return left, err
}

// not is the negation of what is as strong as a comparison.
func (g *grammar) not() (expression, error) {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > maxExpression {
		return nil, errors.New("an expression is nested too deep")
	}
	of, err := g.binary(comparisons)
	return unary{"not", of}, err
}

// operator takes one of a level.
func (g *grammar) operator(level []string) string {
	for _, o := range level {
		if o == "not in" {
			isNotIn := g.peek().text == "not" && len(g.tokens) > 1 && g.tokens[1].text == "in"
			if isNotIn {
				g.take()
				g.take()
				return o
			}
			continue
		}
		if g.accept(o) {
			return o
		}
	}
	return ""
}

// unary is a sign, or a primary with all that stands behind it.
func (g *grammar) unary(isFiltered bool) (expression, error) {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > maxExpression {
		return nil, errors.New("an expression is nested too deep")
	}
	var e expression
	var err error
	t := g.peek()
	isSign := t.text == "-" || t.text == "+"
	switch {
	case t.kind == 'o' && isSign:
		g.take()
		e, err = g.unary(false)
		e = unary{t.text, e}
	default:
		e, err = g.primary()
	}
	if err == nil {
		e, err = g.postfix(e)
	}
	if err == nil && isFiltered {
		e, err = g.filters(e)
	}
	return e, err
}

func (g *grammar) primary() (expression, error) {
	t := g.take()
	switch t.kind {
	case 'n':
		return g.name(t.text)
	case 's':
		text := t.text
		for g.peek().kind == 's' {
			text += g.take().text
		}
		return constant{text}, nil
	case '0':
		return numeral(t.text)
	case 'o':
		switch t.text {
		case "(":
			return g.tuple()
		case "[":
			all, err := g.sequence("]")
			return list{all}, err
		case "{":
			return g.dict()
		}
	case '.':
		return nil, errors.New("an expression ends too early")
	}
	return nil, fmt.Errorf("%q is not understood in an expression", t.text)
}

func numeral(digits string) (expression, error) {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return constant{i}, nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	return constant{f}, err
}

// words are names that no variable has.
var words = []string{"and", "or", "not", "if", "else", "elif", "in", "is"}

func (g *grammar) name(text string) (expression, error) {
	switch text {
	case "true", "True":
		return constant{true}, nil
	case "false", "False":
		return constant{false}, nil
	case "none", "None":
		return constant{nil}, nil
	}
	if isKeyword(text) {
		return nil, fmt.Errorf("%q is not understood in an expression", text)
	}
	if e, ok := g.set[text]; ok {
		return e, nil
	}
	return name{text}, nil
}

// tuple is what brackets enclose: an expression, or several, which are a list.
func (g *grammar) tuple() (expression, error) {
	if g.accept(")") {
		return list{}, nil
	}
	e, err := g.any()
	if err != nil {
		return nil, err
	}
	if g.accept(")") {
		return e, nil
	}
	if err := g.expect(","); err != nil {
		return nil, err
	}
	rest, err := g.sequence(")")
	return list{append([]expression{e}, rest...)}, err
}

// sequence is expressions with commas up to an end.
func (g *grammar) sequence(end string) ([]expression, error) {
	var all []expression
	for !g.accept(end) {
		if len(all) > 0 {
			if err := g.expect(","); err != nil {
				return nil, err
			}
			if g.accept(end) {
				break
			}
		}
		e, err := g.any()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (g *grammar) dict() (expression, error) {
	var d dict
	for !g.accept("}") {
		if len(d.keys) > 0 {
			if err := g.expect(","); err != nil {
				return nil, err
			}
			if g.accept("}") {
				break
			}
		}
		key, err := g.any()
		if err != nil {
			return nil, err
		}
		if err := g.expect(":"); err != nil {
			return nil, err
		}
		value, err := g.any()
		if err != nil {
			return nil, err
		}
		d.keys, d.values = append(d.keys, key), append(d.values, value)
	}
	return d, nil
}

// postfix is what stands behind a primary: members and calls.
func (g *grammar) postfix(e expression) (expression, error) {
	var err error
	for err == nil {
		switch {
		case g.accept("."):
			e, err = g.dotted(e)
		case g.accept("["):
			e, err = g.subscript(e)
		case g.accept("("):
			e, err = g.call(e)
		default:
			return e, nil
		}
	}
	return nil, err
}

func (g *grammar) dotted(of expression) (expression, error) {
	t := g.take()
	switch t.kind {
	case 'n':
		return index{of: of, key: constant{t.text}, isDotted: true}, nil
	case '0':
		key, err := numeral(t.text)
		return index{of: of, key: key}, err
	default:
		return nil, errors.New("a name is missing behind a point")
	}
}

func (g *grammar) subscript(of expression) (expression, error) {
	var key expression
	var err error
	if g.peek().text != ":" || g.peek().kind != 'o' {
		key, err = g.any()
	}
	if err != nil {
		return nil, err
	}
	if g.accept(":") {
		c := cut{from: key}
		if g.peek().text != "]" || g.peek().kind != 'o' {
			c.to, err = g.any()
		}
		key = c
	}
	if err == nil {
		err = g.expect("]")
	}
	return index{of: of, key: key}, err
}

func (g *grammar) call(of expression) (expression, error) {
	arguments, keywords, err := g.arguments()
	return call{of, arguments, keywords}, err
}

// arguments are those of a call, up to its end.
func (g *grammar) arguments() (all []expression, keywords map[string]expression, err error) {
	for i := 0; !g.accept(")"); i++ {
		if i > 0 {
			if err := g.expect(","); err != nil {
				return nil, nil, err
			}
			if g.accept(")") {
				break
			}
		}
		isKeyword := g.peek().kind == 'n' && len(g.tokens) > 1 && g.tokens[1].text == "="
		var word string
		if isKeyword {
			word = g.take().text
			g.take()
		}
		e, err := g.any()
		if err != nil {
			return nil, nil, err
		}
		if !isKeyword {
			all = append(all, e)
			continue
		}
		if keywords == nil {
			keywords = map[string]expression{}
		}
		keywords[word] = e
	}
	return all, keywords, nil
}

// filters are what stands behind a value: filters, tests, and calls.
func (g *grammar) filters(e expression) (expression, error) {
	var err error
	for err == nil {
		switch {
		case g.accept("|"):
			e, err = g.filter(e)
		case g.accept("is"):
			e, err = g.test(e)
		case g.accept("("):
			e, err = g.call(e)
		default:
			return e, nil
		}
	}
	return nil, err
}

func (g *grammar) filter(of expression) (expression, error) {
	t := g.take()
	if t.kind != 'n' {
		return nil, errors.New("the name of a filter is missing")
	}
	f := filter{of: of, name: t.text}
	var err error
	if g.accept("(") {
		f.arguments, f.keywords, err = g.arguments()
	}
	return f, err
}

// test is what stands behind is: a name, with arguments or one value.
func (g *grammar) test(of expression) (expression, error) {
	operator := "is"
	if g.accept("not") {
		operator = "is not"
	}
	t := g.take()
	if t.kind != 'n' {
		return nil, errors.New("the name of a test is missing")
	}
	var test expression = name{t.text}
	var err error
	next := g.peek()
	isWord := next.kind == 'n' && !isKeyword(next.text)
	isValue := isWord || next.kind == 's' || next.kind == '0' || next.text == "[" || next.text == "{"
	switch {
	case g.accept("("):
		test, err = g.call(test)
	case isValue:
		var argument expression
		argument, err = g.primary()
		if err == nil {
			argument, err = g.postfix(argument)
		}
		test = call{of: test, arguments: []expression{argument}}
	}
	return binary{operator, of, test}, err
}

func isKeyword(text string) bool { return slices.Contains(words, text) }

// reference is what an expression names: a variable and steps below it, by . or [] with constants, or by get
// with one argument. With or without a default, an or, or another function it is none.
func reference(e expression) (variable string, path []string, ok bool) {
	switch e := e.(type) {
	case name:
		return e.name, nil, true
	case index:
		c, _ := e.key.(constant)
		text, _ := c.value.(string)
		// Behind a point it is a method of Python's, no member.
		isMethod := e.isDotted && slices.Contains(objectMethods, text)
		if isMethod {
			return "", nil, false
		}
		return below(e.of, e.key)
	case call:
		get, isIndex := e.of.(index)
		isGet := isIndex && len(e.arguments) == 1 && len(e.keywords) == 0
		if isGet && get.key == (constant{"get"}) {
			return below(get.of, e.arguments[0])
		}
	}
	return "", nil, false
}

func below(of, key expression) (variable string, path []string, ok bool) {
	c, isConstant := key.(constant)
	if !isConstant {
		return "", nil, false
	}
	variable, path, ok = reference(of)
	if !ok {
		return "", nil, false
	}
	switch step := c.value.(type) {
	case string:
		return variable, append(path, step), true
	case int64:
		return variable, append(path, strconv.FormatInt(step, 10)), true
	default:
		return "", nil, false
	}
}
