package template

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"sluice/cli/discover/airbyte/python"
)

// A token of an expression: its kind is n for a name, s for a text, 0 for a number, o for an operator, and .
// for the end.
type token struct {
	kind byte
	text string
}

// maxTokens is how many tokens an expression has at most.
const maxTokens = 2000

// operators, longest first.
var operators = []string{
	"**", "//", "==", "!=", ">=", "<=",
	"+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",",
}

// lex reads an expression up to its end, }} or %}, which it says whether to trim blanks behind; rest begins
// behind it.
func lex(text, end string) (tokens []token, rest string, err error) {
	depth := 0
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return nil, "", fmt.Errorf("%s is missing", end)
		}
		if depth == 0 && strings.HasPrefix(text, "-"+end) {
			return append(tokens, token{kind: '.'}), strings.TrimLeft(text[1+len(end):], " \t\r\n"), nil
		}
		if depth == 0 && strings.HasPrefix(text, end) {
			return append(tokens, token{kind: '.'}), text[len(end):], nil
		}
		if len(tokens) == maxTokens {
			return nil, "", fmt.Errorf("an expression has more than %d parts", maxTokens)
		}
		t, length, err := next(text)
		if err != nil {
			return nil, "", err
		}
		depth += nesting(t)
		tokens, text = append(tokens, t), text[length:]
	}
}

// nesting is by how much a token goes deeper into brackets.
func nesting(t token) int {
	if t.kind != 'o' {
		return 0
	}
	switch t.text {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	default:
		return 0
	}
}

// next is the token that text begins with.
func next(text string) (token, int, error) {
	switch c := text[0]; {
	case python.IsLetter(c):
		n := 1
		for n < len(text) && python.IsInName(text[n]) {
			n++
		}
		return token{'n', text[:n]}, n, nil
	case python.IsDigit(c):
		n := numberLength(text)
		return token{'0', strings.ReplaceAll(text[:n], "_", "")}, n, nil
	case c == '"' || c == '\'':
		plain, n, err := python.QuotedText(text)
		return token{'s', plain}, n, err
	}
	for _, o := range operators {
		if strings.HasPrefix(text, o) {
			return token{'o', o}, len(o), nil
		}
	}
	r, _ := utf8.DecodeRuneInString(text)
	return token{}, 0, fmt.Errorf("%q is not understood in an expression", r)
}

// numberLength is how long the number is that text begins with.
func numberLength(text string) int {
	digits := func(n int) int {
		for n < len(text) && strings.IndexByte("0123456789_", text[n]) >= 0 {
			n++
		}
		return n
	}
	n := digits(0)
	if n+1 < len(text) && text[n] == '.' && python.IsDigit(text[n+1]) {
		n = digits(n + 1)
	}
	if n < len(text) && strings.IndexByte("eE", text[n]) >= 0 {
		m := n + 1
		if m < len(text) && strings.IndexByte("+-", text[m]) >= 0 {
			m++
		}
		if m < len(text) && python.IsDigit(text[m]) {
			n = digits(m)
		}
	}
	return n
}
