package secret

import (
	"encoding/hex"
	"encoding/json"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// Times that a text is unescaped: a link in a link in a link, in a text of this program.
	maxDepth = 4
	// Times longer that makes a text, at most.
	maxEscaped = 12
)

// An escapedText is a text of which some escapes have been read.
type escapedText struct {
	text string

	// Where each byte comes from, and the end; nil: from the same place.
	from []int
}

// A span is where a secret stands.
type span struct{ from, to int }

// origin is where the byte i comes from.
func (t escapedText) origin(i int) int {
	if t.from == nil {
		return i
	}
	return t.from[i]
}

// find appends the places of all secrets that begin before bound, also of those that are escaped.
func (x *formIndex) find(spans []span, t escapedText, bound, depth int) []span {
	for i := 0; i+shortest <= len(t.text) && t.origin(i) < bound; i++ {
		if end := x.match(t.text, i); end > 0 {
			spans = append(spans, span{t.origin(i), t.origin(end)})
		}
	}
	if depth == maxDepth {
		return spans
	}
	// Each kind is read alone, since what is an escape in one is text in the other.
	if plain := t.unescape('%', urlEscape); len(plain.text) < len(t.text) {
		spans = x.find(spans, plain, bound, depth+1)
	}
	if plain := t.unescape('\\', jsonEscape); len(plain.text) < len(t.text) {
		spans = x.find(spans, plain, bound, depth+1)
	}
	if plain := t.unescape('&', markupEscape); len(plain.text) < len(t.text) {
		spans = x.find(spans, plain, bound, depth+1)
	}
	return spans
}

// unescape reads the escapes that begin with a sign. read returns what one means and its length, 0 if it is
// none.
func (t escapedText) unescape(sign byte, read func(text string) (plain string, length int)) escapedText {
	if !hasEscape(t.text, sign, read) {
		return t
	}
	text := make([]byte, 0, len(t.text))
	from := make([]int, 0, len(t.text)+1)
	for i := 0; i < len(t.text); {
		plain := ""
		length := 0
		if t.text[i] == sign {
			plain, length = read(t.text[i:])
		}
		if length == 0 {
			plain = t.text[i : i+1]
			length = 1
		}
		text = append(text, plain...)
		for range len(plain) {
			from = append(from, t.origin(i))
		}
		i += length
	}
	return escapedText{string(text), append(from, t.origin(len(t.text)))}
}

// hasEscape tells whether an escape stands in a text. An address has many signs of markup, and no escape.
func hasEscape(text string, sign byte, read func(text string) (plain string, length int)) bool {
	for i := range len(text) {
		if text[i] != sign {
			continue
		}
		if _, length := read(text[i:]); length > 0 {
			return true
		}
	}
	return false
}

func urlEscape(text string) (plain string, length int) {
	if len(text) < 3 {
		return "", 0
	}
	b, err := hex.DecodeString(text[1:3])
	if err != nil {
		return "", 0
	}
	return string(b), 3
}

func jsonEscape(text string) (plain string, length int) {
	if strings.HasPrefix(text, `\/`) {
		return "/", 2
	}
	if r, _, rest, err := strconv.UnquoteChar(text, '"'); err == nil {
		return string(r), len(text) - len(rest)
	}
	const pair = len(`\ud83d\ude00`)
	if len(text) < pair || json.Unmarshal([]byte(`"`+text[:pair]+`"`), &plain) != nil {
		return "", 0
	}
	if utf8.RuneCountInString(plain) != 1 {
		return "", 0
	}
	return plain, pair
}

// markupEscape is an escape of HTML or XML, as a page of an error has it: &amp; or &#x2B;.
func markupEscape(text string) (plain string, length int) {
	end := strings.IndexByte(text[:min(len(text), maxEscaped)], ';')
	if end < 0 {
		return "", 0
	}
	length = end + 1
	plain = html.UnescapeString(text[:length])
	// What only begins as an escape does is more.
	const most = 2
	if len(plain) == length || utf8.RuneCountInString(plain) > most {
		return "", 0
	}
	return plain, length
}
