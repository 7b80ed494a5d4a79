package python

import (
	"errors"
	"strings"
	"unicode"
)

// A method is one of texts: what it makes without arguments, with one text, and with any others.
type method struct {
	none func(text string) (any, error)
	one  func(text, by string) (any, error)
	any  func(text string, arguments []any) (any, error)
}

var methods = map[string]method{
	"capitalize":   {none: made(capitalized)},
	"casefold":     {none: made(strings.ToLower)},
	"count":        {one: countOf},
	"endswith":     {one: told(strings.HasSuffix)},
	"find":         {one: placeOf},
	"format":       {any: filledIn},
	"isdecimal":    {none: isDigits},
	"isdigit":      {none: isDigits},
	"isnumeric":    {none: isDigits},
	"join":         {any: joinedBy},
	"lower":        {none: made(strings.ToLower)},
	"lstrip":       {none: madeBy(strings.TrimLeftFunc), one: by(strings.TrimLeft)},
	"removeprefix": {one: by(strings.TrimPrefix)},
	"removesuffix": {one: by(strings.TrimSuffix)},
	"replace":      {any: replacedIn},
	"rstrip":       {none: madeBy(strings.TrimRightFunc), one: by(strings.TrimRight)},
	"split":        {none: words, one: split},
	"startswith":   {one: told(strings.HasPrefix)},
	"strip":        {none: made(strings.TrimSpace), one: by(strings.Trim)},
	"title":        {none: made(titled)},
	"upper":        {none: made(strings.ToUpper)},
	"zfill":        {any: zeroFilled},
}

func made(of func(string) string) func(string) (any, error) {
	return func(text string) (any, error) { return of(text), nil }
}

func madeBy(of func(string, func(rune) bool) string) func(string) (any, error) {
	return func(text string) (any, error) { return of(text, unicode.IsSpace), nil }
}

func by(of func(text, by string) string) func(string, string) (any, error) {
	return func(text, by string) (any, error) { return of(text, by), nil }
}

func told(of func(text, by string) bool) func(string, string) (any, error) {
	return func(text, by string) (any, error) { return of(text, by), nil }
}

var errMethod = errors.New("this method is not understood")

// Invoke is a method of a plain value.
func Invoke(name string, v any, arguments []any) (any, error) {
	switch v := v.(type) {
	case string:
		return invokeText(methods[name], v, arguments)
	case Undefined:
		return nil, ErrUndefined
	case map[string]any:
		return invokeObject(name, v, arguments)
	default:
		return nil, errMethod
	}
}

func invokeText(m method, text string, arguments []any) (any, error) {
	if len(arguments) == 0 && m.none != nil {
		return m.none(text)
	}
	if len(arguments) == 1 && m.one != nil {
		if by, ok := arguments[0].(string); ok {
			return m.one(text, by)
		}
	}
	if m.any != nil {
		return m.any(text, arguments)
	}
	return nil, errMethod
}

// invokeObject is a method whose result does not depend on the order of members.
func invokeObject(name string, v map[string]any, arguments []any) (any, error) {
	if len(v) > 1 || len(arguments) > 0 {
		return nil, errMethod
	}
	all := []any{}
	for key, value := range v {
		switch name {
		case "keys":
			all = append(all, key)
		case "values":
			all = append(all, value)
		case "items":
			all = append(all, []any{key, value})
		default:
			return nil, errMethod
		}
	}
	return all, nil
}

func words(text string) (any, error) { return texts(strings.Fields(text)), nil }

func split(text, by string) (any, error) {
	if by == "" {
		return nil, errors.New("it wants a text to split by")
	}
	return texts(strings.Split(text, by)), nil
}

func texts(all []string) []any {
	made := make([]any, len(all))
	for i, s := range all {
		made[i] = s
	}
	return made
}

func isDigits(text string) (any, error) {
	return text != "" && strings.Trim(text, "0123456789") == "", nil
}

func countOf(text, by string) (any, error) { return int64(strings.Count(text, by)), nil }

// placeOf is the number of characters before another text, -1 without it.
func placeOf(text, by string) (any, error) {
	before, _, ok := strings.Cut(text, by)
	if !ok {
		return int64(-1), nil
	}
	return int64(len([]rune(before))), nil
}

func replacedIn(text string, arguments []any) (any, error) {
	if len(arguments) != 2 {
		return nil, errMethod
	}
	old, isText := arguments[0].(string)
	by, areTexts := arguments[1].(string)
	if !isText || !areTexts {
		return nil, errMethod
	}
	return replaced(text, old, by)
}

func joinedBy(text string, arguments []any) (any, error) {
	if len(arguments) != 1 {
		return nil, errMethod
	}
	return Apply("join", arguments[0], Arguments{"d": text})
}

func zeroFilled(text string, arguments []any) (any, error) {
	if len(arguments) == 0 || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		return nil, errMethod
	}
	width, ok := Whole(arguments[0])
	if !ok || width >= 100 {
		return nil, errMethod
	}
	return strings.Repeat("0", max(0, int(width)-len([]rune(text)))) + text, nil
}

// filledIn is a text with values in the place of {}.
func filledIn(text string, arguments []any) (any, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		two := text[i:min(i+2, len(text))]
		switch {
		case two == "{{" || two == "}}":
			b.WriteByte(text[i])
			i++
		case two == "{}" && len(arguments) > 0:
			b.WriteString(Rendered(arguments[0]))
			arguments = arguments[1:]
			i++
		case text[i] == '{' || text[i] == '}':
			return nil, errors.New("its text is not understood")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String(), nil
}
