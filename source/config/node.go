// Package config reads the configuration document: strictly, with every problem
// at once, each with its JSON path, line and column. It knows the members that
// all configurations share; families (paging methods, authentication types)
// decode their own options from the [Node] that they are given.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Node is one value of the document, with its place. Nodes are immutable.
type Node struct {
	Path    string         // from the root: api.pagination.limit, config.jobs[0].endpoint
	Kind    jsontext.Kind  // '{', '[', '"', '0', 't', 'f' or 'n'
	Raw     jsontext.Value // compact; strings as UTF-8 with the fewest escapes, numbers as written
	Members []Member       // of an object, in order, no name twice
	Elems   []*Node        // of an array

	file   *file
	offset int // of the first byte in the file; -1: not from the file
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
	n.Raw = append(bytes.TrimSuffix(n.Raw, []byte{','}), byte(n.Kind)+2) // the closing bracket
}

// file is the text that nodes point into.
type file struct {
	name   string
	text   []byte
	broken bool   // it is not JSON
	last   string // the path of the value that was begun last, if it is not
}

// deepest bounds how deep a document may be nested, so that reading it needs
// neither much stack nor long paths.
const deepest = 100

var errDeep = fmt.Errorf("the document is nested more than %d deep", deepest)

// Parse reads a JSON document. name is how messages call it. Problems of the
// text itself (syntax, a key twice in one object) go to p; the node is nil if
// there was nothing to be made of it.
func Parse(name string, text []byte, p *Problems) *Node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &reader{
		file:     &file{name: name, text: text},
		dec:      jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)),
		problems: p,
	}
	n, err := r.value("", 0)
	at := int(r.dec.InputOffset())
	if after := bytes.TrimLeft(text[at:], blanks); err == nil && len(after) > 0 {
		at, err = len(text)-len(after), errMore
	}
	if err != nil {
		r.syntax(at, err)
		return nil
	}
	return n
}

var errMore = errors.New("there is more text after the end of the document")

type reader struct {
	file     *file
	dec      *jsontext.Decoder
	problems *Problems
	open     []*Node // objects and arrays whose end is not read yet
	path     string  // of the value that was begun last
}

// value reads the next value into a node.
func (r *reader) value(path string, depth int) (*Node, error) {
	n := &Node{Path: path, Kind: r.dec.PeekKind(), file: r.file}
	r.path = path
	if n.Kind == '{' || n.Kind == '[' {
		return n, r.container(n, depth+1)
	}
	raw, err := r.dec.ReadValue()
	n.offset = int(r.dec.InputOffset()) - len(raw)
	if n.Raw = raw.Clone(); n.Kind == '"' {
		n.Raw = item.Quote(item.Unquote(raw))
	}
	return n, err
}

// container reads an object or an array.
func (r *reader) container(n *Node, depth int) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.offset = int(r.dec.InputOffset()) - 1
	if depth > deepest {
		return errDeep
	}
	r.open = append(r.open, n)
	names := make(map[string]int) // and where they stand
	for r.dec.PeekKind() != n.Kind+2 {
		var err error
		if n.Kind == '{' {
			err = r.member(n, names, depth)
		} else {
			var e *Node
			e, err = r.value(n.Path+"["+strconv.Itoa(len(n.Elems))+"]", depth)
			n.Elems = append(n.Elems, e)
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	r.open = r.open[:len(r.open)-1]
	n.write()
	return nil
}

// member reads the next member of an object. A name that stands there already is reported,
// and left out with its value.
func (r *reader) member(n *Node, names map[string]int, depth int) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	m := Member{Name: item.Unquote(raw), offset: int(r.dec.InputOffset()) - len(raw)}
	if m.Value, err = r.value(join(n.Path, m.Name), depth); err != nil {
		return err
	}
	if first, ok := names[m.Name]; ok {
		line, _ := r.file.position(first)
		r.problems.add(r.file, m.offset, m.Value.Path, "the key stands twice in one object (first in line %d)", line)
		return nil
	}
	names[m.Name] = m.offset
	n.Members = append(n.Members, m)
	return nil
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

// position returns line and column, both from 1; the column counts bytes.
func (f *file) position(offset int) (line, column int) {
	offset = min(offset, len(f.text))
	before := f.text[:offset]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, offset - bytes.LastIndexByte(before, '\n')
}

// kindName says in words what a node is.
func (n *Node) kindName() string { return item.Noun(byte(n.Kind)) }
