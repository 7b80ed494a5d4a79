package airbyte

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds of a manifest: how deep it is, how many members its references make, how many places of use it has.
const (
	maxDepth   = 200
	maxMembers = 1 << 20
	maxNodes   = 1 << 18
)

// A tree is a value of the manifest as it is written, shared by all who refer to it: nil, a bool, a
// json.Number, a string, a []*tree or an *object.
type tree struct {
	line  int
	value any
}

// An object has its names in the order of the manifest.
type object struct {
	names   []string
	members map[string]*tree
}

func newObject() *object { return &object{members: map[string]*tree{}} }

// set replaces a member, or adds one.
func (o *object) set(name string, value *tree) {
	if _, ok := o.members[name]; !ok {
		o.names = append(o.names, name)
	}
	o.members[name] = value
}

// object is that of a tree; nil: it is none.
func (t *tree) object() *object {
	if t == nil {
		return nil
	}
	o, _ := t.value.(*object)
	return o
}

// member is one of an object; nil: there is none.
func (t *tree) member(name string) *tree {
	if o := t.object(); o != nil {
		return o.members[name]
	}
	return nil
}

// string is a text; empty: it is none.
func (t *tree) string() string {
	if t == nil {
		return ""
	}
	text, _ := t.value.(string)
	return text
}

// isFalsy tells whether a value gives way to a parameter of its name.
func (t *tree) isFalsy() bool {
	if t == nil {
		return true
	}
	switch v := t.value.(type) {
	case bool:
		return !v
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case string:
		return v == ""
	case []*tree:
		return len(v) == 0
	case *object:
		return len(v.names) == 0
	default:
		return true
	}
}

// plain is the value as encoding/json has it, whole numbers as int64; the objects of a shared tree may be
// large, so there is a bound.
func (t *tree) plain(budget *int) any {
	if t == nil || *budget <= 0 {
		return nil
	}
	*budget--
	switch v := t.value.(type) {
	case json.Number:
		return numberOf(v.String())
	case []*tree:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = e.plain(budget)
		}
		return all
	case *object:
		all := make(map[string]any, len(v.names))
		for _, name := range v.names {
			all[name] = v.members[name].plain(budget)
		}
		return all
	default:
		return v
	}
}

// numberOf is a number with these digits, as int64 where it is whole and has neither a point nor an exponent.
func numberOf(digits string) any {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i
	}
	f, _ := strconv.ParseFloat(digits, 64)
	return f
}

// readTree reads a manifest: YAML as its platform reads it, or JSON, with all references resolved.
func readTree(manifest []byte) (*tree, error) {
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
	y := reader{done: map[*yaml.Node]*tree{}, open: map[*yaml.Node]bool{}}
	root, err := y.tree(doc.Content[0], 0)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if root.object() == nil {
		return nil, errors.New("manifest: it is no object")
	}
	r := resolver{root: root, done: map[*tree]*tree{}, open: map[string]bool{}, heights: map[*tree]int{}}
	root, err = r.resolve(root, 0)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return root, nil
}

// A reader makes trees of the nodes of a YAML document; what an alias stands for is made once.
type reader struct {
	done map[*yaml.Node]*tree
	open map[*yaml.Node]bool
}

func (y reader) tree(n *yaml.Node, depth int) (*tree, error) {
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
	t := &tree{line: n.Line, value: value}
	y.done[n] = t
	return t, nil
}

func (y reader) value(n *yaml.Node, depth int) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return y.mapping(n, depth)
	case yaml.SequenceNode:
		all := make([]*tree, 0, len(n.Content))
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
func (y reader) mapping(n *yaml.Node, depth int) (*object, error) {
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
		if err := merge(merged, value); err != nil {
			return nil, err
		}
	}
	if len(merged.names) == 0 {
		return own, nil
	}
	for _, name := range own.names {
		merged.set(name, own.members[name])
	}
	return merged, nil
}

// merge adds the members of what << names, the first of several wins.
func merge(into *object, from *tree) error {
	if all, ok := from.value.([]*tree); ok {
		for _, t := range all {
			if err := merge(into, t); err != nil {
				return err
			}
		}
		return nil
	}
	o := from.object()
	if o == nil {
		return fmt.Errorf("line %d: << wants objects", from.line)
	}
	for _, name := range o.names {
		if into.members[name] == nil {
			into.set(name, o.members[name])
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
var jsonNumber = pattern(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

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
	isText := n.ShortTag() == "!!float" && !strings.Contains(n.Value, ".")
	if isText {
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

// A resolver replaces references, each once.
type resolver struct {
	root    *tree
	done    map[*tree]*tree
	heights map[*tree]int

	// open are the references that are being resolved.
	open map[string]bool
	made int
}

// resolve is a tree without references. Heights bound what references and aliases make deep.
func (r *resolver) resolve(t *tree, depth int) (*tree, error) {
	if done := r.done[t]; done != nil {
		if depth+r.heights[t] > maxDepth {
			return nil, r.tooDeep(t)
		}
		return done, nil
	}
	if depth > maxDepth {
		return nil, r.tooDeep(t)
	}
	var done *tree
	var height int
	var err error
	switch v := t.value.(type) {
	case *object:
		done, height, err = r.object(t, v, depth)
	case []*tree:
		done, height, err = r.list(t, v, depth)
	case string:
		done, height, err = r.string(t, v, depth)
	default:
		done = t
	}
	if err != nil {
		return nil, err
	}
	r.done[t], r.heights[t] = done, height
	r.heights[done] = height
	return done, nil
}

func (r *resolver) tooDeep(t *tree) error {
	return fmt.Errorf("line %d: it is nested deeper than %d", t.line, maxDepth)
}

func (r *resolver) list(t *tree, v []*tree, depth int) (*tree, int, error) {
	all := make([]*tree, 0, len(v))
	height := 0
	for _, e := range v {
		done, err := r.resolve(e, depth+1)
		if err != nil {
			return nil, 0, err
		}
		height = max(height, r.heights[done]+1)
		all = append(all, done)
	}
	return &tree{line: t.line, value: all}, height, nil
}

func (r *resolver) object(t *tree, v *object, depth int) (*tree, int, error) {
	own := newObject()
	height := 0
	for _, name := range v.names {
		if name == "$ref" {
			continue
		}
		done, err := r.resolve(v.members[name], depth+1)
		if err != nil {
			return nil, 0, err
		}
		height = max(height, r.heights[done]+1)
		own.set(name, done)
	}
	if v.members["$ref"] == nil {
		return &tree{line: t.line, value: own}, height, nil
	}
	referred, err := r.resolve(v.members["$ref"], depth+1)
	if err != nil {
		return nil, 0, err
	}
	base := referred.object()
	if base == nil {
		return referred, r.heights[referred], nil
	}
	all := newObject()
	for _, name := range base.names {
		all.set(name, base.members[name])
	}
	for _, name := range own.names {
		all.set(name, own.members[name])
	}
	if r.made += len(all.names); r.made > maxMembers {
		return nil, 0, fmt.Errorf("line %d: its references make more than %d members", t.line, maxMembers)
	}
	return &tree{line: t.line, value: all}, max(height, r.heights[referred]), nil
}

// string is the text, or what it refers to.
func (r *resolver) string(t *tree, text string, depth int) (*tree, int, error) {
	path, isReference := strings.CutPrefix(text, "#/")
	if !isReference {
		return t, 0, nil
	}
	if r.open[text] {
		return nil, 0, fmt.Errorf("line %d: the reference %s leads to itself", t.line, text)
	}
	found := lookup(r.root, path)
	if found == nil {
		return nil, 0, fmt.Errorf("line %d: the reference %s leads nowhere", t.line, text)
	}
	r.open[text] = true
	done, err := r.resolve(found, depth+1)
	delete(r.open, text)
	if err != nil {
		return nil, 0, err
	}
	return done, r.heights[done], nil
}

// lookup finds what a reference names: at each level the rest as one name first, then its first step.
func lookup(t *tree, path string) *tree {
	for path != "" {
		if whole := t.member(path); whole != nil {
			return whole
		}
		step, rest, _ := strings.Cut(path, "/")
		path = rest
		if all, ok := t.value.([]*tree); ok {
			i, err := strconv.Atoi(step)
			isThere := i >= 0 && i < len(all)
			if err != nil || !isThere {
				return nil
			}
			t = all[i]
			continue
		}
		t = t.member(step)
		if t == nil {
			return nil
		}
	}
	return t
}
