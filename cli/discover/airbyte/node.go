package airbyte

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A document is a manifest that is being converted.
type document struct {
	root  *node
	nodes int
}

// read reads a manifest.
func read(manifest []byte) (*document, error) {
	t, err := readTree(manifest)
	if err != nil {
		return nil, err
	}
	d := &document{}
	d.root = d.node(t, surroundings{implied: "DeclarativeSource"})
	return d, nil
}

// err says that the manifest is not whole: it has more places than are looked at.
func (d *document) err() error {
	if d.nodes < maxNodes {
		return nil
	}
	return errors.New("manifest: its references make it too large")
}

// A node is a value of the manifest at the place where it is used: references are resolved, parameters of the
// components around it hold, and types that the place implies are there. It keeps which of its members somebody
// has looked at.
type node struct {
	// place is the path from the root, such as streams[2].retriever.requester; line is that of the manifest.
	place string
	line  int

	// value is nil, a bool, a number (json.Number, as the manifest has its digits) or a string; of an object
	// and of a list, see isObject and isList, it is not for use.
	value any

	// parameters are those that hold here: what templates call parameters.
	parameters map[string]*tree

	document *document
	tree     *tree

	// typed is the type of a component; empty: it is none.
	typed string

	// passed are the parameters that components below an object or a list have.
	passed map[string]*tree

	// around is the type of the component, and the member of it, that elements of a list stand in.
	around string

	children map[string]*node
	items    []*node

	// seen tells that somebody has looked at it, known that nothing below it is left to look at.
	seen, known bool
}

// surroundings are what a place gives to the value there.
type surroundings struct {
	place string

	// parameters are those of the component around, passed those that a component at the place gets.
	parameters, passed map[string]*tree

	// around is component.member, implied the type of an object that has none of its own.
	around, implied string
}

// node makes the node of a value at a place; nil where the manifest has too many.
func (d *document) node(t *tree, at surroundings) *node {
	if d.nodes >= maxNodes {
		return nil
	}
	d.nodes++
	n := &node{
		place: at.place, line: t.line, value: t.value, document: d, tree: t,
		parameters: at.parameters, passed: at.passed, around: at.around,
	}
	o := t.object()
	if o == nil {
		return n
	}
	n.passed = with(at.passed, o.members["$parameters"])
	if isSchema(o) {
		n.passed = nil
		return n
	}
	n.typed = o.members["type"].string()
	if n.typed == "" {
		n.typed = at.implied
		if o.members["class_name"] != nil {
			n.typed = customTypes[at.around]
		}
	}
	if n.typed != "" {
		n.parameters = n.passed
	}
	return n
}

// isSchema tells a JSON schema, to which no parameters come.
func isSchema(o *object) bool {
	t := o.members["type"]
	if t == nil {
		return false
	}
	if list, ok := t.value.([]*tree); ok {
		return len(list) == 2 && list[0].string() == "null" && list[1].string() == "object"
	}
	return t.string() == "object"
}

// with is the parameters of a component: those from outside, and over them its own.
func with(outer map[string]*tree, own *tree) map[string]*tree {
	o := own.object()
	if o == nil {
		return outer
	}
	all := make(map[string]*tree, len(outer)+len(o.names))
	for name, value := range outer {
		all[name] = value
	}
	for _, name := range o.names {
		all[name] = o.members[name]
	}
	return all
}

// without is the parameters but for one.
func without(all map[string]*tree, name string) map[string]*tree {
	if all[name] == nil {
		return all
	}
	rest := make(map[string]*tree, len(all))
	for other, value := range all {
		if other != name {
			rest[other] = value
		}
	}
	return rest
}

// isObject tells an object, a component or not; isList a list.
func (n *node) isObject() bool { return n != nil && n.tree.object() != nil }

func (n *node) isList() bool {
	if n == nil {
		return false
	}
	_, ok := n.tree.value.([]*tree)
	return ok
}

// get is a member, its own or else that of the parameters, and notes that somebody has looked at it; nil: there
// is none, or it is null. A nil node has no members.
func (n *node) get(name string) *node {
	c := n.peek(name)
	if c != nil {
		c.seen = true
	}
	return c
}

// peek is get, but the member does not count as looked at.
func (n *node) peek(name string) *node {
	if !n.isObject() {
		return nil
	}
	if c := n.children[name]; c != nil {
		return c
	}
	t := n.tree.member(name)
	p := n.parameters[name]
	isGiven := n.typed != "" && p != nil
	if isGiven && t.isFalsy() {
		t = p
	}
	if t == nil || t.value == nil {
		return nil
	}
	return n.child(name, t)
}

// child makes the node of a member.
func (n *node) child(name string, t *tree) *node {
	at := surroundings{place: join(n.place, name), parameters: n.parameters, passed: n.passed}
	if n.typed != "" {
		at.passed = without(n.passed, name)
		at.around = n.typed + "." + name
		at.implied = impliedTypes[at.around]
	}
	c := n.document.node(t, at)
	if c == nil {
		return nil
	}
	if n.children == nil {
		n.children = map[string]*node{}
	}
	n.children[name] = c
	return c
}

// join is a place below another.
func join(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}

// kind is the type of a component; empty: it has none.
func (n *node) kind() string {
	if n == nil {
		return ""
	}
	return n.typed
}

// text is a string as it stands, or the text of a number or boolean; empty for all else, and for nil.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	switch v := n.value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return printed(v)
	default:
		return ""
	}
}

// truth is a boolean as it stands, or the text of one; byDefault where there is none.
func (n *node) truth(byDefault bool) bool {
	switch strings.ToLower(n.text()) {
	case "true", "1", "yes", "on", "t", "y":
		return true
	case "false", "0", "no", "off", "f", "n":
		return false
	default:
		return byDefault
	}
}

// elements are those of a list; a lone value is a list of one, nil has none.
func (n *node) elements() []*node {
	if n == nil {
		return nil
	}
	list, ok := n.tree.value.([]*tree)
	if !ok {
		return []*node{n}
	}
	if n.items != nil {
		return n.items
	}
	for i, t := range list {
		at := surroundings{
			place: fmt.Sprintf(
				"%s[%d]",
				n.place,
				i,
			), parameters: n.parameters, passed: n.passed, around: n.around,
			implied: impliedTypes[n.around],
		}
		e := n.document.node(t, at)
		if e == nil {
			return nil
		}
		e.seen = true
		n.items = append(n.items, e)
	}
	return n.items
}

// members are those of an object in order, by name; all of them count as looked at.
func (n *node) members() []member {
	if !n.isObject() {
		return nil
	}
	// A parameter may be called type, too.
	_, isComponent := knownMembers[n.typed]
	var all []member
	for _, name := range n.tree.object().names {
		isParameters := name == "$parameters" && n.typed != ""
		isType := name == "type" && isComponent
		if isParameters || isType {
			continue
		}
		if c := n.get(name); c != nil {
			all = append(all, member{name, c})
		}
	}
	return all
}

// silent are members of components that say what they are.
var silent = []string{"type", "$parameters"}

// A member is a name and a value.
type member struct {
	name  string
	value *node
}

// ignore notes that members are known and change nothing about requests and items.
func (n *node) ignore(names ...string) {
	for _, name := range names {
		n.get(name).know()
	}
}

// know notes that the node is understood whole, with all below it.
func (n *node) know() {
	if n != nil {
		n.seen, n.known = true, true
	}
}

// unread are the nodes below n that nobody has looked at, but for members that the platform ignores, too.
func (n *node) unread() []*node {
	if n == nil || n.known {
		return nil
	}
	var all []*node
	if n.isList() {
		for _, e := range n.items {
			all = append(all, e.unread()...)
		}
		if n.items == nil {
			all = append(all, n.elements()...)
		}
		return all
	}
	o := n.tree.object()
	if o == nil {
		return nil
	}
	for _, name := range o.names {
		if slices.Contains(silent, name) || !isKnown(n.typed, name) {
			continue
		}
		c := n.peek(name)
		switch {
		case c == nil:
		case !c.seen:
			all = append(all, c)
		default:
			all = append(all, c.unread()...)
		}
	}
	return all
}
