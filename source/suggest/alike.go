package suggest

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// memberLike is the member of an item that has a value like that of a parameter: one that tells items apart, else the first;
// empty: there is none.
func memberLike(last []byte, value string) (found string) {
	for quoted, member := range item.Members(last) {
		text, _ := item.Text(member)
		if item.Kind(member) != '"' || !alike(value, text) {
			continue
		}
		name := item.Unquote(quoted)
		if slices.Contains(evidence.KeyNames, name) {
			return name
		}
		if found == "" {
			found = name
		}
	}
	return found
}

// leastOfTime is how many digits a number has that may be a time, or an id, and no count.
const leastOfTime = 9

// boundLike is the member of an item that has a value like that of a bound: a text alike, or a whole number that is as long;
// empty: there is none.
func boundLike(last, value []byte) string {
	text, _ := unquoted(value)
	if _, isNumber := item.Integer(value); !isNumber {
		return memberLike(last, text)
	}
	if len(text) < leastOfTime {
		return ""
	}
	for quoted, member := range item.Members(last) {
		n, isNumber := item.Integer(member)
		if isNumber && len(strconv.FormatInt(n, 10)) == len(text) {
			return item.Unquote(quoted)
		}
	}
	return ""
}

// alike tells whether two texts look like values of the same kind that are no words, such as two tokens.
func alike(one, other string) bool {
	isWord := func(text string) bool { return text == strings.ToLower(text) && shape(text) == "a" }
	hasDigit := func(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }
	mayBeValue := func(text string) bool { return hasDigit(text) || !isWord(text) }
	if !mayBeValue(one) || !mayBeValue(other) {
		return false
	}
	isLonger := len(one) > 2*len(other) || len(other) > 2*len(one)
	return !isLonger && shape(one) == shape(other)
}

// shape is a text without blanks, with one letter in the place of letters and digits that stand together.
func shape(text string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			r = 'a'
		}
		if r != 'a' || before != 'a' {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}
