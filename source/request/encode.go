package request

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// empty tells whether queries and forms leave the parameter out.
func (q *Param) empty() bool {
	return q.Raw == "" && isEmpty(q.Value)
}

// isEmpty tells whether a value is null, [] or {}, or holds nothing else.
func isEmpty(value []byte) bool {
	switch item.Kind(value) {
	case '{':
		for _, member := range item.Members(value) {
			if !isEmpty(member) {
				return false
			}
		}
		return true
	case '[':
		for element := range item.Elements(value) {
			if !isEmpty(element) {
				return false
			}
		}
		return true
	case 'n':
		return true
	}
	return false
}

// hidden tells whether the parameter has a value that must not be shown.
func (q *Param) hidden() bool { return q.Secret && !q.empty() }

// hide tells whether one of the parameters has a value that must not be shown.
func (p Params) hide() bool {
	for i := range p {
		if p[i].hidden() {
			return true
		}
	}
	return false
}

// pair adds the login parameters: first those whose names p does not have, then an
// indexed pair for each other one (docs/specification.md, authentication, rule 7).
func (p Params) pair(login Params) Params {
	if len(login) == 0 {
		return p
	}
	names := login.firsts()
	// The parameters below an index, by the place of the name.
	clashing := map[int]Params{}
	for i := range p {
		if p[i].empty() {
			continue
		}
		names.each(&p[i], func(name string, place int) {
			clashing[place] = append(clashing[place], p[i].under(name, "[0]"))
		})
	}
	var plain, pairs Params
	for _, q := range login {
		below := clashing[names.byName[q.Name]]
		switch {
		case q.empty():
			delete(clashing, names.byName[q.Name])
		case len(below) == 0:
			plain = append(plain, q)
		default:
			q.Name += "[1]"
			q.paired = true
			pairs = append(pairs, below...)
			pairs = append(pairs, q)
		}
	}
	if len(plain)+len(pairs) == 0 {
		return p
	}
	rest := slices.DeleteFunc(slices.Clone(p), func(q Param) bool {
		clashes := false
		names.each(&q, func(_ string, place int) { clashes = clashes || len(clashing[place]) > 0 })
		return clashes
	})
	return append(append(rest, plain...), pairs...)
}

// under moves the parameter below an index of name: name[0] for name, and name[0][k] for name[k].
func (q Param) under(name, index string) Param {
	moved := name + index + q.Name[len(name):]
	if q.Raw != "" {
		_, value, valued := strings.Cut(q.Raw, "=")
		q.Raw = url.QueryEscape(moved)
		if valued {
			q.Raw += "=" + value
		}
	}
	q.Name = moved
	q.paired = true
	return q
}

// A ValueStyle says how queries and forms write values, at any depth. Bodies in JSON do not have one.
type ValueStyle struct {
	// empty: [Indexed].
	Arrays string

	// Booleans are true and false, not 1 and 0.
	Words bool
}

// The shapes of arrays: a[0]=x&a[1]=y, a[]=x&a[]=y, a=x&a=y and a=x,y.
const (
	Indexed  = "indexed"
	Brackets = "brackets"
	Repeat   = "repeat"
	Comma    = "comma"
)

// encode returns the parameters as a query or a form, secret values replaced if redacted says so.
func (p Params) encode(s ValueStyle, redacted bool) string {
	var query strings.Builder
	// Enough for most.
	query.Grow(32 * len(p))
	for _, q := range p {
		switch {
		case redacted && q.hidden():
			writePair(&query, q.Name, secret.Hidden)
		case q.Raw != "":
			writePart(&query, q.Raw)
		case q.paired:
			ValueStyle{Words: s.Words}.write(&query, q.Name, q.Value)
		default:
			s.write(&query, q.Name, q.Value)
		}
	}
	return query.String()
}

// writePair writes name=text, of which text is escaped.
func writePair(query *strings.Builder, name, text string) {
	writePart(query, url.QueryEscape(name))
	query.WriteByte('=')
	query.WriteString(text)
}

// writePart writes a part, behind an & unless it is the first.
func writePart(query *strings.Builder, part string) {
	if query.Len() > 0 {
		query.WriteByte('&')
	}
	query.WriteString(part)
}

// write writes the parts of a value under name, the members of objects under name[key], to any
// depth; null and what is empty is left out.
func (s ValueStyle) write(query *strings.Builder, name string, value []byte) {
	switch item.Kind(value) {
	case '{':
		for key, member := range item.Members(value) {
			s.write(query, name+"["+item.Unquote(key)+"]", member)
		}
	case '[':
		s.writeArray(query, name, slices.Collect(item.Elements(value)))
	default:
		if text, ok := s.text(value); ok {
			writePair(query, name, text)
		}
	}
}

// writeArray writes an array. One that holds objects or arrays is indexed in any shape:
// nobody could tell else which values belong together.
func (s ValueStyle) writeArray(query *strings.Builder, name string, elements [][]byte) {
	shape := s.Arrays
	isDeep := func(e []byte) bool { return item.Kind(e) == '{' || item.Kind(e) == '[' }
	if slices.ContainsFunc(elements, isDeep) {
		shape = Indexed
	}
	var texts []string
	for i, e := range elements {
		switch shape {
		case Comma:
			if text, ok := s.text(e); ok {
				texts = append(texts, text)
			}
		case Repeat:
			s.write(query, name, e)
		case Brackets:
			s.write(query, name+"[]", e)
		default:
			s.write(query, name+"["+strconv.Itoa(i)+"]", e)
		}
	}
	if len(texts) > 0 {
		writePair(query, name, strings.Join(texts, ","))
	}
}

// text is a scalar, escaped; ok is false for null.
func (s ValueStyle) text(scalar []byte) (text string, ok bool) {
	kind := item.Kind(scalar)
	if s.Words && (kind == 't' || kind == 'f') {
		return string(scalar), true
	}
	text, ok = item.Text(scalar)
	return url.QueryEscape(text), ok
}

// json returns the parameters as one compact JSON object, without any as [].
func (p Params) json() []byte {
	if len(p) == 0 {
		return []byte("[]")
	}
	return p.Object()
}

// Object returns the parameters as one compact JSON object.
func (p Params) Object() []byte {
	b := []byte{'{'}
	for _, q := range p {
		if q.isNothing() {
			continue
		}
		b = item.AppendQuote(b, q.Name)
		b = append(b, ':')
		b = append(b, q.Value...)
		b = append(b, ',')
	}
	return append(bytes.TrimSuffix(b, []byte{','}), '}')
}
