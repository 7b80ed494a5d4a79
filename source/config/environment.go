package config

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// FromEnvironment returns the document with what the environment has for each attribute that names a variable, as
// {"env": "API_TOKEN"} does. Lookup returns nothing for a variable that is not set, which is a problem, unless
// the variables are not needed: then the name of the variable stands for its value.
func FromEnvironment(root *Node, lookup func(variable string) string, needed bool, p *Problems) *Node {
	if root == nil || root.Kind != '{' {
		return root
	}
	path := configPath(root)
	attributes := root
	for _, name := range path {
		attributes = attributes.Member(name)
	}
	if attributes == nil {
		return root
	}
	var values []Member
	for _, m := range attributes.Members {
		variable, ok := variableOf(m)
		if !ok {
			continue
		}
		value := lookup(variable)
		switch {
		case value != "":
		case needed, variable == "":
			p.Errorf(m.Value, "%s", unset(variable))
		default:
			value = variable
		}
		m.Value = textInPlaceOf(m.Value, value)
		values = append(values, m)
	}
	if len(values) == 0 {
		return root
	}
	return set(root, path, values)
}

// variableOf is the variable that an attribute names, if it does.
func variableOf(m Member) (name string, ok bool) {
	if m.Value.Kind != '{' || len(m.Value.Members) != 1 || slices.Contains(reserved, m.Name) {
		return "", false
	}
	env := m.Value.Members[0]
	if env.Name != "env" || env.Value.Kind != '"' {
		return "", false
	}
	return env.Value.Text(), true
}

func unset(variable string) string {
	if variable == "" {
		return "no variable of the environment is named"
	}
	return fmt.Sprintf("the variable %s of the environment is not set, or is empty: set it, or name a file that has it with --env-file",
		variable)
}

// textInPlaceOf is a text that stands where n does.
func textInPlaceOf(n *Node, text string) *Node {
	// Invalid UTF-8 becomes U+FFFD.
	raw, _ := jsontext.AppendQuote(nil, text)
	return &Node{Path: n.Path, Kind: '"', Raw: raw, file: n.file, offset: n.offset}
}
