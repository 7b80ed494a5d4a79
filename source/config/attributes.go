package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An Attribute is a member of config that does not stand in the document.
type Attribute struct{ Name, Value string }

// reserved are the members of config that are no attributes.
var reserved = []string{"jobs", "http", "mappings", "userData"}

// SetAttributes returns the document with the attributes set as strings.
func SetAttributes(root *Node, attributes []Attribute, p *Problems) *Node {
	if root == nil || root.Kind != '{' || len(attributes) == 0 {
		return root
	}
	var values []Member
	for _, a := range attributes {
		if slices.Contains(reserved, a.Name) {
			p.Errorf(nil, "config.%s is no attribute and cannot be set", a.Name)
			continue
		}
		if standsInMarks(a.Value) {
			p.Notef(nil, "config.%s: the value that was given begins and ends with a quotation mark, which is sent, too: "+
				"docker --env-file and some others keep them", a.Name)
		}
		// Invalid UTF-8 becomes U+FFFD.
		raw, _ := jsontext.AppendQuote(nil, a.Value)
		value := &Node{Path: join("config", a.Name), Kind: '"', Raw: raw, offset: -1}
		values = append(values, Member{Name: a.Name, Value: value, offset: -1})
	}
	return set(root, configPath(root), values)
}

// standsInMarks tells whether a text stands in quotation marks and has no other ones.
func standsInMarks(text string) bool {
	if len(text) < 3 {
		return false
	}
	mark := text[:1]
	isMark := mark == `"` || mark == "'"
	return isMark && strings.HasSuffix(text, mark) && strings.Count(text, mark) == 2
}

// Iterations returns the document once for each entry of its member iterations, with the members of that
// entry in the place of those of config. Without entries it returns the document itself.
func Iterations(root *Node, p *Problems) []*Node {
	if root == nil {
		return []*Node{nil}
	}
	path := configPath(root)
	top := root
	if len(path) > 1 {
		top = root.Member(path[0])
	}
	entries := NewObjectDecoder(top, p).List("iterations", "")
	if len(entries) == 0 {
		return []*Node{root}
	}
	// Each document is without the entries: with them the size of all would be quadratic.
	bare := without(root, path[:len(path)-1], "iterations")
	var all []*Node
	for _, entry := range entries {
		if NewObjectDecoder(entry, p).Node() != nil {
			one := set(bare, path, entry.Members)
			one.iteration = entry
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return []*Node{root}
	}
	return all
}

// configPath leads to config, in a document that may have an envelope.
func configPath(root *Node) []string {
	if root.Member("api") == nil && root.Member("parameters") != nil {
		return []string{"parameters", "config"}
	}
	return []string{"config"}
}

// set returns n with the values in the object that the path leads to. They replace members of their names.
func set(n *Node, path []string, values []Member) *Node {
	members := slices.Clone(n.Members)
	if len(path) > 0 {
		for i, m := range members {
			if m.Name == path[0] && m.Value.Kind == '{' {
				members[i].Value = set(m.Value, path[1:], values)
			}
		}
		return n.with(members)
	}
	for _, v := range values {
		i := slices.IndexFunc(members, func(m Member) bool { return m.Name == v.Name })
		if i < 0 {
			members = append(members, v)
		} else {
			members[i] = v
		}
	}
	return n.with(members)
}

// without returns n with no member of the name in the object that the path leads to.
func without(n *Node, path []string, name string) *Node {
	if len(path) == 0 {
		return n.Without(name)
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		if m.Name == path[0] {
			members[i].Value = without(m.Value, path[1:], name)
		}
	}
	return n.with(members)
}

// Secrets maps each value below a name that starts with '#' to its path. Where the value is the text of a
// JSON object, as with OAuth, it maps the values in that object too.
func (d *Document) Secrets() map[string]string {
	paths := make(map[string]string)
	for _, n := range []*Node{d.attributes, d.Authorization, d.AWS} {
		hide(n, false, func(n *Node) {
			paths[n.Text()] = n.Path
			hide(objectInText(n.Text()), true, func(inner *Node) {
				paths[inner.Text()] = n.Path + "." + inner.Path
			})
		})
	}
	return paths
}

// objectInText parses a text that is a JSON object; nil if it is none.
func objectInText(text string) *Node {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil
	}
	var ignored Problems
	return Parse("", []byte(text), &ignored)
}

// hide calls secret for each text and number below a name that starts with '#', or anywhere in n if n is
// hidden itself.
func hide(n *Node, hidden bool, secret func(*Node)) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		hide(m.Value, hidden || strings.HasPrefix(m.Name, "#"), secret)
	}
	for _, e := range n.Elems {
		hide(e, hidden, secret)
	}
	isValue := n.Kind == '"' || n.Kind == '0'
	if hidden && isValue {
		secret(n)
	}
}

// fingerprintOf is one of all that is in n but the values of secrets.
func fingerprintOf(n *Node) string {
	sum := sha256.New()
	fingerprint(sum, n)
	return hex.EncodeToString(sum.Sum(nil))
}

// fingerprint writes all of a document but the values of secrets.
func fingerprint(to io.Writer, n *Node) {
	// The writer is a hash, which never fails.
	_, _ = to.Write([]byte{byte(n.Kind)})
	for _, m := range n.Members {
		_, _ = fmt.Fprintf(to, "%q", m.Name)
		if !strings.HasPrefix(m.Name, "#") {
			fingerprint(to, m.Value)
		}
	}
	for _, e := range n.Elems {
		fingerprint(to, e)
	}
	if len(n.Members)+len(n.Elems) == 0 {
		_, _ = to.Write(n.Raw)
	}
	_, _ = to.Write([]byte{0})
}
