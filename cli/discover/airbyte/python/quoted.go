package python

import (
	"errors"
	"fmt"
	"strings"
)

// QuotedText reads a text in quotes, with escapes as Python has them.
func QuotedText(text string) (plain string, length int, err error) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			unescaped, err := unescape(text[1:i])
			return unescaped, i + 1, err
		}
	}
	return "", 0, errors.New("a text has no end")
}

// escapes are those of one letter.
var escapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b",
	'f': "\f", 'v': "\v",
	'\n': "",
}

func unescape(text string) (string, error) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		plain, ok := escapes[c]
		switch {
		case ok:
			b.WriteString(plain)
		case strings.IndexByte("xuUN01234567", c) >= 0:
			return "", fmt.Errorf(`the escape \%c is not understood`, c)
		default:
			b.WriteString(text[i-1 : i+1])
		}
	}
	return b.String(), nil
}

// IsLetter tells a letter of a name, or the line below it.
func IsLetter(c byte) bool {
	isSmall := c >= 'a' && c <= 'z'
	return isSmall || c >= 'A' && c <= 'Z' || c == '_'
}

// IsInName tells a character that a name may have behind its first one.
func IsInName(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsDigit tells a digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
