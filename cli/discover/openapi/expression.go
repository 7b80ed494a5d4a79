package openapi

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// quoted is a text as JSON.
func quoted(text string) string { return string(item.Quote(text)) }

// has tells whether an object has a member, whatever the case of its name.
func has(o item.ObjectBuilder, name string) bool { return memberOf(o, name) != "" }

// memberOf is the value of a member of an object, whatever the case of its name; empty: there is none.
func memberOf(o item.ObjectBuilder, name string) string {
	for m := range slices.Chunk(o, 2) {
		if strings.EqualFold(m[0], name) {
			return m[1]
		}
	}
	return ""
}

func reference(name string) string { return item.ObjectBuilder{"attr", quoted(name)}.String() }

// concat is an expression that joins what is JSON; a text alone stays one.
func concat(parts ...string) string {
	if len(parts) == 1 && strings.HasPrefix(parts[0], `"`) {
		return parts[0]
	}
	return function("concat", parts...)
}

func function(name string, args ...string) string {
	return item.ObjectBuilder{"function", quoted(name), "args", "[" + strings.Join(args, ", ") + "]"}.String()
}
