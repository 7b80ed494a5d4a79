package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptWidth is the most of a line that is shown, in characters.
const excerptWidth = 100

// excerptReach is how far from its place an excerpt looks at all, in bytes.
const excerptReach = 4 * excerptWidth

// excerpt returns the line of the offset and a caret below it.
//
// Of the line are shown names, brackets, numbers, words, and the string that
// stands at the offset: every other string is none of the message's business and
// becomes "…", and so does whatever is secret ([secretName]). Behind a syntax
// error nothing can be told from anything else: see [file.rest].
func (f *file) excerpt(offset int) string {
	offset = min(offset, len(f.text))
	line, column := f.position(offset)
	start, end := offset-(column-1), len(f.text)
	if n := bytes.IndexByte(f.text[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	from, to := max(start, offset-excerptReach), min(end, offset+excerptReach)
	left, right := f.shown(from, offset, offset), f.shown(offset, min(to, f.good), offset)+f.rest(f.good, to)
	if from > start && !strings.HasPrefix(left, "…") {
		left = "…" + left
	}
	if to < end && !strings.HasSuffix(right, "…") {
		right += "…"
	}
	before, after := cut(printable(left), printable(strings.TrimRight(right, " \t\r")))
	return fmt.Sprintf("%5d | %s%s\n      | %s^", line, string(before), string(after), under(before))
}

// shown returns text[from:to], which must be before f.good.
func (f *file) shown(from, to, offset int) string {
	var b strings.Builder
	values := f.scan().values
	first, _ := slices.BinarySearchFunc(values, from, func(v span, at int) int { return v.end - at })
	for _, v := range values[first:] {
		if v.start >= to {
			break
		}
		token := f.text[v.start:min(v.end, to)]
		if v.end <= from || !v.secret && (token[0] != '"' || v.start == offset) {
			continue
		}
		b.Write(f.text[from:max(from, v.start)])
		switch {
		case v.start < from || token[0] != '"':
			b.WriteString("…")
		case closed(token):
			b.WriteString(`"…"`)
		default:
			b.WriteString(`"…`)
		}
		from = v.start + len(token)
	}
	if from < to {
		b.Write(f.text[from:to])
	}
	return b.String()
}

// rest returns what is shown of text[from:to], where from is the place of a
// syntax error or behind it: one sign, name or word that cannot be part of a
// secret, and "…" for all that follows, unless that is nothing but brackets.
func (f *file) rest(from, to int) string {
	if from >= to || f.scan().cut() { // of a string that was cut, the end is hidden already
		return ""
	}
	text := f.text[from:to]
	n := 0
	if bytes.IndexByte([]byte(`{}[],:;='"/#`), text[0]) >= 0 {
		n = 1
	}
	if !f.scan().secret() {
		n = max(n, f.scan().harmless(text))
	}
	follows := text[n:]
	if len(bytes.Trim(follows, " \t\r{}[],:")) > 0 {
		return string(text[:n]) + "…"
	}
	return string(text)
}

// harmless returns the length of a name, or of a word that is no JSON, at the
// beginning of text.
func (s *scan) harmless(text []byte) int {
	n := tokenEnd(text, 0)
	token, follows := text[:n], bytes.TrimLeft(text[n:], " \t")
	named := bytes.HasPrefix(follows, []byte{':'})
	switch top := s.top(); {
	case closed(token):
		if named && top.kind == '{' && (top.want == 'k' || top.want == ',') {
			return n
		}
	case named && top.want == 'k' && !bytes.ContainsAny(token, `'"/#`):
		return n
	case wrongWord(string(token)):
		return n
	}
	return 0
}

// printable returns the characters of text, with U+FFFD for each one that would
// not show, or would move the others.
func printable(text string) []rune {
	shown := make([]rune, 0, len(text))
	for _, r := range text { // an invalid byte is U+FFFD
		if r != '\t' && !unicode.IsPrint(r) {
			r = utf8.RuneError
		}
		shown = append(shown, r)
	}
	return shown
}

// cut shortens a line around the place between its two parts.
func cut(before, after []rune) ([]rune, []rune) {
	const most = excerptWidth * 2 / 3
	if len(before)+len(after) <= excerptWidth {
		return before, after
	}
	if len(before) > most {
		before = append([]rune{'…'}, before[len(before)-most+1:]...)
	}
	if room := excerptWidth - len(before); len(after) > room {
		after = append(after[:room-1:room-1], '…')
	}
	return before, after
}

// under returns the blanks that are as wide as text.
func under(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteByte('\t')
		case unicode.Is(unicode.Mn, r):
		case wide(r):
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// wide tells whether a terminal gives the character two columns.
func wide(r rune) bool {
	switch {
	case 0x1100 <= r && r <= 0x115F, 0x2E80 <= r && r <= 0xA4CF, 0xAC00 <= r && r <= 0xD7A3,
		0xF900 <= r && r <= 0xFAFF, 0xFE30 <= r && r <= 0xFE6F, 0xFF00 <= r && r <= 0xFF60,
		0xFFE0 <= r && r <= 0xFFE6, 0x1F300 <= r && r <= 0x1F64F, 0x1F680 <= r && r <= 0x1F6FF,
		0x1F900 <= r && r <= 0x1F9FF, 0x20000 <= r && r <= 0x3FFFD:
		return true
	}
	return false
}
