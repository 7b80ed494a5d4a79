package python

import (
	"strings"
	"unicode"

	"sluice/cli/discover/airbyte/fault"
)

// methods are those of texts: functions of the text, of the text and another one, or of the text and values.
var methods = map[string][]any{
	"capitalize":   {capitalized},
	"casefold":     {strings.ToLower},
	"count":        {strings.Count},
	"endswith":     {strings.HasSuffix},
	"find":         {placeOf},
	"format":       {filledIn},
	"isdecimal":    {isDigits},
	"isdigit":      {isDigits},
	"isnumeric":    {isDigits},
	"join":         {joinedBy},
	"lower":        {strings.ToLower},
	"lstrip":       {trimmedLeft, strings.TrimLeft},
	"removeprefix": {strings.TrimPrefix},
	"removesuffix": {strings.TrimSuffix},
	"replace":      {replaced},
	"rstrip":       {trimmedRight, strings.TrimRight},
	"split":        {strings.Fields, strings.Split},
	"startswith":   {strings.HasPrefix},
	"strip":        {strings.TrimSpace, strings.Trim},
	"title":        {titled},
	"upper":        {strings.ToUpper},
	"zfill":        {zeroFilled},
}

// Invoke is a method of a plain value.
func Invoke(name string, v any, arguments []any) any {
	switch v := v.(type) {
	case string:
		for _, f := range methods[name] {
			if made, ok := called(f, v, arguments); ok {
				return made
			}
		}
	case Undefined:
		fault.Check(ErrUndefined)
	case map[string]any:
		if len(v) <= 1 && len(arguments) == 0 {
			return invokeObject(name, v)
		}
	}
	panic(fault.New("this method is not supported"))
}

// called is what a function of a text gives; not ok: it wants other arguments.
func called(f any, text string, arguments []any) (made any, ok bool) {
	by := ""
	all := texts(arguments)
	isNone, isOne := len(arguments) == 0, len(arguments) == 1 && len(all) == 1
	if isOne {
		by = all[0]
	}
	switch f := f.(type) {
	case func(string) string:
		return f(text), isNone
	case func(string) bool:
		return f(text), isNone
	case func(string) []string:
		return valuesOf(f(text)), isNone
	case func(string, string) string:
		return f(text, by), isOne
	case func(string, string) bool:
		return f(text, by), isOne
	case func(string, string) int:
		return int64(f(text, by)), isOne
	case func(string, string) []string:
		return valuesOf(f(text, by)), isOne && by != ""
	case func(string, []any) any:
		return f(text, arguments), true
	}
	return nil, false
}

func valuesOf(all []string) []any {
	made := make([]any, len(all))
	for i, s := range all {
		made[i] = s
	}
	return made
}

// invokeObject is a method whose result does not depend on the order of members.
func invokeObject(name string, v map[string]any) any {
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
			panic(fault.New("this method is not supported"))
		}
	}
	return all
}

func trimmedLeft(text string) string { return strings.TrimLeftFunc(text, unicode.IsSpace) }

func trimmedRight(text string) string { return strings.TrimRightFunc(text, unicode.IsSpace) }

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// placeOf is the number of characters before another text, -1 without it.
func placeOf(text, by string) int {
	before, _, ok := strings.Cut(text, by)
	if !ok {
		return -1
	}
	return len([]rune(before))
}

func joinedBy(text string, arguments []any) any {
	fault.If(len(arguments) != 1, "this method is not supported")
	return joined(listOf(arguments[0]), Arguments{"d": text})
}

func zeroFilled(text string, arguments []any) any {
	width, ok := Whole(ElementOf(arguments, int64(0)))
	fault.If(!ok || width >= 100 || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+"),
		"this method is not supported")
	return strings.Repeat("0", max(0, int(width)-len([]rune(text)))) + text
}
