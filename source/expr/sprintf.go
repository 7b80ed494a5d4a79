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
// one is needed is an error, not 0. Arguments that the format does not use are ignored.
func sprintf(in *input) jsontext.Value {
	format := in.text(0)
	var b strings.Builder
	next := 1
	for n := 1; in.err == nil; n++ {
		plain, rest, found := strings.Cut(format, "%")
		b.WriteString(plain)
		if !found {
			return item.Quote(b.String())
		}
		var c conversion
		var err error
		if format, err = c.parse(rest); err != nil {
			return in.fault(0, "conversion %d of the format: %s", n, err)
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
			return in.fault(0, "conversion %d of the format needs argument %d behind the format, and there are %d", n, c.arg, len(in.values)-1)
		}
		if b.WriteString(c.format(in)); b.Len() > longest {
			return in.tooLong()
		}
	}
	return nil
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
func (c *conversion) format(in *input) string {
	sign, verb := "%", string(c.verb)
	if c.plus {
		sign = "%+"
	}
	switch c.verb {
	case 's':
		text := in.text(c.arg)
		if runes := []rune(text); c.precision >= 0 && c.precision < len(runes) {
			text = string(runes[:c.precision])
		}
		return c.fill("", text)
	case 'c':
		n := number(in, c.arg, integer)
		if n < 0 || n > 127 {
			in.fault(c.arg, "sprintf needs the number of an ASCII character here, 0 to 127")
		}
		return string(rune(n))
	case 'd':
		return c.number(fmt.Sprintf(sign+verb, number(in, c.arg, integer)))
	case 'e', 'E', 'f', 'F':
		if c.precision < 0 {
			c.precision = 6
		}
		text := fmt.Sprintf(sign+".*"+verb, c.precision, number(in, c.arg, float)+0) // the sum has no negative zero
		for _, zero := range []string{"e+0", "e-0", "E+0", "E-0"} {                  // PHP has no leading zero there
			text = strings.Replace(text, zero, zero[:2], 1)
		}
		return c.number(text)
	case 'u':
		verb = "d"
	}
	return c.fill("", fmt.Sprintf("%"+verb, number(in, c.arg, bits)))
}

// number fills a number; zeros go between its sign and its digits.
func (c *conversion) number(text string) string {
	digits := strings.TrimLeft(text, "+-")
	if c.pad != "0" || c.left {
		digits = text
	}
	return c.fill(strings.TrimSuffix(text, digits), digits)
}

// fill pads text to the width, after its sign; no zeros after an integer.
func (c *conversion) fill(sign, text string) string {
	pad := strings.Repeat(c.pad, max(c.width-len(sign)-utf8.RuneCountInString(text), 0))
	switch {
	case !c.left:
		return sign + pad + text
	case c.verb == 'd' || c.verb == 'u':
		pad = strings.ReplaceAll(pad, "0", " ")
	}
	return text + pad
}
