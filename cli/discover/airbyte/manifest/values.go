package manifest

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

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/free"
)

// Values are what the user has configured: what the manifest's spec says, and the values given.
type Values struct {
	// All is the configuration with defaults: constants, and settings for what is secret or missing.
	All map[string]any

	// Used are the attributes that meanings refer to, by name.
	Used map[string]Setting

	// Decided are the paths of values that have decided something, without those of secrets' contents.
	Decided map[string]bool

	// Notes are what the conversion says of values and clocks.
	Notes []string

	// Fault is why nobody knows what the values are; nil: they are known.
	Fault error

	// Now is the clock of the conversion.
	Now time.Time

	// Steps are those that the template took which is being evaluated.
	Steps int
}

// A Setting is a value of the configuration, and where it stands there.
type Setting struct {
	// Path has points between its steps.
	Path string

	// Value is what it is; of a secret, and of what is missing, it is nil.
	Value any

	// Literal is the credential of the manifest that it stands for, which is never shown; empty: it is none.
	Literal string

	// IsSecret tells that it comes from outside and is never shown, isMissing that it must come from outside
	// since there is neither a value nor a default.
	IsSecret, IsMissing bool

	// Fault is why nobody knows it; nil: it is known.
	Fault error
}

// name is that of the attribute.
func (s Setting) name() string {
	name := strings.ReplaceAll(s.Path, ".", "_")
	if slices.Contains(reservedNames, name) {
		name = "value_" + name
	}
	if s.IsSecret {
		return "#" + name
	}
	return name
}

// reservedNames are members of config that are no attributes.
var reservedNames = []string{
	"jobs", "http", "mappings", "userData", "debug", "outputBucket", "compatLevel", "incrementalOutput",
}

// ReadValues are those of a manifest, which the user has given as JSON; nil: none. The clock of the conversion
// stands at now.
func ReadValues(root *Section, given []byte, now time.Time) (*Values, error) {
	config := map[string]any{}
	if len(bytes.TrimSpace(given)) > 0 {
		d := json.NewDecoder(bytes.NewReader(given))
		d.UseNumber()
		err := d.Decode(&config)
		if err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) || config == nil {
			return nil, errors.New("values: they are not a JSON object")
		}
	}
	spec := root.Get("spec")
	spec.Know()
	budget := MaxValues
	schema, _ := spec.Get("connection_specification").Plain(&budget).(map[string]any)
	all, _ := filled("", schema, WithNumbers(config), true, 0).(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	return &Values{All: all, Used: map[string]Setting{}, Decided: map[string]bool{}, Now: now.UTC()}, nil
}

// WithNumbers has whole numbers as int64.
func WithNumbers(v any) any {
	return python.Everywhere(v, func(v any) any {
		if number, ok := v.(json.Number); ok {
			return python.NumberOf(number.String())
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
	byDefault, hasDefault := schema["default"]
	constant, isConstant := schema["const"]
	switch {
	case isAbsent && hasDefault:
		given, isAbsent = byDefault, false
	case isAbsent && isConstant && isRequired:
		given, isAbsent = constant, false
	}
	object, isObject := given.(map[string]any)
	list, isList := given.([]any)
	isShaped := schema["properties"] != nil || schema["oneOf"] != nil || schema["anyOf"] != nil
	isNeeded := isAbsent && isRequired
	switch {
	case isSecret(path, schema):
		if isNeeded || !isAbsent && given != nil && given != "" {
			return Setting{Path: path, IsSecret: true}
		}
	case isList:
		elements, _ := schema["items"].(map[string]any)
		all := make([]any, len(list))
		for i, e := range list {
			all[i] = filled(Join(path, strconv.Itoa(i)), elements, e, false, depth+1)
		}
		return all
	case isObject, isNeeded && isShaped && depth < maxDefaults:
		return filledObject(path, schema, object, depth)
	case isNeeded && len(schema) > 0:
		return Setting{Path: path, IsMissing: true}
	}
	return given
}

// filledObject is an object with the defaults of its members, and all that its schema does not know.
func filledObject(path string, schema, given map[string]any, depth int) map[string]any {
	properties := PropertiesOf(schema, given, 0)
	for name := range given {
		properties[name] = Property{properties[name].Schema, properties[name].isRequired}
	}
	all := make(map[string]any, len(given))
	for name, p := range properties {
		value, ok := given[name]
		if !ok {
			value = absent{}
		}
		value = filled(Join(path, name), p.Schema, value, p.isRequired, depth+1)
		if _, isAbsent := value.(absent); !isAbsent {
			all[name] = value
		}
	}
	return all
}

// maxDefaults is how deep objects are built of defaults.
const maxDefaults = 60

// A Property is a member that a schema knows.
type Property struct {
	Schema     map[string]any
	isRequired bool
}

// maxVariants is how deep variants stand in variants.
const maxVariants = 5

// PropertiesOf are those of a schema, and of that of its variants which the given object has.
func PropertiesOf(schema, given map[string]any, depth int) map[string]Property {
	all := map[string]Property{}
	if depth > maxVariants {
		return all
	}
	required, _ := schema["required"].([]any)
	own, _ := schema["properties"].(map[string]any)
	for name, s := range own {
		one, _ := s.(map[string]any)
		all[name] = Property{Schema: one, isRequired: slices.Contains(required, any(name))}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		variants, _ := schema[word].([]any)
		merge := PropertiesOf(chosen(variants, given), given, depth+1)
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
func secretOfAll(all map[string]Property, variants []any, depth int) {
	for _, v := range variants {
		schema, _ := v.(map[string]any)
		for name, p := range PropertiesOf(schema, nil, depth+1) {
			if _, ok := all[name]; !ok && p.Schema["airbyte_secret"] == true {
				all[name] = Property{Schema: p.Schema}
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
			if given, ok := given[name]; isConstant && ok && python.Equal(given, value) {
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
	isLacking := func(n any) bool {
		name, _ := n.(string)
		_, ok := given[name]
		return !ok
	}
	return len(names) > 0 && !slices.ContainsFunc(names, isLacking)
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

// Refer is the name of the attribute that a setting becomes. Two that would be called the same are told apart by a
// number.
func (v *Values) Refer(s Setting) string {
	name := free.Name(s.name(), "_", func(name string) bool {
		other, isTaken := v.Used[name]
		return isTaken && (other.Path != s.Path || other.Literal != s.Literal)
	})
	v.Used[name] = s
	return name
}

// Decide notes that a setting has decided something, and is its value.
func (v *Values) Decide(s Setting) (any, error) {
	switch {
	case s.Fault != nil:
		return nil, s.Fault
	case s.IsSecret:
		return nil, fmt.Errorf("what it gives depends on the secret %s", s.Path)
	case s.IsMissing:
		return nil, fmt.Errorf("what it gives depends on %s: give it by --values", s.Path)
	}
	v.Decided[s.Path] = true
	return s.Value, nil
}

// Decisions are the paths of the values that have decided something, in order.
func (v *Values) Decisions() []string { return slices.Sorted(maps.Keys(v.Decided)) }

// A Trace is what the conversion of a part has left behind: the values that decided something, and sentences.
type Trace struct {
	decided map[string]bool
	notes   []string
}

// Decided are the values that decided something, in order.
func (t Trace) Decided() []string { return slices.Sorted(maps.Keys(t.decided)) }

// Apart does something, and is what it leaves behind: nothing of it stays with the values.
func (v *Values) Apart(do func()) Trace {
	outer := Trace{v.Decided, v.Notes}
	v.Decided, v.Notes = map[string]bool{}, nil
	do()
	left := Trace{v.Decided, v.Notes}
	v.Decided, v.Notes = outer.decided, outer.notes
	return left
}

// Keep adds what was left behind elsewhere.
func (v *Values) Keep(t Trace) {
	maps.Copy(v.Decided, t.decided)
	for _, text := range t.notes {
		v.Note(text)
	}
}

// NoteIf keeps a sentence where it holds.
func (v *Values) NoteIf(holds bool, text string) {
	if holds {
		v.Note(text)
	}
}

// Note keeps a sentence for a person, once.
func (v *Values) Note(text string) {
	if !slices.Contains(v.Notes, text) {
		v.Notes = append(v.Notes, text)
	}
}
