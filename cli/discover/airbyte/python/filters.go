package python

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // what templates ask for
	"crypto/sha1" //nolint:gosec // what templates ask for
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
)

// Arguments are those of a filter, by their names.
type Arguments map[string]any

// A FilterRule is what stands behind a bar: the names of its arguments, in order, and what it makes of a text, of a list,
// or of any value. A filter of texts alone takes the text of other values, but not if they must be texts.
type FilterRule struct {
	Arguments []string

	text  func(text string, arguments Arguments) any
	list  func(all []any, arguments Arguments) any
	value func(v any, arguments Arguments) any

	wantsText bool
}

// Filters are those that are understood. What default makes depends on what is known of its value, which is none of
// Python's: so it has no function.
var Filters = map[string]FilterRule{
	"abs":                   {value: absolute},
	"base64binascii_decode": {wantsText: true},
	"base64decode":          {text: decoded, wantsText: true},
	"base64encode":          {text: made(base64Text), wantsText: true},
	"capitalize":            {text: made(capitalized)},
	"count":                 {text: textSize, list: size},
	"d":                     {Arguments: []string{"default_value", "boolean"}},
	"default":               {Arguments: []string{"default_value", "boolean"}},
	"first":                 {list: element(0)},
	"float":                 {Arguments: []string{"default"}, value: toFloat},
	"hash":                  {Arguments: []string{"hash_type", "salt"}, text: hashed, wantsText: true},
	"hmac":                  {Arguments: []string{"key", "hash_type"}, text: signed, wantsText: true},
	"int":                   {Arguments: []string{"default"}, value: toInt},
	"join":                  {Arguments: []string{"d"}, list: joined},
	"last":                  {list: element(-1)},
	"length":                {text: textSize, list: size},
	"list":                  {list: func(all []any, _ Arguments) any { return all }},
	"lower":                 {text: made(strings.ToLower)},
	"map":                   {Arguments: []string{"attribute"}, list: mapped},
	"max":                   {list: sorted("max")},
	"min":                   {list: sorted("min")},
	"regex_search":          {Arguments: []string{"regex"}, text: searched, wantsText: true},
	"replace":               {Arguments: []string{"old", "new"}, text: replacedBy},
	"reverse":               {list: reversed},
	"round":                 {Arguments: []string{"precision"}, value: rounded},
	"safe":                  {text: made(strings.Clone)},
	"sort":                  {list: sorted("sort")},
	"string":                {text: made(strings.Clone), value: toText},
	"sum":                   {list: total},
	"title":                 {text: made(titled)},
	"tojson":                {value: jsonText},
	"trim":                  {Arguments: []string{"chars"}, text: trimmed},
	"unique":                {list: unique},
	"upper":                 {text: made(strings.ToUpper)},
	"urlencode":             {text: made(urlEncoded)},
}

// Apply is a filter of a plain value.
func Apply(name string, v any, arguments Arguments) any {
	f := Filters[name]
	text, isText := v.(string)
	_, isObject := v.(map[string]any)
	switch {
	case isText && f.text != nil:
		return f.text(text, arguments)
	case f.value != nil:
		return f.value(v, arguments)
	case f.list != nil:
		return f.list(listOf(v), arguments)
	case f.wantsText || isObject || f.text == nil:
		panic(fault.New("it wants a text"))
	}
	return f.text(Rendered(v), arguments)
}

// made is a filter of texts without arguments.
func made(by func(string) string) func(string, Arguments) any {
	return func(text string, _ Arguments) any { return by(text) }
}

// listOf is a value as a list.
func listOf(v any) (all []any) {
	switch v := v.(type) {
	case Undefined:
		return nil
	case []any:
		return v
	case map[string]any:
		fault.If(len(v) > 1, "the order of an object is not supported")
		for name := range v {
			all = append(all, name)
		}
		return all
	case string:
		return characters(v)
	}
	panic(fault.New("it wants a list"))
}

func textSize(text string, _ Arguments) any { return int64(len([]rune(text))) }

func size(all []any, _ Arguments) any { return int64(len(all)) }

// element is the filter for an element of a list.
func element(i int64) func([]any, Arguments) any {
	return func(all []any, _ Arguments) any { return ElementOf(all, i) }
}

func trimmed(text string, arguments Arguments) any {
	if chars, ok := arguments["chars"].(string); ok {
		return strings.Trim(text, chars)
	}
	return strings.TrimSpace(text)
}

func replacedBy(text string, arguments Arguments) any {
	return replaced(text, []any{arguments["old"], arguments["new"]})
}

// replaced is a text with one text in the place of another.
func replaced(text string, arguments []any) any {
	all := texts(arguments)
	fault.If(len(arguments) != 2 || len(all) != 2, "it wants two texts")
	fault.If(strings.Count(text, all[0])*len(all[1]) > MaxText, "it makes a text that is too long")
	return strings.ReplaceAll(text, all[0], all[1])
}

// texts are those of values, up to one that is none.
func texts(values []any) (all []string) {
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			break
		}
		all = append(all, text)
	}
	return all
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

// urlEncoded is a text for an address, slashes stay.
func urlEncoded(text string) string {
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(text))
}

func base64Text(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func decoded(text string, _ Arguments) any {
	return string(fault.Of(base64.StdEncoding.DecodeString(text)))
}

// searched is the first group of a regular expression; a text without one gives an empty one.
func searched(text string, arguments Arguments) any {
	source, ok := arguments["regex"].(string)
	re, err := regexp.Compile(source)
	fault.If(!ok || err != nil, "its regular expression is not supported")
	found := re.FindStringSubmatch(text)
	if len(found) < 2 {
		return ""
	}
	return found[1]
}

// toText is the text of a value that is none.
func toText(v any, _ Arguments) any {
	switch {
	case v == Undefined{}:
		return ""
	case IsUnordered(v):
		panic(fault.New("the text of an object is not supported"))
	}
	return `"""` + Encoded(v) + `"""`
}

// jsonText is a value as JSON that does no harm in HTML.
func jsonText(v any, _ Arguments) any {
	if _, ok := v.(Undefined); ok {
		panic(fault.New("there is no value"))
	}
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).Replace(Encoded(v))
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

func toInt(v any, arguments Arguments) any {
	v = numberIn(v)
	f, isNumber := Numeric(v)
	i, isWhole := Whole(v)
	switch {
	case !isNumber && arguments["default"] != nil:
		return arguments["default"]
	case !isNumber || isWhole:
		return i
	case math.Abs(f) > 1<<53:
		panic(fault.New("the number is too large"))
	}
	return int64(f)
}

func toFloat(v any, arguments Arguments) any {
	f, isNumber := Numeric(numberIn(v))
	if !isNumber && arguments["default"] != nil {
		return arguments["default"]
	}
	return f
}

func absolute(v any, _ Arguments) any {
	i, isWhole := Whole(v)
	f, isNumber := Numeric(v)
	switch {
	case isWhole:
		return max(i, -i)
	case isNumber:
		return math.Abs(f)
	}
	panic(fault.New("it is not supported for this value"))
}

func rounded(v any, arguments Arguments) any {
	i, isWhole := Whole(v)
	f, isNumber := Numeric(v)
	switch {
	case isWhole:
		return i
	case arguments["precision"] != nil || !isNumber:
		panic(fault.New("a precision, or a value that is not a number, is not supported"))
	}
	return math.RoundToEven(f)
}

// Hashes are those that both Python and our function hash know by the same name.
var Hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// hashed is the hash of a text, behind which a salt may stand.
func hashed(text string, arguments Arguments) any {
	kind, isNamed := arguments["hash_type"].(string)
	if !isNamed {
		kind = "md5"
	}
	begin := Hashes[kind]
	fault.If(begin == nil, "the hash %s is not supported", kind)
	if salt, ok := arguments["salt"]; ok && Truthy(salt) {
		text += Rendered(salt)
	}
	h := begin()
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// signed is the code of a text by a key.
func signed(text string, arguments Arguments) any {
	kind, isNamed := arguments["hash_type"].(string)
	key, ok := arguments["key"]
	fault.If(!ok || isNamed && kind != "sha256", "it wants a key, and sha256")
	h := hmac.New(sha256.New, []byte(Rendered(key)))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

func joined(all []any, arguments Arguments) any {
	glue, _ := arguments["d"].(string)
	made := make([]string, len(all))
	for i, e := range all {
		made[i] = Rendered(e)
	}
	return strings.Join(made, glue)
}

func reversed(all []any, _ Arguments) any {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

func unique(all []any, _ Arguments) any {
	made := []any{}
	for _, e := range all {
		if !slices.ContainsFunc(made, func(o any) bool { return Equal(o, e) }) {
			made = append(made, e)
		}
	}
	return made
}

func mapped(all []any, arguments Arguments) any {
	name, ok := arguments["attribute"].(string)
	fault.If(!ok || strings.Contains(name, "."), "its argument is not supported")
	made := []any{}
	for _, e := range all {
		made = append(made, ElementOf(e, name))
	}
	return made
}

func total(all []any, _ Arguments) any {
	var sum any = int64(0)
	for _, e := range all {
		sum = Operate("+", sum, e)
	}
	return sum
}

func sorted(name string) func([]any, Arguments) any {
	return func(all []any, _ Arguments) any { return Ordered(name, all) }
}

// Ordered are sort, min and max.
func Ordered(name string, all []any) any {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b any) int {
		switch {
		case Less(a, b):
			return -1
		case Less(b, a):
			return 1
		}
		return 0
	})
	switch name {
	case "sort":
		return sorted
	case "min":
		return ElementOf(sorted, int64(0))
	}
	return ElementOf(sorted, int64(-1))
}
