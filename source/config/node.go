// Package config reads the configuration document: strictly, with every problem
// at once, each with its JSON path, line and column. It knows the members that
// all configurations share; families (paging methods, authentication types)
// decode their own options from the [Node] that they are given.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
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
		text, _ := jsontext.AppendUnquote(nil, n.Raw) // the parser has validated it
		return string(text)
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

// file is the text that nodes point into.
type file struct {
	name string
	text []byte
}

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
	n, err := r.value("")
	if err == nil {
		_, err = r.dec.ReadToken()
		if err == nil {
			err = errors.New("more text after the document")
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		p.syntax(r.file, r.dec, err)
		return nil
	}
	return n
}

type reader struct {
	file     *file
	dec      *jsontext.Decoder
	problems *Problems
}

// start returns the offset of the token that was just read, of the given raw length.
func (r *reader) start() int {
	at := int(r.dec.InputOffset())
	return at
}

func (r *reader) value(path string) (*Node, error) {
	n := &Node{Path: path, file: r.file}
	switch kind := r.dec.PeekKind(); kind {
	case '{':
		return n, r.object(n)
	case '[':
		return n, r.array(n)
	default:
		raw, err := r.dec.ReadValue()
		if err != nil {
			return nil, err
		}
		n.offset = r.start() - len(raw)
		n.Kind = kind
		n.Raw = bytes.Clone(raw)
		if kind == '"' {
			text, err := jsontext.AppendUnquote(nil, raw)
			if err != nil {
				return nil, err
			}
			n.Raw, _ = jsontext.AppendQuote(nil, text) // valid UTF-8, as just read
		}
		return n, nil
	}
}

func (r *reader) object(n *Node) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.Kind, n.offset = '{', r.start()-1
	raw := []byte{'{'}
	seen := make(map[string]int)
	for r.dec.PeekKind() != '}' {
		name, err := r.dec.ReadValue()
		if err != nil {
			return err
		}
		at := r.start() - len(name)
		text, err := jsontext.AppendUnquote(nil, name)
		if err != nil {
			return err
		}
		m := Member{Name: string(text), offset: at}
		if m.Value, err = r.value(join(n.Path, m.Name)); err != nil {
			return err
		}
		if first, twice := seen[m.Name]; twice {
			line, _ := r.file.position(n.Members[first].offset)
			r.problems.add(r.file, at, m.Value.Path, "the key stands twice in one object (first in line %d)", line)
			continue
		}
		seen[m.Name] = len(n.Members)
		n.Members = append(n.Members, m)
		if len(n.Members) > 1 {
			raw = append(raw, ',')
		}
		raw, _ = jsontext.AppendQuote(raw, m.Name)
		raw = append(append(raw, ':'), m.Value.Raw...)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.Raw = append(raw, '}')
	return nil
}

func (r *reader) array(n *Node) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.Kind, n.offset = '[', r.start()-1
	raw := []byte{'['}
	for r.dec.PeekKind() != ']' {
		e, err := r.value(n.Path + "[" + strconv.Itoa(len(n.Elems)) + "]")
		if err != nil {
			return err
		}
		if n.Elems = append(n.Elems, e); len(n.Elems) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, e.Raw...)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.Raw = append(raw, ']')
	return nil
}

// join appends a member name to a path.
func join(path, name string) string {
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
func (n *Node) kindName() string {
	switch n.Kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	}
	return "null"
}

// String describes the node for messages: its path.
func (n *Node) String() string { return fmt.Sprintf("%s (%s)", n.Path, n.kindName()) }
