package airbyte

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // what templates ask for
	"crypto/sha1" //nolint:gosec // what templates ask for
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// asked are the arguments of a filter or a function by their names, as far as they are known.
func asked(
	names []string,
	arguments []expression,
	keywords map[string]expression,
) (map[string]expression, error) {
	if len(arguments) > len(names) {
		return nil, errors.New("it has too many arguments")
	}
	all := map[string]expression{}
	for i, a := range arguments {
		all[names[i]] = a
	}
	for name, a := range keywords {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("its argument %s is not understood", name)
		}
		all[name] = a
	}
	return all, nil
}

// filterArguments are the names of the arguments of the filters that are understood.
var filterArguments = map[string][]string{
	"abs": {}, "base64binascii_decode": {}, "base64decode": {}, "base64encode": {}, "capitalize": {},
	"count": {},
	"d": {
		"default_value",
		"boolean",
	}, "default": {"default_value", "boolean"}, "first": {}, "float": {"default"},
	"hash": {"hash_type", "salt"}, "hmac": {"key", "hash_type"}, "int": {"default"}, "join": {"d"}, "last": {},
	"length": {}, "list": {}, "lower": {}, "map": {"attribute"}, "max": {}, "min": {},
	"regex_search": {"regex"},
	"replace": {
		"old",
		"new",
	}, "reverse": {}, "round": {"precision"}, "safe": {}, "sort": {}, "string": {}, "sum": {},
	"title": {}, "tojson": {}, "trim": {"chars"}, "unique": {}, "upper": {}, "urlencode": {},
}

func (sc scope) filter(e filter) (expression, error) {
	if d, ok := e.of.(dict); ok && e.name == "string" {
		return sc.ordered(d)
	}
	names, ok := filterArguments[e.name]
	if !ok {
		return nil, fmt.Errorf("the filter %s is not understood", e.name)
	}
	arguments, err := asked(names, e.arguments, e.keywords)
	if err != nil {
		return nil, fmt.Errorf("filter %s: %w", e.name, err)
	}
	made := map[string]expression{}
	for _, name := range names {
		if arguments[name] == nil {
			continue
		}
		if made[name], err = sc.eval(arguments[name]); err != nil {
			return nil, err
		}
	}
	of, err := sc.eval(e.of)
	isDefault := e.name == "default" || e.name == "d"
	if errors.Is(err, errUndefined) && isDefault {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	switch e.name {
	case "default", "d":
		return sc.byDefault(of, made)
	case "base64encode", "hash", "hmac":
		if made, ok, err := sc.digested(e.name, of, made); ok || err != nil {
			return made, err
		}
	case "string":
		if isWords(of) {
			return of, nil
		}
	case "int", "round":
		if s, ok := of.(seconds); ok {
			s.isFraction = false
			return s, nil
		}
	}
	return sc.filtered(of, made, e)
}

// ordered is the text of an object as its template has its members.
func (sc scope) ordered(d dict) (expression, error) {
	var all item.Object
	for i, key := range d.keys {
		name, err := sc.textArgument(key)
		if err != nil {
			return nil, err
		}
		v, isConstant, err := sc.evalPlain(d.values[i])
		if err != nil {
			return nil, err
		}
		if !isConstant || isUnordered(v) {
			return nil, errors.New("the text of an object is not understood")
		}
		all = all.With(true, name, encoded(v))
	}
	return constant{`"""` + all.String() + `"""`}, nil
}

// evalPlain is the plain value of an expression that is to be evaluated.
func (sc scope) evalPlain(e expression) (v any, isConstant bool, err error) {
	made, err := sc.eval(e)
	if err != nil {
		return nil, false, err
	}
	return sc.constantOf(made)
}

// isWords tells what is a text, whatever it is.
func isWords(e expression) bool {
	c, ok := e.(constant)
	if !ok {
		return false
	}
	switch v := c.value.(type) {
	case string:
		return true
	case setting:
		_, isString := v.value.(string)
		return isString || v.isSecret
	default:
		return false
	}
}

// filtered is what a filter makes of constants; what a run knows stays.
func (sc scope) filtered(of expression, made map[string]expression, e filter) (expression, error) {
	left := filter{of: of, name: e.name, keywords: made}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return left, err
	}
	arguments := map[string]any{}
	for name, a := range made {
		arguments[name], isConstant, err = sc.plain(a)
		if err != nil || !isConstant {
			return left, err
		}
	}
	value, err := apply(e.name, v, arguments)
	if err != nil {
		return nil, fmt.Errorf("filter %s: %w", e.name, err)
	}
	return constant{value}, nil
}

// byDefault is the value, or its default where it is not there; with boolean, where it is empty.
func (sc scope) byDefault(of expression, made map[string]expression) (expression, error) {
	byDefault := made["default_value"]
	if byDefault == nil {
		byDefault = constant{""}
	}
	ofEmpty := false
	if made["boolean"] != nil {
		is, isConstant, err := sc.truth(made["boolean"])
		if err != nil || !isConstant {
			return nil, errors.Join(err, errors.New("filter default: boolean is not understood"))
		}
		ofEmpty = is
	}
	c, isConstant := of.(constant)
	if !isConstant {
		return filter{of: of, name: "default", keywords: made}, nil
	}
	if ofEmpty {
		is, _, err := sc.truth(of)
		if err != nil || is {
			return of, err
		}
		return byDefault, nil
	}
	if _, ok := c.value.(undefined); ok {
		return byDefault, nil
	}
	return of, nil
}

// digested is a hash or a code of what a run knows; not ok: of a constant, or of nothing that can be said.
func (sc scope) digested(name string, of expression, made map[string]expression) (expression, bool, error) {
	isLater := isOutside(of) || made["key"] != nil && isOutside(made["key"]) ||
		made["salt"] != nil && isOutside(made["salt"])
	if !isLater {
		return nil, false, nil
	}
	text, err := sc.textOf(of)
	if err != nil {
		return nil, false, err
	}
	kind := map[string]string{"hash": "md5", "hmac": "sha256"}[name]
	if made["hash_type"] != nil {
		v, isConstant, err := sc.plain(made["hash_type"])
		s, isText := v.(string)
		if !isConstant || !isText {
			return nil, false, errors.Join(err, errors.New("the kind of a hash is not understood"))
		}
		kind = s
	}
	if kind != "" && hashes[kind] == nil {
		return nil, false, fmt.Errorf("the hash %s is not understood", kind)
	}
	switch name {
	case "base64encode":
		return formula{meaning{json: function("base64_encode", text)}}, true, nil
	case "hash":
		if made["salt"] != nil {
			salt, err := sc.textOf(made["salt"])
			if err != nil {
				return nil, false, err
			}
			text = function("concat", text, salt)
		}
		return formula{meaning{json: function("hash", encoded(kind), text)}}, true, nil
	}
	if made["key"] == nil || kind != "sha256" {
		return nil, false, errors.New("hmac wants a key, and sha256")
	}
	key, err := sc.textOf(made["key"])
	return formula{meaning{json: function("hash_hmac", encoded(kind), text, key)}}, true, err
}

// function is a call of ours.
func function(name string, arguments ...string) string {
	return `{"function": ` + encoded(name) + `, "args": [` + strings.Join(arguments, ", ") + `]}`
}

// hashes are those that both Python and our function hash know by the same name.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// apply is a filter of a plain value.
func apply(name string, v any, arguments map[string]any) (any, error) {
	if text, ok := v.(string); ok {
		if made, ok, err := applyText(name, text, arguments); ok || err != nil {
			return made, err
		}
	}
	switch name {
	case "string":
		if _, ok := v.(undefined); ok {
			return "", nil
		}
		if isUnordered(v) {
			return nil, errors.New("the text of an object is not understood")
		}
		return `"""` + encoded(v) + `"""`, nil
	case "tojson":
		return jsonText(v)
	case "int", "float":
		return applyNumber(name, v, arguments["default"])
	case "abs", "round":
		return applyRound(name, v, arguments["precision"])
	case "hash", "hmac", "base64encode", "base64decode", "base64binascii_decode", "regex_search":
		return nil, errors.New("it wants a text")
	case "lower", "upper", "title", "capitalize", "trim", "replace", "urlencode", "safe":
		if _, ok := v.(map[string]any); ok {
			return nil, errors.New("it wants a text")
		}
		made, _, err := applyText(name, rendered(v), arguments)
		return made, err
	}
	return applyList(name, v, arguments)
}

// applyText is a filter of a text; not ok: it is none of texts.
func applyText(name, text string, arguments map[string]any) (made any, ok bool, err error) {
	switch name {
	case "lower":
		return strings.ToLower(text), true, nil
	case "upper":
		return strings.ToUpper(text), true, nil
	case "capitalize":
		return capitalized(text), true, nil
	case "title":
		return titled(text), true, nil
	case "string", "safe":
		return text, true, nil
	case "trim":
		if chars, ok := arguments["chars"].(string); ok {
			return strings.Trim(text, chars), true, nil
		}
		return strings.TrimSpace(text), true, nil
	case "replace":
		old, isText := arguments["old"].(string)
		by, areTexts := arguments["new"].(string)
		if !isText || !areTexts {
			return nil, false, errors.New("it wants two texts")
		}
		return replaced(text, old, by)
	case "urlencode":
		return escaped(text), true, nil
	case "base64encode":
		return base64.StdEncoding.EncodeToString([]byte(text)), true, nil
	case "base64decode":
		made, err := base64.StdEncoding.DecodeString(text)
		return string(made), true, err
	case "regex_search":
		return searched(text, arguments["regex"])
	case "hash", "hmac":
		return hashed(name, text, arguments)
	case "length", "count":
		return int64(len([]rune(text))), true, nil
	default:
		return nil, false, nil
	}
}

func replaced(text, old, by string) (any, bool, error) {
	if strings.Count(text, old)*len(by) > maxText {
		return nil, false, errors.New("it makes a text that is too long")
	}
	return strings.ReplaceAll(text, old, by), true, nil
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
	made := url.QueryEscape(text)
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(made)
}

// searched is the first group of a regular expression; a text without one gives an empty one.
func searched(text string, by any) (any, bool, error) {
	source, ok := by.(string)
	if !ok {
		return nil, false, errors.New("it wants a regular expression")
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, false, errors.New("its regular expression is not understood")
	}
	found := re.FindStringSubmatch(text)
	if len(found) < 2 {
		return "", true, nil
	}
	return found[1], true, nil
}

func hashed(name, text string, arguments map[string]any) (any, bool, error) {
	kind, isNamed := arguments["hash_type"].(string)
	if name == "hmac" {
		key, ok := arguments["key"]
		isOther := isNamed && kind != "sha256"
		if !ok || isOther {
			return nil, false, errors.New("it wants a key, and sha256")
		}
		h := hmac.New(sha256.New, []byte(rendered(key)))
		h.Write([]byte(text))
		return hex.EncodeToString(h.Sum(nil)), true, nil
	}
	if !isNamed {
		kind = "md5"
	}
	begin := hashes[kind]
	if begin == nil {
		return nil, false, fmt.Errorf("the hash %s is not understood", kind)
	}
	h := begin()
	h.Write([]byte(text))
	if salt, ok := arguments["salt"]; ok && truthy(salt) {
		h.Write([]byte(rendered(salt)))
	}
	return hex.EncodeToString(h.Sum(nil)), true, nil
}

// jsonText is a value as JSON that does no harm in HTML.
func jsonText(v any) (any, error) {
	if _, ok := v.(undefined); ok {
		return nil, errors.New("there is no value")
	}
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).
			Replace(encoded(v)),
		nil
}

// applyNumber makes a number of a value, as int or float; without one it is the default.
func applyNumber(name string, v, byDefault any) (any, error) {
	if text, ok := v.(string); ok {
		text = strings.TrimSpace(text)
		f, err := strconv.ParseFloat(text, 64)
		isFinite := !math.IsNaN(f) && !math.IsInf(f, 0)
		isFraction := err == nil && isFinite
		isFraction = isFraction && !strings.ContainsAny(text, "xXpP_")
		v = nil
		if isFraction {
			v = f
		}
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			v = i
		}
	}
	f, isNumber := numeric(v)
	isHuge := math.Abs(f) > 1<<53
	switch {
	case !isNumber && byDefault != nil:
		return byDefault, nil
	case !isNumber && name == "int":
		return int64(0), nil
	case name == "float" && isNumber:
		return f, nil
	case !isNumber:
		return 0.0, nil
	}
	if i, ok := whole(v); ok {
		return i, nil
	}
	if isHuge {
		return nil, errors.New("the number is too large")
	}
	return int64(f), nil
}

func applyRound(name string, v, precision any) (any, error) {
	i, isWhole := whole(v)
	f, isNumber := numeric(v)
	switch {
	case name == "abs" && isWhole:
		return max(i, -i), nil
	case name == "abs" && isNumber:
		return math.Abs(f), nil
	case name == "round" && isWhole:
		return i, nil
	case precision != nil:
		return nil, errors.New("a precision is not understood")
	case name == "round" && isNumber:
		return math.RoundToEven(f), nil
	default:
		return nil, errors.New("it is not understood for this value")
	}
}

// applyList is a filter of a list; of an object, of its names in order.
func applyList(name string, v any, arguments map[string]any) (any, error) {
	all, err := listOf(v)
	if err != nil {
		return nil, err
	}
	switch name {
	case "length", "count":
		return int64(len(all)), nil
	case "list":
		return all, nil
	case "first", "last":
		if len(all) == 0 {
			return undefined{}, nil
		}
		if name == "first" {
			return all[0], nil
		}
		return all[len(all)-1], nil
	case "join":
		glue, _ := arguments["d"].(string)
		texts := make([]string, len(all))
		for i, e := range all {
			texts[i] = rendered(e)
		}
		return strings.Join(texts, glue), nil
	case "reverse":
		all = slices.Clone(all)
		slices.Reverse(all)
		return all, nil
	case "unique":
		return unique(all), nil
	case "map":
		return mapped(all, arguments["attribute"])
	case "sum":
		return total(all)
	default:
		return ordered(name, all)
	}
}

func listOf(v any) ([]any, error) {
	switch v := v.(type) {
	case undefined:
		return nil, nil
	case []any:
		return v, nil
	case map[string]any:
		if len(v) > 1 {
			return nil, errors.New("the order of an object is not understood")
		}
		var all []any
		for name := range v {
			all = append(all, name)
		}
		return all, nil
	case string:
		var all []any
		for _, r := range v {
			all = append(all, string(r))
		}
		return all, nil
	default:
		return nil, errors.New("it wants a list")
	}
}

func unique(all []any) []any {
	made := []any{}
	for _, e := range all {
		if !slices.ContainsFunc(made, func(o any) bool { return equal(o, e) }) {
			made = append(made, e)
		}
	}
	return made
}

func mapped(all []any, attribute any) (any, error) {
	name, ok := attribute.(string)
	if !ok || strings.Contains(name, ".") {
		return nil, errors.New("its argument is not understood")
	}
	made := []any{}
	for _, e := range all {
		made = append(made, elementOf(e, name))
	}
	return made, nil
}

func total(all []any) (any, error) {
	var sum any = int64(0)
	for _, e := range all {
		var err error
		if sum, err = arithmetic("+", sum, e); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// ordered are sort, min and max.
func ordered(name string, all []any) (any, error) {
	var failed error
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b any) int {
		isLess, err := less(a, b)
		isMore, _ := less(b, a)
		if err != nil {
			failed = err
		}
		switch {
		case isLess:
			return -1
		case isMore:
			return 1
		default:
			return 0
		}
	})
	switch {
	case failed != nil:
		return nil, failed
	case name == "sort":
		return sorted, nil
	case len(sorted) == 0:
		return undefined{}, nil
	case name == "min":
		return sorted[0], nil
	default:
		return sorted[len(sorted)-1], nil
	}
}

// tests are what stands behind is, of plain values.
var tests = map[string]func(v any) bool{
	"none":     func(v any) bool { return v == nil },
	"string":   func(v any) bool { _, ok := v.(string); return ok },
	"boolean":  func(v any) bool { _, ok := v.(bool); return ok },
	"integer":  func(v any) bool { _, ok := v.(int64); return ok },
	"float":    func(v any) bool { _, ok := v.(float64); return ok },
	"number":   func(v any) bool { _, ok := numeric(v); return ok },
	"mapping":  func(v any) bool { _, ok := v.(map[string]any); return ok },
	"sequence": isSequence,
	"iterable": isSequence,
	"true":     func(v any) bool { return v == true },
	"false":    func(v any) bool { return v == false },
}

func isSequence(v any) bool {
	switch v.(type) {
	case string, []any, map[string]any, undefined:
		return true
	default:
		return false
	}
}

// comparing are tests that are operators.
var comparing = map[string]string{
	"in": "in", "eq": "==", "equalto": "==", "ne": "!=", "lt": "<", "lessthan": "<", "le": "<=", "gt": ">",
	"greaterthan": ">", "ge": ">=",
}

// is is a test.
func (sc scope) is(e binary) (expression, error) {
	word, argument := testOf(e.right)
	if operator := comparing[word]; operator != "" && argument != nil {
		made, err := sc.binary(binary{operator, e.left, argument})
		if err != nil || e.operator == "is" {
			return made, err
		}
		return sc.unary(unary{"not", made})
	}
	test := tests[word]
	isDefinition := word == "defined" || word == "undefined"
	isUnknown := test == nil && !isDefinition
	if isUnknown || argument != nil {
		return nil, fmt.Errorf("the test %s is not understood", word)
	}
	left, err := sc.eval(e.left)
	if err != nil {
		return nil, err
	}
	c, isConstant := left.(constant)
	if !isConstant {
		return binary{e.operator, left, e.right}, nil
	}
	var is bool
	if s, ok := c.value.(setting); ok && s.isSecret {
		is = word == "defined" || word == "string"
	} else {
		v, err := sc.settle(c.value)
		if err != nil {
			return nil, err
		}
		_, isUndefined := v.(undefined)
		switch word {
		case "defined":
			is = !isUndefined
		case "undefined":
			is = isUndefined
		default:
			is = test(v)
		}
	}
	return constant{is == (e.operator == "is")}, nil
}

// testOf is the name of a test, and its argument.
func testOf(e expression) (word string, argument expression) {
	switch e := e.(type) {
	case name:
		return e.name, nil
	case call:
		n, _ := e.of.(name)
		if len(e.arguments) == 1 {
			return n.name, e.arguments[0]
		}
	}
	return "", nil
}
