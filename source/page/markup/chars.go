package markup

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// What a byte is in character data.
const (
	// plain stands for itself, in XML and in a JSON string.
	plain uint8 = iota
	// escaped stands for itself in XML, but not in a JSON string.
	escaped
	// special means something in XML.
	special
	// wide is part of a character that is not ASCII.
	wide
	// never is no character of XML.
	never
)

// Of each byte.
type classes [256]uint8

func newClasses(specials string) *classes {
	t := &classes{}
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = wide
		case c < ' ':
			t[c] = never
		}
	}
	t['"'], t['\\'], t['\t'], t['\n'] = escaped, escaped, escaped, escaped
	t['\r'] = special
	for _, c := range []byte(specials) {
		t[c] = special
	}
	return t
}

//nolint:gochecknoglobals // tables
var (
	inText  = newClasses("<&]")
	inCDATA = newClasses("]")
	inValue = newClasses("<&\t\n")
)

// isSpace tells whether a byte is white space of XML.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// isBlank tells whether a text has nothing but white space.
func isBlank(text []byte) bool {
	for _, c := range text {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// isChar tells whether a character may stand in a document.
func isChar(c rune) bool {
	switch {
	case c < ' ':
		return c == '\t' || c == '\n' || c == '\r'
	case c >= 0xD800 && c < 0xE000:
		return false
	}
	return c != 0xFFFE && c != 0xFFFF && c <= utf8.MaxRune
}

// wideRun is the length of the characters that are not ASCII at the beginning of a text. It ends before a character that
// is not whole, or is none: ok is false then if the bytes can be no beginning of one.
func wideRun(text []byte) (n int, ok bool) {
	for n < len(text) && text[n] >= utf8.RuneSelf {
		c, size := utf8.DecodeRune(text[n:])
		if c == utf8.RuneError && size == 1 {
			return n, !utf8.FullRune(text[n:])
		}
		if c == 0xFFFE || c == 0xFFFF {
			return n, false
		}
		n += size
	}
	return n, true
}

// valid is how many bytes of a text are whole characters that may stand in a document; ok is false if the next one is
// none.
func valid(text []byte) (n int, ok bool) {
	for n < len(text) {
		c := text[n]
		switch {
		case c >= utf8.RuneSelf:
			size, isGood := wideRun(text[n:])
			n += size
			if !isGood || size == 0 {
				return n, isGood
			}
		case isChar(rune(c)):
			n++
		default:
			return n, false
		}
	}
	return n, true
}

// escape appends a character of ASCII to a JSON string.
func escape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\t':
		return append(dst, `\t`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return append(dst, c)
}

// nameASCII tells of each byte below 0x80 whether it may stand in a name: 1 also at its beginning, 2 not there.
//
//nolint:gochecknoglobals // a table
var nameASCII = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		isOther := c >= '0' && c <= '9' || c == '-' || c == '.'
		switch {
		case isLetter:
			t[c] = 1
		case isOther:
			t[c] = 2
		}
	}
	return t
}()

// Beginning and end of the ranges of characters that a name may begin with, and that may only stand further on: XML 1.0,
// fifth edition, NameStartChar and NameChar without the colon.
//
//nolint:gochecknoglobals // tables
var (
	nameStarts = [][2]rune{
		{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D}, {0x2070, 0x218F},
		{0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
	}
	nameOthers = [][2]rune{{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
)

func among(ranges [][2]rune, c rune) bool {
	for _, r := range ranges {
		if c >= r[0] && c <= r[1] {
			return true
		}
	}
	return false
}

// isName tells whether a text is a name without a colon.
func isName(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if nameASCII[c] == 0 || i == 0 && nameASCII[c] == 2 {
				return false
			}
			i++
			continue
		}
		wide, size := utf8.DecodeRune(text[i:])
		isWrong := wide == utf8.RuneError && size == 1
		isOther := i > 0 && among(nameOthers, wide)
		if isWrong || !isOther && !among(nameStarts, wide) {
			return false
		}
		i += size
	}
	return len(text) > 0
}

// quote appends a name as JSON, which has nothing to escape.
func quote(dst []byte, name string) []byte {
	return append(append(append(dst, '"'), name...), '"')
}

// referred is the character that a reference stands for: what is between & and ;.
func referred(name []byte) (rune, bool) {
	switch string(name) {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	// A sign is none.
	if len(digits) == 0 || digits[0] == '+' || digits[0] == '-' || bytes.IndexByte(digits, '_') >= 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || n > math.MaxInt32 || !isChar(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

// appendRune appends a character to a JSON string.
func appendRune(dst []byte, c rune) []byte {
	if c < utf8.RuneSelf {
		return escape(dst, byte(c))
	}
	return utf8.AppendRune(dst, c)
}
