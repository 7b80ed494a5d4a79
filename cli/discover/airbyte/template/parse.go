package template

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads the text of a template.
func Parse(text string) (Template, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	p := &pieces{rest: strings.TrimSuffix(text, "\n"), set: map[string]Expression{}}
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
	set map[string]Expression
}

// read reads pieces up to the end, or to a statement that ends a block, whose tokens it returns.
func (p *pieces) read(depth int) (Template, []token, error) {
	if depth > maxExpression {
		return nil, nil, errors.New("a template is nested too deep")
	}
	var t Template
	for p.rest != "" {
		literal, open := p.literal()
		if literal != "" {
			t = append(t, piece{Literal: literal})
		}
		switch open {
		case "{{":
			e, err := p.expression("}}")
			if err != nil {
				return nil, nil, err
			}
			t = append(t, piece{Expression: e})
		case "{%":
			more, end, err := p.statement(depth)
			if err != nil || end != nil {
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
	if open != "" && strings.HasPrefix(p.rest, "-") {
		literal, p.rest = strings.TrimRight(literal, " \t\r\n"), p.rest[1:]
	}
	return literal, open
}

// expression reads one up to its end.
func (p *pieces) expression(end string) (Expression, error) {
	tokens, rest, err := lex(p.rest, end)
	if err != nil {
		return nil, err
	}
	p.rest = rest
	return p.whole(tokens)
}

// whole is the expression that all the tokens make.
func (p *pieces) whole(tokens []token) (Expression, error) {
	g := &grammar{tokens: tokens, set: p.set}
	return g.read()
}

// statement reads one behind {%: what it gives, or the tokens of one that ends a block.
func (p *pieces) statement(depth int) (Template, []token, error) {
	tokens, rest, err := lex(p.rest, "%}")
	if err != nil {
		return nil, nil, err
	}
	p.rest = rest
	switch tokens[0].text {
	case "if":
		e, err := p.branches(tokens[1:], depth)
		return Template{{Expression: e}}, nil, err
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
func (p *pieces) branches(condition []token, depth int) (Expression, error) {
	c, err := p.whole(condition)
	if err != nil {
		return nil, err
	}
	yes, end, err := p.read(depth + 1)
	if err != nil {
		return nil, err
	}
	e := Choice{Condition: c, Yes: Joined{yes}, No: Constant{""}}
	if end == nil {
		return nil, errors.New("{% endif %} is missing")
	}
	switch end[0].text {
	case "elif":
		e.No, err = p.branches(end[1:], depth+1)
	case "else":
		var no Template
		no, end, err = p.read(depth + 1)
		if err == nil && (end == nil || end[0].text != "endif") {
			err = errors.New("{% endif %} is missing")
		}
		e.No = Joined{no}
	}
	return e, err
}
