package template

import (
	"strings"

	"sluice/cli/discover/airbyte/fault"
)

// Parse reads the text of a template.
func Parse(text string) (Template, error) {
	return fault.Result(func() Template { return parse(text) })
}

func parse(text string) Template {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	p := &parser{rest: strings.TrimSuffix(text, "\n"), set: map[string]Expression{}}
	t, end := p.read(0)
	if end != nil {
		panic(fault.New("{%% %s %%} has no beginning", end[0].text))
	}
	return t
}

// A parser reads the pieces of a template.
type parser struct {
	rest string

	// set are the variables that {% set %} has made.
	set map[string]Expression
}

// read reads pieces up to the end, or to a statement that ends a block, whose tokens it returns.
func (p *parser) read(depth int) (t Template, end []token) {
	fault.If(depth > maxExpression, "a template is nested too deep")
	for p.rest != "" {
		literal, open := p.literal()
		if literal != "" {
			t = append(t, templatePart{Literal: literal})
		}
		switch open {
		case "{{":
			t = append(t, templatePart{Expression: p.whole(p.tokens("}}"))})
		case "{%":
			more, end := p.statement(depth)
			if end != nil {
				return t, end
			}
			t = append(t, more...)
		case "{#":
			_, rest, ok := strings.Cut(p.rest, "#}")
			fault.If(!ok, "#} is missing")
			p.rest = rest
		}
	}
	return t, nil
}

// literal is the text up to what opens an expression, a statement or a comment.
func (p *parser) literal() (literal, open string) {
	at := len(p.rest)
	for i := 0; i+1 < len(p.rest); i++ {
		if p.rest[i] == '{' && strings.IndexByte("{%#", p.rest[i+1]) >= 0 {
			at, open = i, p.rest[i:i+2]
			break
		}
	}
	literal, p.rest = p.rest[:at], p.rest[at+len(open):]
	if open != "" && strings.HasPrefix(p.rest, "-") {
		literal, p.rest = strings.TrimRight(literal, blanks), p.rest[1:]
	}
	return literal, open
}

// tokens are those up to an end.
func (p *parser) tokens(end string) (tokens []token) {
	tokens, p.rest = lex(p.rest, end)
	return tokens
}

// whole is the expression that all the tokens make.
func (p *parser) whole(tokens []token) Expression {
	g := &grammar{tokens: tokens, set: p.set}
	e := g.any()
	fault.If(g.peek().kind != '.', "%q is not supported behind an expression", g.peek().text)
	return e
}

// statement reads one behind {%: what it gives, or the tokens of one that ends a block.
func (p *parser) statement(depth int) (t Template, end []token) {
	tokens := p.tokens("%}")
	switch tokens[0].text {
	case "if":
		return Template{{Expression: p.branches(tokens[1:], depth)}}, nil
	case "set":
		isAssignment := len(tokens) > 3 && tokens[1].kind == 'n' && tokens[2].text == "="
		// In a branch it is set only if that is taken.
		fault.If(!isAssignment || depth > 0, "this {%% set %%} is not supported")
		p.set[tokens[1].text] = p.whole(tokens[3:])
		return nil, nil
	case "elif", "else", "endif":
		return nil, tokens
	}
	panic(fault.New("{%% %s %%} is not supported", tokens[0].text))
}

// branches reads an if behind its condition, to endif.
func (p *parser) branches(condition []token, depth int) Expression {
	e := Ternary{Condition: p.whole(condition), No: Constant{""}}
	yes, end := p.read(depth + 1)
	e.Yes = Joined{yes}
	switch {
	case end == nil:
	case end[0].text == "elif":
		e.No = p.branches(end[1:], depth+1)
		return e
	case end[0].text == "else":
		var no Template
		no, end = p.read(depth + 1)
		e.No = Joined{no}
	}
	fault.If(end == nil || end[0].text != "endif", "{%% endif %%} is missing")
	return e
}
