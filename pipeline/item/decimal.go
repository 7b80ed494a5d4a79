package item

import (
	"math/big"
	"strconv"
	"strings"
)

// A Decimal is an exact number.
type Decimal struct{ rat *big.Rat }

// most is the greatest length and power of ten of a number to calculate with.
const most = 1000

// DecimalOf reads a JSON number, or a string that holds one, if neither length nor exponent is too great.
func DecimalOf(value []byte) (Decimal, bool) {
	if len(value) > most {
		return Decimal{}, false
	}
	switch Kind(value) {
	case '0', '"':
		text, _ := Text(value)
		return ParseDecimal(text)
	}
	return Decimal{}, false
}

// ParseDecimal reads a number that blanks may stand around.
func ParseDecimal(text string) (Decimal, bool) {
	text = strings.TrimSpace(text)
	// Most numbers are integers.
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Decimal{new(big.Rat).SetInt64(n)}, true
	}
	if len(text) > most || strings.Trim(text, "0123456789+-.eE") != "" {
		return Decimal{}, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		power, err := strconv.Atoi(text[i+1:])
		small := -most <= power && power <= most
		if err != nil || !small {
			return Decimal{}, false
		}
	}
	rat, ok := new(big.Rat).SetString(text)
	return Decimal{rat}, ok
}

// Compare is less than, equal to or greater than 0 as d is to other.
func (d Decimal) Compare(other Decimal) int { return d.rat.Cmp(other.rat) }

// CompareInt is [Decimal.Compare] with an integer.
func (d Decimal) CompareInt(n int64) int { return d.rat.Cmp(new(big.Rat).SetInt64(n)) }

// Int returns an integer that fits; 50.0 and 5e1 are integers too.
func (d Decimal) Int() (n int64, ok bool) {
	return d.rat.Num().Int64(), d.rat.IsInt() && d.rat.Num().IsInt64()
}

// Plus returns the digits of d + n.
func (d Decimal) Plus(n int64) []byte {
	sum := new(big.Rat).Add(d.rat, new(big.Rat).SetInt64(n))
	places, _ := sum.FloatPrec()
	return []byte(sum.FloatString(places))
}

// Integer reads a number without a fraction, or a string that holds one.
func Integer(value []byte) (int64, bool) {
	if Kind(value) == '0' {
		// Most numbers are integers.
		if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
			return n, true
		}
	}
	d, ok := DecimalOf(value)
	if !ok {
		return 0, false
	}
	return d.Int()
}
