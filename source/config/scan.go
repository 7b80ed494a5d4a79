package config

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/secret"
)

// A scan is what can be said of a text that is JSON, or the beginning of it:
// where its values are and which of them are secret, and what is open at its
// end. The decoder says whether a text is JSON; the scan explains it to people.
type scan struct {
	text   []byte
	values []span  // strings and numbers that are values, in order
	open   []frame // the document itself, and what is open in it
	last   span    // the last string, number or word
}

// A span is a part of the text.
type span struct {
	start, end int
	secret     bool
}

// A frame is an object, an array, or the document around all.
type frame struct {
	kind   byte   // '{', '[', or 0
	start  int    // of its bracket
	want   byte   // what comes next: 'k' name, ':' colon, 'v' value, ',' comma or end
	name   string // of the member at hand
	index  int    // of the element at hand
	secret bool   // whatever is in it
}

// scanText reads text, which must be the beginning of a JSON document.
func scanText(text []byte) *scan {
	s := &scan{text: text, open: []frame{{want: 'v'}}}
	for i := 0; i < len(text); {
		end := i + 1
		top := &s.open[len(s.open)-1]
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			inner := frame{kind: c, start: i, want: 'v', secret: top.secret || secretName(top.name)}
			if c == '{' {
				inner.want = 'k'
			}
			s.open = append(s.open, inner)
		case '}', ']':
			s.open = s.open[:max(1, len(s.open)-1)]
			s.open[len(s.open)-1].want = ','
		case ',':
			top.index++
			top.want = 'v'
			if top.kind == '{' {
				top.want = 'k'
			}
		case ':':
			top.want = 'v'
		default:
			end = tokenEnd(text, i)
			s.token(top, text[i:end], i)
		}
		i = end
	}
	// A name without its colon may be a value, or have swallowed one.
	if s.top().want == ':' && !s.cut() && strings.ContainsAny(s.top().name, " :,=") {
		s.values = append(s.values, span{s.last.start, s.last.end, true})
	}
	return s
}

// token notes a string, a number or a word.
func (s *scan) token(top *frame, token []byte, start int) {
	s.last = span{start, start + len(token), false}
	if top.want == 'k' {
		top.want, top.name = ':', unquote(token)
		if !closed(token) { // who knows what it has swallowed
			s.values = append(s.values, span{s.last.start, s.last.end, true})
		}
		return
	}
	top.want = ','
	s.last.secret = top.secret || secretName(top.name)
	if token[0] == '"' {
		s.last.secret = s.last.secret || secretAddress(unquote(token))
	} else if bytes.IndexByte([]byte("-0123456789"), token[0]) < 0 {
		return
	}
	s.values = append(s.values, s.last)
}

// tokenEnd returns where the string, number or word that begins at text[i] ends.
func tokenEnd(text []byte, i int) int {
	if text[i] != '"' {
		if n := bytes.IndexAny(text[i:], " \t\r\n{}[],:\""); n > 0 {
			return i + n
		}
		return len(text)
	}
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(text)
}

// closed tells whether the token is a string with its closing quote.
func closed(token []byte) bool {
	for i := 1; i < len(token) && token[0] == '"'; i++ {
		switch token[i] {
		case '\\':
			i++
		case '"':
			return true
		}
	}
	return false
}

func unquote(token []byte) string {
	text, err := jsontext.AppendUnquote(nil, token)
	if err != nil {
		return string(token) // cut short
	}
	return string(text)
}

// cut tells whether the text ends within a string.
func (s *scan) cut() bool {
	return s.last.end == len(s.text) && s.last.end > 0 && s.text[s.last.start] == '"' && !closed(s.text[s.last.start:])
}

// top is the innermost of what is open.
func (s *scan) top() *frame { return &s.open[len(s.open)-1] }

// secret tells whether what follows the text may belong to a secret.
func (s *scan) secret() bool {
	top := s.top()
	return top.secret || (top.want == 'v' && secretName(top.name)) || (top.want == ',' && s.last.secret)
}

// path is the JSON path of what is at hand at the end of the text.
func (s *scan) path() string {
	path := ""
	for i, f := range s.open {
		inner := i < len(s.open)-1
		switch {
		case f.kind == '{' && (inner || f.want == 'v'):
			path = join(path, f.name)
		case f.kind == '[' && (inner || f.want == 'v'):
			path += "[" + strconv.Itoa(f.index) + "]"
		}
	}
	return path
}

// secretName tells whether the values under a name are to be hidden wherever the
// document is shown: they are secrets (decisions.md, section 8), the name sounds
// like it, or they are headers, whose names may be what is wrong.
func secretName(name string) bool {
	switch strings.ToLower(name) {
	case "loginrequest", "headers":
		return true
	case "authentication": // of the api
		return false
	}
	return secret.Name(name)
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
