package write

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Attr is the expression of an attribute of config.
func Attr(name string) string { return reference("attr", name) }

// Placeholder is the expression of a value of the parent's item.
func Placeholder(name string) string { return reference("placeholder", name) }

// Window is the expression of a bound of the window: from, or to.
func Window(bound string) string { return reference("window", bound) }

// Response is the expression of a value in the answer to a login.
func Response(path string) string { return reference("response", path) }

// Kept is the expression of a value that an earlier login has kept.
func Kept(name string) string { return reference("kept", name) }

func reference(member, name string) string { return item.Object{member, Quote(name)}.String() }

// references are the members that make an object with that one member an expression.
var references = []string{"attr", "time", "window", "placeholder", "kept"}

// IsExpression tells that an object with these members is no data, but an expression.
func IsExpression(o item.Object, member string) bool {
	return member == "function" || len(o) == 2 && slices.Contains(references, member)
}

// Calling is a function expression of arguments that are JSON.
func Calling(function string, args ...string) string {
	return item.Object{"function", Quote(function), "args", List(args)}.String()
}

// Call is the function that an expression calls, and its arguments; empty: it calls none.
func Call(value string) (function string, args []string) {
	compact := Tight(value)
	name := item.Lookup(compact, item.Path{"function"})
	if name == nil {
		return "", nil
	}
	for argument := range item.Elements(item.Lookup(compact, item.Path{"args"})) {
		args = append(args, Loose(argument))
	}
	return item.Unquote(name), args
}

// Calls tells whether an expression is a call of one of these functions.
func Calls(value string, functions ...string) bool {
	function, _ := Call(value)
	return function != "" && slices.Contains(functions, function)
}

// Named is the name that an expression with this one member has, such as that of an attribute; empty: it is another.
func Named(value, member string) string {
	name := item.Lookup(Tight(value), item.Path{member})
	if item.Kind(name) != '"' {
		return ""
	}
	return item.Unquote(name)
}

// refers tells whether an expression within a value has one of these members, or calls one of these functions.
func refers(value string, names ...string) (is bool) {
	eachMember(Tight(value), func(name string, v []byte) {
		isCall := name == "function" && slices.Contains(names, item.Unquote(v))
		is = is || isCall || slices.Contains(names, name)
	})
	return is
}

// AttributesAt are the names of the attributes that a document refers to at a place such as config.jobs[0].endpoint.
func AttributesAt(document []byte, place string) (all []string) {
	steps := strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	at := item.Lookup(Tight(string(document)), item.Path(steps))
	eachMember(at, func(name string, v []byte) {
		if name == "attr" && item.Kind(v) == '"' {
			all = append(all, item.Unquote(v))
		}
	})
	return all
}

// eachMember visits each member at any depth.
func eachMember(value []byte, visit func(name string, value []byte)) {
	parts, _, _ := partsIn(value)
	for _, p := range parts {
		if p.name != "" {
			visit(item.Unquote([]byte(strings.TrimSuffix(p.name, ": "))), p.value)
		}
		eachMember(p.value, visit)
	}
}

// Tight is JSON without blanks, as package item wants it.
func Tight(json string) []byte {
	compact, _ := item.Compact(nil, []byte(json))
	return compact
}

// Loose is JSON as item.Object writes it, from compact JSON.
func Loose(value []byte) string { return onOneLine(value) }

// List is a list of values that are JSON.
func List(all []string) string { return "[" + strings.Join(all, ", ") + "]" }

// Quote is a text as JSON.
func Quote(text string) string { return string(item.Quote(text)) }

// Quotes are texts as JSON.
func Quotes(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, Quote(text))
	}
	return all
}

// IsQuoted tells whether a value is a text and no expression, number or list.
func IsQuoted(json string) bool { return strings.HasPrefix(json, `"`) }

// TextOf is the text that a JSON text is.
func TextOf(json string) string { return item.Unquote([]byte(json)) }

// ObjectOf is the object that a text is.
func ObjectOf(json string) item.Object {
	o := item.Object{}
	for name, value := range item.Members(Tight(json)) {
		o = append(o, item.Unquote(name), Loose(value))
	}
	return o
}

// ValueOf is a member of an object, empty without it.
func ValueOf(o item.Object, name string) string {
	for m := range slices.Chunk(o, 2) {
		if m[0] == name {
			return m[1]
		}
	}
	return ""
}

// Parts are those of a text that is joined of texts and values, as JSON; neighbours that are texts are one.
type Parts []string

// Root is the endpoint of an address without a path.
var Root = Parts{`"/"`}

// PartsOf takes apart what a template gives: a constant text, an expression, or a concat of both.
func PartsOf(json string) (all Parts) {
	function, args := Call(json)
	if function != "concat" {
		return all.And(json)
	}
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
		case one == `""`:
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

// First is the text that they begin with, last that they end with; empty: it is a value.
func (p Parts) First() string { return p.textAt(0) }

func (p Parts) last() string { return p.textAt(len(p) - 1) }

func (p Parts) textAt(i int) string {
	if len(p) == 0 || !IsQuoted(p[i]) {
		return ""
	}
	return TextOf(p[i])
}

// Unquoted is a joined text without the quotes around it, in which Airbyte reads a text.
func (p Parts) Unquoted() Parts {
	first, last := p.First(), p.last()
	isJoined := len(p) > 1 && first != "" && last != ""
	if !isJoined || !strings.ContainsAny(first[:1], `"'`) || !strings.HasSuffix(last, first[:1]) {
		return p
	}
	inner := Parts{}.And(Quote(first[1:])).And(p[1 : len(p)-1]...).And(Quote(last[:len(last)-1]))
	if hasText(inner, first[:1]+"\\") {
		return p
	}
	return inner
}

// hasText tells whether a text of parts has one of some characters in it.
func hasText(p Parts, characters string) bool {
	return slices.ContainsFunc(p, func(piece string) bool {
		return IsQuoted(piece) && strings.ContainsAny(TextOf(piece), characters)
	})
}

// IsList tells a joined text that looks like a list.
func (p Parts) IsList() bool {
	return len(p) > 1 && strings.HasPrefix(p.First(), "[") && strings.HasSuffix(p.last(), "]")
}

// From is what stands behind so many bytes of the text that they begin with.
func (p Parts) From(size int) Parts {
	return Parts{}.And(Quote(p.First()[size:])).And(p[1:]...)
}

// Cut divides them behind the first slash at or behind a place of their first text.
func (p Parts) Cut(from int) (before, after Parts, ok bool) {
	for i := range p {
		text := p.textAt(i)
		if at := strings.IndexByte(text[min(from, len(text)):], '/'); at >= 0 {
			at += from + 1
			before = slices.Clone(p[:i]).And(Quote(text[:at]))
			return before, Parts{}.And(Quote(text[at:])).And(p[i+1:]...), true
		}
		from = 0
	}
	return p, nil, false
}

// Changes tells whether the parts have a value that a base address cannot have: one of a parent, of a window, of the
// state, or of the time.
func (p Parts) Changes() bool {
	return refers(List(p), "placeholder", "window", "last", "time", "date")
}

// Shape is the text with an underscore for each value.
func (p Parts) Shape() string {
	var all strings.Builder
	for i, piece := range p {
		if IsQuoted(piece) {
			all.WriteString(p.textAt(i))
		} else {
			all.WriteString("_")
		}
	}
	return all.String()
}

// WithSlash is an address with the slash at its end that it may lack.
func WithSlash(p Parts) Parts {
	if strings.HasSuffix(p.last(), "/") {
		return p
	}
	return p.And(`"/"`)
}
