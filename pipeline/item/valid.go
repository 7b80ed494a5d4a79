package item

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// maxDepth is how deep objects and arrays may be nested, as in jsontext.
const maxDepth = 10000

// Valid tells whether text is one JSON value without white space around it, as a decoder takes it that allows repeated
// names, invalid UTF-8 and lone surrogates. A decoder must also look for the end of the value, which takes longer.
func Valid(text []byte) bool { return checked(text).value(0, maxDepth) == len(text) }

// checked is a text. Its methods return where what begins at i ends, or no, which is beyond any text.
type checked []byte

const no = 1 << 30

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
		return t.quoted(i)
	case '{', '[':
		return t.nested(i, depth)
	case 't', 'f', 'n':
		for _, name := range [...]string{"true", "false", "null"} {
			if end := i + len(name); end <= len(t) && string(t[i:end]) == name {
				return end
			}
		}
		return no
	}
	return t.number(i)
}

// nested is for objects and arrays.
func (t checked) nested(i, depth int) int {
	if depth == 0 {
		return no
	}
	end := t[i] + 2 // the brackets stand two apart
	if i = t.space(i + 1); t.at(i) == end {
		return i + 1
	}
	for {
		if end == '}' {
			if i = t.space(t.quoted(i)); t.at(i) != ':' {
				return no
			}
			i = t.space(i + 1)
		}
		i = t.space(t.value(i, depth-1))
		switch c := t.at(i); {
		case c == end:
			return i + 1
		case c != ',':
			return no
		}
		i = t.space(i + 1)
	}
}

func (t checked) space(i int) int {
	for i < len(t) && t[i] <= ' ' && (t[i] == ' ' || t[i] == '\n' || t[i] == '\r' || t[i] == '\t') {
		i++
	}
	return i
}

// quoted is for a string.
func (t checked) quoted(i int) int {
	if t.at(i) != '"' {
		return no
	}
	for i++; ; {
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
			i = t.escape(i + 1)
		case c < ' ':
			return no
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
		if _, err := strconv.ParseUint(string(t[min(i+1, len(t)):min(i+5, len(t))]), 16, 16); err == nil && i+5 <= len(t) {
			return i + 5
		}
	}
	return no
}

func (t checked) number(i int) int {
	if t.at(i) == '-' {
		i++
	}
	if t.at(i) == '0' {
		i++
	} else {
		i = t.digits(i)
	}
	if t.at(i) == '.' {
		i = t.digits(i + 1)
	}
	if t.at(i)|' ' == 'e' {
		if i++; t.at(i) == '+' || t.at(i) == '-' {
			i++
		}
		i = t.digits(i)
	}
	return i
}

// digits is for one digit or more.
func (t checked) digits(i int) int {
	begin := i
	for c := t.at(i); '0' <= c && c <= '9'; c = t.at(i) {
		i++
	}
	if i == begin {
		return no
	}
	return i
}
