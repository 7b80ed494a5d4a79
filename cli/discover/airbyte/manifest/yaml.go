package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"sluice/cli/discover/pattern"
)

// An allowance is how many members aliases and references may still copy.
type allowance struct{ left int }

// take is for members that what stands in a line copies.
func (a *allowance) take(line, members int) error {
	a.left -= members
	if a.left < 0 {
		return tooMany(line)
	}
	return nil
}

func tooMany(line int) error {
	return fmt.Errorf("line %d: aliases and references expand to more than %d values here", line, MaxValues)
}

// readTree reads a manifest: YAML as its platform reads it, or JSON, with all references resolved.
func readTree(manifest []byte) (*Tree, error) {
	var doc yaml.Node
	err := yaml.Unmarshal(manifest, &doc)
	if err != nil && json.Valid(manifest) {
		var spaced bytes.Buffer
		_ = json.Indent(&spaced, manifest, "", " ")
		err = yaml.Unmarshal(spaced.Bytes(), &doc)
	}
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("manifest: it is empty")
	}
	left := &allowance{MaxValues}
	y := reader{done: map[*yaml.Node]*Tree{}, open: map[*yaml.Node]bool{}, left: left}
	root, err := y.tree(doc.Content[0], 0)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if root.Object() == nil {
		return nil, errors.New("manifest: it is no object")
	}
	r := resolver{
		root: root, done: map[*Tree]*Tree{}, open: map[string]bool{},
		extents: map[*Tree]extent{}, left: left,
	}
	root, err = r.resolve(root, 0)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return root, nil
}

// A reader makes trees of the nodes of a YAML document; what an alias stands for is made once.
type reader struct {
	done map[*yaml.Node]*Tree
	open map[*yaml.Node]bool
	left *allowance
}

func (y reader) tree(n *yaml.Node, depth int) (*Tree, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if t := y.done[n]; t != nil {
		return t, nil
	}
	if y.open[n] {
		return nil, fmt.Errorf("line %d: an alias contains itself", n.Line)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("line %d: it is nested deeper than %d", n.Line, maxDepth)
	}
	y.open[n] = true
	value, err := y.value(n, depth)
	delete(y.open, n)
	if err != nil {
		return nil, err
	}
	t := &Tree{line: n.Line, Value: value}
	y.done[n] = t
	return t, nil
}

func (y reader) value(n *yaml.Node, depth int) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return y.mapping(n, depth)
	case yaml.SequenceNode:
		all := make([]*Tree, 0, len(n.Content))
		for _, e := range n.Content {
			t, err := y.tree(e, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
		return all, nil
	default:
		return scalar(n), nil
	}
}

// mapping is an object: what << merges first, its own members over them.
func (y reader) mapping(n *yaml.Node, depth int) (*Object, error) {
	own, merged := newObject(), newObject()
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: the name of a member is no text", key.Line)
		}
		value, err := y.tree(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if key.ShortTag() != "!!merge" {
			own.set(key.Value, value)
			continue
		}
		if err := y.merge(merged, value, key.Line); err != nil {
			return nil, err
		}
	}
	if len(merged.names) == 0 {
		return own, nil
	}
	for _, name := range own.names {
		merged.set(name, own.Members[name])
	}
	return merged, nil
}

// merge adds the members of what << names in a line, the first of several wins.
func (y reader) merge(into *Object, from *Tree, line int) error {
	if all, ok := from.Value.([]*Tree); ok {
		for _, t := range all {
			if err := y.mergeObject(into, t, line); err != nil {
				return err
			}
		}
		return nil
	}
	return y.mergeObject(into, from, line)
}

func (y reader) mergeObject(into *Object, from *Tree, line int) error {
	o := from.Object()
	if o == nil {
		return fmt.Errorf("line %d: << wants objects", from.line)
	}
	if err := y.left.take(line, len(o.names)); err != nil {
		return err
	}
	for _, name := range o.names {
		if into.Members[name] == nil {
			into.set(name, o.Members[name])
		}
	}
	return nil
}

// Words that YAML 1.1 takes for booleans, beside true and false.
var booleans = map[string]bool{
	"yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

// jsonNumber is a number that JSON writes in the same way.
var jsonNumber = pattern.Lazy(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// scalar is a value without members. What YAML 1.1 has for a time stays a text.
func scalar(n *yaml.Node) any {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	const marked = quoted | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	if n.Style&marked == 0 {
		if b, ok := booleans[n.Value]; ok {
			return b
		}
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		return number(n)
	default:
		return n.Value
	}
}

func number(n *yaml.Node) any {
	// YAML 1.1 wants a point in a fraction.
	if n.ShortTag() == "!!float" && !strings.Contains(n.Value, ".") {
		return n.Value
	}
	if jsonNumber().MatchString(n.Value) {
		return json.Number(n.Value)
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return n.Value
	}
	digits := fmt.Sprint(value)
	if !jsonNumber().MatchString(digits) {
		return n.Value
	}
	return json.Number(digits)
}
