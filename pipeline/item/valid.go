package item

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// MaxDepth is how deep objects and arrays may be nested, as in jsontext.
const MaxDepth = 10000

// Valid tells whether text is one JSON value without white space around it, as a decoder takes it that allows repeated
// names, invalid UTF-8 and lone surrogates, and, if so, whether [Compact] would leave it as it is. A decoder must also
// look for the end of the value, which takes longer. Of a valid object it fills in top, which may be nil.
func Valid(text []byte, top *Top) (valid, compact bool) {
	c := validator{text: text}
	valid = c.whole(0, MaxDepth, top.begin()) == len(text)
	if !valid {
		return false, false
	}
	top.end()
	return true, c.isCompact()
}

// A validator goes through a text. Its methods return where what begins at i ends, or no, which is beyond any text.
type validator struct {
	text []byte

	// White space between tokens is in what was seen.
	white bool

	// A string in what was seen is no UTF-8.
	broken bool

	// The number that was seen last has neither fraction nor exponent.
	isInteger bool
}

// isCompact tells whether Compact would leave the value as it is that was seen.
func (c *validator) isCompact() bool { return !c.white && !c.broken }

const no = 1 << 30

// at is the byte at i, 0 beyond the end.
func (c *validator) at(i int) byte {
	if i < len(c.text) {
		return c.text[i]
	}
	return 0
}

// whole is value where something is looked for in it; top may be nil.
func (c *validator) whole(i, depth int, top *Top) int {
	if top == nil {
		return c.value(i, depth)
	}
	if c.at(i) == '{' {
		return c.object(i, depth, top)
	}
	end := c.value(i, depth)
	if top.Columns != nil && end <= len(c.text) {
		top.Columns.kind = c.kindOf(i, end)
	}
	return end
}

func (c *validator) value(i, depth int) int {
	switch c.at(i) {
	case '"':
		return c.quoted(i)
	case '{':
		return c.members(i, depth)
	case '[':
		return c.elements(i, depth)
	case 't':
		return c.literal(i, "true")
	case 'f':
		return c.literal(i, "false")
	case 'n':
		return c.literal(i, "null")
	}
	return c.number(i)
}

func (c *validator) literal(i int, name string) int {
	end := i + len(name)
	if end > len(c.text) || string(c.text[i:end]) != name {
		return no
	}
	return end
}

// elements is for an array.
func (c *validator) elements(i, depth int) int {
	if depth == 0 {
		return no
	}
	i = c.space(i + 1)
	if c.at(i) == ']' {
		return i + 1
	}
	for {
		i = c.space(c.value(i, depth-1))
		switch c.at(i) {
		case ',':
			i = c.space(i + 1)
		case ']':
			return i + 1
		default:
			return no
		}
	}
}

// members is for an object.
func (c *validator) members(i, depth int) int {
	if depth == 0 {
		return no
	}
	i = c.space(i + 1)
	if c.at(i) == '}' {
		return i + 1
	}
	for {
		_, value := c.name(i)
		if value == no {
			return no
		}
		i = c.space(c.value(value, depth-1))
		switch c.at(i) {
		case ',':
			i = c.space(i + 1)
		case '}':
			return i + 1
		default:
			return no
		}
	}
}

// object is members where they are looked at.
func (c *validator) object(i, depth int, top *Top) int {
	if depth == 0 {
		return no
	}
	i = c.space(i + 1)
	if c.at(i) == '}' {
		return i + 1
	}
	isSought := top.Known
	last := noColumn
	for {
		begin := i
		m, value := c.member(i, top.Columns, last)
		if value == no {
			return no
		}
		i = c.value(value, depth-1)
		if i == no {
			return no
		}
		if isSought {
			isSought = !top.take(c.text[begin:m.end], c.text[value:i:i])
		}
		if top.Columns != nil {
			top.Columns.note(m.column, c.kindOf(value, i))
			last = m.column
		}
		i = c.space(i)
		switch c.at(i) {
		case '}':
			return i + 1
		case ',':
			i = c.space(i + 1)
		default:
			return no
		}
	}
}

// A namedMember member is where its name ends, and its column.
type namedMember struct {
	end    int
	column int32
}

// member is name that finds the column, behind the one of the member before; columns may be nil.
func (c *validator) member(i int, columns *Columns, last int32) (m namedMember, value int) {
	if columns == nil {
		m.end, value = c.name(i)
		return m, value
	}
	at := columns.expected(c.text[i:], last)
	if at != noColumn {
		known := &columns.list[at]
		c.broken = c.broken || known.broken
		end := i + int(known.length)
		return namedMember{end - len(":"), at}, c.space(end)
	}
	m.end, value = c.name(i)
	if value != no {
		m.column = columns.place(c.text[i:m.end], last)
	}
	return m, value
}

// name is for the name of a member, and what stands between it and the value, which it returns the place of.
func (c *validator) name(i int) (end, value int) {
	end = c.quoted(i)
	i = c.space(end)
	if c.at(i) != ':' {
		return no, no
	}
	return end, c.space(i + 1)
}

func (c *validator) space(i int) int {
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
func (c *validator) quoted(i int) int {
	if c.at(i) != '"' {
		return no
	}
	begin := i + 1
	text := c.text
	// The high bit of any lane is set where a letter is not ASCII.
	seen := uint64(0)
	for i = begin; ; {
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
			if seen&highs != 0 {
				c.broken = c.broken || !validUTF8(text[begin:i])
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

// stops masks the lanes of w that hold a quote, a backslash or a control character. Above the lowest of them it
// may mask others.
func stops(w uint64) uint64 {
	// Only a quote and control characters are below '!' then.
	quotes := w ^ lanes*('"'^' ')
	slashes := w ^ lanes*'\\'
	return ((quotes - lanes*'!') | (slashes - lanes)) &^ w & highs
}

// escape is for what stands after a backslash.
func (c *validator) escape(i int) int {
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

func (c *validator) number(i int) int {
	c.isInteger = true
	if c.at(i) == '-' {
		i++
	}
	if c.at(i) == '0' {
		i++
	} else {
		i = c.digits(i)
	}
	switch c.at(i) {
	case '.':
		c.isInteger = false
		i = c.digits(i + 1)
		if c.at(i)|' ' == 'e' {
			return c.exponent(i + 1)
		}
	case 'e', 'E':
		return c.exponent(i + 1)
	}
	return i
}

// exponent is for what stands behind the e of a number.
func (c *validator) exponent(i int) int {
	c.isInteger = false
	if sign := c.at(i); sign == '+' || sign == '-' {
		i++
	}
	return c.digits(i)
}

// digits is for one digit or more.
func (c *validator) digits(i int) int {
	if !isDigit(c.at(i)) {
		return no
	}
	i++
	for i <= len(c.text)-8 {
		others := notDigits(binary.LittleEndian.Uint64(c.text[i:]))
		if others != 0 {
			return i + bits.TrailingZeros64(others)/8
		}
		i += 8
	}
	for isDigit(c.at(i)) {
		i++
	}
	return i
}

// notDigits masks the lanes of w that hold no digit.
func notDigits(w uint64) uint64 {
	values := w ^ lanes*'0'
	return ((values&lows + (0x7f-9)*lanes) | values) & highs
}

// kindOf is the kind of the value that was seen last.
func (c *validator) kindOf(begin, end int) KindOf {
	// So many characters are less than 64 bits hold.
	const short = 18
	kind := kindsByFirst[c.text[begin]]
	switch {
	case kind != IsInteger:
		return kind
	case !c.isInteger:
		return IsNumber
	case end-begin > short:
		return c.kindOfLong(begin, end)
	}
	return IsInteger
}

// kindOfLong is the kind of a number without fraction and exponent. It is rare, and stays out of kindOf.
//
//go:noinline
func (c *validator) kindOfLong(begin, end int) KindOf {
	if _, err := strconv.ParseInt(string(c.text[begin:end]), 10, 64); err != nil {
		return IsNumber
	}
	return IsInteger
}

func isDigit(b byte) bool { return b-'0' <= 9 }

// Element reads what stands in an array behind one of its elements: a comma, and the next element,
// text[begin:end], which is valid as for [Valid], and in which depth more objects and arrays may be nested. It is
// not ok if that, and what stands behind it, does not lie whole in text, or is no JSON. Of an object it fills in
// top, which may be nil.
func Element(text []byte, depth int, top *Top) (begin, end int, compact, ok bool) {
	c := validator{text: text}
	i := c.space(0)
	if c.at(i) != ',' {
		return 0, 0, false, false
	}
	begin = c.space(i + 1)
	c.white = false
	end = c.whole(begin, depth, top.begin())
	hasWhite := c.white
	next := c.at(c.space(end))
	if next != ',' && next != ']' {
		return 0, 0, false, false
	}
	c.white = hasWhite
	top.end()
	return begin, end, c.isCompact(), true
}

// Add looks through an item, which is valid compact JSON, however deep it is, and counts it.
func (c *Columns) Add(text []byte) {
	looking := validator{text: text}
	top := Top{Columns: c}
	looking.whole(0, no, top.begin())
	c.Count()
}
