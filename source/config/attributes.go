package config

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// An Attribute is a member of config that does not stand in the document.
type Attribute struct{ Name, Value string }

// reserved are the members of config that are no attributes.
var reserved = []string{"jobs", "http", "mappings", "userData"}

// SetAttributes returns the document with the attributes set as strings, in the
// place of those of the same names.
func SetAttributes(root *Node, attributes []Attribute, p *Problems) *Node {
	if root == nil || root.Kind != '{' || len(attributes) == 0 {
		return root
	}
	path := []string{"config"}
	if root.Member("api") == nil && root.Member("parameters") != nil {
		path = []string{"parameters", "config"}
	}
	return set(root, path, attributes, p)
}

// set returns n with the attributes in the object that the path leads to.
func set(n *Node, path []string, attributes []Attribute, p *Problems) *Node {
	members := slices.Clone(n.Members)
	if len(path) > 0 {
		for i, m := range members {
			if m.Name == path[0] && m.Value.Kind == '{' {
				members[i].Value = set(m.Value, path[1:], attributes, p)
			}
		}
		return n.with(members)
	}
	for _, a := range attributes {
		if slices.Contains(reserved, a.Name) {
			p.Errorf(nil, "config.%s is no attribute and cannot be set", a.Name)
			continue
		}
		raw, _ := jsontext.AppendQuote(nil, a.Value) // invalid UTF-8 becomes U+FFFD
		value := &Node{Path: join(n.Path, a.Name), Kind: '"', Raw: raw, offset: -1}
		i := slices.IndexFunc(members, func(m Member) bool { return m.Name == a.Name })
		if i < 0 {
			members = append(members, Member{Name: a.Name, Value: value, offset: -1})
		} else {
			members[i].Value = value
		}
	}
	return n.with(members)
}
