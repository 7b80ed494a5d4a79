package manifest

import (
	"encoding/json"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/python"
)

// Bounds of a manifest: how deep it is, how many values it has where all aliases and references are expanded, and
// how many of these are looked at where they are used. Large public manifests have some tens of thousands.
const (
	maxDepth  = 200
	MaxValues = 1 << 20
	maxNodes  = 1 << 18
)

// A Tree is a value of the manifest as it is written, shared by all who refer to it: nil, a bool, a
// json.Number, a string, a []*tree or an *object.
type Tree struct {
	line  int
	Value any
}

// A Mapping has its names in the order of the manifest.
type Mapping struct {
	names   []string
	Members map[string]*Tree
}

func newObject() *Mapping { return &Mapping{Members: map[string]*Tree{}} }

// set replaces a member, or adds one.
func (o *Mapping) set(name string, value *Tree) {
	if _, ok := o.Members[name]; !ok {
		o.names = append(o.names, name)
	}
	o.Members[name] = value
}

// setAll does so with all members of another object.
func (o *Mapping) setAll(more *Mapping) {
	for _, name := range more.names {
		o.set(name, more.Members[name])
	}
}

// Object is that of a tree; nil: it is none.
func (t *Tree) Object() *Mapping {
	if t == nil {
		return nil
	}
	o, _ := t.Value.(*Mapping)
	return o
}

// member is one of an object; nil: there is none.
func (t *Tree) member(name string) *Tree {
	if o := t.Object(); o != nil {
		return o.Members[name]
	}
	return nil
}

// string is a text; empty: it is none.
func (t *Tree) string() string {
	if t == nil {
		return ""
	}
	text, _ := t.Value.(string)
	return text
}

// isFalsy tells whether a value gives way to a parameter of its name.
func (t *Tree) isFalsy() bool {
	if t == nil {
		return true
	}
	switch v := t.Value.(type) {
	case []*Tree:
		return len(v) == 0
	case *Mapping:
		return len(v.names) == 0
	}
	budget := 1
	return !python.Truthy(t.Plain(&budget))
}

// Plain is the value as encoding/json has it, whole numbers as int64; the objects of a shared tree may be
// large, so there is a bound.
func (t *Tree) Plain(budget *int) any {
	if t == nil || *budget <= 0 {
		return nil
	}
	*budget--
	switch v := t.Value.(type) {
	case json.Number:
		return python.NumberOf(v.String())
	case []*Tree:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = e.Plain(budget)
		}
		return all
	case *Mapping:
		all := make(map[string]any, len(v.names))
		for _, name := range v.names {
			all[name] = v.Members[name].Plain(budget)
		}
		return all
	default:
		return v
	}
}

// mentions tells whether a text within a tree, or the name of a member, has a word in it.
func (t *Tree) mentions(word string) bool {
	switch v := t.Value.(type) {
	case string:
		return strings.Contains(v, word)
	case []*Tree:
		return slices.ContainsFunc(v, func(e *Tree) bool { return e.mentions(word) })
	case *Mapping:
		for _, name := range v.names {
			if strings.Contains(name, word) || v.Members[name].mentions(word) {
				return true
			}
		}
	}
	return false
}
