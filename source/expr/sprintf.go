package expr

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

const (
	widest = 10000 // of a conversion
	finest = 53    // digits after the point, as in PHP
	verbs  = "bcdeEfFosuxX"
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

// A conversion is what stands after a percent sign.
type conversion struct {
	arg       int // from 1; 0: the next one
	left      bool
	plus      bool
	pad       string // one character
	width     int
	precision int // -1: none
	verb      byte
}

// conversionSyntax has the number of the argument, flags, width, precision and
// type; the l before the type, as in C, has no effect. It matches any text.
var conversionSyntax = regexp.MustCompile(`(?s)^(?:(\d+)\$)?((?:[-+ 0]|'.)*)(\d*)(?:\.(\d*))?l?(.?)`)

// parse reads a conversion and returns what stands after it.
func (c *conversion) parse(s string) (rest string, err error) {
	at := conversionSyntax.FindStringSubmatchIndex(s)
	part := func(i int) string { return s[max(at[2*i], 0):max(at[2*i+1], 0)] }
	c.arg, c.width, c.precision = numeral(part(1)), numeral(part(3)), -1
	if at[2*4] >= 0 { // there is a point
		c.precision = numeral(part(4))
	}
	c.flags(part(2))
	verb := part(5)
	switch {
	case part(1) != "" && c.arg == 0:
		return "", errors.New("arguments are numbered from 1")
	case s[at[2*2]:] == part(2)+"'":
		return "", errors.New("the padding character is missing")
	case c.width > widest:
		return "", fmt.Errorf("the width must not exceed %d", widest)
	case verb == "":
		return "", errors.New("ends too early (a percent sign is written %%)")
	case verb != "%" && !strings.Contains(verbs, verb):
		return "", fmt.Errorf("unknown type, have one of %s and %%", verbs)
	case strings.ContainsAny(verb, "eEfF") && c.precision > finest:
		return "", fmt.Errorf("the precision must not exceed %d", finest)
	}
	c.verb = verb[0]
	return s[at[1]:], nil
}

func (c *conversion) flags(text string) {
	c.pad = " "
	for text != "" {
		switch text[0] {
		case '-':
			c.left = true
		case '+':
			c.plus = true
		case '\'':
			_, size := utf8.DecodeRuneInString(text[1:])
			c.pad, text = text[1:1+size], text[size:]
		default:
			c.pad = text[:1]
		}
		text = text[1:]
	}
}

// numeral reads digits; none are 0.
func numeral(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" {
		return 1 << 30 // more than every limit
	}
	return n
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
	base := map[byte]int{'b': 2, 'o': 8, 'u': 10, 'x': 16, 'X': 16}[c.verb]
	text := strconv.FormatUint(n, base)
	if c.verb == 'X' {
		text = strings.ToUpper(text)
	}
	return c.fill(text), err
}

// cut takes as many characters as the precision says.
func (c *conversion) cut(text string) string {
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

// fill pads to the width; no zeros after an integer.
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
