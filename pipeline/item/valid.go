package item

import (
	"encoding/binary"
	"math/bits"
)

// MaxDepth is how deep objects and arrays may be nested, as in jsontext.
const MaxDepth = 10000

// Valid tells whether text is one JSON value without white space around it, as a decoder takes it that allows repeated
// names, invalid UTF-8 and lone surrogates, and, if so, whether [Compact] would leave it as it is. A decoder must also
// look for the end of the value, which takes longer. Of a valid object it fills in top, which may be nil.
func Valid(text []byte, top *Top) (valid, compact bool) {
	c := checker{text: text, top: top.begin()}
	valid = c.value(0, MaxDepth) == len(text)
	return valid, valid && c.isCompact(text)
}

// A checker goes through a text. Its methods return where what begins at i ends, or no, which is beyond any text.
type checker struct {
	text []byte

	// White space between tokens is in what was seen.
	white bool

	// Of the strings: the high bit of any lane is set where one is not ASCII.
	seen uint64

	// Looked for in the value that begins next; nil: nothing is.
	top *Top
}

// isCompact tells whether Compact would leave the value as it is that was seen.
func (c *checker) isCompact(value []byte) bool {
	if c.white {
		return false
	}
	return c.seen&highs == 0 || validUTF8(value)
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
	case 't':
		return c.literal(i, "true")
	case 'f':
		return c.literal(i, "false")
	case 'n':
		return c.literal(i, "null")
	}
	return c.number(i)
}

func (c *checker) literal(i int, name string) int {
	end := i + len(name)
	if end > len(c.text) || string(c.text[i:end]) != name {
		return no
	}
	return end
}

// nested is for objects and arrays.
func (c *checker) nested(i, depth int) int {
	if depth == 0 {
		return no
	}
	// Values in this one have none.
	top := c.top
	c.top = nil
	// The brackets stand two apart.
	end := c.text[i] + 2
	i = c.space(i + 1)
	if c.at(i) == end {
		return i + 1
	}
	for {
		isTop := false
		if end == '}' {
			begin := i
			i = c.quoted(i)
			isName := top != nil && i != no
			isTop = isName && top.is(c.text[begin:i])
			i = c.space(i)
			if c.at(i) != ':' {
				return no
			}
			i = c.space(i + 1)
		}
		begin := i
		i = c.value(i, depth-1)
		if isTop && i != no {
			top.Value = c.text[begin:i:i]
			top = nil
		}
		i = c.space(i)
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
	for b := c.at(i); b <= ' ' && isWhite(b); b = c.at(i) {
		c.white = true
		i++
	}
	return i
}

// isWhite tells whether a byte is white space of JSON.
func isWhite(b byte) bool {
	const all = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t'
	return uint64(all)>>b&1 != 0
}

// quoted is for a string.
func (c *checker) quoted(i int) int {
	if c.at(i) != '"' {
		return no
	}
	text, seen := c.text, c.seen
	for i++; ; {
		for i <= len(text)-8 {
			w := binary.LittleEndian.Uint64(text[i:])
			found := stops(w)
			if found != 0 {
				seen |= w & (found&-found - 1)
				i += bits.TrailingZeros64(found) / 8
				break
			}
			seen |= w
			i += 8
		}
		if i >= len(text) {
			return no
		}
		switch b := text[i]; {
		case b == '"':
			c.seen = seen
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

// stops masks the lanes of w that hold a quote, a backslash or a control character. Above the lowest of them it
// may mask others.
func stops(w uint64) uint64 {
	// Only a quote and control characters are below '!' then.
	quotes := w ^ lanes*('"'^' ')
	slashes := w ^ lanes*'\\'
	return ((quotes - lanes*'!') | (slashes - lanes)) &^ w & highs
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
	for isDigit(c.at(i)) {
		i++
	}
	if i == begin {
		return no
	}
	return i
}

func isDigit(b byte) bool { return b-'0' <= 9 }

// Element reads what stands in an array behind one of its elements: a comma, and the next element,
// text[begin:end], which is valid as for [Valid], and in which depth more objects and arrays may be nested. It is
// not ok if that, and what stands behind it, does not lie whole in text, or is no JSON. Of an object it fills in
// top, which may be nil.
func Element(text []byte, depth int, top *Top) (begin, end int, compact, ok bool) {
	c := checker{text: text, top: top.begin()}
	i := c.space(0)
	if c.at(i) != ',' {
		return 0, 0, false, false
	}
	begin = c.space(i + 1)
	c.white = false
	end = c.value(begin, depth)
	hasWhite := c.white
	next := c.at(c.space(end))
	isWhole := next == ',' || next == ']'
	if !isWhole {
		return 0, 0, false, false
	}
	c.white = hasWhite
	return begin, end, c.isCompact(text[begin:end]), true
}
