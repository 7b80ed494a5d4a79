package transform

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Filter makes strings of the arrays and objects at some paths of an item
// (responseFilter of a job): a string holds the compact JSON text of what stood
// there. It is immutable and safe for concurrent use.
type Filter struct{ root node }

// A node is a step of one or more paths; what is under its name follows them.
type node struct {
	name    string
	members []*node // few: they are searched one by one
	each    *node   // for the elements of an array, or nil
	whole   bool    // a path ends here
}

// NewFilter compiles paths whose steps are separated by delimiter, "." if it is
// empty (responseFilterDelimiter). A step is the name of a member; each [] behind
// a name stands for all elements of the array there, and nothing else enters an
// array. The delimiter alone is the whole item. Paths are applied one after the
// other: what lies below an earlier one is text by then.
func NewFilter(paths []string, delimiter string) *Filter {
	if delimiter == "" {
		delimiter = "."
	}
	f := &Filter{}
	for _, path := range paths {
		f.root.add(item.ParsePath(path, delimiter))
	}
	return f
}

// Append appends value, which is not changed, with the strings. Scalars at the
// paths stay as they are, paths that lead nowhere are ignored, and all other
// bytes are kept. A repeated name is followed each time.
func (f *Filter) Append(dst, value []byte) []byte { return f.root.append(dst, value) }

// add goes the way of path, and makes it where there is none yet.
func (n *node) add(path item.Path) {
	for _, step := range path {
		name := step
		for strings.HasSuffix(name, "[]") {
			name = strings.TrimSuffix(name, "[]")
		}
		n = n.member(name)
		for range (len(step) - len(name)) / len("[]") {
			n = n.elements()
		}
	}
	n.whole = true
}

func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m
		}
	}
	m := &node{name: name}
	if !n.whole { // else nothing is below: an earlier path made text of it
		n.members = append(n.members, m)
	}
	return m
}

func (n *node) elements() *node {
	if n.each != nil {
		return n.each
	}
	each := &node{}
	if !n.whole {
		n.each = each
	}
	return each
}

func (n *node) append(dst, value []byte) []byte {
	if kind := item.Kind(value); !n.whole || kind != '{' && kind != '[' {
		return n.inside(dst, value)
	}
	if len(n.members) > 0 || n.each != nil {
		value = n.inside(nil, value)
	}
	dst, _ = jsontext.AppendQuote(dst, value) // the error only tells of U+FFFD
	return dst
}

// inside appends value with the strings that are below it.
func (n *node) inside(dst, value []byte) []byte {
	switch kind := item.Kind(value); {
	case kind == '{' && len(n.members) > 0:
		return n.object(dst, value)
	case kind == '[' && n.each != nil:
		return n.array(dst, value)
	}
	return append(dst, value...)
}

func (n *node) object(dst, value []byte) []byte {
	dst = append(dst, '{')
	begin := len(dst)
	for name, v := range item.Members(value) {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = append(append(dst, name...), ':')
		if m := n.named(name); m != nil {
			dst = m.append(dst, v)
		} else {
			dst = append(dst, v...)
		}
	}
	return append(dst, '}')
}

// named returns the member of that quoted name, or nil.
func (n *node) named(quoted []byte) *node {
	for _, m := range n.members {
		if item.NameIs(quoted, m.name) {
			return m
		}
	}
	return nil
}

func (n *node) array(dst, value []byte) []byte {
	dst = append(dst, '[')
	begin := len(dst)
	for element := range item.Elements(value) {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = n.each.append(dst, element)
	}
	return append(dst, ']')
}
