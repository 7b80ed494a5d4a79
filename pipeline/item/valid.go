package item

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep objects and arrays may be nested, as in jsontext.
const maxDepth = 10000

// Valid tells whether text is one JSON value without white space around it, as a
// decoder takes it that allows repeated names, invalid UTF-8 and lone surrogates. It
// is for texts whose end is known: a decoder must also look for it, which takes longer.
func Valid(text []byte) bool { return checked(text).value(0, maxDepth) == len(text) }

// checked is a text that is looked at. Its methods return where what begins at i ends,
// -1 if it is not there.
type checked []byte

// at is the byte at i, 0 beyond the end.
func (t checked) at(i int) byte {
	if i < len(t) {
		return t[i]
	}
	return 0
}

func (t checked) value(i, depth int) int {
	switch t.at(i) {
	case '"':
		return t.quoted(i + 1)
	case '{', '[':
		return t.nested(i, depth)
	case 't':
		return t.literal(i, "true")
	case 'f':
		return t.literal(i, "false")
	case 'n':
		return t.literal(i, "null")
	}
	return t.number(i)
}

// nested is for objects and arrays.
func (t checked) nested(i, depth int) int {
	if depth == 0 {
		return -1
	}
	end := t[i] + 2 // the brackets stand two apart
	if i = t.space(i + 1); t.at(i) == end {
		return i + 1
	}
	for {
		if end == '}' {
			if t.at(i) != '"' {
				return -1
			}
			if i = t.quoted(i + 1); i < 0 {
				return -1
			}
			if i = t.space(i); t.at(i) != ':' {
				return -1
			}
			i = t.space(i + 1)
		}
		if i = t.value(i, depth-1); i < 0 {
			return -1
		}
		switch i = t.space(i); t.at(i) {
		case ',':
			i = t.space(i + 1)
		case end:
			return i + 1
		default:
			return -1
		}
	}
}

func (t checked) space(i int) int {
	for i < len(t) && t[i] <= ' ' && (t[i] == ' ' || t[i] == '\n' || t[i] == '\r' || t[i] == '\t') {
		i++
	}
	return i
}

// quoted is for a string, behind its first quote.
func (t checked) quoted(i int) int {
	for {
		for ; i+8 <= len(t); i += 8 {
			w := binary.LittleEndian.Uint64(t[i:])
			control := ^(((w & lows) + (0x80-' ')*lanes) | w) & highs
			if stops := equal(w, '"') | equal(w, '\\') | control; stops != 0 {
				i += bits.TrailingZeros64(stops) / 8
				break
			}
		}
		switch c := t.at(i); {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = t.escape(i + 1); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default:
			i++
		}
	}
}

// escape is for what stands after a backslash.
func (t checked) escape(i int) int {
	switch t.at(i) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for range 4 {
			i++
			if c := t.at(i); !digit(c) && (c|' ' < 'a' || c|' ' > 'f') {
				return -1
			}
		}
		return i + 1
	}
	return -1
}

func (t checked) literal(i int, name string) int {
	if end := i + len(name); end <= len(t) && string(t[i:end]) == name {
		return end
	}
	return -1
}

func (t checked) number(i int) int {
	if t.at(i) == '-' {
		i++
	}
	if t.at(i) == '0' {
		i++
	} else if i = t.digits(i); i < 0 {
		return -1
	}
	if t.at(i) == '.' {
		if i = t.digits(i + 1); i < 0 {
			return -1
		}
	}
	if t.at(i)|' ' == 'e' {
		i++
		if c := t.at(i); c == '+' || c == '-' {
			i++
		}
		return t.digits(i)
	}
	return i
}

// digits is for one digit or more.
func (t checked) digits(i int) int {
	if !digit(t.at(i)) {
		return -1
	}
	for digit(t.at(i)) {
		i++
	}
	return i
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
