package request

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Param is one named parameter.
type Param struct {
	Name   string
	Value  []byte // compact JSON; nil if the parameter stands as Raw
	Raw    string // name=value as the endpoint's own query has it
	Secret bool   // not to be shown, however short
	paired bool   // it stands below an index beside a login parameter: arrays are indexed
}

// Params are parameters in the order in which they are sent. The methods leave their receiver alone.
type Params []Param

// ParseQuery splits the query of an endpoint. What cannot stand in a URL, such as a blank, is escaped.
func ParseQuery(raw string) Params {
	var p Params
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, _, _ := strings.Cut(part, "=")
		p = append(p, Param{Name: Unescape(name), Raw: escapeStray(part)})
	}
	return p
}

// Unescape reads a part of a query; what is no escape stands for itself.
func Unescape(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}

// escapeStray escapes what cannot stand in a query, and a percent sign that begins no escape.
func escapeStray(part string) string {
	return Escape(part, func(i int) bool {
		if part[i] == '%' {
			_, err := url.PathUnescape(part[i:min(i+3, len(part))])
			return err != nil
		}
		return part[i] <= ' ' || part[i] >= 0x7f || strings.IndexByte(`"<>#`, part[i]) >= 0
	})
}

// Escape percent-encodes the bytes of a text that are stray.
func Escape(text string, stray func(i int) bool) string {
	var b strings.Builder
	for i := range len(text) {
		if stray(i) {
			fmt.Fprintf(&b, "%%%02X", text[i])
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// Get returns the value of the first parameter called name, nil if there is none.
func (p Params) Get(name string) []byte {
	if i := slices.IndexFunc(p, func(q Param) bool { return q.Name == name }); i >= 0 {
		return p[i].Value
	}
	return nil
}

// Has tells whether a parameter is called name.
func (p Params) Has(name string) bool { return slices.ContainsFunc(p, called(name)) }

// called returns what tells whether a parameter is called name.
func called(name string) func(Param) bool {
	return func(q Param) bool { return q.is(name) }
}

// is tells whether the parameter is called name, or is an element of it in an endpoint's query: name[0].
func (q *Param) is(name string) bool {
	if q.Name == name {
		return true
	}
	return q.Raw != "" && len(q.Name) > len(name) && q.Name[:len(name)] == name && q.Name[len(name)] == '['
}

// Set puts one parameter in the place of the first of its name, or at the end.
func (p Params) Set(q Param) Params {
	rest := p.Without(q.Name)
	if i := slices.IndexFunc(p, called(q.Name)); i >= 0 {
		return slices.Insert(rest, i, q)
	}
	return append(rest, q)
}

// Without returns the parameters but for those called name.
func (p Params) Without(name string) Params {
	return slices.DeleteFunc(append(make(Params, 0, len(p)+1), p...), called(name)) // room for one in its place
}

// Merge lets each parameter of over take the place of the one of its name, or
// stand at the end. A name that over repeats, as a query may, stays repeated.
func (p Params) Merge(over Params) Params {
	if len(p) == 0 {
		return over
	}
	out := p
	for i, q := range over {
		if over[:i].Has(q.Name) {
			out = append(out[:len(out):len(out)], q)
		} else {
			out = out.Set(q)
		}
	}
	return out
}
