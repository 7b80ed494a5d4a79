package item

import "strconv"

// A KindOf is what a value of JSON is, for who loads it.
type KindOf uint8

// The kinds.
const (
	IsString KindOf = iota
	// A number without fraction and exponent that 64 bits hold.
	IsInteger
	// Any other number.
	IsNumber
	IsBoolean
	IsNull
	IsObject
	IsArray

	kinds
)

// Kinds counts values of each kind.
type Kinds [kinds]int64

// Values is how many values there are.
func (k *Kinds) Values() (n int64) {
	for _, of := range k {
		n += of
	}
	return n
}

func (k *Kinds) add(other *Kinds) {
	for i, n := range other {
		k[i] += n
	}
}

// kindOf is the kind of the value that was seen last.
func (c *validator) kindOf(begin, end int) KindOf {
	// So many characters are less than 64 bits hold.
	const short = 18
	if c.kind == IsInteger && end-begin > short {
		return c.kindOfLong(begin, end)
	}
	return c.kind
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
