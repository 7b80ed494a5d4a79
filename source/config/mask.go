package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Mask returns the document with other texts in the place of secrets: mask is
// called for each string and number below a name that starts with '#', among the
// attributes of config and the credentials in authorization and aws, with the path
// that leads there. Of a secret that is the text of a JSON object, as OAuth has it,
// the values are masked.
func Mask(root *Node, mask func(path string, value *Node) string) *Node {
	cfg := configPath(root)
	root = root.change(cfg, func(n *Node) *Node {
		members := slices.Clone(n.Members)
		for i, m := range members {
			if !slices.Contains(reserved, m.Name) {
				members[i].Value = m.Value.masked("config."+m.Name, secretAttribute(m.Name), mask)
			}
		}
		return n.with(members)
	})
	places := []string{"authorization.oauth_api.credentials", "aws.signature.credentials", "api.aws.signature.credentials"}
	if len(cfg) > 1 { // in an envelope they may stand inside or outside
		for _, place := range places {
			places = append(places, cfg[0]+"."+place)
		}
	}
	for _, place := range places {
		root = root.change(strings.Split(place, "."), func(n *Node) *Node {
			members := slices.Clone(n.Members)
			for i, m := range members {
				if secretAttribute(m.Name) && !m.Value.isExpression() {
					members[i].Value = m.Value.masked(strings.TrimPrefix(place, "parameters.")+"."+m.Name, true, mask)
				}
			}
			return n.with(members)
		})
	}
	return root
}

// isExpression tells whether the node is a function expression, or a reference to
// an attribute.
func (n *Node) isExpression() bool {
	return n.Member("function") != nil || len(n.Members) == 1 && n.Members[0].Name == "attr"
}

func secretAttribute(name string) bool { return strings.HasPrefix(name, "#") }

// change returns n with another object in the place of the one that path leads
// to, and n itself if there is none.
func (n *Node) change(path []string, change func(*Node) *Node) *Node {
	if n == nil || n.Kind != '{' {
		return n
	}
	if len(path) == 0 {
		return change(n)
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		if m.Name == path[0] {
			members[i].Value = m.Value.change(path[1:], change)
		}
	}
	return n.with(members)
}

// masked returns n as [Mask] shows it.
func (n *Node) masked(path string, secret bool, mask func(string, *Node) string) *Node {
	copied := *n
	switch n.Kind {
	case '{':
		members := slices.Clone(n.Members)
		for i, m := range members {
			members[i].Value = m.Value.masked(path+"."+m.Name, secret || secretAttribute(m.Name), mask)
		}
		return n.with(members)
	case '[':
		copied.Elems, copied.Raw = nil, jsontext.Value("[")
		for i, e := range n.Elems {
			if i > 0 {
				copied.Raw = append(copied.Raw, ',')
			}
			e = e.masked(path+"."+strconv.Itoa(i), secret, mask)
			copied.Elems, copied.Raw = append(copied.Elems, e), append(copied.Raw, e.Raw...)
		}
		copied.Raw = append(copied.Raw, ']')
	case '"', '0':
		if secret {
			copied.Kind = '"'
			copied.Raw, _ = jsontext.AppendQuote(nil, n.maskedText(path, mask)) // invalid UTF-8 becomes U+FFFD
		}
	}
	return &copied
}

func (n *Node) maskedText(path string, mask func(string, *Node) string) string {
	if text := n.Text(); strings.HasPrefix(strings.TrimSpace(text), "{") {
		var p Problems
		if inner := Parse("", []byte(text), &p); inner != nil && len(p.list) == 0 {
			return string(inner.masked(path, true, mask).Raw)
		}
	}
	return mask(path, n)
}
