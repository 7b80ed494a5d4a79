package item

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// A Decimal is an exact number: 0.DIGITS times ten to a power. Its zero value is 0.
type Decimal struct {
	isNegative bool

	// Without a zero at either end; empty: the number is 0.
	digits string

	power power
}

// most is how many digits a number to calculate with has at most, on each side of its point.
const most = 1000

// DecimalOf reads a JSON number, or a string that holds one, if it is not too long to calculate with.
func DecimalOf(value []byte) (Decimal, bool) {
	if len(value) > most {
		return Decimal{}, false
	}
	switch Kind(value) {
	case '0', '"':
		text, _ := Text(value)
		d, ok := ParseDecimal(text)
		isShort := d.power.n <= most && d.power.n >= int64(len(d.digits))-most
		return d, ok && isShort
	}
	return Decimal{}, false
}

// ParseDecimal reads a number of any size that blanks may stand around, in time that grows with its text.
func ParseDecimal(text string) (Decimal, bool) {
	text = strings.TrimSpace(text)
	text, exponent := cutExponent(text)
	unsigned := unsign(text)
	whole, fraction, _ := strings.Cut(unsigned, ".")
	isNumber := len(whole)+len(fraction) > 0 && isDigits(whole) && isDigits(fraction)
	if !isNumber || !isDigits(unsign(exponent)) || unsign(exponent) == "" {
		return Decimal{}, false
	}
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	point := len(whole)
	if whole == "" {
		digits := strings.TrimLeft(fraction, "0")
		point = len(digits) - len(fraction)
		fraction = digits
	}
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	d := Decimal{digits: whole + fraction}
	if d.digits != "" {
		d.isNegative = text[0] == '-'
		d.power = parsePower(exponent, int64(point))
	}
	return d, true
}

// cutExponent takes the power of ten from the end of a number, "0" where there is none.
func cutExponent(text string) (mantissa, exponent string) {
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		return text[:at], text[at+1:]
	}
	return text, "0"
}

// unsign is a text without the sign that it may begin with.
func unsign(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

// isDigits tells whether a text has nothing but digits.
func isDigits(text string) bool {
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// A power is one of ten, of any size.
type power struct {
	n int64

	// Of a power that n cannot hold, and of which n is the nearest; empty: it is n.
	digits string
}

// parsePower is the sum of the exponent of a number and of more.
func parsePower(exponent string, more int64) power {
	// The sum of what is shorter is an int64.
	const short = 18
	digits := strings.TrimLeft(unsign(exponent), "0")
	isNegative := exponent[0] == '-'
	if isNegative {
		more = -more
	}
	if len(digits) > short {
		digits = sum(digits, more)
		more = 0
	}
	n, err := strconv.ParseInt(cmp.Or(digits, "0"), 10, 64)
	p := power{n: n + more}
	if err != nil {
		p.digits = digits
	}
	if isNegative {
		p.n = -p.n
	}
	return p
}

// sum adds an integer to digits, whose number is the greater one.
func sum(digits string, n int64) string {
	all := []byte(digits)
	for i := len(all) - 1; n != 0 && i >= 0; i-- {
		n += int64(all[i] - '0')
		digit := (n%10 + 10) % 10
		all[i] = byte('0' + digit)
		n = (n - digit) / 10
	}
	if n > 0 {
		return strconv.FormatInt(n, 10) + string(all)
	}
	return strings.TrimLeft(string(all), "0")
}

// compare is less than, equal to or greater than 0 as p is to another power.
func (p power) compare(other power) int {
	if p.n != other.n {
		return cmp.Compare(p.n, other.n)
	}
	order := cmp.Compare(len(p.digits), len(other.digits))
	if order == 0 {
		order = strings.Compare(p.digits, other.digits)
	}
	if p.n < 0 {
		return -order
	}
	return order
}

// sign is -1, 0 or 1.
func (d Decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.isNegative:
		return -1
	}
	return 1
}

// Compare is less than, equal to or greater than 0 as d is to other.
func (d Decimal) Compare(other Decimal) int {
	if d.sign() != other.sign() {
		return cmp.Compare(d.sign(), other.sign())
	}
	order := d.power.compare(other.power)
	if order == 0 {
		order = strings.Compare(d.digits, other.digits)
	}
	return order * d.sign()
}

// CompareInt is [Decimal.Compare] with an integer.
func (d Decimal) CompareInt(n int64) int {
	other, _ := ParseDecimal(strconv.FormatInt(n, 10))
	return d.Compare(other)
}

// Int returns an integer that fits; 50.0 and 5e1 are integers too.
func (d Decimal) Int() (n int64, ok bool) {
	// Of the greatest int64.
	const longest = 19
	zeros := d.power.n - int64(len(d.digits))
	if zeros < 0 || d.power.n > longest {
		return 0, false
	}
	text := d.digits + strings.Repeat("0", int(zeros))
	if d.isNegative {
		text = "-" + text
	}
	n, err := strconv.ParseInt(cmp.Or(text, "0"), 10, 64)
	return n, err == nil
}

// Plus returns the digits of d + n. d is what [DecimalOf] has read.
func (d Decimal) Plus(n int64) []byte {
	sum := new(big.Rat)
	sum.SetString("0." + d.digits + "0e" + strconv.FormatInt(d.power.n, 10))
	if d.isNegative {
		sum.Neg(sum)
	}
	sum.Add(sum, new(big.Rat).SetInt64(n))
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
