package extend

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A placedValue is one of a document, with its place in the text.
type placedValue struct {
	kind       jsontext.Kind
	begin, end int
	members    []treeMember
	elems      []*placedValue

	// raw is the text of what is neither an object nor an array.
	raw jsontext.Value
}

// A treeMember is a name and a value in an object.
type treeMember struct {
	name  string
	begin int
	*placedValue
}

// parse reads a document that is known to be valid.
func parse(text []byte) (*placedValue, error) {
	skipped := len(text)
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	skipped -= len(text)
	return read(jsontext.NewDecoder(bytes.NewBuffer(text)), skipped)
}

// read reads the next value; shift is added to its places.
func read(d *jsontext.Decoder, shift int) (*placedValue, error) {
	v := &placedValue{kind: d.PeekKind()}
	if v.kind != '{' && v.kind != '[' {
		raw, err := d.ReadValue()
		v.raw = raw.Clone()
		v.end = int(d.InputOffset()) + shift
		v.begin = v.end - len(raw)
		return v, err
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	v.begin = int(d.InputOffset()) - 1 + shift
	// In ASCII, a closing bracket is two after its opening one.
	for d.PeekKind() != v.kind+2 {
		if err := v.readNext(d, shift); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	v.end = int(d.InputOffset()) + shift
	return v, err
}

// readNext reads the next member or element of a container.
func (v *placedValue) readNext(d *jsontext.Decoder, shift int) error {
	if v.kind == '[' {
		element, err := read(d, shift)
		v.elems = append(v.elems, element)
		return err
	}
	name, err := d.ReadValue()
	if err != nil {
		return err
	}
	m := treeMember{name: item.Unquote(name), begin: int(d.InputOffset()) - len(name) + shift}
	m.placedValue, err = read(d, shift)
	v.members = append(v.members, m)
	return err
}

// at is what the names lead to; nil: it is not there, or null.
func (v *placedValue) at(path ...string) *placedValue {
	for _, name := range path {
		i := v.index(name)
		if i < 0 || v.members[i].kind == 'n' {
			return nil
		}
		v = v.members[i].placedValue
	}
	return v
}

// index is that of a member, also of one that is null; -1: there is none.
func (v *placedValue) index(name string) int {
	if v == nil {
		return -1
	}
	return slices.IndexFunc(v.members, func(m treeMember) bool { return m.name == name })
}

// text is that of a string, or else the JSON; empty for nil.
func (v *placedValue) text() string {
	switch {
	case v == nil:
		return ""
	case v.kind == '"':
		return item.Unquote(v.raw)
	}
	return v.line(nil)
}

// is tells whether two values are the same but for the order of members; nil is the same as nil.
func (v *placedValue) is(other *placedValue) bool { return v.sorted() == other.sorted() }

// sorted is the JSON, the members in the order of their names; empty for nil.
func (v *placedValue) sorted() string {
	if v == nil {
		return ""
	}
	copied := *v
	copied.members = slices.Clone(v.members)
	slices.SortFunc(copied.members, func(a, b treeMember) int { return strings.Compare(a.name, b.name) })
	switch v.kind {
	case '{', '[':
		return copied.inside(func(v *placedValue) string { return v.sorted() })
	case '"':
		return string(item.Quote(item.Unquote(v.raw)))
	}
	return string(v.raw)
}

// line is the JSON on one line. other gives what stands in place of a value; empty: the value itself.
func (v *placedValue) line(other func(*placedValue) string) string {
	if other != nil {
		if text := other(v); text != "" {
			return text
		}
	}
	if v.kind == '{' || v.kind == '[' {
		return v.inside(func(v *placedValue) string { return v.line(other) })
	}
	return string(v.raw)
}

// inside is an object or an array of what text makes of the values in it.
func (v *placedValue) inside(text func(*placedValue) string) string {
	if v.kind == '{' {
		var o item.ObjectBuilder
		for _, m := range v.members {
			o = o.With(true, m.name, text(m.placedValue))
		}
		return o.String()
	}
	var all []string
	for _, e := range v.elems {
		all = append(all, text(e))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// each visits a value and all in it.
func (v *placedValue) each(visit func(*placedValue)) {
	if v == nil {
		return
	}
	visit(v)
	for _, m := range v.members {
		m.each(visit)
	}
	for _, e := range v.elems {
		e.each(visit)
	}
}

// attribute is the one that a value refers to; empty: it is no reference.
func (v *placedValue) attribute() string {
	if v != nil && v.kind == '{' && len(v.members) == 1 && v.members[0].name == "attr" {
		return v.members[0].text()
	}
	return ""
}

// held is the attribute that a value refers to, also where it is written for a path; empty: it is no reference.
func (v *placedValue) held() string {
	if v.at("function").text() == "urlencode" && v.at("args") != nil && len(v.at("args").elems) == 1 {
		v = v.at("args").elems[0]
	}
	return v.attribute()
}

// attributes are those that are referred to anywhere in a value, each once, in their order.
func (v *placedValue) attributes() (all []string) {
	v.each(func(v *placedValue) {
		if name := v.attribute(); name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	})
	return all
}

// pieces are the parts of a text that concat makes, those of such a function in it too, or the value alone.
func (v *placedValue) pieces() (all []*placedValue) {
	if v.at("function").text() != "concat" || v.at("args") == nil {
		return []*placedValue{v}
	}
	for _, e := range v.at("args").elems {
		all = append(all, e.pieces()...)
	}
	return all
}

func quoted(text string) string { return string(item.Quote(text)) }

// indented is JSON on several lines, all but the first of which begin with the prefix.
func indented(line, prefix, unit string) string {
	var b bytes.Buffer
	// It is valid JSON.
	_ = json.Indent(&b, []byte(line), prefix, unit)
	return b.String()
}

// named is a member whose name is written in capital or small letters.
func named(object *placedValue, name string) *placedValue {
	if object == nil {
		return nil
	}
	i := slices.IndexFunc(object.members, func(m treeMember) bool { return strings.EqualFold(m.name, name) })
	if i < 0 {
		return nil
	}
	return object.members[i].placedValue
}
