// Package item works on the JSON text of an item; nothing is ever decoded into maps. All functions but [Compact] expect
// valid compact JSON; on anything else they return something meaningless, but neither panic nor loop.
package item

import (
	"bytes"
	"cmp"
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Path leads from a value to one inside it, or itself: object keys and zero-based array indices.
type Path []string

// ParsePath splits text at delimiter. The delimiter alone is the empty path.
func ParsePath(text, delimiter string) Path {
	if text == delimiter {
		return nil
	}
	return strings.Split(text, delimiter)
}

// String writes the path with dots.
func (p Path) String() string { return strings.Join(p, ".") }

// Find is [Lookup], except that a member with the very name that the path has wins.
func Find(value []byte, p Path) []byte {
	if len(p) > 1 {
		if literal := Lookup(value, Path{p.String()}); literal != nil {
			return literal
		}
	}
	return Lookup(value, p)
}

// Found is a value and the path that leads to it.
type Found struct {
	Path  Path
	Value jsontext.Value
}

// Lookup returns the value that p leads to, as a part of value, or nil. Of a repeated key the last one counts.
func Lookup(value []byte, p Path) []byte {
	for _, step := range p {
		var next []byte
		switch Kind(value) {
		case '{':
			for name, member := range Members(value) {
				if NameIs(name, step) {
					next = member
				}
			}
		case '[':
			index, err := strconv.ParseUint(step, 10, 31)
			leadingZero := len(step) > 1 && step[0] == '0'
			if err != nil || leadingZero {
				return nil
			}
			n := uint64(0)
			for element := range Elements(value) {
				if n == index {
					next = element
					break
				}
				n++
			}
		}
		if next == nil {
			return nil
		}
		value = next
	}
	return value
}

// Looker returns what looks up paths in a value, as [Lookup] does. Of many paths it reads the members once.
func Looker(value []byte, paths int) func(Path) []byte {
	const many = 16
	if paths < many || Kind(value) != '{' {
		return func(p Path) []byte { return Lookup(value, p) }
	}
	members := map[string][]byte{}
	for name, member := range Members(value) {
		members[Unquote(name)] = member
	}
	return func(p Path) []byte {
		if len(p) == 0 {
			return value
		}
		return Lookup(members[p[0]], p[1:])
	}
}

// Kind returns the first byte of the value, one of { [ " t f n, or '0' for any number. The kind of nothing is n.
func Kind(value []byte) byte {
	if len(value) == 0 {
		return 'n'
	}
	switch c := value[0]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	default:
		return '0'
	}
}

// nouns say in words what a value of a kind is.
var nouns = map[byte]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "a boolean", 'f': "a boolean",
}

// Noun says in words what a value of that kind is: what [Kind] returns, or a jsontext.Kind.
func Noun(kind byte) string { return cmp.Or(nouns[kind], "null") }

// NameIs tells whether the quoted name, as [Members] gives it, is name.
func NameIs(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return len(quoted) == len(name)+2 && string(quoted[1:len(quoted)-1]) == name
	}
	return Unquote(quoted) == name
}

// Unquote returns the text of a quoted JSON string.
func Unquote(quoted []byte) string {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	return string(AppendUnquote(nil, quoted))
}

// AppendUnquote appends what [Unquote] returns.
func AppendUnquote(dst, quoted []byte) []byte {
	// A lone surrogate becomes U+FFFD.
	dst, _ = jsontext.AppendUnquote(dst, quoted)
	return dst
}

// Quote returns text as a JSON string with the fewest escapes; invalid UTF-8 becomes U+FFFD.
func Quote(text string) []byte { return AppendQuote(nil, text) }

// AppendQuote appends what [Quote] returns.
func AppendQuote(dst []byte, text string) []byte {
	// The error only tells of U+FFFD.
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

// Text returns a scalar but null as text: true as 1 and false as 0, as queries have them.
func Text(value []byte) (text string, ok bool) {
	switch Kind(value) {
	case '"':
		return Unquote(value), true
	case 't':
		return "1", true
	case 'f':
		return "0", true
	case '0':
		return string(value), true
	}
	return "", false
}

// True reads the value as a boolean: false are null, false, zero, "", "0", [] and {}.
func True(value []byte) bool {
	switch Kind(value) {
	case 't':
		return true
	case '"':
		return len(value) > 2 && string(value) != `"0"`
	case '0':
		if exponent := bytes.IndexAny(value, "eE"); exponent >= 0 {
			value = value[:exponent]
		}
		return bytes.ContainsAny(value, "123456789")
	case '[', '{':
		return len(value) > 2
	}
	return false
}

// Members goes through an object: quoted names and values, in order, each a part of object.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		if Kind(object) != '{' {
			return
		}
		for rest := object[1:]; Kind(rest) == '"'; {
			n := Size(rest)
			if n >= len(rest) || rest[n] != ':' {
				return
			}
			begin := n + len(":")
			end := begin + Size(rest[begin:])
			if end == begin || !yield(rest[:n:n], rest[begin:end:end]) {
				return
			}
			if end >= len(rest) || rest[end] != ',' {
				return
			}
			rest = rest[end+1:]
		}
	}
}

// Elements goes through an array, in order; each element is a part of array.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if Kind(array) != '[' {
			return
		}
		for rest := array[1:]; ; {
			n := Size(rest)
			if n == 0 || !yield(rest[:n:n]) {
				return
			}
			if n >= len(rest) || rest[n] != ',' {
				return
			}
			rest = rest[n+1:]
		}
	}
}

// Size returns the length of the value at the beginning of text, 0 if there is none.
func Size(text []byte) int {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i += stringSize(text[i:])
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				// Ends a number or literal inside a container.
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(text)
}

// stringSize returns the length of the quoted string at the beginning of text.
func stringSize(text []byte) int {
	for i := 1; i < len(text); i++ {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return len(text)
}
