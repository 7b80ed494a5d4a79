package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/escape"
	"sluice/pipeline/pattern"
)

// readTree reads a manifest: YAML as its platform reads it, or JSON, with all references resolved.
func readTree(manifest []byte) *Tree {
	doc, err := escape.Unmarshal(manifest)
	if err != nil && json.Valid(manifest) {
		var spaced bytes.Buffer
		_ = json.Indent(&spaced, manifest, "", " ")
		doc, err = escape.Unmarshal(spaced.Bytes())
	}
	fault.Check(err)
	fault.If(len(doc.Content) == 0, "it is empty")
	left := &allowance{MaxValues}
	y := treeReader{done: map[*yaml.Node]*Tree{}, open: map[*yaml.Node]bool{}, left: left}
	root := y.tree(doc.Content[0], 0)
	fault.If(root.Object() == nil, "it is not an object")
	r := referenceResolver{
		root: root, done: map[*Tree]*Tree{}, open: map[string]bool{},
		extents: map[*Tree]expandedSize{}, left: left,
	}
	return r.resolve(root, 0)
}

// An allowance is how many members aliases and references may still copy.
type allowance struct{ left int }

// take is for members that what stands in a line copies.
func (a *allowance) take(line, members int) {
	a.left -= members
	if a.left < 0 {
		panic(tooMany(line))
	}
}

func tooMany(line int) fault.Fault {
	return fault.New("line %d: aliases and references expand to more than %d values here", line, MaxValues)
}

// shallow ends the reading of what is nested too deep.
func shallow(line, depth int) {
	fault.If(depth > maxDepth, "line %d: it is nested deeper than %d", line, maxDepth)
}

// A treeReader makes trees of the nodes of a YAML document; what an alias stands for is made once.
type treeReader struct {
	done map[*yaml.Node]*Tree
	open map[*yaml.Node]bool
	left *allowance
}

func (y treeReader) tree(n *yaml.Node, depth int) *Tree {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if t := y.done[n]; t != nil {
		return t
	}
	fault.If(y.open[n], "line %d: an alias contains itself", n.Line)
	shallow(n.Line, depth)
	y.open[n] = true
	t := &Tree{line: n.Line, Value: y.value(n, depth)}
	delete(y.open, n)
	y.done[n] = t
	return t
}

func (y treeReader) value(n *yaml.Node, depth int) any {
	switch n.Kind {
	case yaml.MappingNode:
		return y.mapping(n, depth)
	case yaml.SequenceNode:
		all := make([]*Tree, len(n.Content))
		for i, e := range n.Content {
			all[i] = y.tree(e, depth+1)
		}
		return all
	}
	return scalar(n)
}

// mapping is an object: what << merges first, its own members over them.
func (y treeReader) mapping(n *yaml.Node, depth int) *Mapping {
	own, merged := newObject(), newObject()
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		fault.If(key.Kind != yaml.ScalarNode, "line %d: the name of a member is not a text", key.Line)
		value := y.tree(n.Content[i+1], depth+1)
		if key.ShortTag() != "!!merge" {
			own.set(key.Value, value)
			continue
		}
		// The first of several wins.
		several, ok := value.Value.([]*Tree)
		if !ok {
			several = []*Tree{value}
		}
		for _, t := range several {
			y.merge(merged, t, key.Line)
		}
	}
	merged.setAll(own)
	return merged
}

// merge adds the members of what << names in a line, but for those that are there.
func (y treeReader) merge(into *Mapping, from *Tree, line int) {
	o := from.Object()
	fault.If(o == nil, "line %d: << wants objects", from.line)
	y.left.take(line, len(o.names))
	for _, name := range o.names {
		if into.Members[name] == nil {
			into.set(name, o.Members[name])
		}
	}
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
	if b, ok := booleans[n.Value]; ok && n.Style&marked == 0 {
		return b
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		return number(n)
	}
	return n.Value
}

func number(n *yaml.Node) any {
	digits := n.Value
	var value any
	isOdd := !jsonNumber().MatchString(digits)
	if isOdd && n.Decode(&value) == nil {
		digits = fmt.Sprint(value)
	}
	// YAML 1.1 wants a point in a fraction.
	isText := n.ShortTag() == "!!float" && !strings.Contains(n.Value, ".")
	if isText || !jsonNumber().MatchString(digits) {
		return n.Value
	}
	return json.Number(digits)
}

// An expandedSize is how far a tree without references extends where all is written out.
type expandedSize struct {
	// height is that of the levels below it, values counts it and all below it.
	height, values int
}

// add adds what stands in a tree.
func (e *expandedSize) add(below expandedSize) {
	e.height = max(e.height, below.height+1)
	e.values += below.values
}

// A referenceResolver replaces references, each once.
type referenceResolver struct {
	root    *Tree
	done    map[*Tree]*Tree
	extents map[*Tree]expandedSize

	// open are the references that are being resolved.
	open map[string]bool
	left *allowance
}

// resolve is a tree without references. Extents bound what references and aliases make deep and large.
func (r *referenceResolver) resolve(t *Tree, depth int) *Tree {
	if done := r.done[t]; done != nil {
		shallow(t.line, depth+r.extents[done].height)
		return done
	}
	shallow(t.line, depth)
	done, all := t, expandedSize{values: 1}
	switch v := t.Value.(type) {
	case *Mapping:
		done, all = r.object(t, v, depth)
	case []*Tree:
		list := make([]*Tree, len(v))
		for i, e := range v {
			list[i] = r.resolve(e, depth+1)
			all.add(r.extents[list[i]])
		}
		done = &Tree{line: t.line, Value: list}
	case string:
		if path, isReference := strings.CutPrefix(v, "#/"); isReference {
			done = r.referred(t, path, depth)
			all = r.extents[done]
		}
	}
	if all.values > MaxValues {
		panic(tooMany(t.line))
	}
	r.done[t], r.extents[done] = done, all
	return done
}

// object is one with the members of what it refers to, its own over them.
func (r *referenceResolver) object(t *Tree, v *Mapping, depth int) (*Tree, expandedSize) {
	own := newObject()
	all := expandedSize{values: 1}
	for _, name := range v.names {
		if name != "$ref" {
			done := r.resolve(v.Members[name], depth+1)
			all.add(r.extents[done])
			own.set(name, done)
		}
	}
	if v.Members["$ref"] == nil {
		return &Tree{line: t.line, Value: own}, all
	}
	referred := r.resolve(v.Members["$ref"], depth+1)
	base := referred.Object()
	if base == nil {
		return referred, r.extents[referred]
	}
	r.left.take(t.line, len(base.names))
	both := newObject()
	both.setAll(base)
	both.setAll(own)
	for _, name := range base.names {
		if own.Members[name] == nil {
			all.add(r.extents[base.Members[name]])
		}
	}
	return &Tree{line: t.line, Value: both}, all
}

// referred is what a reference leads to.
func (r *referenceResolver) referred(t *Tree, path string, depth int) *Tree {
	found := lookup(r.root, path)
	fault.If(r.open[path], "line %d: the reference #/%s leads to itself", t.line, path)
	fault.If(found == nil, "line %d: the reference #/%s leads nowhere", t.line, path)
	r.open[path] = true
	defer delete(r.open, path)
	return r.resolve(found, depth+1)
}

// lookup finds what a reference names: at each level the rest as one name first, then its first step.
func lookup(t *Tree, path string) *Tree {
	for path != "" && t != nil {
		if whole := t.member(path); whole != nil {
			return whole
		}
		step, rest, _ := strings.Cut(path, "/")
		path = rest
		all, isList := t.Value.([]*Tree)
		i, err := strconv.Atoi(step)
		switch {
		case !isList:
			t = t.member(step)
		case err != nil || i < 0 || i >= len(all):
			return nil
		default:
			t = all[i]
		}
	}
	return t
}
