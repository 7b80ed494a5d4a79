package expr

import (
	"cmp"
	"strconv"
	"strings"
)

// A decimal is the number sign × 0.digits × 10^point.
type decimal struct {
	sign   int    // -1, 0 or 1
	digits string // without zeros at its ends
	point  int64
}

// parseDecimal reads digits with an optional sign, fraction and exponent. An
// exponent of more than 47 bits makes no number.
func parseDecimal(text string) (decimal, bool) {
	d := decimal{sign: 1}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		if d.point, err = strconv.ParseInt(text[i+1:], 10, 48); err != nil {
			return d, false
		}
		text = text[:i]
	}
	switch {
	case strings.HasPrefix(text, "-"):
		d.sign, text = -1, text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return d, false
	}
	significant := strings.TrimLeft(digits, "0")
	if significant == "" {
		return decimal{}, true
	}
	d.digits = strings.TrimRight(significant, "0")
	d.point += int64(len(whole) - (len(digits) - len(significant)))
	return d, true
}

// compare is less than, equal to or greater than 0 as d is to other.
func (d decimal) compare(other decimal) int {
	return cmp.Or(
		cmp.Compare(d.sign, other.sign),
		d.sign*cmp.Or(cmp.Compare(d.point, other.point), strings.Compare(d.digits, other.digits)),
	)
}
