package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/secret"
)

// A span is a part of the text.
type span struct {
	start, end int
	secret     bool
}

// What a scanner has read last of a member or an element.
const (
	nothing = iota // a name comes next
	name
	colon // a value comes next
	value
)

// A scanner finds the values in a text that may be no JSON, and which of them are
// secret. Where it cannot know it takes more for secret, never less.
type scanner struct {
	text   []byte
	values []span // strings, numbers and words, none over several lines
	open   []span // the open brackets; secret is all that is in them
	last   int
	secret bool // the value of the member at hand is secret
	plain  int  // up to here there is no secret name
}

// valuesFrom returns the values of the text that do not begin before the offset.
func (f *file) valuesFrom(offset int) []span {
	if f.values == nil {
		s := &scanner{text: f.text, last: colon}
		s.scan()
		f.values = s.values
	}
	first, _ := slices.BinarySearchFunc(f.values, offset, func(v span, at int) int { return v.start - at })
	return f.values[first:]
}

func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		end := i + 1
		switch s.text[i] {
		case ' ', '\t', '\r':
		case '\n':
			if s.last == value { // a comma may be missing
				s.next()
			}
		case '{', '[':
			s.open = append(s.open, span{i, end, s.hides()})
			s.next()
		case '}', ']':
			s.last = value
			if n := len(s.open) - 1; n >= 0 {
				s.secret = s.open[n].secret
				s.open = s.open[:n]
			}
		case ',':
			s.next()
		case ':':
			s.last = colon
		default:
			end = s.token(i, tokenEnd(s.text, i))
		}
		i = end
	}
}

// next begins another member or element.
func (s *scanner) next() {
	s.last, s.secret = colon, false
	if n := len(s.open) - 1; n >= 0 && s.text[s.open[n].start] == '{' {
		s.last = nothing
	}
}

// hides tells whether a value at this place is secret.
func (s *scanner) hides() bool {
	n := len(s.open) - 1
	return s.secret || n >= 0 && s.open[n].secret
}

// token takes text[start:end] for a name or a value, and returns where it ends.
func (s *scanner) token(start, end int) int {
	token := s.text[start:end]
	text := unquote(token)
	named := bytes.HasPrefix(bytes.TrimLeft(s.text[end:], blanks), []byte{':'})
	switch {
	case named && (s.last == nothing || !s.hides()), s.last == nothing && !s.hides():
		s.last, s.secret = name, secretName(strings.Trim(text, "'`“”"))
		if s.secret && (!named && strings.ContainsAny(text, " :,=") || token[0] == '"' && !closed(token)) { // it may have a value in it
			s.values = append(s.values, span{start, end, true})
		}
		return end
	case s.hides() && token[0] != '"' && !isWordByte(token[0]): // such as other quotes
		end = s.lineEnd(end)
	case !s.hides() && s.last != colon && start >= s.plain: // it may be a part of something else
		if s.plain = s.lineEnd(end); mentionsSecret(string(s.text[start:s.plain])) {
			s.secret, end = true, s.plain
		}
	}
	s.values = append(s.values, span{start, end, s.hides() || token[0] == '"' && secretAddress(text)})
	s.last = value
	return end
}

func (s *scanner) lineEnd(offset int) int {
	if n := bytes.IndexByte(s.text[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(s.text)
}

// tokenEnd returns where the string, number or word that begins at text[i] ends. A
// string ends with its line.
func tokenEnd(text []byte, i int) int {
	if text[i] != '"' {
		if n := bytes.IndexAny(text[i:], " \t\r\n{}[],:\""); n > 0 {
			return i + n
		}
		return len(text)
	}
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\n':
			return j
		case '\\':
			if j+1 < len(text) && text[j+1] != '\n' {
				j++
			}
		case '"':
			return j + 1
		}
	}
	return len(text)
}

// closed tells whether the token is a string with its closing quote.
func closed(token []byte) bool {
	escaped := false
	for i := 1; i < len(token) && token[0] == '"'; i++ {
		if token[i] == '"' && !escaped {
			return true
		}
		escaped = token[i] == '\\' && !escaped
	}
	return false
}

func unquote(token []byte) string {
	text, err := jsontext.AppendUnquote(nil, token)
	if err != nil {
		return string(token) // no string, or a broken one
	}
	return string(text)
}

// secretName tells whether the values of a name are hidden wherever the document
// is shown: they are secrets (docs/decisions.md, section 8), the name sounds like
// it, or they are headers, whose names may be what is wrong.
func secretName(name string) bool {
	switch strings.ToLower(name) {
	case "loginrequest", "headers", "query":
		return true
	case "authentication": // of the api
		return false
	}
	return secret.Name(name)
}

// mentionsSecret tells whether one of the words of text is a secret name.
func mentionsSecret(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r != '#' && !isWordRune(r) }), secretName)
}

// secretAddress tells whether text is an address that holds a secret: a user
// before the host, or a query member with a secret name.
func secretAddress(text string) bool {
	if _, after, ok := strings.Cut(text, "://"); ok && strings.Contains(after, "@") {
		return true
	}
	_, query, _ := strings.Cut(text, "?")
	for part := range strings.SplitSeq(query, "&") {
		if name, _, ok := strings.Cut(part, "="); ok && secretName(name) {
			return true
		}
	}
	return false
}
