package template

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
)

// A grammar reads an expression.
type grammar struct {
	tokens []token
	set    map[string]Expression
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
	is := (t.kind == 'o' || t.kind == 'n') && t.text == text
	if is {
		g.take()
	}
	return is
}

func (g *grammar) expect(text string) {
	fault.If(!g.accept(text), "%q is missing before %q", text, g.peek().text)
}

// separated reads what stands between commas, up to an end.
func (g *grammar) separated(end string, one func()) {
	for n := 0; !g.accept(end); n++ {
		if n > 0 {
			g.expect(",")
			if g.accept(end) {
				return
			}
		}
		one()
	}
}

// deeper reads what is nested.
func (g *grammar) deeper(read func() Expression) Expression {
	g.depth++
	fault.If(g.depth > maxExpression, "an expression is nested too deep")
	e := read()
	g.depth--
	return e
}

// any is an expression of any kind: a choice, or what is stronger.
func (g *grammar) any() Expression {
	return g.deeper(func() Expression {
		e := g.binary(0)
		for g.accept("if") {
			c := Ternary{Yes: e, Condition: g.binary(0), No: Constant{python.Undefined{}}}
			if g.accept("else") {
				c.No = g.any()
			}
			e = c
		}
		return e
	})
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

func (g *grammar) binary(level int) Expression {
	if level == len(levels) {
		return g.unary(true)
	}
	if level == comparisons && g.accept("not") {
		return g.deeper(func() Expression { return Unary{"not", g.binary(comparisons)} })
	}
	left := g.binary(level + 1)
	compared := left
	for n := 0; ; n++ {
		operator := g.operator(levels[level])
		if operator == "" {
			return left
		}
		right := g.binary(level + 1)
		next := Binary{operator, left, right}
		// In a < b < c the second is about b, too.
		if level == comparisons && n > 0 {
			next = Binary{"and", left, Binary{operator, compared, right}}
		}
		left, compared = next, right
	}
}

// operator takes one of a level.
func (g *grammar) operator(level []string) string {
	isNotIn := g.peek().text == "not" && len(g.tokens) > 1 && g.tokens[1].text == "in"
	if isNotIn && slices.Contains(level, "not in") {
		g.take()
		g.take()
		return "not in"
	}
	for _, o := range level {
		if g.accept(o) {
			return o
		}
	}
	return ""
}

// unary is a sign, or a primary with all that stands behind it.
func (g *grammar) unary(isFiltered bool) Expression {
	return g.deeper(func() Expression {
		var e Expression
		t := g.peek()
		if t.kind == 'o' && (t.text == "-" || t.text == "+") {
			g.take()
			e = Unary{t.text, g.unary(false)}
		} else {
			e = g.primary()
		}
		e = g.postfix(e)
		if isFiltered {
			e = g.filters(e)
		}
		return e
	})
}

func (g *grammar) primary() Expression {
	t := g.take()
	switch {
	case t.kind == 'n':
		return g.name(t.text)
	case t.kind == 's':
		text := t.text
		for g.peek().kind == 's' {
			text += g.take().text
		}
		return Constant{text}
	case t.kind == '0':
		return numeral(t.text)
	case t.kind == '.':
		panic(fault.New("an expression ends too early"))
	case t.text == "(":
		return g.tuple()
	case t.text == "[":
		return Sequence{g.sequence("]")}
	case t.text == "{":
		return g.dict()
	}
	panic(fault.New("%q is not supported in an expression", t.text))
}

func numeral(digits string) Expression {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return Constant{i}
	}
	return Constant{fault.Of(strconv.ParseFloat(digits, 64))}
}

// constants are names of values.
var constants = map[string]Constant{
	"true": {true}, "True": {true}, "false": {false}, "False": {false}, "none": {nil}, "None": {nil},
}

// words are names that no variable has.
var words = strings.Fields("and or not if else elif in is")

func isKeyword(text string) bool { return slices.Contains(words, text) }

func (g *grammar) name(text string) Expression {
	if c, ok := constants[text]; ok {
		return c
	}
	fault.If(isKeyword(text), "%q is not supported in an expression", text)
	if e, ok := g.set[text]; ok {
		return e
	}
	return Name{text}
}

// tuple is what brackets enclose: an expression, or several, which are a list.
func (g *grammar) tuple() Expression {
	if g.accept(")") {
		return Sequence{}
	}
	e := g.any()
	if g.accept(")") {
		return e
	}
	g.expect(",")
	return Sequence{append([]Expression{e}, g.sequence(")")...)}
}

// sequence is expressions with commas up to an end.
func (g *grammar) sequence(end string) (all []Expression) {
	g.separated(end, func() { all = append(all, g.any()) })
	return all
}

func (g *grammar) dict() Expression {
	var d Dict
	g.separated("}", func() {
		d.Keys = append(d.Keys, g.any())
		g.expect(":")
		d.Values = append(d.Values, g.any())
	})
	return d
}

// postfix is what stands behind a primary: members and calls.
func (g *grammar) postfix(e Expression) Expression {
	for {
		switch {
		case g.accept("."):
			e = g.dotted(e)
		case g.accept("["):
			e = g.subscript(e)
		case g.accept("("):
			e = g.call(e)
		default:
			return e
		}
	}
}

func (g *grammar) dotted(of Expression) Expression {
	t := g.take()
	switch t.kind {
	case 'n':
		return Index{Of: of, Key: Constant{t.text}, isDotted: true}
	case '0':
		return Index{Of: of, Key: numeral(t.text)}
	}
	panic(fault.New("a name is missing behind a point"))
}

func (g *grammar) subscript(of Expression) Expression {
	var key Expression
	if !g.isNext(":") {
		key = g.any()
	}
	if g.accept(":") {
		c := cut{from: key}
		if !g.isNext("]") {
			c.to = g.any()
		}
		key = c
	}
	g.expect("]")
	return Index{Of: of, Key: key}
}

// isNext tells whether an operator is next.
func (g *grammar) isNext(operator string) bool { return g.peek() == token{'o', operator} }

func (g *grammar) call(of Expression) Expression {
	arguments, keywords := g.arguments()
	return Invocation{of, arguments, keywords}
}

// arguments are those of a call, up to its end.
func (g *grammar) arguments() (all []Expression, keywords map[string]Expression) {
	g.separated(")", func() {
		isKeyword := g.peek().kind == 'n' && len(g.tokens) > 1 && g.tokens[1].text == "="
		if !isKeyword {
			all = append(all, g.any())
			return
		}
		word := g.take().text
		g.take()
		if keywords == nil {
			keywords = map[string]Expression{}
		}
		keywords[word] = g.any()
	})
	return all, keywords
}

// filters are what stands behind a value: filters, tests, and calls.
func (g *grammar) filters(e Expression) Expression {
	for {
		switch {
		case g.accept("|"):
			e = g.filter(e)
		case g.accept("is"):
			e = g.test(e)
		case g.accept("("):
			e = g.call(e)
		default:
			return e
		}
	}
}

func (g *grammar) filter(of Expression) Expression {
	t := g.take()
	fault.If(t.kind != 'n', "the name of a filter is missing")
	f := Filter{Of: of, Name: t.text}
	if g.accept("(") {
		f.Arguments, f.Keywords = g.arguments()
	}
	return f
}

// test is what stands behind is: a name, with arguments or one value.
func (g *grammar) test(of Expression) Expression {
	operator := "is"
	if g.accept("not") {
		operator = "is not"
	}
	t := g.take()
	fault.If(t.kind != 'n', "the name of a test is missing")
	var test Expression = Name{t.text}
	next := g.peek()
	isWord := next.kind == 'n' && !isKeyword(next.text)
	isValue := isWord || next.kind == 's' || next.kind == '0' || next.text == "[" || next.text == "{"
	switch {
	case g.accept("("):
		test = g.call(test)
	case isValue:
		test = Invocation{Of: test, Arguments: []Expression{g.postfix(g.primary())}}
	}
	return Binary{operator, of, test}
}
