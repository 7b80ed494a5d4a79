package openapi

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A documentNode is a value of the document. Nil is one that is not there, and all methods take it.
type documentNode struct {
	// is the kind: { of objects, [ of lists, " of texts, 0 of numbers, t of booleans, n of null.
	is byte

	// text is a scalar as it stands, a text without quotes.
	text string

	// names are those of members, values what members and elements are.
	names  []string
	values []*documentNode

	// byName has the places of the members of a large object.
	byName map[string]int

	line int
}

// set makes the node a scalar.
func (n *documentNode) set(token json.Token) {
	switch v := token.(type) {
	case string:
		n.is, n.text = '"', v
	case json.Number:
		n.is, n.text = '0', v.String()
	case bool:
		n.is, n.text = 't', strconv.FormatBool(v)
	default:
		n.is = 'n'
	}
}

// kind is that of the node; 0: it is not there.
func (n *documentNode) kind() byte {
	if n == nil {
		return 0
	}
	return n.is
}

// large is from how many members on names are looked up in a map.
const large = 24

// get is a member; nil: there is none.
func (n *documentNode) get(name string) *documentNode {
	if n.kind() != '{' {
		return nil
	}
	if len(n.names) >= large {
		if len(n.byName) != len(n.names) {
			n.index()
		}
		at, ok := n.byName[name]
		if !ok {
			return nil
		}
		return n.values[at]
	}
	// The last of a name counts.
	for i, other := range slices.Backward(n.names) {
		if other == name {
			return n.values[i]
		}
	}
	return nil
}

// index makes the map of a large object.
func (n *documentNode) index() {
	n.byName = make(map[string]int, len(n.names))
	for i, name := range n.names {
		n.byName[name] = i
	}
	if len(n.byName) == len(n.names) {
		return
	}
	// Names that stand there twice.
	var names []string
	var values []*documentNode
	for i, name := range n.names {
		if n.byName[name] == i {
			names, values = append(names, name), append(values, n.values[i])
		}
	}
	n.names, n.values = names, values
	n.index()
}

// members are those of an object.
func (n *documentNode) members() iter.Seq2[string, *documentNode] {
	return func(yield func(string, *documentNode) bool) {
		if n.kind() != '{' {
			return
		}
		for i, name := range n.names {
			if !yield(name, n.values[i]) {
				return
			}
		}
	}
}

// elements are those of a list.
func (n *documentNode) elements() []*documentNode {
	if n.kind() != '[' {
		return nil
	}
	return n.values
}

// scalar is a text, a number or a boolean as text; empty: it is none.
func (n *documentNode) scalar() string {
	if n == nil {
		return ""
	}
	return n.text
}

// isTrue tells whether it is the boolean true.
func (n *documentNode) isTrue() bool { return n.kind() == 't' && strings.EqualFold(n.text, "true") }

// number is a whole number; not ok: it is none.
func (n *documentNode) number() (value int, ok bool) {
	if n.kind() != '0' {
		return 0, false
	}
	exact, ok := item.Integer([]byte(n.text))
	return int(exact), ok
}

// allNames are the names of the members.
func (n *documentNode) allNames() []string {
	if n.kind() != '{' {
		return nil
	}
	return n.names
}

// first is the name of the first member.
func (n *documentNode) first() string {
	if n.kind() != '{' || len(n.names) == 0 {
		return ""
	}
	return n.names[0]
}

// with adds a member.
func (n *documentNode) with(name string, value *documentNode) {
	n.names, n.values = append(n.names, name), append(n.values, value)
}
