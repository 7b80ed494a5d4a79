package item

import (
	"slices"
	"strings"
)

// An ObjectBuilder makes the text of a JSON object: the name of each member, and its value as JSON, in order.
type ObjectBuilder []string

// With adds a member if it is needed.
func (o ObjectBuilder) With(needed bool, name, json string) ObjectBuilder {
	if needed {
		o = append(o, name, json)
	}
	return o
}

// String is the JSON text.
func (o ObjectBuilder) String() string {
	var all []string
	for m := range slices.Chunk(o, 2) {
		all = append(all, string(Quote(m[0]))+": "+m[1])
	}
	return "{" + strings.Join(all, ", ") + "}"
}
