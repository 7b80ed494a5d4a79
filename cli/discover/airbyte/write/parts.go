package write

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Parts are those of a text that is joined of texts and values, as JSON; neighbours that are texts are one.
type Parts []string

// Root is the endpoint of an address without a path.
var Root = Parts{`"/"`}

// PartsOf takes apart what a template gives: a constant text, an expression, or a concat of both.
func PartsOf(json string) Parts {
	function, args := Call(json)
	if function != "concat" {
		return Parts{}.And(json)
	}
	var all Parts
	for _, argument := range args {
		all = all.And(PartsOf(argument)...)
	}
	return all
}

// And appends more parts.
func (p Parts) And(more ...string) Parts {
	for _, one := range more {
		last := len(p) - 1
		switch {
		case IsQuoted(one) && TextOf(one) == "":
		case IsQuoted(one) && last >= 0 && IsQuoted(p[last]):
			p = append(slices.Clone(p[:last]), Quote(TextOf(p[last])+TextOf(one)))
		default:
			p = append(slices.Clone(p), one)
		}
	}
	return p
}

// JSON is the text or the expression that they make.
func (p Parts) JSON() string {
	switch len(p) {
	case 0:
		return `""`
	case 1:
		return p[0]
	}
	return Calling("concat", p...)
}

// First is the text that they begin with; empty: they begin with a value.
func (p Parts) First() string {
	if len(p) == 0 || !IsQuoted(p[0]) {
		return ""
	}
	return TextOf(p[0])
}

// last is the text that they end with; empty: they end with a value.
func (p Parts) last() string {
	if len(p) == 0 || !IsQuoted(p[len(p)-1]) {
		return ""
	}
	return TextOf(p[len(p)-1])
}

// Unquoted is a joined text without the quotes around it, in which that platform reads a text.
func (p Parts) Unquoted() Parts {
	first, last := p.First(), p.last()
	isJoined := len(p) > 1 && first != "" && last != ""
	if !isJoined || !strings.ContainsAny(first[:1], `"'`) || !strings.HasSuffix(last, first[:1]) {
		return p
	}
	inner := Parts{}.And(Quote(first[1:])).And(p[1 : len(p)-1]...).And(Quote(last[:len(last)-1]))
	for _, piece := range inner {
		if IsQuoted(piece) && strings.ContainsAny(TextOf(piece), first[:1]+"\\") {
			return p
		}
	}
	return inner
}

// IsList tells a joined text that looks like a list.
func (p Parts) IsList() bool {
	return len(p) > 1 && strings.HasPrefix(p.First(), "[") && strings.HasSuffix(p.last(), "]")
}

// From is what stands behind so many bytes of the text that they begin with.
func (p Parts) From(size int) Parts {
	return Parts{}.And(Quote(p.First()[size:])).And(p[1:]...)
}

// Cut divides them behind the first slash at or behind a place of the text number index.
func (p Parts) Cut(index, from int) (before, after Parts, ok bool) {
	for i := index; i < len(p); i++ {
		if IsQuoted(p[i]) {
			text := TextOf(p[i])
			if at := strings.IndexByte(text[from:], '/'); at >= 0 {
				at += from + 1
				before = slices.Clone(p[:i]).And(Quote(text[:at]))
				return before, Parts{}.And(Quote(text[at:])).And(p[i+1:]...), true
			}
		}
		from = 0
	}
	return p, nil, false
}

// Changes tells whether the parts have a value that a base address cannot have: one of a parent, of a window, of the
// state, or of the time.
func (p Parts) Changes() bool {
	return slices.ContainsFunc(p, func(piece string) bool {
		return refers(piece, "placeholder", "window", "last", "time", "date")
	})
}

// Tight is JSON without blanks, as package item wants it.
func Tight(json string) []byte {
	compact, _ := item.Compact(nil, []byte(json))
	return compact
}

// Loose is JSON as item.Object writes it, from compact JSON.
func Loose(value []byte) string {
	switch item.Kind(value) {
	case '{':
		return ObjectOf(string(value)).String()
	case '[':
		var all []string
		for element := range item.Elements(value) {
			all = append(all, Loose(element))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return string(value)
}

// Quote is a text as JSON.
func Quote(text string) string { return string(item.Quote(text)) }

// IsQuoted tells whether a value is a text and no expression, number or list.
func IsQuoted(json string) bool { return strings.HasPrefix(json, `"`) }

// TextOf is the text that a JSON text is.
func TextOf(json string) string { return item.Unquote([]byte(json)) }

// Shape is the text with an underscore for each value.
func (p Parts) Shape() string {
	var all strings.Builder
	for _, piece := range p {
		if IsQuoted(piece) {
			all.WriteString(TextOf(piece))
		} else {
			all.WriteString("_")
		}
	}
	return all.String()
}

// WithSlash is an address with the slash at its end that it may lack.
func WithSlash(p Parts) Parts {
	last := len(p) - 1
	if IsQuoted(p[last]) && strings.HasSuffix(TextOf(p[last]), "/") {
		return p
	}
	return p.And(`"/"`)
}
