package template

import (
	"strings"
	"unicode/utf8"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/pipeline/pattern"
)

// maxExpression is how deep an expression is nested.
const maxExpression = 60

// A token of an expression: its kind is n for a name, s for a text, 0 for a number, o for an operator, and .
// for the end.
type token struct {
	kind byte
	text string
}

// maxTokens is how many tokens an expression has at most.
const maxTokens = 2000

// blanks are those between tokens.
const blanks = " \t\r\n"

// lex reads an expression up to its end, }} or %}, which it says whether to trim blanks behind; rest begins
// behind it.
func lex(text, end string) (tokens []token, rest string) {
	for depth := 0; ; {
		text = strings.TrimLeft(text, blanks)
		fault.If(text == "", "%s is missing", end)
		switch {
		case depth == 0 && strings.HasPrefix(text, "-"+end):
			return append(tokens, token{kind: '.'}), strings.TrimLeft(text[1+len(end):], blanks)
		case depth == 0 && strings.HasPrefix(text, end):
			return append(tokens, token{kind: '.'}), text[len(end):]
		case len(tokens) == maxTokens:
			panic(fault.New("an expression has more than %d parts", maxTokens))
		}
		t, length := next(text)
		if t.kind == 'o' {
			depth += strings.Count("([{", t.text) - strings.Count(")]}", t.text)
		}
		tokens, text = append(tokens, t), text[length:]
	}
}

// lexemes are a name, a number, or an operator.
var lexemes = pattern.Lazy(`^(?:([A-Za-z_][A-Za-z0-9_]*)|` +
	`([0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9][0-9_]*)?)|` +
	`(\*\*|//|==|!=|>=|<=|[-+*/%~\[\](){}><=.:|,]))`)

// next is the token that text begins with.
func next(text string) (token, int) {
	if text[0] == '"' || text[0] == '\'' {
		plain, length := python.QuotedText(text)
		return token{'s', plain}, length
	}
	found := lexemes().FindStringSubmatch(text)
	switch {
	case found == nil:
		r, _ := utf8.DecodeRuneInString(text)
		panic(fault.New("%q is not supported in an expression", r))
	case found[1] != "":
		return token{'n', found[1]}, len(found[0])
	case found[2] != "":
		return token{'0', strings.ReplaceAll(found[2], "_", "")}, len(found[0])
	}
	return token{'o', found[3]}, len(found[0])
}
