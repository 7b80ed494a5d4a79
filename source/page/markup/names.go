package markup

import (
	"bytes"
	"slices"
)

// Addresses of namespaces that XML itself knows.
const (
	spaceOfXML      = "http://www.w3.org/XML/1998/namespace"
	spaceOfXMLNS    = "http://www.w3.org/2000/xmlns/"
	spaceOfInstance = "http://www.w3.org/2001/XMLSchema-instance"
)

const (
	// Namespaces that are declared at one place of a document.
	maxBindings = 256
	// Bytes of all the names that a document has, each counted once, with what is kept of it.
	maxNames = 8 << 20
	// What is kept of a name beside its text.
	nameCost = 128
)

// A qualifiedName is that of an element or attribute, with its namespace: there is one for each that a document has.
type qualifiedName struct {
	space string

	// As it stands in paths and in JSON: with the prefix of the configuration, of an attribute with @.
	text string

	// Quoted, with a colon behind it.
	json []byte

	// Of text.
	id int32

	// It is always a list.
	list bool
}

// textName is the name of the text beside elements.
//
//nolint:gochecknoglobals // a constant
var textName = &qualifiedName{text: "#text", json: []byte(`"#text":`), id: -1}

// A binding is a prefix and the namespace that it stands for.
type binding struct{ prefix, space string }

// A nameTable has all names of a document.
type nameTable struct {
	options *Options

	// What is declared where the document is read, the innermost last, and how many were before each open element that
	// declares some.
	bindings []binding
	frames   []bindingFrame

	// Which bindings hold: of those of the same number all are the same.
	version, last int

	// By what stands in the document, of elements and of attributes, while the bindings are those.
	elements, others map[string]resolvedName

	// By namespace and text.
	all map[expanded]*qualifiedName

	// By text.
	ids map[string]int32

	// Bytes.
	size int
}

type bindingFrame struct{ depth, bindings, version int }

// A resolvedName is what a text meant at that version of the bindings.
type resolvedName struct {
	name    *qualifiedName
	version int
}

type expanded struct{ space, text string }

func (n *nameTable) reset(options *Options) {
	*n = nameTable{
		options:  options,
		bindings: append(n.bindings[:0], binding{"xml", spaceOfXML}),
		frames:   n.frames[:0],
		elements: map[string]resolvedName{},
		others:   map[string]resolvedName{},
		all:      map[expanded]*qualifiedName{},
		ids:      map[string]int32{},
	}
}

// declare takes what the attributes of the element at hand declare, which is at a depth.
func (n *nameTable) declare(s *scanner, depth int) error {
	for i, a := range s.attributes {
		if !isDeclaration(a.name) {
			continue
		}
		space, err := s.address(a.value)
		if err != nil {
			return err
		}
		prefix := ""
		if len(a.name) > len("xmlns:") {
			prefix = string(a.name[len("xmlns:"):])
		}
		if err := s.mayDeclare(a.name, prefix, space); err != nil {
			return err
		}
		again := slices.ContainsFunc(s.attributes[:i], func(b xmlAttribute) bool { return bytes.Equal(a.name, b.name) })
		if again {
			return s.bad("the attribute %s stands twice in an element", a.name)
		}
		isFirst := len(n.frames) == 0 || n.frames[len(n.frames)-1].depth != depth
		if isFirst {
			n.frames = append(n.frames, bindingFrame{depth, len(n.bindings), n.version})
			n.last++
			n.version = n.last
		}
		if len(n.bindings) == maxBindings {
			return s.bad("more than %d namespaces are declared", maxBindings)
		}
		n.bindings = append(n.bindings, binding{prefix, space})
	}
	return nil
}

// isDeclaration tells whether an attribute declares a namespace.
func isDeclaration(name []byte) bool {
	if !bytes.HasPrefix(name, []byte("xmlns")) {
		return false
	}
	return len(name) == len("xmlns") || name[len("xmlns")] == ':'
}

// mayDeclare says why a prefix cannot stand for a namespace; nil: it can.
func (s *scanner) mayDeclare(name []byte, prefix, space string) error {
	hasPrefix := len(name) > len("xmlns")
	isXML := prefix == "xml"
	switch {
	case hasPrefix && !isName([]byte(prefix)):
		return s.noName(name)
	case hasPrefix && space == "":
		return s.bad("the prefix %s stands for no namespace", prefix)
	case prefix == "xmlns", space == spaceOfXMLNS, isXML != (space == spaceOfXML):
		return s.bad("xml and xmlns stand for other namespaces than their own, or another prefix for those")
	}
	return nil
}

// end forgets what an element at a depth has declared.
func (n *nameTable) end(depth int) {
	last := len(n.frames) - 1
	if last < 0 || n.frames[last].depth != depth {
		return
	}
	f := n.frames[last]
	n.frames = n.frames[:last]
	n.bindings = n.bindings[:f.bindings]
	n.version = f.version
}

// element is the name of an element.
func (n *nameTable) element(s *scanner, raw []byte) (*qualifiedName, error) {
	if k, ok := n.elements[string(raw)]; ok && k.version == n.version {
		return k.name, nil
	}
	space, local, err := n.resolve(s, raw, true)
	if err != nil {
		return nil, err
	}
	return n.keep(s, n.elements, raw, space, n.prefixed(space, local))
}

// attribute is the name of an attribute.
func (n *nameTable) attribute(s *scanner, raw []byte) (*qualifiedName, error) {
	if k, ok := n.others[string(raw)]; ok && k.version == n.version {
		return k.name, nil
	}
	space, local, err := n.resolve(s, raw, false)
	if err != nil {
		return nil, err
	}
	return n.keep(s, n.others, raw, space, "@"+n.prefixed(space, local))
}

// prefixed is a name with the prefix that the configuration gives its namespace.
func (n *nameTable) prefixed(space, local string) string {
	if space != "" {
		if prefix := n.options.prefix(space); prefix != "" {
			return prefix + ":" + local
		}
	}
	return local
}

// keep enters a name.
func (n *nameTable) keep(
	s *scanner, by map[string]resolvedName, raw []byte, space, text string,
) (*qualifiedName, error) {
	key := expanded{space, text}
	m := n.all[key]
	if m == nil {
		id, ok := n.ids[text]
		if !ok {
			id = int32(len(n.ids))
			n.ids[text] = id
		}
		m = &qualifiedName{space: space, text: text, id: id, list: slices.Contains(n.options.Lists, text)}
		m.json = append(quote(nil, text), ':')
		n.all[key] = m
		n.size += nameCost + len(text) + len(space)
	}
	if _, ok := by[string(raw)]; !ok {
		n.size += nameCost + len(raw)
	}
	if n.size > maxNames {
		return nil, s.bad("too many different names of elements and attributes")
	}
	by[string(raw)] = resolvedName{m, n.version}
	return m, nil
}

// resolve is the namespace of a name, and what it is called there.
func (n *nameTable) resolve(s *scanner, raw []byte, isElement bool) (space, local string, err error) {
	prefix, rest, hasPrefix := bytes.Cut(raw, []byte(":"))
	if !hasPrefix {
		if !isName(raw) {
			return "", "", s.noName(raw)
		}
		if isElement {
			space, _ = n.lookUp("")
		}
		return space, string(raw), nil
	}
	if !isName(prefix) || !isName(rest) {
		return "", "", s.noName(raw)
	}
	space, ok := n.lookUp(string(prefix))
	if !ok {
		return "", "", s.bad("the prefix %s is not declared", prefix)
	}
	return space, string(rest), nil
}

// lookUp is the namespace that a prefix stands for.
func (n *nameTable) lookUp(prefix string) (space string, ok bool) {
	for _, b := range slices.Backward(n.bindings) {
		if b.prefix == prefix {
			return b.space, true
		}
	}
	return "", false
}

// noName is the error about what stands where a name should.
func (s *scanner) noName(raw []byte) error {
	const shown = 40
	return s.bad("%.*q is no name", shown, raw)
}
