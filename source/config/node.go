// Package config reads the configuration document: strictly, with every problem at once, each with its
// place. Families (paging methods, authentication types) decode their own options from a [Node].
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

// documentText is the text that nodes point into.
type documentText struct {
	name string
	text []byte

	// Nil until they are needed.
	marks []lineStart

	// The text is not JSON.
	broken bool

	// Of a broken text: the path of the value that was begun last.
	last string

	// See shownValues; nil until they are needed.
	shown map[int]int
}

// deepest bounds how deep a document may be nested, and with it the stack and the length of paths.
const deepest = 100

var errDeep = fmt.Errorf("the document is nested more than %d deep", deepest)

// Parse reads a JSON document, which messages call name. What is wrong goes to p, and the node is nil then.
func Parse(name string, text []byte, p *Problems) *Node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &documentReader{
		file:     &documentText{name: name, text: text},
		dec:      jsontext.NewDecoder(bytes.NewBuffer(text)),
		problems: p,
	}
	n, err := r.value("")
	at := int(r.dec.InputOffset())
	after := bytes.TrimLeft(text[at:], blanks)
	if err == nil && len(after) > 0 {
		at = len(text) - len(after)
		err = errMore
	}
	if err != nil {
		r.syntax(at, err)
		return nil
	}
	return n
}

var errMore = errors.New("there is more text after the end of the document")

type documentReader struct {
	file     *documentText
	dec      *jsontext.Decoder
	problems *Problems

	// Objects and arrays whose end is not read yet.
	open []*Node

	// The path of the value that was begun last.
	path string
}

// value reads the next value into a node.
func (r *documentReader) value(path string) (*Node, error) {
	n := &Node{Path: path, Kind: r.dec.PeekKind(), file: r.file}
	r.path = path
	if n.Kind == '{' || n.Kind == '[' {
		return n, r.container(n)
	}
	raw, err := r.dec.ReadValue()
	n.offset = int(r.dec.InputOffset()) - len(raw)
	n.Raw = raw.Clone()
	if n.Kind == '"' {
		n.Raw = item.Quote(item.Unquote(raw))
	}
	return n, err
}

// container reads an object or an array.
func (r *documentReader) container(n *Node) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.offset = int(r.dec.InputOffset()) - 1
	if len(r.open) == deepest {
		return errDeep
	}
	r.open = append(r.open, n)
	next := r.member
	if n.Kind == '[' {
		next = r.element
	}
	for r.dec.PeekKind() != n.Kind+2 {
		if err := next(n); err != nil {
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

// element reads the next element of an array.
func (r *documentReader) element(n *Node) error {
	e, err := r.value(fmt.Sprintf("%s[%d]", n.Path, len(n.Elems)))
	if err != nil {
		return err
	}
	n.Elems = append(n.Elems, e)
	return nil
}

// member reads the next name of an object and its value.
func (r *documentReader) member(n *Node) error {
	name, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	m := Member{Name: item.Unquote(name), offset: int(r.dec.InputOffset()) - len(name)}
	m.Value, err = r.value(join(n.Path, m.Name))
	if err != nil {
		return err
	}
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
func (f *documentText) position(offset int) (line, column int) {
	offset = min(offset, len(f.text))
	m := f.mark(offset)
	return m.line, offset - m.begin + 1
}

// A lineStart is a place in a text outside strings, from which a line can be read.
type lineStart struct {
	at int

	// The number of its line, from 1.
	line int

	// Where the line begins.
	begin int
}

// mark returns the last mark at or before an offset.
func (f *documentText) mark(offset int) lineStart {
	if f.marks == nil {
		f.marks = marksOf(f.text)
	}
	i, found := slices.BinarySearchFunc(f.marks, offset, func(m lineStart, offset int) int { return m.at - offset })
	if !found {
		i--
	}
	return f.marks[i]
}

// marksOf puts a mark at the beginning of each line, and behind a comma every now and then.
func marksOf(text []byte) []lineStart {
	last := lineStart{line: 1}
	marks := []lineStart{last}
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			last = lineStart{at: i + 1, line: last.line + 1, begin: i + 1}
			marks = append(marks, last)
			inString = false
		case inString && c == '\\':
			// What is escaped does not end the string.
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '"':
			inString = !inString
		case c == ',' && !inString:
			if i-last.at > excerptWidth {
				last.at = i + 1
				marks = append(marks, last)
			}
		}
	}
	return marks
}

// kindName says in words what a node is.
func (n *Node) kindName() string { return item.Noun(byte(n.Kind)) }

// mustBeString reports a node that is there and no string; what says in words which string it must be.
func (n *Node) mustBeString(what string, p *Problems) bool { return n.mustBe('"', what, p) }

func (n *Node) mustBe(kind jsontext.Kind, what string, p *Problems) bool {
	if n != nil && n.Kind != kind {
		p.Errorf(n, "must be %s, not %s", what, n.kindName())
		return false
	}
	return true
}
