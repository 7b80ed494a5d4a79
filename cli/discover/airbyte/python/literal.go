package python

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"sluice/cli/discover/pattern"
)

// Literal is the value that Python reads in a text: a number, a text in quotes, a list, an object, True, False
// or None. Not ok: the text stays one.
func Literal(text string) (v any, ok bool) {
	r := &literalReader{rest: strings.TrimLeft(text, " \t")}
	if strings.TrimSpace(text) == "" || len(text) > MaxText {
		return nil, false
	}
	v, err := r.open(0)
	r.blanks()
	if err != nil || r.rest != "" {
		return nil, false
	}
	return v, true
}

// maxNesting is how deep a literal is nested.
const maxNesting = 60

// A tuple is a list that Python prints in round brackets; it stands nowhere but in what literal gives.
type tuple []any

// A literalReader reads what Python's literal_eval does.
type literalReader struct{ rest string }

var errLiteral = errors.New("it is no literal")

func (r *literalReader) blanks() { r.rest = strings.TrimLeft(r.rest, " \t\r\n\f") }

func (r *literalReader) accept(c string) bool {
	r.blanks()
	rest, ok := strings.CutPrefix(r.rest, c)
	r.rest = rest
	return ok
}

// open is a value, or a list without brackets.
func (r *literalReader) open(depth int) (any, error) {
	v, err := r.value(depth)
	if err != nil || !r.accept(",") {
		return v, err
	}
	all := []any{v}
	for r.blanks(); r.rest != ""; r.blanks() {
		if v, err = r.value(depth); err != nil {
			return nil, err
		}
		all = append(all, v)
		if !r.accept(",") {
			break
		}
	}
	return tuple(all), nil
}

var (
	literalNumber = pattern.Lazy(
		`^(?:[0-9](?:_?[0-9])*)?(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][-+]?[0-9](?:_?[0-9])*)?`,
	)
	literalBased = pattern.Lazy(`^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)`)
	literalZeros = pattern.Lazy(`^0[0_]*[1-9]`)
)

func (r *literalReader) value(depth int) (any, error) {
	r.blanks()
	if depth > maxNesting || r.rest == "" {
		return nil, errLiteral
	}
	switch c := r.rest[0]; {
	case c == '-' || c == '+':
		r.rest = r.rest[1:]
		v, err := r.value(depth + 1)
		if _, isTrue := v.(bool); isTrue || err != nil {
			return nil, errLiteral
		}
		if c == '+' {
			return Arithmetic("+", int64(0), v)
		}
		return negative(v)
	case c == '\'' || c == '"':
		return r.text()
	case c == '[':
		r.rest = r.rest[1:]
		return r.list("]", depth)
	case c == '(':
		r.rest = r.rest[1:]
		return r.tuple(depth)
	case c == '{':
		r.rest = r.rest[1:]
		return r.dict(depth)
	case IsDigit(c) || c == '.':
		return r.number()
	}
	for word, v := range map[string]any{"True": true, "False": false, "None": nil} {
		rest, ok := strings.CutPrefix(r.rest, word)
		if ok && (rest == "" || !IsInName(rest[0])) {
			r.rest = rest
			return v, nil
		}
	}
	return nil, errLiteral
}

func negative(v any) (any, error) {
	switch v := v.(type) {
	case int64:
		return -v, nil
	case float64:
		return -v, nil
	default:
		return nil, errLiteral
	}
}

func (r *literalReader) number() (any, error) {
	if based := literalBased().FindString(r.rest); based != "" {
		r.rest = r.rest[len(based):]
		return r.ended(strconv.ParseInt(based, 0, 64))
	}
	found := literalNumber().FindString(r.rest)
	if found == "" || found == "." || strings.HasPrefix(found, ".e") || strings.HasPrefix(found, ".E") {
		return nil, errLiteral
	}
	r.rest = r.rest[len(found):]
	digits := strings.ReplaceAll(found, "_", "")
	if !strings.ContainsAny(digits, ".eE") {
		if literalZeros().MatchString(digits) {
			return nil, errLiteral
		}
		return r.ended(strconv.ParseInt(digits, 10, 64))
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, errLiteral
	}
	if r.isGlued() {
		return nil, errLiteral
	}
	return f, nil
}

// ended is a whole number behind which nothing of it stands.
func (r *literalReader) ended(i int64, err error) (any, error) {
	if err != nil || r.isGlued() {
		return nil, errLiteral
	}
	return i, nil
}

// isGlued tells that a number goes on with what is none.
func (r *literalReader) isGlued() bool {
	return r.rest != "" && (r.rest[0] == '.' || IsInName(r.rest[0]))
}

// text is a text in quotes, one or three of them, or several side by side.
func (r *literalReader) text() (any, error) {
	var b strings.Builder
	for {
		r.blanks()
		if !strings.HasPrefix(r.rest, "'") && !strings.HasPrefix(r.rest, `"`) {
			return b.String(), nil
		}
		if quotes := strings.Repeat(r.rest[:1], 3); strings.HasPrefix(r.rest, quotes) {
			inner, rest, ok := strings.Cut(r.rest[3:], quotes)
			text, err := unescape(inner)
			if !ok || err != nil {
				return nil, errLiteral
			}
			b.WriteString(text)
			r.rest = rest
			continue
		}
		plain, n, err := QuotedText(r.rest)
		if err != nil || strings.Contains(r.rest[:n], "\n") {
			return nil, errLiteral
		}
		b.WriteString(plain)
		r.rest = r.rest[n:]
	}
}

func (r *literalReader) list(end string, depth int) (any, error) {
	all := []any{}
	for !r.accept(end) {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
		if r.accept(end) {
			break
		}
		if !r.accept(",") {
			return nil, errLiteral
		}
	}
	return all, nil
}

// tuple is one, or a value in brackets.
func (r *literalReader) tuple(depth int) (any, error) {
	if r.accept(")") {
		return tuple{}, nil
	}
	v, err := r.value(depth + 1)
	if err != nil {
		return nil, err
	}
	if r.accept(")") {
		return v, nil
	}
	if !r.accept(",") {
		return nil, errLiteral
	}
	rest, err := r.list(")", depth)
	if err != nil {
		return nil, err
	}
	more, _ := rest.([]any)
	return append(tuple{v}, more...), nil
}

// dict is an object whose names are texts.
func (r *literalReader) dict(depth int) (any, error) {
	all := map[string]any{}
	for !r.accept("}") {
		key, err := r.value(depth + 1)
		name, isText := key.(string)
		if err != nil || !isText || !r.accept(":") {
			return nil, errLiteral
		}
		if all[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
		if r.accept("}") {
			break
		}
		if !r.accept(",") {
			return nil, errLiteral
		}
	}
	return all, nil
}
