package transport

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// What of a login's answer is shown: such names, and at the place of its expiry
// what may be a time or a number of seconds.
var (
	ordinary = regexp.MustCompile(`^[A-Za-z0-9_.:$-]{1,40}$`)
	temporal = regexp.MustCompile(`^[A-Za-z0-9 .,:+/-]{1,40}$`)
)

// cleanLogin is what a recording shows of a login's answer: every value is
// replaced, whatever it is, but those at public, true, false and null. What is no
// JSON is replaced as a whole. A replayed login gives the placeholder as token.
func cleanLogin(answer []byte, public []item.Path) []byte {
	if len(answer) == 0 {
		return nil
	}
	value := jsontext.Value(bytes.TrimPrefix(answer, []byte("\xef\xbb\xbf")))
	if len(answer) > maxLoginRecord || !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return []byte(secret.Hidden)
	}
	compact, _ := item.Compact(nil, value)
	return appendClean(nil, compact, "", public)
}

// appendClean appends a value that stands at a path, its steps joined by line
// breaks.
func appendClean(dst, value []byte, at string, public []item.Path) []byte {
	switch item.Kind(value) {
	case '{':
		dst = append(dst, '{')
		for name, member := range item.Members(value) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			plain := item.Unquote(name)
			if !ordinary.MatchString(plain) {
				name = item.Quote(secret.Hidden)
			}
			dst = append(append(dst, name...), ':')
			dst = appendClean(dst, member, step(at, plain), public)
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		i := 0
		for element := range item.Elements(value) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendClean(dst, element, step(at, strconv.Itoa(i)), public)
			i++
		}
		return append(dst, ']')
	case '"', '0':
		text, _ := item.Text(value)
		known := slices.ContainsFunc(public, func(p item.Path) bool { return strings.Join(p, "\n") == at })
		if !known || !temporal.MatchString(text) {
			return item.AppendQuote(dst, secret.Hidden)
		}
	}
	return append(dst, value...)
}

func step(at, name string) string {
	if at == "" {
		return name
	}
	return at + "\n" + name
}

// A jsonMender writes text on. Where that is JSON, it makes JSON again of what
// taking secrets out has left of it: a number with a secret in it becomes the
// placeholder as a string, and the begin of an escape before a secret goes.
type jsonMender struct {
	w      io.Writer
	out    []byte // reused
	began  bool   // something else than white space was seen
	json   bool   // it looks like JSON
	inside bool   // a string
	escape []byte // the begin of an escape in a string, not written yet
	number []byte // a number, or what was one, not written yet
	hidden bool   // there was a secret in it
	match  int    // so many bytes of the placeholder, outside a string, are held
}

// Write implements [io.Writer].
func (m *jsonMender) Write(p []byte) (int, error) {
	m.out = m.out[:0]
	for _, c := range p {
		m.take(c)
	}
	_, err := m.w.Write(m.out)
	return len(p), err
}

// Close writes what was held, of a text that ends anywhere. It does not close
// what is written to.
func (m *jsonMender) Close() error {
	m.out = m.out[:0]
	m.flush()
	m.out = append(m.out, secret.Hidden[:m.match]...)
	m.out = append(m.out, m.escape...)
	m.escape = nil
	_, err := m.w.Write(m.out)
	return err
}

func (m *jsonMender) take(c byte) {
	if !m.began && c > ' ' {
		m.began, m.json = true, strings.IndexByte(`{["-0123456789`, c) >= 0
	}
	switch {
	case !m.json:
		m.out = append(m.out, c)
	case m.inside:
		m.within(c)
	default:
		m.outside(c)
	}
}

// within takes a byte of a string.
func (m *jsonMender) within(c byte) {
	const longest = len(`\u0000`)
	switch {
	case len(m.escape) > 0 && c == '[': // the rest of the escape was taken for a secret
		m.escape = m.escape[:0]
	case len(m.escape) > 0:
		m.escape = append(m.escape, c)
		if m.escape[1] != 'u' || len(m.escape) == longest {
			m.out = append(m.out, m.escape...)
			m.escape = m.escape[:0]
		}
		return
	case c == '\\':
		m.escape = append(m.escape, c)
		return
	case c == '"':
		m.inside = false
	}
	m.out = append(m.out, c)
}

// outside takes a byte that is in no string.
func (m *jsonMender) outside(c byte) {
	if m.match > 0 || c == '[' {
		if c == secret.Hidden[m.match] {
			if m.match++; m.match == len(secret.Hidden) {
				m.match, m.hidden = 0, true
			}
			return
		}
		held := m.match
		m.match = 0
		m.flush()
		m.out = append(m.out, secret.Hidden[:held]...) // the begin of an array
		m.outside(c)
		return
	}
	if strings.IndexByte("0123456789+-.eE", c) >= 0 {
		m.number = append(m.number, c)
		return
	}
	m.flush()
	m.inside = c == '"'
	m.out = append(m.out, c)
}

// flush writes the number that is held.
func (m *jsonMender) flush() {
	if m.hidden {
		m.out = append(m.out, '"')
		m.out = append(m.out, secret.Hidden...)
		m.out = append(m.out, '"')
	} else {
		m.out = append(m.out, m.number...)
	}
	m.number, m.hidden = m.number[:0], false
}
