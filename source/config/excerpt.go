package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// excerptWidth is the most of a line that is shown, in characters.
const excerptWidth = 100

// excerpt returns the line of the offset and a caret below it. Secret values are
// shown as "…". If the text is JSON, so are all strings but the one at the offset,
// which is the one that the message is about.
func (f *file) excerpt(offset int) string {
	offset = min(offset, len(f.text))
	line, column := f.position(offset)
	start, end := offset-(column-1), len(f.text)
	if n := bytes.IndexByte(f.text[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	end = offset + len(bytes.TrimRight(f.text[offset:end], " \t\r"))
	var shown []rune
	caret := -1
	values := f.valuesFrom(start)
	for i := start; i < end; {
		next, text := i, []rune(nil)
		if len(values) > 0 && values[0].start == i {
			next, text = values[0].end, f.hidden(values[0], offset)
			values = values[1:]
		}
		if text == nil {
			r, size := utf8.DecodeRune(f.text[i:end]) // an invalid byte is U+FFFD
			next, text = i+size, []rune{printable(r)}
		}
		if caret < 0 && next > offset {
			caret = len(shown)
		}
		shown, i = append(shown, text...), next
	}
	if caret < 0 {
		caret = len(shown)
	}
	before, after := cut(shown[:caret:caret], shown[caret:])
	return fmt.Sprintf("%5d | %s%s\n      | %s^", line, string(before), string(after), under(before))
}

// hidden returns what is shown instead of a value, nil if it is shown itself.
func (f *file) hidden(v span, offset int) []rune {
	token := f.text[v.start:v.end]
	switch {
	case !v.secret && (f.broken || token[0] != '"' || v.start == offset), isLiteral(token):
		return nil
	case closed(token):
		return []rune(`"…"`)
	}
	return []rune("…")
}

// printable returns the character, or U+FFFD if it would not show, or would move the others.
func printable(r rune) rune {
	if r != '\t' && !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
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
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString(strings.Repeat(" ", runewidth.RuneWidth(r)))
		}
	}
	return b.String()
}
