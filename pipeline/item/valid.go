package item

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may be nested, as in jsontext.
const MaxDepth = 10000

// Valid tells whether text is one JSON value without white space around it, as a decoder takes it that allows repeated
// names, invalid UTF-8 and lone surrogates, and, if so, whether [Compact] would leave it as it is. A decoder must also
// look for the end of the value, which takes longer.
func Valid(text []byte) (valid, compact bool) {
	c := checker{text: text}
	valid = c.value(0, MaxDepth) == len(text)
	return valid, valid && !c.changes
}

// A checker goes through a text. Its methods return where what begins at i ends, or no, which is beyond any text.
type checker struct {
	text []byte

	// White space between tokens, or invalid UTF-8 is in what was seen.
	changes bool
}

const no = 1 << 30

// at is the byte at i, 0 beyond the end.
func (c *checker) at(i int) byte {
	if i < len(c.text) {
		return c.text[i]
	}
	return 0
}

func (c *checker) value(i, depth int) int {
	switch c.at(i) {
	case '"':
		return c.quoted(i)
	case '{', '[':
		return c.nested(i, depth)
	case 't', 'f', 'n':
		for _, name := range [...]string{"true", "null", "false"} {
			if end := i + len(name); end <= len(c.text) && string(c.text[i:end]) == name {
				return end
			}
		}
		return no
	}
	return c.number(i)
}

// nested is for objects and arrays.
func (c *checker) nested(i, depth int) int {
	if depth == 0 {
		return no
	}
	// The brackets stand two apart.
	end := c.text[i] + 2
	i = c.space(i + 1)
	if c.at(i) == end {
		return i + 1
	}
	for {
		if end == '}' {
			i = c.space(c.quoted(i))
			if c.at(i) != ':' {
				return no
			}
			i = c.space(i + 1)
		}
		i = c.space(c.value(i, depth-1))
		switch c.at(i) {
		case end:
			return i + 1
		case ',':
			i = c.space(i + 1)
		default:
			return no
		}
	}
}

func (c *checker) space(i int) int {
	for b := c.at(i); b == ' ' || b == '\n' || b == '\r' || b == '\t'; b = c.at(i) {
		c.changes = true
		i++
	}
	return i
}

// quoted is for a string.
func (c *checker) quoted(i int) int {
	if c.at(i) != '"' {
		return no
	}
	begin, seen := i, uint64(0)
	for i++; ; {
		for ; i+8 <= len(c.text); i += 8 {
			w := binary.LittleEndian.Uint64(c.text[i:])
			quotes, slashes := w^lanes*'"', w^lanes*'\\'
			// A lane below 0 after the subtraction was 0, or stands above one that was: only the lowest one counts.
			stops := ((quotes-lanes)&^quotes | (slashes-lanes)&^slashes | (w-lanes*' ')&^w) & highs
			if stops != 0 {
				seen |= w & (stops&-stops - 1)
				i += bits.TrailingZeros64(stops) / 8
				break
			}
			seen |= w
		}
		switch b := c.at(i); {
		case b == '"':
			if seen&highs != 0 && !utf8.Valid(c.text[begin:i]) {
				c.changes = true
			}
			return i + 1
		case b == '\\':
			i = c.escape(i + 1)
		case b < ' ':
			return no
		default:
			seen |= uint64(b)
			i++
		}
	}
}

// escape is for what stands after a backslash.
func (c *checker) escape(i int) int {
	switch c.at(i) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for end := i + 4; i < end; i++ {
			if !isHex(c.at(i + 1)) {
				return no
			}
		}
		return i + 1
	}
	return no
}

func isHex(b byte) bool {
	digit := '0' <= b && b <= '9'
	lower := b | ' '
	return digit || 'a' <= lower && lower <= 'f'
}

func (c *checker) number(i int) int {
	if c.at(i) == '-' {
		i++
	}
	if c.at(i) == '0' {
		i++
	} else {
		i = c.digits(i)
	}
	if c.at(i) == '.' {
		i = c.digits(i + 1)
	}
	if c.at(i)|' ' == 'e' {
		if i++; c.at(i) == '+' || c.at(i) == '-' {
			i++
		}
		i = c.digits(i)
	}
	return i
}

// digits is for one digit or more.
func (c *checker) digits(i int) int {
	begin := i
	for b := c.at(i); '0' <= b && b <= '9'; b = c.at(i) {
		i++
	}
	if i == begin {
		return no
	}
	return i
}

// Element reads what stands in an array behind one of its elements: a comma, and the next element,
// text[begin:end], which is valid as for [Valid], and in which depth more objects and arrays may be nested. It is not ok
// if that, and what stands behind it, does not lie whole in text, or is no JSON.
func Element(text []byte, depth int) (begin, end int, compact, ok bool) {
	c := checker{text: text}
	i := c.space(0)
	if c.at(i) != ',' {
		return 0, 0, false, false
	}
	begin = c.space(i + 1)
	c.changes = false
	end = c.value(begin, depth)
	compact = !c.changes
	switch c.at(c.space(end)) {
	case ',', ']':
		return begin, end, compact, true
	}
	return 0, 0, false, false
}
