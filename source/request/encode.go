package request

import (
	"net/url"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// empty tells whether queries and forms leave the parameter out: null, [], {},
// and what holds nothing else.
func (q *Param) empty() bool {
	if q.Raw != "" {
		return false
	}
	var b strings.Builder
	flatten(&b, q.Name, q.Value)
	return b.Len() == 0
}

// pair adds the login parameters: first those whose names p does not have, then an
// indexed pair for each other one (docs/specification.md, authentication, rule 7).
func (p Params) pair(login Params) Params {
	var plain, pairs Params
	out := p
	for _, q := range login {
		if q.empty() {
			continue
		}
		clash := false
		for i := range p {
			if p[i].is(q.Name) && !p[i].empty() {
				pairs, clash = append(pairs, p[i].under(q.Name, "[0]")), true
			}
		}
		if !clash {
			plain = append(plain, q)
			continue
		}
		out = out.Without(q.Name)
		q.Name += "[1]"
		pairs = append(pairs, q)
	}
	if len(plain)+len(pairs) == 0 {
		return p
	}
	return append(append(out[:len(out):len(out)], plain...), pairs...)
}

// under moves the parameter below an index of name: name[0] for name, and
// name[0][k] for name[k].
func (q Param) under(name, index string) Param {
	moved := name + index + q.Name[len(name):]
	if q.Raw != "" {
		_, value, valued := strings.Cut(q.Raw, "=")
		if q.Raw = url.QueryEscape(moved); valued {
			q.Raw += "=" + value
		}
	}
	q.Name = moved
	return q
}

// encode returns the parameters as a query or a form, secret values replaced if redacted says so.
func (p Params) encode(redacted bool) string {
	var b strings.Builder
	for _, q := range p {
		switch {
		case redacted && q.Secret && !q.empty():
			part(&b, url.QueryEscape(q.Name)+"="+secret.Hidden)
		case q.Raw != "":
			part(&b, q.Raw)
		default:
			flatten(&b, q.Name, q.Value)
		}
	}
	return b.String()
}

// flatten writes a value under name, the elements of arrays and objects under
// name[key], to any depth; null and what is empty is left out.
func flatten(b *strings.Builder, name string, value []byte) {
	item.Scalars(value, func(path item.Path, scalar []byte) {
		if text, ok := item.Text(scalar); ok {
			full := name
			for _, key := range path {
				full += "[" + key + "]"
			}
			part(b, url.QueryEscape(full)+"="+url.QueryEscape(text))
		}
	})
}

func part(b *strings.Builder, nameAndValue string) {
	if b.Len() > 0 {
		b.WriteByte('&')
	}
	b.WriteString(nameAndValue)
}

// json returns the parameters as one compact JSON object, without any as [].
func (p Params) json() []byte {
	if len(p) == 0 {
		return []byte("[]")
	}
	b := []byte{'{'}
	for i, q := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = item.AppendQuote(b, q.Name)
		b = append(b, ':')
		b = append(b, q.Value...)
	}
	return append(b, '}')
}
