package expr

import (
	"strconv"
	"strings"
)

// readDates and readTimes are the layouts that [ParseTime] reads, in lower case.
// Letters are parts of a date or time: those of digitParts, N the name of a
// month, f a fraction; _ is one blank or more; the rest stands for itself.
var (
	readDates = []string{
		"Y-M-D", "Y/M/D", "Y-M", "Ymd", // ISO 8601
		"D.M.Y", "D-M-Y", "M/D/Y",
		"D_N_Y", "D_N_y", "D_N", "D-N-Y", "D-N-y", "D/N/Y", // RFC 1123, RFC 822, RFC 850
		"N_D_Y", "N_D,_Y", "N_D", // ANSI C: its year stands at the end
	}
	readTimes = []string{
		"h:i", "h:i:s", "h:i:s.f", "h:i:s,f",
		"tH:i", "tH:i:s", "tH:i:s.f", "tH:i:s,f", "tHi", "tHis", "tHis.f", // ISO 8601
	}
	readBoth = []string{"YmdHis", "YmdtHis", "D/N/Y:H:i:s"}
)

// digitParts are the parts that are written in digits: the fewest and the most
// digits, the least and the greatest value. Every month may have a 31st: it then is
// a day of the next month.
var digitParts = map[byte][4]int{
	'Y': {4, 4, 0, 9999},
	'y': {2, 2, 0, 99},
	'M': {1, 2, 1, 12},
	'm': {2, 2, 1, 12},
	'D': {1, 2, 1, 31},
	'd': {2, 2, 1, 31},
	'h': {1, 2, 0, 24},
	'H': {2, 2, 0, 24},
	'i': {2, 2, 0, 59},
	's': {2, 2, 0, 60},
}

// months maps names of months to their numbers.
var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
	"august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7,
	"aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// longestLayout reads that one of the layouts that takes most of text and is not
// followed by one of the characters of not. It returns what it found by upper-case
// letter (Y M D H I S, and F for nanoseconds); nil if no layout fits.
func longestLayout(layouts []string, text, not string) (found map[byte]int, rest string) {
	rest = text
	for _, layout := range layouts {
		f, after := readLayout(layout, text)
		if f != nil && len(after) < len(rest) && (after == "" || strings.IndexByte(not, after[0]) < 0) {
			found, rest = f, after
		}
	}
	return found, rest
}

// readLayout reads a layout at the beginning of text; found is nil if it does not fit.
func readLayout(layout, text string) (found map[byte]int, rest string) {
	found = map[byte]int{}
	for i := range len(layout) {
		var ok bool
		letter := layout[i]
		switch _, digits := digitParts[letter]; {
		case digits:
			found[letter&^0x20], text, ok = readDigits(letter, text)
		case letter == 'N':
			var name string
			name, text = leadingWord(text)
			found['M'], ok = months[name]
		case letter == 'f':
			var fraction string
			fraction, text = leadingDigits(text)
			found['F'], _ = strconv.Atoi((fraction + "000000000")[:9])
			ok = fraction != ""
		case letter == '_':
			after := strings.TrimLeft(text, " \t")
			text, ok = after, len(after) < len(text)
		default:
			text, ok = strings.CutPrefix(text, string(letter))
		}
		if !ok {
			return nil, ""
		}
	}
	return found, text
}

// readDigits reads a number with no more digits than the part has. A year of two
// digits is one from 1970 to 2069.
func readDigits(letter byte, text string) (n int, rest string, ok bool) {
	part := digitParts[letter]
	digits, _ := leadingDigits(text)
	digits = digits[:min(len(digits), part[1])]
	n, err := strconv.Atoi(digits)
	ok = err == nil && len(digits) >= part[0] && n >= part[2] && n <= part[3]
	if letter == 'y' {
		n += 1900
		if n < 1970 {
			n += 100
		}
	}
	return n, text[len(digits):], ok
}

// leadingDigits splits the digits off the beginning of text.
func leadingDigits(text string) (digits, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return text[:len(text)-len(rest)], rest
}

// leadingWord splits the lower-case letters off the beginning of text.
func leadingWord(text string) (word, rest string) {
	rest = strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz")
	return text[:len(text)-len(rest)], rest
}
