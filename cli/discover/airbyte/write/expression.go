package write

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Attr is the expression of an attribute of config.
func Attr(name string) string { return reference("attr", name) }

// Placeholder is the expression of a value of the parent's item.
func Placeholder(name string) string { return reference("placeholder", name) }

// Window is the expression of a bound of the window: from, or to.
func Window(bound string) string { return reference("window", bound) }

// Response is the expression of a value in the answer to a login.
func Response(path string) string { return reference("response", path) }

// Kept is the expression of a value that an earlier login has kept.
func Kept(name string) string { return reference("kept", name) }

// references are the members that make an object with that one member an expression.
var references = []string{"attr", "time", "window", "placeholder", "kept"}

// IsExpression tells that an object with these members is no data, but an expression.
func IsExpression(o item.Object, member string) bool {
	return member == "function" || len(o) == 2 && slices.Contains(references, member)
}

func reference(member, name string) string { return item.Object{member, Quote(name)}.String() }

// Calling is a function expression of arguments that are JSON.
func Calling(function string, args ...string) string {
	return item.Object{"function", Quote(function), "args", "[" + strings.Join(args, ", ") + "]"}.String()
}

// Call is the function that an expression calls, and its arguments; empty: it calls none.
func Call(value string) (function string, args []string) {
	compact := Tight(value)
	name := item.Lookup(compact, item.Path{"function"})
	if name == nil {
		return "", nil
	}
	for argument := range item.Elements(item.Lookup(compact, item.Path{"args"})) {
		args = append(args, Loose(argument))
	}
	return item.Unquote(name), args
}

// Calls tells whether an expression is a call of one of these functions.
func Calls(value string, functions ...string) bool {
	function, _ := Call(value)
	return function != "" && slices.Contains(functions, function)
}

// Named is the name that an expression with this one member has, such as that of an attribute; empty: it is another.
func Named(value, member string) string {
	name := item.Lookup(Tight(value), item.Path{member})
	if item.Kind(name) != '"' {
		return ""
	}
	return item.Unquote(name)
}

// refers tells whether an expression within a value has one of these members, or calls one of these functions.
func refers(value string, names ...string) (is bool) {
	eachMember(Tight(value), func(name string, v []byte) {
		isCall := name == "function" && slices.Contains(names, item.Unquote(v))
		is = is || isCall || slices.Contains(names, name)
	})
	return is
}
