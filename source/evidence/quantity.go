package evidence

import (
	"bytes"
	"math"

	"sluice/pipeline/item"
)

// A quantity is a number that stands beside the items.
type quantity struct {
	n int64
	// least: there may be more. more: there are, as >137 says.
	least, more bool
	// of: the text says that it is the number of all, as 7 of 82 does.
	of bool
	// plain: it is a whole number, or its digits.
	plain bool
}

// longestQuantity is the length of the longest text of a number that is looked at.
const longestQuantity = 40

// quantityOf reads a whole number of 0 or more: also "1,400", "400.0", "7 of 82", "1-7 of 82", "1-7/82", and
// "137+" and ">137", which are lower bounds.
func quantityOf(value []byte) (q quantity, ok bool) {
	kind := item.Kind(value)
	isScalar := kind == '0' || kind == '"'
	if !isScalar || len(value) > longestQuantity {
		return quantity{}, false
	}
	if kind == '"' && !hasDigit(value) {
		return quantity{}, false
	}
	if n, ok := item.Integer(value); ok {
		return quantity{n: n, plain: true}, n >= 0
	}
	if kind != '"' {
		return quantity{}, false
	}
	text := value[1 : len(value)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(item.Unquote(value))
	}
	return quantityIn(bytes.TrimSpace(text))
}

// boundOf reads a number below -1: some say so that there are at least so many. -1 is how some say that they did not count.
func boundOf(value []byte) (q quantity, ok bool) {
	n, ok := item.Integer(value)
	if !ok || n >= -1 || n == math.MinInt64 {
		return quantity{}, false
	}
	return quantity{n: -n, least: true}, true
}

func hasDigit(text []byte) bool { return bytes.ContainsAny(text, "0123456789") }

// quantityIn reads a text that is no whole number.
func quantityIn(text []byte) (q quantity, ok bool) {
	before, after, isOf := bytes.Cut(text, []byte(" of "))
	if !isOf {
		before, after, isOf = bytes.Cut(text, []byte("/"))
	}
	if isOf {
		if !isRange(bytes.TrimSpace(before)) {
			return quantity{}, false
		}
		q, ok = quantityIn(bytes.TrimSpace(after))
		q.of = true
		return q, ok
	}
	digits, isLeast := bytes.CutSuffix(text, []byte("+"))
	for _, sign := range [][]byte{[]byte(">="), []byte("≥"), []byte(">")} {
		if rest, is := bytes.CutPrefix(digits, sign); is {
			digits, isLeast = bytes.TrimSpace(rest), true
			q.more = len(sign) == 1
			break
		}
	}
	q.n, ok = wholeNumber(digits)
	q.least = isLeast
	return q, ok
}

// isRange tells whether a text is a number, or two with a dash between them.
func isRange(text []byte) bool {
	from, to, isTwo := bytes.Cut(text, []byte("-"))
	_, ok := wholeNumber(bytes.TrimSpace(from))
	if !isTwo || !ok {
		return ok
	}
	_, ok = wholeNumber(bytes.TrimSpace(to))
	return ok
}

// wholeNumber reads digits, with commas between thousands, or with zeros behind a point.
func wholeNumber(text []byte) (n int64, ok bool) {
	digits, zeros, isDecimal := bytes.Cut(text, []byte("."))
	isWhole := !isDecimal || (len(zeros) > 0 && len(bytes.Trim(zeros, "0")) == 0)
	const most = 25
	if !isWhole || len(digits) > most {
		return 0, false
	}
	group, isGrouped := 0, false
	for _, c := range digits {
		switch {
		case c == ',':
			// The first group has one to three digits, each other one three.
			isFull := group == 3 || (!isGrouped && group > 0 && group < 3)
			if !isFull {
				return 0, false
			}
			group, isGrouped = 0, true
			continue
		case c < '0' || c > '9' || n > math.MaxInt64/10-1:
			return 0, false
		}
		n = 10*n + int64(c-'0')
		group++
	}
	isEnded := group == 3 || (!isGrouped && group > 0)
	return n, isEnded
}
