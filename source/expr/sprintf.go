package expr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

const (
	widest   = 10000 // of a conversion
	finest   = 53    // digits behind the point, as in PHP
	verbs    = "bcdeEfFosuxX"
	flagText = "-+ 0'"
)

// sprintf formats its other arguments as PHP does, with two exceptions: width and
// precision count characters, not bytes, and an argument that is no number where
// one is needed is an error, not 0. Arguments that the format does not use are
// ignored.
func sprintf(in *input) (jsontext.Value, error) {
	format, err := in.text(0)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	next := 1
	for n := 1; ; n++ {
		plain, rest, found := strings.Cut(format, "%")
		b.WriteString(plain)
		if !found {
			return item.Quote(b.String()), nil
		}
		var c conversion
		if format, err = c.parse(rest); err != nil {
			return nil, in.fault(0, "conversion %d of the format: %s", n, err)
		}
		if c.verb == '%' {
			b.WriteByte('%')
			continue
		}
		if c.arg == 0 {
			c.arg = next
			next++
		}
		if c.arg >= len(in.values) {
			return nil, in.fault(0, "conversion %d of the format needs argument %d behind the format, and there are %d", n, c.arg, len(in.values)-1)
		}
		text, err := c.format(in)
		if err != nil {
			return nil, err
		}
		if b.WriteString(text); b.Len() > longest {
			return nil, in.tooLong()
		}
	}
}

// A conversion is what stands behind a percent sign.
type conversion struct {
	arg       int // from 1; 0: the next one
	left      bool
	plus      bool
	pad       string // one character
	width     int
	precision int // -1: none
	verb      byte
}

// parse reads a conversion and returns what stands behind it.
func (c *conversion) parse(s string) (rest string, err error) {
	c.pad, c.precision = " ", -1
	if n, after, ok := leadingNumber(s); ok && strings.HasPrefix(after, "$") {
		if c.arg, s = n, after[1:]; n == 0 {
			return "", errors.New("arguments are numbered from 1")
		}
	}
	if s, err = c.flags(s); err != nil {
		return "", err
	}
	if n, after, ok := leadingNumber(s); ok {
		if c.width, s = n, after; n > widest {
			return "", fmt.Errorf("the width must not exceed %d", widest)
		}
	}
	if after, ok := strings.CutPrefix(s, "."); ok {
		c.precision, s, _ = leadingNumber(after)
	}
	s = strings.TrimPrefix(s, "l") // as in C; it has no effect
	if s == "" {
		return "", errors.New("ends too early (a percent sign is written %%)")
	}
	c.verb = s[0]
	switch {
	case c.verb != '%' && strings.IndexByte(verbs, c.verb) < 0:
		return "", fmt.Errorf("unknown type, have one of %s and %%", verbs)
	case strings.IndexByte("eEfF", c.verb) >= 0 && c.precision > finest:
		return "", fmt.Errorf("the precision must not exceed %d", finest)
	}
	return s[1:], nil
}

func (c *conversion) flags(s string) (rest string, err error) {
	for s != "" && strings.IndexByte(flagText, s[0]) >= 0 {
		flag := s[0]
		s = s[1:]
		switch flag {
		case '-':
			c.left = true
		case '+':
			c.plus = true
		case '\'':
			if s == "" {
				return "", errors.New("the padding character is missing")
			}
			_, size := utf8.DecodeRuneInString(s)
			c.pad, s = s[:size], s[size:]
		default:
			c.pad = string(flag)
		}
	}
	return s, nil
}

// leadingNumber splits digits off s; without any it gives 0, s and false.
func leadingNumber(s string) (n int, rest string, ok bool) {
	digits, rest := leadingDigits(s)
	if digits == "" {
		return 0, s, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		n = 1 << 30 // beyond every limit
	}
	return n, rest, true
}

// format converts the argument.
func (c *conversion) format(in *input) (string, error) {
	switch c.verb {
	case 's':
		text, err := in.text(c.arg)
		return c.fill(c.cut(text)), err
	case 'c':
		n, err := number(in, c.arg, integer)
		if err == nil && (n < 0 || n > 127) {
			err = in.fault(c.arg, "sprintf needs the number of an ASCII character here, 0 to 127")
		}
		return string(rune(n)), err
	case 'd':
		n, err := number(in, c.arg, integer)
		return c.signed(strconv.FormatInt(n, 10)), err
	case 'e', 'E', 'f', 'F':
		f, err := number(in, c.arg, float)
		return c.signed(c.floating(f)), err
	}
	n, err := number(in, c.arg, bits)
	switch c.verb {
	case 'b':
		return c.fill(strconv.FormatUint(n, 2)), err
	case 'o':
		return c.fill(strconv.FormatUint(n, 8)), err
	case 'x':
		return c.fill(strconv.FormatUint(n, 16)), err
	case 'X':
		return c.fill(strings.ToUpper(strconv.FormatUint(n, 16))), err
	default:
		return c.fill(strconv.FormatUint(n, 10)), err
	}
}

// cut takes as many characters as the precision says.
func (c *conversion) cut(text string) string {
	if c.precision < 0 {
		return text
	}
	n := 0
	for i := range text {
		if n == c.precision {
			return text[:i]
		}
		n++
	}
	return text
}

// floating writes a number with a point or an exponent, which has no leading
// zeros in PHP.
func (c *conversion) floating(f float64) string {
	precision := c.precision
	if precision < 0 {
		precision = 6
	}
	if f == 0 {
		f = 0 // without the sign of a negative zero
	}
	if c.verb == 'f' || c.verb == 'F' {
		return strconv.FormatFloat(f, 'f', precision, 64)
	}
	text := strconv.FormatFloat(f, c.verb, precision, 64)
	mantissa, exponent, _ := strings.Cut(text, string(c.verb))
	return mantissa + string(c.verb) + exponent[:1] + strings.TrimPrefix(exponent[1:], "0")
}

// signed adds the plus sign and fills; zeros go between sign and digits.
func (c *conversion) signed(text string) string {
	sign := ""
	switch {
	case text[0] == '-':
		sign, text = "-", text[1:]
	case c.plus:
		sign = "+"
	}
	if c.pad == "0" && !c.left {
		narrow := *c
		narrow.width -= len(sign)
		return sign + narrow.fill(text)
	}
	return c.fill(sign + text)
}

// fill pads to the width; no zeros behind an integer.
func (c *conversion) fill(text string) string {
	n := c.width - utf8.RuneCountInString(text)
	if n <= 0 {
		return text
	}
	if !c.left {
		return strings.Repeat(c.pad, n) + text
	}
	if c.pad == "0" && (c.verb == 'd' || c.verb == 'u') {
		return text + strings.Repeat(" ", n)
	}
	return text + strings.Repeat(c.pad, n)
}
