package item

import "bytes"

// Flag reads a value as a flag: a boolean, its text in any case, or the numbers 1 and 0, and their texts; ok: it is one.
func Flag(value []byte) (is, isNumber, ok bool) {
	switch Kind(value) {
	case 't':
		return true, false, true
	case 'f':
		return false, false, true
	case '"', '0':
	default:
		return false, false, false
	}
	text := bytes.TrimSpace(bytes.Trim(value, `"`))
	for _, f := range flagTexts {
		if bytes.EqualFold(text, f.text) {
			return f.is, f.isNumber, true
		}
	}
	return false, false, false
}

// flagTexts are the texts of flags.
var flagTexts = []struct {
	text         []byte
	is, isNumber bool
}{
	{[]byte("true"), true, false},
	{[]byte("false"), false, false},
	{[]byte("yes"), true, false},
	{[]byte("no"), false, false},
	{[]byte("y"), true, false},
	{[]byte("n"), false, false},
	{[]byte("1"), true, true},
	{[]byte("0"), false, true},
}
