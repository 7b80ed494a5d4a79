package paginate

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A decimal is a number as an API or a configuration writes it, exactly.
type decimal struct {
	small int64
	exact *big.Rat // nil: small is all
}

// A decimal has at most so many characters, and so great a power of ten: far
// more than any id, and little enough to calculate with.
const longestDecimal, greatestExponent = 1000, 1000

// parseDecimal reads a JSON number, or a string that holds one.
func parseDecimal(value []byte) (decimal, bool) {
	if kind := item.Kind(value); kind != '0' && kind != '"' || len(value) > longestDecimal {
		return decimal{}, false
	}
	text, _ := item.Text(value)
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return decimal{small: n}, true
	}
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return decimal{}, false // what big.Rat takes besides, such as 1/2 and 0x1f
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		n, err := strconv.Atoi(text[at+1:])
		if err != nil || n < -greatestExponent || n > greatestExponent {
			return decimal{}, false
		}
	}
	exact, ok := new(big.Rat).SetString(text)
	return decimal{exact: exact}, ok
}

func (d decimal) rat() *big.Rat {
	if d.exact != nil {
		return d.exact
	}
	return new(big.Rat).SetInt64(d.small)
}

// compare is negative where d is less than o, 0 where they are equal.
func (d decimal) compare(o decimal) int {
	if d.exact != nil || o.exact != nil {
		return d.rat().Cmp(o.rat())
	}
	switch {
	case d.small < o.small:
		return -1
	case d.small > o.small:
		return 1
	}
	return 0
}

// whole returns an integer that fits; 50.0 and 5e1 are integers too.
func (d decimal) whole() (n int64, ok bool) {
	if d.exact == nil {
		return d.small, true
	}
	return d.exact.Num().Int64(), d.exact.IsInt() && d.exact.Num().IsInt64()
}

// plus returns the digits of d + n.
func (d decimal) plus(n int64) []byte {
	if d.exact == nil && (n <= 0 || d.small <= math.MaxInt64-n) && (n >= 0 || d.small >= math.MinInt64-n) {
		return strconv.AppendInt(nil, d.small+n, 10)
	}
	sum := new(big.Rat).Add(d.rat(), new(big.Rat).SetInt64(n))
	places, _ := sum.FloatPrec() // a decimal has finitely many
	return []byte(sum.FloatString(places))
}
