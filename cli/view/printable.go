package view

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns a writer of what people read. It writes to w with escapes of JSON in the place of what a terminal
// would obey or hide: control characters, those that turn the direction of text, and bytes that are no UTF-8. Line
// breaks and tabs stay, so JSON stays the same JSON. Each write must end with a whole character.
func Printable(w io.Writer) io.Writer { return printable{w} }

type printable struct{ w io.Writer }

// Write implements [io.Writer].
func (p printable) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.w, escape(string(text), false)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// OneLine is a text as [Printable] writes it, with escapes for line breaks and tabs too.
func OneLine(text string) string { return escape(text, true) }

func escape(text string, breaks bool) string {
	odd := func(r rune) bool {
		if r == '\n' || r == '\t' {
			return breaks
		}
		return r == utf8.RuneError || unprintable(r)
	}
	if !strings.ContainsFunc(text, odd) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == utf8.RuneError || !odd(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
		text = text[size:]
	}
	return b.String()
}

// unprintable tells whether a terminal may obey a character, or hide it.
func unprintable(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escaped is a character as JSON escapes it.
func escaped(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
