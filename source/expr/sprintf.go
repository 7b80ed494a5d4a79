package expr

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// conversions have the number of the argument, flags, width, precision and type; the l before the
// type, as in C, has no effect. A percent sign alone is a mistake.
var conversions = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%(?:([1-9]\d{0,3})\$)?` +
		`((?:[-+ 0]|'.)*)(\d{0,4})(\.\d{0,4})?l?([bcdeEfFosuxX%])|%`)
})

// sprintf formats its other arguments as PHP does, but width and precision count characters, and an argument
// that is no number where one is needed is an error.
func sprintf(in *functionInput) jsontext.Value {
	// The number of the conversion, that of the next argument, and the bytes that are made.
	n, next, length := 0, 1, 0
	text := conversions().ReplaceAllStringFunc(in.text(0), func(found string) string {
		n++
		part := conversions().FindStringSubmatch(found)
		arg, err := strconv.Atoi(part[1])
		switch {
		case part[5] == "":
			in.fault(0, "conversion %d of the format is unknown: have %%[N$][flags][width][.precision] "+
				"and one of bcdeEfFosuxX (a percent sign is written %%%%)", n)
			return ""
		case part[5] == "%":
			return "%"
		case err != nil:
			arg = next
			next++
		}
		if arg >= len(in.values) {
			in.fault(0, "conversion %d of the format needs argument %d behind the format, and there are %d",
				n, arg, len(in.values)-1)
		}
		if in.err != nil || length > longest {
			return ""
		}
		made := convert(in, arg, part)
		length += len(made)
		return made
	})
	if length > longest {
		return in.tooLong()
	}
	return item.Quote(text)
}

// convert formats an argument as the parts of a conversion say.
func convert(in *functionInput, arg int, part []string) string {
	verb := part[5]
	if verb == "c" {
		// PHP does not pad it.
		return character(in, arg)
	}
	flags, pad := padding(part[2])
	text := unpadded(in, arg, verb, part[4], strings.Contains(flags, "+"))
	width, _ := strconv.Atoi(part[3])
	fill := strings.Repeat(pad, max(width-utf8.RuneCountInString(text), 0))
	isLeft := strings.Contains(flags, "-")
	switch {
	case isLeft && (verb == "d" || verb == "u"):
		// Zeros behind an integer would make another number of it.
		return text + strings.ReplaceAll(fill, "0", " ")
	case isLeft:
		return text + fill
	case pad == "0" && verb != "s":
		// Zeros stand between sign and digits.
		digits := strings.TrimLeft(text, "+-")
		return strings.TrimSuffix(text, digits) + fill + digits
	}
	return fill + text
}

// unpadded formats an argument but for its width. With signed, positive numbers have a plus.
func unpadded(in *functionInput, arg int, verb, precision string, signed bool) string {
	begin := "%"
	if signed {
		begin = "%+"
	}
	switch verb {
	case "s":
		return fmt.Sprintf("%"+precision+"s", in.text(arg))
	case "d":
		return fmt.Sprintf(begin+"d", number(in, arg, integer))
	case "u":
		return strconv.FormatUint(uint64(number(in, arg, integer)), 10)
	case "e", "E", "f", "F":
		places, _ := strconv.Atoi(strings.TrimPrefix(precision, "."))
		if places > 53 {
			// PHP shows no more.
			precision = ".53"
		}
		// The sum has no negative zero.
		text := fmt.Sprintf(begin+precision+verb, number(in, arg, float)+0)
		return shortExponents.Replace(text)
	}
	// A negative number is shown as its two's complement.
	return fmt.Sprintf("%"+verb, uint64(number(in, arg, integer)))
}

// shortExponents takes off the zero that Go puts before an exponent of one digit.
var shortExponents = strings.NewReplacer("e+0", "e+", "e-0", "e-", "E+0", "E+", "E-0", "E-")

// character is the ASCII character of a number.
func character(in *functionInput, arg int) string {
	n := number(in, arg, integer)
	if n < 0 || n > 127 {
		in.fault(arg, "sprintf needs the number of an ASCII character here, 0 to 127")
	}
	return string(rune(n))
}

// padding takes the padding out of flags: 0, a blank, or what stands behind a quotation mark. The last one counts.
func padding(flags string) (others, pad string) {
	pad = " "
	for flags != "" {
		first := flags[:1]
		flags = flags[1:]
		switch first {
		case "0", " ":
			pad = first
		case "'":
			_, size := utf8.DecodeRuneInString(flags)
			pad = flags[:size]
			flags = flags[size:]
		default:
			others += first
		}
	}
	return others, pad
}
