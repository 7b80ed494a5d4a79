package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"sluice/pipeline/pattern"
)

// tokens are the strings in a line, which may lack their end, and the other words.
var tokens = pattern.Lazy(`"(?:[^"\\]|\\.?)*"?|[^\s{}\[\],:"]+`)

// excerptReach is how far from a place the text is read, in bytes.
const excerptReach = 4 * excerptWidth

// excerpt returns the line of the offset and a caret below it. Values that may be secrets are shown as "…".
// The path is that of the message.
func (f *documentText) excerpt(offset int, path string) string {
	offset = min(offset, len(f.text))
	line, column := f.position(offset)
	lineBegin := offset - column + 1
	start := lineBegin
	from := f.mark(max(0, offset-excerptReach))
	// A broken line is read from its beginning: all of it tells what may be secret.
	if from.line == line && !f.broken {
		start = from.at
	}
	left, right := f.masked(start, offset, path)
	if start > lineBegin {
		left = "…" + left
	}
	left, right = fit(left, right)
	indent := strings.Repeat(" ", runewidth.StringWidth(left))
	return fmt.Sprintf("%5d | %s%s\n      | %s^", line, left, right, indent)
}

// masked returns the text from start to the end of the line, without what may be secret: what stands
// before the offset, and the rest.
func (f *documentText) masked(start, offset int, path string) (left, right string) {
	text, _, _ := bytes.Cut(f.text[start:min(len(f.text), offset+excerptReach)], []byte("\n"))
	at := offset - start
	text = text[:at+len(bytes.TrimRight(text[at:], blanks))]
	end := []int{len(text), len(text)}
	var shown []rune
	caret, last := 0, 0
	for _, t := range append(tokens().FindAllIndex(text, -1), end) {
		if t[0] < t[1] && f.shows(start, t[0], t[1], at, path) {
			continue
		}
		if at >= last {
			caret = len(shown) + utf8.RuneCount(text[last:min(at, t[0])])
		}
		shown = append(shown, printable(text[last:t[0]])...)
		shown = append(shown, mask(text[t[0]:t[1]])...)
		last = t[1]
	}
	return string(shown[:caret]), string(shown[caret:])
}

// mask is what stands for a token that is not shown.
func mask(token []byte) []rune {
	switch {
	case len(token) == 0:
		return nil
	case isQuoted(token):
		return []rune(`"…"`)
	}
	return []rune("…")
}

// isQuoted tells whether a token is a string with both its quotes.
func isQuoted(token []byte) bool {
	return len(token) > 1 && token[0] == '"' && token[len(token)-1] == '"'
}

// fit shortens the texts on both sides of the caret to the width of an excerpt.
func fit(left, right string) (string, string) {
	if runewidth.StringWidth(left+right) <= excerptWidth {
		return left, right
	}
	over := runewidth.StringWidth(left) - excerptWidth*2/3
	if over > 0 {
		left = runewidth.TruncateLeft(left, over+1, "…")
	}
	return left, runewidth.Truncate(right, excerptWidth-runewidth.StringWidth(left), "…")
}

// longestWord is the most bytes of a word that is shown though it is no JSON: a longer one may be a secret.
const longestWord = 3

// foreignWords are what other languages have where JSON has true, false and null, in small letters.
var foreignWords = []string{"none", "true", "false", "null", "undefined"}

// shows tells whether the token between from and to is shown in a message about the place at. These three
// count from start, where the text that is read begins.
func (f *documentText) shows(start, from, to, at int, path string) bool {
	token := f.text[start+from : start+to]
	before := bytes.TrimRight(f.text[:start+from], blanks)
	after := bytes.TrimLeft(f.text[start+to:], blanks)
	follows := bytes.HasSuffix(before, []byte("{")) || bytes.HasSuffix(before, []byte(","))
	misplaced := from == at && isQuoted(token)
	nameMayStand := follows || misplaced
	name := nameMayStand && bytes.HasPrefix(after, []byte(":"))
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
func (f *documentText) besideSecret(from, to int) bool {
	separates := func(r rune) bool {
		inName := strings.ContainsRune("#_-.", r) || unicode.IsLetter(r) || unicode.IsDigit(r)
		return !inName
	}
	return slices.ContainsFunc(strings.FieldsFunc(string(f.text[from:to]), separates), secretName)
}

// isName tells whether a name of a member begins at the offset.
func (f *documentText) isName(offset int) bool {
	token := tokens().FindIndex(f.text[offset:])
	if token == nil || token[0] != 0 {
		return false
	}
	after := bytes.TrimLeft(f.text[offset+token[1]:], blanks)
	return bytes.HasPrefix(after, []byte(":"))
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
