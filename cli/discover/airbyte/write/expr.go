package write

import (
	"maps"
	"slices"
	"strconv"

	"sluice/cli/discover/airbyte/python"
	"sluice/pipeline/item"
)

// A ConfigValue is a value of the configuration: data, or an expression that a run evaluates. Nil is nothing.
type ConfigValue interface{ form() jsonForm }

// The kinds of a ConfigValue.
type (
	// Text is a text.
	Text string

	// Word is a number, true, false or null, as JSON has it.
	Word string

	// Array is a list.
	Array []ConfigValue

	// Object has its members in order.
	Object []Pair

	// Function is a call of one.
	Function struct {
		Name      string
		Arguments Array
	}

	// Reference is a name of a kind of values, such as attr or placeholder.
	Reference struct{ Kind, Name string }
)

// A Pair is a member of an object.
type Pair struct {
	Name  string
	Value ConfigValue
}

// A jsonForm is a ConfigValue as JSON has it: plain, or values between brackets, with names in an object.
type jsonForm struct {
	plain, open, closed string
	names               []string
	values              []ConfigValue
}

func (t Text) form() jsonForm { return jsonForm{plain: Quote(string(t))} }

func (w Word) form() jsonForm { return jsonForm{plain: string(w)} }

// isNumber tells a number from true, false and null.
func (w Word) isNumber() bool { return item.Kind([]byte(w)) == '0' }

func (l Array) form() jsonForm { return jsonForm{open: "[", closed: "]", values: l} }

func (o Object) form() jsonForm {
	f := jsonForm{open: "{", closed: "}"}
	for _, m := range o {
		f.names, f.values = append(f.names, m.Name), append(f.values, m.Value)
	}
	return f
}

func (c Function) form() jsonForm {
	return Object{{"function", Text(c.Name)}, {"args", c.Arguments}}.form()
}

func (r Reference) form() jsonForm { return Object{{r.Kind, Text(r.Name)}}.form() }

// prefix is what stands before a value: its name, or nothing.
func (f jsonForm) prefix(i int) string {
	if f.names == nil {
		return ""
	}
	return Quote(f.names[i]) + ": "
}

// JSON is a value on one line, empty for nothing.
func JSON(e ConfigValue) string { return string(appendLine(nil, e, -1)) }

// appendLine appends a value, or with a limit about so many bytes of it.
func appendLine(line []byte, e ConfigValue, limit int) []byte {
	if e == nil {
		return line
	}
	f := e.form()
	line = append(line, f.plain+f.open...)
	for i, value := range f.values {
		if limit >= 0 && len(line) > limit {
			return line
		}
		if i > 0 {
			line = append(line, ", "...)
		}
		line = appendLine(append(line, f.prefix(i)...), value, limit)
	}
	return append(line, f.closed...)
}

// Same tells whether two are written alike.
func Same(one, other ConfigValue) bool { return JSON(one) == JSON(other) }

// Has tells whether something holds of a value, or of one within it.
func Has(e ConfigValue, is func(ConfigValue) bool) bool {
	if e == nil || is(e) {
		return e != nil
	}
	return slices.ContainsFunc(e.form().values, func(within ConfigValue) bool { return Has(within, is) })
}

// Attr is the expression of an attribute of config.
func Attr(name string) ConfigValue { return Reference{"attr", name} }

// Placeholder is the expression of a value of the parent's item.
func Placeholder(name string) ConfigValue { return Reference{"placeholder", name} }

// Window is the expression of a bound of the window: from, or to.
func Window(bound string) ConfigValue { return Reference{"window", bound} }

// Response is the expression of a value in the answer to a login.
func Response(path string) ConfigValue { return Reference{"response", path} }

// Kept is the expression of a value that an earlier login has kept.
func Kept(name string) ConfigValue { return Reference{"kept", name} }

// references are the members that make an object with that one member an expression.
var references = []string{"attr", "time", "window", "placeholder", "kept"}

// IsExpression tells that an object is no data, but an expression, because of a member of it.
func (o Object) IsExpression(member string) bool {
	return member == "function" || len(o) == 1 && slices.Contains(references, member)
}

// Calling is a function expression.
func Calling(function string, arguments ...ConfigValue) ConfigValue {
	return Function{function, arguments}
}

// Calls tells whether an expression is a call of one of these functions.
func Calls(e ConfigValue, functions ...string) bool {
	c, isCall := e.(Function)
	return isCall && slices.Contains(functions, c.Name)
}

// refers tells whether an expression within a value is of one of these kinds, or calls one of these functions.
func refers(e ConfigValue, names ...string) bool {
	return Has(e, func(e ConfigValue) bool {
		r, _ := e.(Reference)
		return Calls(e, names...) || slices.Contains(names, r.Kind)
	})
}

// attributes are the names of the attributes that a value refers to.
func attributes(e ConfigValue) (all []string) {
	Has(e, func(e ConfigValue) bool {
		if r, _ := e.(Reference); r.Kind == "attr" {
			all = append(all, r.Name)
		}
		return false
	})
	return all
}

// at is what stands at a path, nil without it.
func at(e ConfigValue, path []string) ConfigValue {
	for _, step := range path {
		if e == nil {
			return nil
		}
		f := e.form()
		i := slices.Index(f.names, step)
		if n, err := strconv.Atoi(step); err == nil && f.names == nil {
			i = n
		}
		if i < 0 || i >= len(f.values) {
			return nil
		}
		e = f.values[i]
	}
	return e
}

// Data is a constant, as encoding/json has it, whole numbers as int64.
func Data(v any) ConfigValue {
	switch v := v.(type) {
	case string:
		return Text(v)
	case []any:
		var all Array
		for _, e := range v {
			all = append(all, Data(e))
		}
		return all
	case map[string]any:
		var all Object
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = all.And(name, Data(v[name]))
		}
		return all
	}
	return Word(python.Encoded(v))
}

// With has one member more where it is needed.
func (o Object) With(isNeeded bool, name string, value ConfigValue) Object {
	if isNeeded {
		return append(slices.Clip(o), Pair{name, value})
	}
	return o
}

// And has one member more.
func (o Object) And(name string, value ConfigValue) Object { return o.With(true, name, value) }

// Get is the value of a member, nil without it.
func (o Object) Get(name string) ConfigValue {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Texts are texts as a list.
func Texts(texts []string) (all Array) {
	for _, text := range texts {
		all = append(all, Text(text))
	}
	return all
}

// Quote is a text as JSON.
func Quote(text string) string { return string(item.Quote(text)) }
