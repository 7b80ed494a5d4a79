package python

import (
	"math"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/pipeline/pattern"
)

// Literal is the value that Python reads in a text: a number, a text in quotes, a list, an object, True, False
// or None. Not ok: the text stays one.
func Literal(text string) (v any, ok bool) {
	if strings.TrimSpace(text) == "" || len(text) > MaxText {
		return nil, false
	}
	r := &literalReader{rest: strings.TrimLeft(text, " \t")}
	err := fault.Try(func() {
		v = r.open()
		r.blanks()
		r.want(r.rest == "")
	})
	if err != nil {
		return nil, false
	}
	return v, true
}

// maxNesting is how deep a literal is nested.
const maxNesting = 60

// A literalReader reads what Python's literal_eval does.
type literalReader struct{ rest string }

// want ends the reading where the text is no literal.
func (r *literalReader) want(is bool) {
	fault.If(!is, "it is not a literal")
}

func (r *literalReader) blanks() { r.rest = strings.TrimLeft(r.rest, " \t\r\n\f") }

func (r *literalReader) accept(c string) bool {
	r.blanks()
	rest, ok := strings.CutPrefix(r.rest, c)
	r.rest = rest
	return ok
}

// open is a value, or a list without brackets.
func (r *literalReader) open() any {
	v := r.value(0)
	if !r.accept(",") {
		return v
	}
	all := tuple{v}
	for r.blanks(); r.rest != ""; r.blanks() {
		all = append(all, r.value(0))
		if !r.accept(",") {
			break
		}
	}
	return all
}

var (
	literalNumber = pattern.Lazy(
		`^(?:[0-9](?:_?[0-9])*)?(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][-+]?[0-9](?:_?[0-9])*)?`,
	)
	literalBased = pattern.Lazy(`^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)`)
	literalZeros = pattern.Lazy(`^0[0_]*[1-9]`)
	literalName  = pattern.Lazy(`^[A-Za-z_0-9]*`)
)

func (r *literalReader) value(depth int) any {
	r.blanks()
	r.want(depth <= maxNesting && r.rest != "")
	c := r.rest[0]
	if strings.IndexByte("-+[({", c) >= 0 {
		r.rest = r.rest[1:]
	}
	switch {
	case c == '-' || c == '+':
		return r.signed(c, r.value(depth+1))
	case c == '\'' || c == '"':
		return r.text()
	case c == '[':
		return append([]any{}, r.list("]", depth)...)
	case c == '(':
		return r.tuple(depth)
	case c == '{':
		return r.dict(depth)
	case IsDigit(c) || c == '.':
		return r.number()
	}
	word := literalName().FindString(r.rest)
	v, ok := map[string]any{"True": true, "False": false, "None": nil}[word]
	r.want(ok)
	r.rest = r.rest[len(word):]
	return v
}

// signed is a number behind a sign.
func (r *literalReader) signed(sign byte, v any) any {
	r.want(is[int64](v) || is[float64](v))
	if sign == '+' {
		return v
	}
	if f, ok := v.(float64); ok {
		return -f
	}
	return -v.(int64)
}

func (r *literalReader) number() (v any) {
	based := literalBased().FindString(r.rest)
	found := literalNumber().FindString(r.rest)
	digits := strings.ReplaceAll(found, "_", "")
	var err error
	switch {
	case based != "":
		found = based
		v, err = strconv.ParseInt(based, 0, 64)
	case strings.ContainsAny(digits, ".eE"):
		var f float64
		f, err = strconv.ParseFloat(digits, 64)
		r.want(!math.IsInf(f, 0))
		v = f
	default:
		r.want(!literalZeros().MatchString(digits))
		v, err = strconv.ParseInt(digits, 10, 64)
	}
	r.rest = r.rest[len(found):]
	// A number goes on with nothing else.
	r.want(err == nil && (r.rest == "" || r.rest[0] != '.' && !IsInName(r.rest[0])))
	return v
}

// text is a text in quotes, one or three of them, or several side by side.
func (r *literalReader) text() any {
	var b strings.Builder
	for r.blanks(); strings.HasPrefix(r.rest, "'") || strings.HasPrefix(r.rest, `"`); r.blanks() {
		if quotes := strings.Repeat(r.rest[:1], 3); strings.HasPrefix(r.rest, quotes) {
			inner, rest, ok := strings.Cut(r.rest[3:], quotes)
			r.want(ok)
			b.WriteString(unescape(inner))
			r.rest = rest
			continue
		}
		plain, n := QuotedText(r.rest)
		r.want(!strings.Contains(r.rest[:n], "\n"))
		b.WriteString(plain)
		r.rest = r.rest[n:]
	}
	return b.String()
}

// list are values with commas up to an end.
func (r *literalReader) list(end string, depth int) (all []any) {
	r.each(end, func() { all = append(all, r.value(depth+1)) })
	return all
}

// each reads what stands between commas up to an end.
func (r *literalReader) each(end string, one func()) {
	for !r.accept(end) {
		one()
		if r.accept(end) {
			return
		}
		r.want(r.accept(","))
	}
}

// tuple is one, or a value in brackets.
func (r *literalReader) tuple(depth int) any {
	if r.accept(")") {
		return tuple{}
	}
	v := r.value(depth + 1)
	if r.accept(")") {
		return v
	}
	r.want(r.accept(","))
	return append(tuple{v}, r.list(")", depth)...)
}

// dict is an object whose names are texts.
func (r *literalReader) dict(depth int) any {
	all := map[string]any{}
	r.each("}", func() {
		name, isText := r.value(depth + 1).(string)
		r.want(isText && r.accept(":"))
		all[name] = r.value(depth + 1)
	})
	return all
}

// QuotedText reads a text in quotes, with escapes as Python has them.
func QuotedText(text string) (plain string, length int) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return unescape(text[1:i]), i + 1
		}
	}
	panic(fault.New("a text has no end"))
}

// escapes are those of one letter.
var escapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b",
	'f': "\f", 'v': "\v", '\n': "",
}

// backslashed are those within a text.
var backslashed = pattern.Lazy(`(?s)\\.`)

func unescape(text string) string {
	return backslashed().ReplaceAllStringFunc(text, func(escape string) string {
		plain, ok := escapes[escape[1]]
		switch {
		case ok:
			return plain
		case strings.IndexByte("xuUN01234567", escape[1]) >= 0:
			panic(fault.New("the escape %s is not supported", escape))
		}
		return escape
	})
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
