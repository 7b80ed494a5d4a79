package manifest

import (
	_ "embed"
	"strings"
	"sync"
)

// componentsText says which members components have, and of which types.
//
//go:embed components.txt
var componentsText string

// A component is a kind of them. The platform ignores members other than its own.
type component struct {
	members map[string]memberRule

	// isOpen tells that all members count.
	isOpen bool
}

// A memberRule says of which type the values of a member are where they say none, and of which where they have
// class_name instead.
type memberRule struct{ implied, custom string }

// components are those that are known, by name.
var components = sync.OnceValue(func() map[string]component {
	all := map[string]component{}
	_, table, _ := strings.Cut(componentsText, "\n\n")
	name := ""
	for _, word := range strings.Fields(table) {
		if kind, isName := strings.CutSuffix(word, ":"); isName {
			name = kind
			all[name] = component{members: map[string]memberRule{}}
			continue
		}
		if word == "…" {
			all[name] = component{members: all[name].members, isOpen: true}
			continue
		}
		word, custom, _ := strings.Cut(word, "~")
		word, implied, _ := strings.Cut(word, "=")
		all[name].members[word] = memberRule{implied, custom}
	}
	return all
})

// typeOf is the type that the values of a member have where they say none.
func typeOf(kind, name string) memberRule {
	members := components()[kind].members
	if own, ok := members["!"+name]; ok {
		return own
	}
	return members[name]
}

// isIgnored tells that the platform ignores a member of a component.
func isIgnored(kind, name string) bool {
	c, isComponent := components()[kind]
	_, isMember := c.members[name]
	return isComponent && !c.isOpen && !isMember
}
