package airbyte

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline/item"
)

// values are what the user has configured: what the manifest's spec says, and the values given.
type values struct {
	// all is the configuration with defaults: constants, and settings for what is secret or missing.
	all map[string]any

	// used are the attributes that meanings refer to, by name.
	used map[string]setting

	// decided are the paths of values that have decided something, without those of secrets' contents.
	decided map[string]bool

	// notes are what the conversion says of values and clocks.
	notes []string

	// fault is why nobody knows what the values are; nil: they are known.
	fault error

	// now is the clock of the conversion.
	now time.Time

	// steps are those that the template took which is being evaluated.
	steps int
}

// A setting is a value of the configuration, and where it stands there.
type setting struct {
	// path has points between its steps.
	path string

	// value is what it is; of a secret, and of what is missing, it is nil.
	value any

	// isSecret tells that it comes from outside and is never shown, isMissing that it must come from outside
	// since there is neither a value nor a default.
	isSecret, isMissing bool

	// fault is why nobody knows it; nil: it is known.
	fault error
}

// name is that of the attribute.
func (s setting) name() string {
	name := strings.ReplaceAll(s.path, ".", "_")
	if slices.Contains(reservedNames, name) {
		name = "value_" + name
	}
	if s.isSecret {
		return "#" + name
	}
	return name
}

// reservedNames are members of config that are no attributes.
var reservedNames = []string{
	"jobs", "http", "mappings", "userData", "debug", "outputBucket", "compatLevel", "incrementalOutput",
}

// newValues are those of a manifest, which the user has given as JSON; nil: none.
func newValues(root *node, given []byte) (*values, error) {
	config := map[string]any{}
	if len(bytes.TrimSpace(given)) > 0 {
		d := json.NewDecoder(bytes.NewReader(given))
		d.UseNumber()
		err := d.Decode(&config)
		if err == nil {
			_, err = d.Token()
		}
		isWhole := errors.Is(err, io.EOF)
		if !isWhole || config == nil {
			return nil, errors.New("values: they are no JSON object")
		}
	}
	spec := root.get("spec")
	spec.know()
	budget := maxMembers
	schema, _ := spec.get("connection_specification").plain(&budget).(map[string]any)
	all, _ := filled("", schema, withNumbers(config), true, 0).(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	v := &values{all: all, used: map[string]setting{}, decided: map[string]bool{}, now: time.Now().UTC()}
	if err := v.normalize(spec); err != nil {
		v.fault = err
	}
	clear(v.decided)
	return v, nil
}

// plain is the value of the manifest below a node as encoding/json has it.
func (n *node) plain(budget *int) any {
	if n == nil {
		return nil
	}
	return n.tree.plain(budget)
}

// withNumbers has whole numbers as int64.
func withNumbers(v any) any {
	return everywhere(v, func(v any) any {
		if number, ok := v.(json.Number); ok {
			return numberOf(number.String())
		}
		return v
	})
}

// absent is what is not there.
type absent struct{}

// filled is a value with the defaults of its schema: given, or absent{}. Secrets, and required values that are
// missing, are settings.
func filled(path string, schema map[string]any, given any, isRequired bool, depth int) any {
	_, isAbsent := given.(absent)
	if isAbsent {
		if value, ok := schema["default"]; ok {
			given, isAbsent = value, false
		} else if value, ok := schema["const"]; ok && isRequired {
			given, isAbsent = value, false
		}
	}
	if isSecret(path, schema) {
		isEmpty := given == nil || given == ""
		isGiven := !isAbsent && !isEmpty
		switch {
		case isAbsent && isRequired, isGiven:
			return setting{path: path, isSecret: true}
		case isAbsent:
			return absent{}
		default:
			return given
		}
	}
	if list, ok := given.([]any); ok {
		return filledList(path, schema, list, depth)
	}
	object, isObject := given.(map[string]any)
	isShaped := schema["properties"] != nil || schema["oneOf"] != nil || schema["anyOf"] != nil
	isBuilt := isAbsent && isRequired && isShaped && depth < maxExpression
	if isBuilt || isObject {
		return filledObject(path, schema, object, depth)
	}
	isWanted := isAbsent && isRequired
	if isWanted && len(schema) > 0 {
		return setting{path: path, isMissing: true}
	}
	return given
}

// filledList is a list whose elements have the defaults of their schema.
func filledList(path string, schema map[string]any, given []any, depth int) []any {
	elements, _ := schema["items"].(map[string]any)
	all := make([]any, len(given))
	for i, e := range given {
		all[i] = filled(join(path, strconv.Itoa(i)), elements, e, false, depth+1)
	}
	return all
}

// filledObject is an object with the defaults of its members, and all that its schema does not know.
func filledObject(path string, schema, given map[string]any, depth int) map[string]any {
	properties := propertiesOf(schema, given, 0)
	all := make(map[string]any, len(given))
	for name, value := range given {
		p := properties[name]
		all[name] = filled(join(path, name), p.schema, value, p.isRequired, depth+1)
	}
	for name, p := range properties {
		if _, ok := given[name]; ok {
			continue
		}
		value := filled(join(path, name), p.schema, absent{}, p.isRequired, depth+1)
		if _, isAbsent := value.(absent); !isAbsent {
			all[name] = value
		}
	}
	return all
}

// A property is a member that a schema knows.
type property struct {
	schema     map[string]any
	isRequired bool
}

// maxVariants is how deep variants stand in variants.
const maxVariants = 5

// propertiesOf are those of a schema, and of that of its variants which the given object has.
func propertiesOf(schema, given map[string]any, depth int) map[string]property {
	all := map[string]property{}
	if depth > maxVariants {
		return all
	}
	required, _ := schema["required"].([]any)
	own, _ := schema["properties"].(map[string]any)
	for name, s := range own {
		one, _ := s.(map[string]any)
		all[name] = property{schema: one, isRequired: slices.Contains(required, any(name))}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		variants, _ := schema[word].([]any)
		merge := propertiesOf(chosen(variants, given), given, depth+1)
		for name, p := range merge {
			if _, ok := all[name]; !ok {
				all[name] = p
			}
		}
		secretOfAll(all, variants, depth)
	}
	return all
}

// secretOfAll adds what a variant that is not chosen marks as secret: a given value of that name is one.
func secretOfAll(all map[string]property, variants []any, depth int) {
	for _, v := range variants {
		schema, _ := v.(map[string]any)
		for name, p := range propertiesOf(schema, nil, depth+1) {
			if _, ok := all[name]; !ok && p.schema["airbyte_secret"] == true {
				all[name] = property{schema: p.schema}
			}
		}
	}
}

// chosen is the variant whose constants the object has; without any that is given, the first one.
func chosen(variants []any, given map[string]any) map[string]any {
	var first map[string]any
	for _, v := range variants {
		schema, _ := v.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		if first == nil {
			first = schema
		}
		for name, p := range properties {
			one, _ := p.(map[string]any)
			value, isConstant := onlyValue(one)
			if given, ok := given[name]; isConstant && ok && equal(given, value) {
				return schema
			}
		}
	}
	for _, v := range variants {
		schema, _ := v.(map[string]any)
		required, _ := schema["required"].([]any)
		if hasAll(given, required) {
			return schema
		}
	}
	return first
}

// onlyValue is the one that a schema allows.
func onlyValue(schema map[string]any) (any, bool) {
	if c, ok := schema["const"]; ok {
		return c, true
	}
	if e, ok := schema["enum"].([]any); ok && len(e) == 1 {
		return e[0], true
	}
	return nil, false
}

func hasAll(given map[string]any, names []any) bool {
	for _, n := range names {
		name, _ := n.(string)
		if _, ok := given[name]; !ok {
			return false
		}
	}
	return len(names) > 0
}

// Words in names of what is secret although no schema says so, since none knows it.
var secretWords = []string{"token", "secret", "password", "api_key", "apikey", "private_key"}

// isSecret tells what is never shown.
func isSecret(path string, schema map[string]any) bool {
	if schema["airbyte_secret"] == true {
		return true
	}
	if len(schema) > 0 {
		return false
	}
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// refer is the expression that a setting becomes. Two that would be called the same are told apart by a number.
func (v *values) refer(s setting) string {
	name := s.name()
	for i := 2; ; i++ {
		other, isTaken := v.used[name]
		if !isTaken || other.path == s.path {
			break
		}
		name = s.name() + "_" + strconv.Itoa(i)
	}
	v.used[name] = s
	return `{"attr": ` + string(item.Quote(name)) + `}`
}

// decide notes that a setting has decided something, and is its value.
func (v *values) decide(s setting) (any, error) {
	switch {
	case s.fault != nil:
		return nil, s.fault
	case s.isSecret:
		return nil, fmt.Errorf("what it gives depends on the secret %s", s.path)
	case s.isMissing:
		return nil, fmt.Errorf("what it gives depends on %s: give it by --values", s.path)
	}
	v.decided[s.path] = true
	return s.value, nil
}

// isUsed tells whether the text of a configuration refers to an attribute.
func isUsed(configuration, name string) bool {
	return strings.Contains(configuration, `{"attr": `+string(item.Quote(name))+`}`)
}

// attributes are those that the text of a configuration refers to, with their values, by name.
func (v *values) attributes(configuration string) item.Object {
	var all item.Object
	for _, name := range v.names(configuration) {
		s := v.used[name]
		isOutside := s.isSecret || s.isMissing
		if !isOutside {
			all = all.With(true, name, encoded(s.value))
		}
	}
	return all
}

// secrets are the names of the attributes that a configuration refers to and that are secret.
func (v *values) secrets(configuration string) []string {
	return slices.DeleteFunc(v.names(configuration), func(name string) bool { return !v.used[name].isSecret })
}

// missing are those of the others that have no value.
func (v *values) missing(configuration string) []string {
	return slices.DeleteFunc(v.names(configuration), func(name string) bool { return !v.used[name].isMissing })
}

func (v *values) names(configuration string) []string {
	var all []string
	for name := range v.used {
		if isUsed(configuration, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// decisions are the paths of the values that have decided something, in order.
func (v *values) decisions() []string {
	var all []string
	for path := range v.decided {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// A trace is what the conversion of a part has left behind: the values that decided something, and sentences.
type trace struct {
	decided map[string]bool
	notes   []string
}

// apart does something, and is what it leaves behind: nothing of it stays with the values.
func (v *values) apart(do func()) trace {
	outer := trace{v.decided, v.notes}
	v.decided, v.notes = map[string]bool{}, nil
	do()
	left := trace{v.decided, v.notes}
	v.decided, v.notes = outer.decided, outer.notes
	return left
}

// keep adds what was left behind elsewhere.
func (v *values) keep(t trace) {
	maps.Copy(v.decided, t.decided)
	for _, text := range t.notes {
		v.note(text)
	}
}

// note keeps a sentence for a person, once.
func (v *values) note(text string) {
	if !slices.Contains(v.notes, text) {
		v.notes = append(v.notes, text)
	}
}

// encoded is a constant as JSON; texts have the fewest escapes.
func encoded(v any) string {
	switch v := v.(type) {
	case string:
		return string(item.Quote(v))
	case []any:
		all := make([]string, len(v))
		for i, e := range v {
			all[i] = encoded(e)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var o item.Object
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			o = o.With(true, name, encoded(v[name]))
		}
		return o.String()
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return "null"
		}
		return string(text)
	}
}
