package openapi

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v3"
	"sluice/cli/discover/escape"
)

// Bounds of a document. Large public ones have 40 MiB, two million values, and are 30 deep.
const (
	maxBytes  = 64 << 20
	maxYAML   = 32 << 20
	maxValues = 4 << 20
	maxDepth  = 200

	// mostLooks is how many members of schemas are looked at, where all references are followed.
	mostLooks = 8 << 20
)

// parse reads a text, as JSON or else as YAML.
func parse(text []byte) (*documentNode, error) {
	// Some editors on Windows write it.
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) > maxBytes {
		return nil, faultf("the document has %d bytes, and at most %d are allowed", len(text), maxBytes)
	}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, faultf("it is empty")
	}
	if trimmed[0] == '<' {
		return nil, faultf("this is a page for a browser: fetch the document that it shows, often openapi.json beside it")
	}
	if trimmed[0] == '{' && json.Valid(text) {
		return readJSON(text)
	}
	if len(text) > maxYAML {
		return nil, faultf("the document has %d bytes, and as YAML at most %d are allowed", len(text), maxYAML)
	}
	document, err := escape.Unmarshal(text)
	if err != nil {
		return nil, faultf("this is neither JSON nor YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return nil, faultf("it is empty")
	}
	y := yamlReader{known: map[*yaml.Node]*documentNode{}, open: map[*yaml.Node]bool{}, left: maxValues}
	return y.read(document.Content[0], 0)
}

// A jsonReader makes nodes of a text of JSON.
type jsonReader struct {
	text    []byte
	decoder *json.Decoder
	left    int

	// line is that of the place at.
	line, at int
}

func readJSON(text []byte) (*documentNode, error) {
	r := &jsonReader{text: text, decoder: json.NewDecoder(bytes.NewReader(text)), left: maxValues, line: 1}
	r.decoder.UseNumber()
	return r.read(0)
}

// token is the next one. The text is valid.
func (r *jsonReader) token() json.Token {
	t, err := r.decoder.Token()
	to := int(r.decoder.InputOffset())
	if err == nil && to > r.at {
		r.line += bytes.Count(r.text[r.at:to], []byte("\n"))
		r.at = to
	}
	return t
}

// read reads the next value.
func (r *jsonReader) read(depth int) (*documentNode, error) {
	token := r.token()
	r.left--
	if err := bounded(r.line, depth, r.left); err != nil {
		return nil, err
	}
	n := &documentNode{line: r.line}
	delim, isDelim := token.(json.Delim)
	if !isDelim {
		n.set(token)
		return n, nil
	}
	n.is = byte(delim)
	for r.decoder.More() {
		if delim == '{' {
			name, _ := r.token().(string)
			n.names = append(n.names, name)
		}
		value, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		n.values = append(n.values, value)
	}
	r.token()
	return n, nil
}

// bounded is an error where a document is too deep or too large.
func bounded(line, depth, left int) error {
	switch {
	case depth > maxDepth:
		return faultf("line %d: it is nested deeper than %d", line, maxDepth)
	case left < 0:
		return faultf("line %d: the document has more than %d values", line, maxValues)
	}
	return nil
}

// A yamlReader makes nodes of those of a YAML document. What an alias stands for is made once.
type yamlReader struct {
	known map[*yaml.Node]*documentNode
	open  map[*yaml.Node]bool
	left  int
}

func (y *yamlReader) read(from *yaml.Node, depth int) (*documentNode, error) {
	if from.Kind == yaml.AliasNode {
		from = from.Alias
	}
	if n := y.known[from]; n != nil {
		return n, nil
	}
	y.left--
	err := bounded(from.Line, depth, y.left)
	if err == nil && y.open[from] {
		err = faultf("line %d: an alias contains itself", from.Line)
	}
	if err != nil {
		return nil, err
	}
	y.open[from] = true
	defer delete(y.open, from)
	n := &documentNode{line: from.Line}
	switch from.Kind {
	case yaml.MappingNode:
		err = y.members(n, from, depth)
	case yaml.SequenceNode:
		n.is = '['
		err = y.elements(n, from, depth)
	default:
		n.is, n.text = kindOf(from), from.Value
	}
	y.known[from] = n
	return n, err
}

func (y *yamlReader) elements(n *documentNode, from *yaml.Node, depth int) error {
	for _, e := range from.Content {
		value, err := y.read(e, depth+1)
		if err != nil {
			return err
		}
		n.values = append(n.values, value)
	}
	return nil
}

// members reads those of an object. What << merges does not replace its own.
func (y *yamlReader) members(n *documentNode, from *yaml.Node, depth int) error {
	n.is = '{'
	var merged []*documentNode
	for i := 0; i+1 < len(from.Content); i += 2 {
		key := from.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return faultf("line %d: the name of a member is no text", key.Line)
		}
		value, err := y.read(from.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		switch {
		case key.ShortTag() != "!!merge":
			n.names, n.values = append(n.names, key.Value), append(n.values, value)
		case value.is == '[':
			merged = append(merged, value.values...)
		default:
			merged = append(merged, value)
		}
	}
	return y.merge(n, merged)
}

// merge adds the members of others that are not there yet.
func (y *yamlReader) merge(n *documentNode, others []*documentNode) error {
	isThere := map[string]bool{}
	for _, name := range n.names {
		isThere[name] = true
	}
	for _, other := range others {
		y.left -= len(other.names)
		if err := bounded(other.line, 0, y.left); err != nil {
			return err
		}
		for i, name := range other.names {
			if !isThere[name] {
				n.with(name, other.values[i])
				isThere[name] = true
			}
		}
	}
	return nil
}

// kindOf is the kind of a scalar.
func kindOf(n *yaml.Node) byte {
	switch n.ShortTag() {
	case "!!null":
		return 'n'
	case "!!bool":
		return 't'
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return '0'
		}
	}
	return '"'
}
