package config

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"sluice/pipeline/secret"
)

// excerptWidth is the most of a line that is shown, in columns.
const excerptWidth = 100

// tokens are the strings in a line, which may lack their end, and the other words.
var tokens = regexp.MustCompile(`"(?:[^"\\]|\\.?)*"?|[^\s{}\[\],:"]+`)

// excerpt returns the line of the offset and a caret below it. Values that may be secrets are shown as "…". path is that
// of the message.
func (f *file) excerpt(offset int, path string) string {
	offset = min(offset, len(f.text))
	from := f.mark(max(0, offset-4*excerptWidth))
	line, column := f.position(offset)
	// All of a broken line says what may be secret.
	if from.line != line || f.broken {
		from.at = offset - column + 1
	}
	at := offset - from.at
	text, _, _ := bytes.Cut(f.text[offset-at:min(len(f.text), offset+4*excerptWidth)], []byte("\n"))
	text = text[:at+len(bytes.TrimRight(text[at:], blanks))]
	var shown []rune
	caret, last := 0, 0
	for _, t := range append(tokens.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		if t[0] < t[1] && f.shows(offset-at, t[0], t[1], at, path) {
			continue
		}
		if at >= last {
			caret = len(shown) + utf8.RuneCount(text[last:min(at, t[0])])
		}
		shown = append(shown, printable(text[last:t[0]])...)
		if token := text[t[0]:t[1]]; len(token) > 1 && token[0] == '"' && token[len(token)-1] == '"' {
			shown = append(shown, '"', '…', '"')
		} else if len(token) > 0 {
			shown = append(shown, '…')
		}
		last = t[1]
	}
	left, right := string(shown[:caret]), string(shown[caret:])
	if at < column-1 {
		left = "…" + left
	}
	if runewidth.StringWidth(left+right) > excerptWidth {
		if over := runewidth.StringWidth(left) - excerptWidth*2/3; over > 0 {
			left = runewidth.TruncateLeft(left, over+1, "…")
		}
		right = runewidth.Truncate(right, excerptWidth-runewidth.StringWidth(left), "…")
	}
	return fmt.Sprintf(
		"%5d | %s%s\n      | %s^",
		line,
		left,
		right,
		strings.Repeat(" ", runewidth.StringWidth(left)),
	)
}

// longestWord is how long what is no JSON may be, in bytes, to be shown: a longer word may be all of a secret.
const longestWord = 3

// foreignWords are what other languages have where JSON has true, false and null, in small letters.
var foreignWords = []string{"none", "true", "false", "null", "undefined"}

// shows tells whether a token of the line that begins at start is shown in a message about the place at.
func (f *file) shows(start, from, to, at int, path string) bool {
	token := f.text[start+from : start+to]
	before := bytes.TrimRight(f.text[:start+from], blanks)
	after := bytes.TrimLeft(f.text[start+to:], blanks)
	follows := bytes.HasSuffix(before, []byte("{")) || bytes.HasSuffix(before, []byte(","))
	isText := len(token) > 1 && token[0] == '"' && token[len(token)-1] == '"'
	name := (follows || from == at && isText) && bytes.HasPrefix(after, []byte(":"))
	// What stands before the mistake is JSON.
	sure := !f.broken || len(f.text)-len(after)-start < at
	// What follows a name that is wrong may be anything.
	mayFollow := from <= at || !f.isName(start+at)
	switch {
	case slices.Contains([]string{"true", "false", "null"}, string(token)), name && sure:
		return true
	case f.shownValues()[start+from] >= start+to:
		return mayFollow
	case !f.broken, secretPath(path), secretPath(f.last), f.besideSecret(start, start+from):
		return false
	case name:
		return true
	case f.besideSecret(start+from, start+to):
		return false
	}
	word := strings.ToLower(strings.Trim(string(token), `"'`))
	known := len(word) <= longestWord || slices.Contains(foreignWords, word)
	return known && from <= at && at <= to
}

// besideSecret tells whether the name of a secret stands in a part of the text, of which it may be the value.
func (f *file) besideSecret(from, to int) bool {
	sign := func(r rune) bool {
		return !strings.ContainsRune("#_-.", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return slices.ContainsFunc(strings.FieldsFunc(string(f.text[from:to]), sign), secretName)
}

// isName tells whether a name of a member begins at the offset.
func (f *file) isName(offset int) bool {
	token := tokens.FindIndex(f.text[offset:])
	return token != nil && token[0] == 0 &&
		bytes.HasPrefix(bytes.TrimLeft(f.text[offset+token[1]:], blanks), []byte(":"))
}

// secretPath tells whether one of the names in a path is secret.
func secretPath(path string) bool {
	return slices.ContainsFunc(
		strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' }),
		secretName,
	)
}

// secretName tells whether the values of a name are hidden: they are secrets (docs/decisions.md, section 8),
// it sounds like it, or they are headers, whose names may be what is wrong.
func secretName(name string) bool {
	name = strings.ToLower(name)
	hidden := slices.Contains([]string{"loginrequest", "headers", "query"}, name) || secret.Name(name)
	// Which is of the api.
	return hidden && name != "authentication"
}

// secretAddress tells whether text is an address with a user before the host, or a secret name in its query.
func secretAddress(text string) bool {
	_, host, _ := strings.Cut(text, "://")
	_, query, _ := strings.Cut(text, "?")
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == '=' })
	return strings.Contains(host, "@") || slices.ContainsFunc(parts, secretName)
}

// printable returns a text with U+FFFD for what would not show or would move the others.
func printable(text []byte) []rune {
	return []rune(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return utf8.RuneError
		}
		return r
	}, string(text)))
}
