package expr

import (
	"strconv"
	"strings"
)

// readDates and readTimes are the layouts that [ParseTime] reads, in lower case.
// Letters are parts of a date or time: those of digitParts, N the name of a
// month, f a fraction; _ is one blank or more; the rest stands for itself.
var (
	readDates = [...]string{
		"Y-M-D", "Y/M/D", "Y-M", "Ymd", // ISO 8601
		"D.M.Y", "D-M-Y", "M/D/Y",
		"D_N_Y", "D_N_y", "D_N", "D-N-Y", "D-N-y", "D/N/Y", // RFC 1123, RFC 822, RFC 850
		"N_D_Y", "N_D,_Y", "N_D", // ANSI C: its year stands at the end
	}
	readTimes = [...]string{
		"h:i", "h:i:s", "h:i:s.f", "h:i:s,f",
		"tH:i", "tH:i:s", "tH:i:s.f", "tH:i:s,f", "tHi", "tHis", "tHis.f", // ISO 8601
	}
	readBoth = [...]string{"YmdHis", "YmdtHis", "D/N/Y:H:i:s"}
)

// A digitPart says how many digits a part has and what they may say.
type digitPart struct{ fewest, most, low, high int }

// digitParts are the parts that are written in digits. Every month may have a
// 31st: it then is a day of the next month.
var digitParts = map[byte]digitPart{
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

// fields are what a layout found: by upper-case letter (Y M D H I S), and F for
// nanoseconds.
type fields map[byte]int

// longestLayout reads that one of the layouts that takes most of text and is not
// followed by one of the characters of not. Without any found is nil.
func longestLayout(layouts []string, text, not string) (found fields, rest string) {
	rest = text
	for _, layout := range layouts {
		f, after, ok := readLayout(layout, text)
		if ok && len(after) < len(rest) && (after == "" || strings.IndexByte(not, after[0]) < 0) {
			found, rest = f, after
		}
	}
	return found, rest
}

// readLayout reads a layout at the beginning of text.
func readLayout(layout, text string) (found fields, rest string, ok bool) {
	found, rest = fields{}, text
	for i := range len(layout) {
		if rest, ok = found.read(layout[i], rest); !ok {
			return nil, "", false
		}
	}
	return found, rest, true
}

// read reads one letter of a layout.
func (f fields) read(letter byte, text string) (rest string, ok bool) {
	if part, digits := digitParts[letter]; digits {
		n, rest, ok := part.read(text)
		if letter == 'y' {
			n += 1900
			if n < 1970 {
				n += 100
			}
		}
		f[letter&^0x20] = n
		return rest, ok
	}
	switch letter {
	case 'N':
		name, rest := leadingWord(text)
		f['M'] = months[name]
		return rest, f['M'] > 0
	case 'f':
		digits, rest := leadingDigits(text)
		f['F'], _ = strconv.Atoi((digits + "000000000")[:9])
		return rest, digits != ""
	case '_':
		rest := strings.TrimLeft(text, " \t")
		return rest, len(rest) < len(text)
	}
	return strings.CutPrefix(text, string(letter))
}

// read reads a number with no more digits than the part has.
func (p digitPart) read(text string) (n int, rest string, ok bool) {
	digits, _ := leadingDigits(text)
	digits = digits[:min(len(digits), p.most)]
	n, err := strconv.Atoi(digits)
	ok = err == nil && len(digits) >= p.fewest && n >= p.low && n <= p.high
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
