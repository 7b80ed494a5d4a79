// Package manifest reads the document: YAML or JSON, references and parameters resolved, each value with its place
// and with whether somebody has looked at it; and the values that the user has given for its spec.
package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
)

// As is a node with another text, at the same place.
func (n *Section) As(text string) *Section {
	return &Section{
		Place: n.Place, Line: n.Line, Value: text, document: n.document,
		tree: &Tree{line: n.Line, Value: text}, Parameters: n.Parameters, seen: true,
	}
}

// A Manifest is one that is being converted.
type Manifest struct {
	Root  *Section
	nodes int
}

// Read reads a manifest.
func Read(manifest []byte) (*Manifest, error) {
	t, err := fault.Result(func() *Tree { return readTree(manifest) })
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	d := &Manifest{}
	d.Root = d.node(t, position{around: memberRule{implied: "DeclarativeSource"}})
	return d, nil
}

// Err says that the manifest is not whole: it has more places than are looked at.
func (d *Manifest) Err() error {
	if d.nodes < maxNodes {
		return nil
	}
	return fmt.Errorf("manifest: aliases and references expand to more than %d values that are used", maxNodes)
}

// A Section is a value of the manifest at the place where it is used: references are resolved, parameters of the
// components around it hold, and types that the place implies are there. It keeps which of its members somebody
// has looked at.
type Section struct {
	// Place is the path from the root, such as streams[2].retriever.requester; line is that of the manifest.
	Place string
	Line  int

	// Value is nil, a bool, a number (json.Number, as the manifest has its digits) or a string; of an object
	// and of a list, see isObject and isList, it is not for use.
	Value any

	// Parameters are those that hold here: what templates call parameters.
	Parameters map[string]*Tree

	document *Manifest
	tree     *Tree

	// typed is the type of a component; empty: it is none.
	typed string

	// passed are the parameters that components below an object or a list have.
	passed map[string]*Tree

	// around says of which type elements of a list are that say none.
	around memberRule

	children map[string]*Section
	items    []*Section

	// seen tells that somebody has looked at it, known that nothing below it is left to look at.
	seen, known bool
}

// A position is what a place gives to the value there.
type position struct {
	place string

	// parameters are those of the component around, passed those that a component at the place gets.
	parameters, passed map[string]*Tree

	// around says of which type an object is that says none.
	around memberRule
}

// node makes the node of a value at a place; nil where the manifest has too many.
func (d *Manifest) node(t *Tree, at position) *Section {
	if d.nodes >= maxNodes {
		return nil
	}
	d.nodes++
	n := &Section{
		Place: at.place, Line: t.line, Value: t.Value, document: d, tree: t,
		Parameters: at.parameters, passed: at.passed, around: at.around,
	}
	o := t.Object()
	if o == nil {
		return n
	}
	n.passed = with(at.passed, o.Members["$parameters"])
	if isSchema(o) {
		n.passed = nil
		return n
	}
	n.typed = o.Members["type"].string()
	if n.typed == "" {
		n.typed = at.around.implied
		if o.Members["class_name"] != nil {
			n.typed = at.around.custom
		}
	}
	if n.typed != "" {
		n.Parameters = n.passed
	}
	return n
}

// isSchema tells a JSON schema, to which no parameters come.
func isSchema(o *Mapping) bool {
	t := o.Members["type"]
	if t == nil {
		return false
	}
	if list, ok := t.Value.([]*Tree); ok {
		return len(list) == 2 && list[0].string() == "null" && list[1].string() == "object"
	}
	return t.string() == "object"
}

// with is the parameters of a component: those from outside, and over them its own.
func with(outer map[string]*Tree, own *Tree) map[string]*Tree {
	o := own.Object()
	if o == nil {
		return outer
	}
	all := maps.Clone(o.Members)
	for name, value := range outer {
		if all[name] == nil {
			all[name] = value
		}
	}
	return all
}

// without is the parameters but for one.
func without(all map[string]*Tree, name string) map[string]*Tree {
	if all[name] == nil {
		return all
	}
	rest := maps.Clone(all)
	delete(rest, name)
	return rest
}

// IsObject tells an object, a component or not.
func (n *Section) IsObject() bool { return n != nil && n.tree.Object() != nil }

// IsList tells a list.
func (n *Section) IsList() bool {
	_, ok := n.list()
	return ok
}

func (n *Section) list() (all []*Tree, ok bool) {
	if n == nil {
		return nil, false
	}
	all, ok = n.tree.Value.([]*Tree)
	return all, ok
}

// Get is a member, its own or else that of the parameters, and notes that somebody has looked at it; nil: there
// is none, or it is null. A nil node has no members.
func (n *Section) Get(name string) *Section {
	c := n.Peek(name)
	if c != nil {
		c.seen = true
	}
	return c
}

// Peek is get, but the member does not count as looked at.
func (n *Section) Peek(name string) *Section {
	if !n.IsObject() {
		return nil
	}
	if c := n.children[name]; c != nil {
		return c
	}
	t := n.tree.member(name)
	p := n.Parameters[name]
	if n.typed != "" && p != nil && t.isFalsy() {
		t = p
	}
	if t == nil || t.Value == nil {
		return nil
	}
	return n.child(name, t)
}

// child makes the node of a member.
func (n *Section) child(name string, t *Tree) *Section {
	at := position{place: Join(n.Place, name), parameters: n.Parameters, passed: n.passed}
	if n.typed != "" {
		at.passed = without(n.passed, name)
		at.around = typeOf(n.typed, name)
	}
	c := n.document.node(t, at)
	if c == nil {
		return nil
	}
	if n.children == nil {
		n.children = map[string]*Section{}
	}
	n.children[name] = c
	return c
}

// Join is a place below another.
func Join(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}

// Kind is the type of a component; empty: it has none.
func (n *Section) Kind() string {
	if n == nil {
		return ""
	}
	return n.typed
}

// Text is a string as it stands, or the text of a number or boolean; empty for all else, and for nil.
func (n *Section) Text() string {
	if n == nil {
		return ""
	}
	switch v := n.Value.(type) {
	case string, bool, json.Number:
		return python.Printed(v)
	}
	return ""
}

// Truth is a boolean as it stands, or the text of one; byDefault where there is none.
func (n *Section) Truth(byDefault bool) bool {
	switch strings.ToLower(n.Text()) {
	case "true", "1", "yes", "on", "t", "y":
		return true
	case "false", "0", "no", "off", "f", "n":
		return false
	default:
		return byDefault
	}
}

// Elements are those of a list; a lone value is a list of one, nil has none.
func (n *Section) Elements() []*Section {
	list, ok := n.list()
	switch {
	case n == nil:
		return nil
	case !ok:
		return []*Section{n}
	case n.items != nil:
		return n.items
	}
	for i, t := range list {
		place := fmt.Sprintf("%s[%d]", n.Place, i)
		e := n.document.node(t, position{place, n.Parameters, n.passed, n.around})
		if e == nil {
			return nil
		}
		e.seen = true
		n.items = append(n.items, e)
	}
	return n.items
}

// Texts are those of the elements.
func (n *Section) Texts() (all []string) {
	for _, e := range n.Elements() {
		all = append(all, e.Text())
	}
	return all
}

// Members are those of an object in order, by name; all of them count as looked at.
func (n *Section) Members() []Entry {
	if !n.IsObject() {
		return nil
	}
	// A parameter may be called type, too.
	c, isComponent := components()[n.typed]
	isComponent = isComponent && !c.isOpen
	var all []Entry
	for _, name := range n.tree.Object().names {
		if name == "$parameters" && n.typed != "" || name == "type" && isComponent {
			continue
		}
		if c := n.Get(name); c != nil {
			all = append(all, Entry{name, c})
		}
	}
	return all
}

// silent are members of components that say what they are.
var silent = []string{"type", "$parameters"}

// An Entry is a name and a value.
type Entry struct {
	Name  string
	Value *Section
}

// Ignore notes that members are known and change nothing about requests and items.
func (n *Section) Ignore(names ...string) {
	for _, name := range names {
		n.Get(name).Know()
	}
}

// Know notes that the node is understood whole, with all below it.
func (n *Section) Know() {
	if n != nil {
		n.seen, n.known = true, true
	}
}

// Unread are the nodes below n that nobody has looked at, but for members that the platform ignores, too.
func (n *Section) Unread() []*Section {
	if n == nil || n.known {
		return nil
	}
	var all []*Section
	if n.IsList() && n.items == nil {
		return n.Elements()
	}
	for _, e := range n.items {
		all = append(all, e.Unread()...)
	}
	for _, name := range n.Names() {
		if slices.Contains(silent, name) || isIgnored(n.typed, name) {
			continue
		}
		c := n.Peek(name)
		switch {
		case c == nil:
		case !c.seen:
			all = append(all, c)
		default:
			all = append(all, c.Unread()...)
		}
	}
	return all
}

// Plain is the value of the manifest below a node as encoding/json has it.
func (n *Section) Plain(budget *int) any {
	if n == nil {
		return nil
	}
	return n.tree.Plain(budget)
}

// Names are those of an object's members, in order; none of them counts as looked at.
func (n *Section) Names() []string {
	if !n.IsObject() {
		return nil
	}
	return n.tree.Object().names
}

// Mentions tells whether a text within a node, or the name of a member, has a word in it.
func (n *Section) Mentions(word string) bool { return n != nil && n.tree.mentions(word) }

// Added are the parameters that become members of an object with a member called type, or of one in it: Airbyte
// takes it for a component.
func (n *Section) Added() (at *Section, names []string) {
	if !n.IsObject() {
		return nil, nil
	}
	isTyped := n.typed != ""
	if isTyped && len(n.passed) > 0 {
		return n, slices.Sorted(maps.Keys(n.passed))
	}
	for _, name := range n.tree.Object().names {
		inner := n.Peek(name)
		all := []*Section{inner}
		if inner.IsList() {
			all = inner.Elements()
		}
		for _, e := range all {
			if !isTyped && (e.Kind() == "" || inner.IsList()) {
				continue
			}
			if at, names := e.Added(); at != nil {
				return at, names
			}
		}
	}
	return nil, nil
}

// ClassName is what a component that is code is called.
func ClassName(n *Section) string {
	if class := n.Peek("class_name").Text(); class != "" {
		return class
	}
	return n.Kind()
}
