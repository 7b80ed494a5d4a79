package expr

import (
	"errors"
	"fmt"
	"strconv"

	"sluice/pipeline/item"
)

// A JoinedPiece is a part of a text that functions join: concat, implode, sprintf and ifempty.
type JoinedPiece struct {
	Text string

	// What messages call the value; empty: it is a text of the configuration.
	Name string

	// It is a value that urlencode escaped.
	Escaped bool

	// A secret went into it.
	Secret bool

	// The whole text is one reference.
	Whole bool

	// The value was not known when the expression was compiled.
	Later bool
}

var errText = errors.New("must be a text, or an expression that makes one")

// Pieces evaluates e as [Expr.Eval] does, and returns the text in its pieces. A value that is no text is an error. What
// functions make of secrets is told env.Secret piece by piece.
func (e *Expr) Pieces(env Env) ([]JoinedPiece, error) {
	if e.when == broken {
		return nil, &placedError{e.node, "cannot be evaluated: it has problems"}
	}
	s := &pieceFinder{evaluation: evaluation{env: env}, secret: env.Secret}
	s.env.Secret = nil
	whole, err := e.eval(&s.evaluation)
	if err != nil {
		return nil, err
	}
	if _, ok := item.Text(whole.JSON); !ok {
		return nil, errText
	}
	s.split(e)
	isReference := e.node.Kind == '{' && e.function() == ""
	if isReference {
		s.pieces[0].Whole = true
	}
	return s.pieces, s.err
}

// IsFault tells whether an error is about an expression itself: [Compile] reports those that can be seen then.
func IsFault(err error) bool {
	_, is := errors.AsType[*placedError](err)
	return is
}

// function is the one that e calls, empty if it calls none.
func (e *Expr) function() string {
	name := e.node.Member("function")
	if name == nil {
		return ""
	}
	return name.Text()
}

// pieceFinder finds the pieces of a text, which was evaluated without an error.
type pieceFinder struct {
	evaluation

	// Is told what functions make of secrets; nil: nobody is.
	secret func(function, text string)

	pieces []JoinedPiece

	// The first one.
	err error
}

// value evaluates e once more.
func (s *pieceFinder) value(e *Expr) Value {
	v, err := e.eval(&s.evaluation)
	if s.err == nil {
		s.err = err
	}
	return v
}

// split appends the pieces of e.
func (s *pieceFinder) split(e *Expr) {
	switch e.function() {
	case "concat":
		for i := range e.parts {
			s.split(&e.parts[i])
		}
	case "implode":
		s.implode(&e.parts[0], &e.parts[1])
	case "ifempty":
		chosen := &e.parts[0]
		if !item.True(s.value(chosen).JSON) {
			chosen = &e.parts[1]
		}
		s.split(chosen)
	case "sprintf":
		s.format(e)
	default:
		v := s.value(e)
		// null is no text, and joined as nothing.
		text, _ := item.Text(v.JSON)
		s.add(e, text, v.Secret)
	}
}

// add appends a text that e has become, or a part of that.
func (s *pieceFinder) add(e *Expr, text string, isSecret bool) {
	p := JoinedPiece{Text: text, Secret: isSecret, Later: !e.Ready()}
	function := e.function()
	switch {
	case function != "":
		p.Name = "what " + function + " makes"
		p.Escaped = function == "urlencode"
	case e.node.Kind == '{':
		m := e.node.Members[0]
		p.Name = fmt.Sprintf("%s %q", m.Name, m.Value.Text())
	}
	if isSecret && function != "" && s.secret != nil {
		s.secret(function, text)
	}
	s.pieces = append(s.pieces, p)
}

// implode appends the elements of a list, with a glue between them.
func (s *pieceFinder) implode(glue, list *Expr) {
	if list.node.Kind == '[' {
		for i := range list.parts {
			if i > 0 {
				s.split(glue)
			}
			s.split(&list.parts[i])
		}
		return
	}
	v, isLater := s.value(list), false
	for element := range item.Elements(v.JSON) {
		if isLater {
			s.split(glue)
		}
		isLater = true
		text, _ := item.Text(element)
		s.add(list, text, v.Secret)
	}
}

// format appends the texts of the format of sprintf, and what the conversions make.
func (s *pieceFinder) format(e *Expr) {
	format, next := &e.parts[0], 1
	in := &functionInput{at: e.node, name: "sprintf", nodes: e.node.Member("args").Elems}
	for i := range e.parts {
		in.values = append(in.values, s.value(&e.parts[i]))
	}
	isSecret := in.values[0].Secret
	text := in.text(0)
	for {
		at := conversions().FindStringIndex(text)
		if at == nil {
			break
		}
		s.add(format, text[:at[0]], isSecret)
		part := conversions().FindStringSubmatch(text[at[0]:at[1]])
		text = text[at[1]:]
		if part[5] == "%" {
			s.add(format, "%", isSecret)
			continue
		}
		arg, err := strconv.Atoi(part[1])
		if err != nil {
			arg = next
			next++
		}
		if part[2]+part[3]+part[4]+part[5] == "s" {
			s.split(&e.parts[arg])
			continue
		}
		s.add(&e.parts[arg], convert(in, arg, part), in.values[arg].Secret)
	}
	s.add(format, text, isSecret)
}
