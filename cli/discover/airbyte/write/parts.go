package write

import (
	"slices"
	"strings"
)

// Parts are those of a text that is joined of texts and values; neighbours that are texts are one.
type Parts []ConfigValue

// Root is the endpoint of an address without a path.
var Root = Parts{Text("/")}

// isRoot tells an endpoint without a path.
func (p Parts) isRoot() bool { return len(p) == 1 && p[0] == Root[0] }

// PartsOf takes apart what a template gives: a constant text, an expression, or a concat of both.
func PartsOf(e ConfigValue) (all Parts) {
	c, _ := e.(Function)
	switch {
	case e == nil:
		return nil
	case c.Name != "concat":
		return all.And(e)
	}
	for _, argument := range c.Arguments {
		all = all.And(PartsOf(argument)...)
	}
	return all
}

// Joined is a text of texts and values, which may be joined themselves.
func Joined(all ...ConfigValue) ConfigValue {
	var p Parts
	for _, one := range all {
		p = p.And(PartsOf(one)...)
	}
	return p.Expr()
}

// InTexts are the parts with what a function makes of each text.
func (p Parts) InTexts(by func(text string) Parts) (all Parts) {
	for _, piece := range p {
		made := Parts{piece}
		if text, isText := piece.(Text); isText {
			made = by(string(text))
		}
		all = all.And(made...)
	}
	return all
}

// And appends more parts.
func (p Parts) And(more ...ConfigValue) Parts {
	for _, one := range more {
		last := len(p) - 1
		text, isText := one.(Text)
		if isText && last >= 0 {
			if before, areTexts := p[last].(Text); areTexts {
				p, one = p[:last], before+text
			}
		}
		if one != Text("") {
			p = append(slices.Clone(p), one)
		}
	}
	return p
}

// Expr is the text or the expression that they make.
func (p Parts) Expr() ConfigValue {
	switch len(p) {
	case 0:
		return Text("")
	case 1:
		return p[0]
	}
	return Function{"concat", Array(p)}
}

// key tells parts apart; it is empty without any.
func (p Parts) key() string {
	if len(p) == 0 {
		return ""
	}
	return JSON(p.Expr())
}

// First is the text that they begin with, last that they end with; empty: it is a value.
func (p Parts) First() string { return p.textAt(0) }

func (p Parts) last() string { return p.textAt(len(p) - 1) }

func (p Parts) textAt(i int) string {
	if len(p) == 0 {
		return ""
	}
	text, _ := p[i].(Text)
	return string(text)
}

// Unquoted is a joined text without the quotes around it, in which Airbyte reads a text.
func (p Parts) Unquoted() Parts {
	first, last := p.First(), p.last()
	isJoined := len(p) > 1 && first != "" && last != ""
	if !isJoined || !strings.ContainsAny(first[:1], `"'`) || !strings.HasSuffix(last, first[:1]) {
		return p
	}
	inner := Parts{}.And(Text(first[1:])).And(p[1 : len(p)-1]...).And(Text(last[:len(last)-1]))
	if inner.hasText(first[:1] + "\\") {
		return p
	}
	return inner
}

// hasText tells whether a text of parts has one of some characters in it.
func (p Parts) hasText(characters string) bool {
	return slices.ContainsFunc(p, func(piece ConfigValue) bool {
		text, _ := piece.(Text)
		return strings.ContainsAny(string(text), characters)
	})
}

// IsList tells a joined text that looks like a list.
func (p Parts) IsList() bool {
	return len(p) > 1 && strings.HasPrefix(p.First(), "[") && strings.HasSuffix(p.last(), "]")
}

// From is what stands behind so many bytes of the text that they begin with.
func (p Parts) From(size int) Parts {
	return Parts{}.And(Text(p.First()[size:])).And(p[1:]...)
}

// Cut divides them behind the first slash at or behind a place of their first text.
func (p Parts) Cut(from int) (before, after Parts, ok bool) {
	for i := range p {
		text := p.textAt(i)
		if at := strings.IndexByte(text[min(from, len(text)):], '/'); at >= 0 {
			at += from + 1
			before = slices.Clone(p[:i]).And(Text(text[:at]))
			return before, Parts{}.And(Text(text[at:])).And(p[i+1:]...), true
		}
		from = 0
	}
	return p, nil, false
}

// Changes tells whether the parts have a value that a base address cannot have: one of a parent, of a window, of the
// state, or of the time.
func (p Parts) Changes() bool {
	return refers(Array(p), "placeholder", "window", "last", "time", "date")
}

// Shape is the text with an underscore for each value.
func (p Parts) Shape() string {
	var all strings.Builder
	for _, piece := range p {
		text, isText := piece.(Text)
		if !isText {
			text = "_"
		}
		all.WriteString(string(text))
	}
	return all.String()
}

// WithSlash is an address with the slash at its end that it may lack.
func WithSlash(p Parts) Parts {
	if strings.HasSuffix(p.last(), "/") {
		return p
	}
	return p.And(Root...)
}
