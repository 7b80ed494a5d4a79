package python

import (
	"encoding/base64"
	"errors"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Arguments are those of a filter, by their names.
type Arguments map[string]any

// A Filter is what stands behind a bar: the names of its arguments, in order, and what it makes of a text, of a list,
// or of any value. A filter of texts alone takes the text of other values, but not if they must be texts.
type Filter struct {
	Arguments []string

	text  func(text string, arguments Arguments) (any, error)
	list  func(all []any, arguments Arguments) (any, error)
	value func(v any, arguments Arguments) (any, error)

	wantsText bool
}

// Filters are those that are understood. What default makes depends on what is known of its value, which is none of
// Python's: so it has no function.
var Filters = map[string]Filter{
	"abs":                   {value: absolute},
	"base64binascii_decode": {wantsText: true},
	"base64decode":          {text: decoded, wantsText: true},
	"base64encode":          {text: base64Text, wantsText: true},
	"capitalize":            {text: plain(capitalized)},
	"count":                 {text: runes, list: size},
	"d":                     {Arguments: []string{"default_value", "boolean"}},
	"default":               {Arguments: []string{"default_value", "boolean"}},
	"first":                 {list: first},
	"float":                 {Arguments: []string{"default"}, value: toFloat},
	"hash":                  {Arguments: []string{"hash_type", "salt"}, text: hashed, wantsText: true},
	"hmac":                  {Arguments: []string{"key", "hash_type"}, text: signed, wantsText: true},
	"int":                   {Arguments: []string{"default"}, value: toInt},
	"join":                  {Arguments: []string{"d"}, list: joined},
	"last":                  {list: last},
	"length":                {text: runes, list: size},
	"list":                  {list: same},
	"lower":                 {text: plain(strings.ToLower)},
	"map":                   {Arguments: []string{"attribute"}, list: mapped},
	"max":                   {list: sorted("max")},
	"min":                   {list: sorted("min")},
	"regex_search":          {Arguments: []string{"regex"}, text: searched, wantsText: true},
	"replace":               {Arguments: []string{"old", "new"}, text: replacedBy},
	"reverse":               {list: reversed},
	"round":                 {Arguments: []string{"precision"}, value: rounded},
	"safe":                  {text: plain(itself)},
	"sort":                  {list: sorted("sort")},
	"string":                {text: plain(itself), value: toText},
	"sum":                   {list: total},
	"title":                 {text: plain(titled)},
	"tojson":                {value: jsonText},
	"trim":                  {Arguments: []string{"chars"}, text: trimmed},
	"unique":                {list: unique},
	"upper":                 {text: plain(strings.ToUpper)},
	"urlencode":             {text: plain(escaped)},
}

// Apply is a filter of a plain value.
func Apply(name string, v any, arguments Arguments) (any, error) {
	f := Filters[name]
	text, isText := v.(string)
	_, isObject := v.(map[string]any)
	switch {
	case isText && f.text != nil:
		return f.text(text, arguments)
	case f.value != nil:
		return f.value(v, arguments)
	case f.list != nil:
		all, err := listOf(v)
		if err != nil {
			return nil, err
		}
		return f.list(all, arguments)
	case f.wantsText || isObject || f.text == nil:
		return nil, errors.New("it wants a text")
	}
	return f.text(Rendered(v), arguments)
}

// plain is a filter of texts without arguments.
func plain(by func(string) string) func(string, Arguments) (any, error) {
	return func(text string, _ Arguments) (any, error) { return by(text), nil }
}

func itself(text string) string { return text }

func runes(text string, _ Arguments) (any, error) { return int64(len([]rune(text))), nil }

func trimmed(text string, arguments Arguments) (any, error) {
	if chars, ok := arguments["chars"].(string); ok {
		return strings.Trim(text, chars), nil
	}
	return strings.TrimSpace(text), nil
}

func replacedBy(text string, arguments Arguments) (any, error) {
	old, isText := arguments["old"].(string)
	by, areTexts := arguments["new"].(string)
	if !isText || !areTexts {
		return nil, errors.New("it wants two texts")
	}
	return replaced(text, old, by)
}

func replaced(text, old, by string) (any, error) {
	if strings.Count(text, old)*len(by) > MaxText {
		return nil, errors.New("it makes a text that is too long")
	}
	return strings.ReplaceAll(text, old, by), nil
}

func capitalized(text string) string {
	runes := []rune(strings.ToLower(text))
	if len(runes) == 0 {
		return ""
	}
	return strings.ToUpper(string(runes[:1])) + string(runes[1:])
}

// titled has a capital behind each blank.
func titled(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = capitalized(w)
	}
	return strings.Join(words, " ")
}

// escaped is a text for an address, slashes stay.
func escaped(text string) string {
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(text))
}

func base64Text(text string, _ Arguments) (any, error) {
	return base64.StdEncoding.EncodeToString([]byte(text)), nil
}

func decoded(text string, _ Arguments) (any, error) {
	made, err := base64.StdEncoding.DecodeString(text)
	return string(made), err
}

// searched is the first group of a regular expression; a text without one gives an empty one.
func searched(text string, arguments Arguments) (any, error) {
	source, ok := arguments["regex"].(string)
	if !ok {
		return nil, errors.New("it wants a regular expression")
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, errors.New("its regular expression is not understood")
	}
	found := re.FindStringSubmatch(text)
	if len(found) < 2 {
		return "", nil
	}
	return found[1], nil
}

// toText is the text of a value that is none.
func toText(v any, _ Arguments) (any, error) {
	switch {
	case v == Undefined{}:
		return "", nil
	case IsUnordered(v):
		return nil, errors.New("the text of an object is not understood")
	}
	return `"""` + Encoded(v) + `"""`, nil
}

// jsonText is a value as JSON that does no harm in HTML.
func jsonText(v any, _ Arguments) (any, error) {
	if _, ok := v.(Undefined); ok {
		return nil, errors.New("there is no value")
	}
	harmless := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`)
	return harmless.Replace(Encoded(v)), nil
}

// numberIn is the number that a text has, or the value itself.
func numberIn(v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	text = strings.TrimSpace(text)
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(text, "xXpP_") {
		return nil
	}
	return f
}

// ToInt is a value as a whole number.
func ToInt(v any) (any, error) { return toInt(v, nil) }

func toInt(v any, arguments Arguments) (any, error) {
	v = numberIn(v)
	f, isNumber := Numeric(v)
	i, isWhole := Whole(v)
	switch {
	case !isNumber && arguments["default"] != nil:
		return arguments["default"], nil
	case !isNumber || isWhole:
		return i, nil
	case math.Abs(f) > 1<<53:
		return nil, errors.New("the number is too large")
	}
	return int64(f), nil
}

func toFloat(v any, arguments Arguments) (any, error) {
	f, isNumber := Numeric(numberIn(v))
	if !isNumber && arguments["default"] != nil {
		return arguments["default"], nil
	}
	return f, nil
}

func absolute(v any, _ Arguments) (any, error) {
	if i, ok := Whole(v); ok {
		return max(i, -i), nil
	}
	if f, ok := Numeric(v); ok {
		return math.Abs(f), nil
	}
	return nil, errors.New("it is not understood for this value")
}

func rounded(v any, arguments Arguments) (any, error) {
	i, isWhole := Whole(v)
	f, isNumber := Numeric(v)
	switch {
	case isWhole:
		return i, nil
	case arguments["precision"] != nil:
		return nil, errors.New("a precision is not understood")
	case !isNumber:
		return nil, errors.New("it is not understood for this value")
	}
	return math.RoundToEven(f), nil
}
