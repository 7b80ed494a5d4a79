package expr

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A Decimal is the number sign × 0.digits × 10^point, exactly as it was written.
type Decimal struct {
	sign   int    // -1, 0 or 1
	digits string // without zeros at its ends
	point  int64
}

// ParseDecimal reads digits with an optional sign, fraction and exponent. An
// exponent of more than 47 bits makes no number.
func ParseDecimal(text string) (Decimal, bool) {
	d := Decimal{sign: 1}
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
		return Decimal{}, true
	}
	d.digits = strings.TrimRight(significant, "0")
	d.point += int64(len(whole) - (len(digits) - len(significant)))
	return d, true
}

// DecimalOf reads a JSON number, or a string that holds one, that is little enough
// to calculate with: of at most 1000 characters, and with a power of ten between
// -1000 and 1000.
func DecimalOf(value []byte) (Decimal, bool) {
	const most = 1000
	if kind := item.Kind(value); kind != '0' && kind != '"' || len(value) > most {
		return Decimal{}, false
	}
	text, _ := item.Text(value)
	d, ok := ParseDecimal(strings.TrimSpace(text))
	return d, ok && d.point > -most && d.point <= most+1
}

// Compare is less than, equal to or greater than 0 as d is to other.
func (d Decimal) Compare(other Decimal) int {
	return cmp.Or(
		cmp.Compare(d.sign, other.sign),
		d.sign*cmp.Or(cmp.Compare(d.point, other.point), strings.Compare(d.digits, other.digits)),
	)
}

// CompareInt is [Decimal.Compare] with an integer.
func (d Decimal) CompareInt(n int64) int {
	other, _ := ParseDecimal(strconv.FormatInt(n, 10))
	return d.Compare(other)
}

// Int returns an integer that fits; 50.0 and 5e1 are integers too.
func (d Decimal) Int() (n int64, ok bool) {
	zeros := d.point - int64(len(d.digits))
	if d.sign == 0 || zeros < 0 || d.point > 19 {
		return 0, d.sign == 0
	}
	text := d.digits + strings.Repeat("0", int(zeros))
	if d.sign < 0 {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// Plus returns the digits of d + n; d must come from [DecimalOf].
func (d Decimal) Plus(n int64) []byte {
	text := "0." + d.digits + "e" + strconv.FormatInt(d.point, 10)
	sum, _ := new(big.Rat).SetString(text)
	if d.sign < 0 {
		sum.Neg(sum)
	}
	places := max(int64(len(d.digits))-d.point, 0)
	return []byte(sum.Add(sum, new(big.Rat).SetInt64(n)).FloatString(int(places)))
}
