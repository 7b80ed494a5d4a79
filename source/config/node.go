// Package config reads the configuration document: strictly, with every problem at once, each with its
// place. Families (paging methods, authentication types) decode their own options from a [Node].
package config

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Node is one value of the document, with its place. Nodes are immutable.
type Node struct {
	// From the root: api.pagination.limit, config.jobs[0].endpoint.
	Path string

	// One of '{', '[', '"', '0', 't', 'f' and 'n'.
	Kind jsontext.Kind

	// Raw is the compact JSON text: strings as UTF-8 with the fewest escapes, numbers as written.
	Raw jsontext.Value

	// Members of an object, in order, no name twice.
	Members []Member

	// Elems of an array.
	Elems []*Node

	file *documentText

	// The offset of the first byte in the file; -1: the node is not from the file.
	offset int

	// Of the root of a document of [Iterations], what stands there; nil: there are none.
	iteration *Node
}

// A Member is a name and a value in an object.
type Member struct {
	Name  string
	Value *Node

	offset int
}

// Text returns the text of a string node, or else the node's JSON text.
func (n *Node) Text() string {
	if n.Kind == '"' {
		return item.Unquote(n.Raw)
	}
	return string(n.Raw)
}

// Member returns the member called name, nil if there is none or it is null.
func (n *Node) Member(name string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name && n.Members[i].Value.Kind != 'n' {
			return n.Members[i].Value
		}
	}
	return nil
}

// Without returns an object without the member called name.
func (n *Node) Without(name string) *Node {
	return n.with(slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Name == name }))
}

// with returns an object with other members in the same place.
func (n *Node) with(members []Member) *Node {
	copied := *n
	copied.Members = members
	copied.write()
	return &copied
}

// write makes the text of an object or array of the texts in it.
func (n *Node) write() {
	n.Raw = jsontext.Value{byte(n.Kind)}
	for _, m := range n.Members {
		n.Raw = append(append(append(item.AppendQuote(n.Raw, m.Name), ':'), m.Value.Raw...), ',')
	}
	for _, e := range n.Elems {
		n.Raw = append(append(n.Raw, e.Raw...), ',')
	}
	// In ASCII, a closing bracket is two after its opening one.
	n.Raw = append(bytes.TrimSuffix(n.Raw, []byte{','}), byte(n.Kind)+2)
}

// join appends a member name to a path, in quotes if it could not be read there.
func join(path, name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// kindName says in words what a node is.
func (n *Node) kindName() string { return item.Noun(byte(n.Kind)) }
