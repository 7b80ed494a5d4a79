package page

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// NewWith decodes a dataField's with, beside its path and its rows; nil: the items get nothing.
func NewWith(n *config.Node, s *Spec, delimiter string, p *config.Problems) *With {
	if n == nil {
		return nil
	}
	w := &With{field: s.Field}
	if n.Kind != '{' || len(n.Members) == 0 {
		p.Errorf(n, "must be an object that has, for each member which the items get, the path of its value")
		return nil
	}
	if len(s.Select) == 0 {
		p.Errorf(n, "stands beside a path that leads to the whole answer, above which there is nothing: remove it")
		return nil
	}
	for _, m := range n.Members {
		w.add(m, s, delimiter, p)
	}
	return w
}

// add adds a member.
func (w *With) add(m config.Member, s *Spec, delimiter string, p *config.Problems) {
	n := m.Value
	if n.Kind != '"' || n.Text() == "" {
		p.Errorf(n, "must be a path in the object above the list")
		return
	}
	path := item.ParsePath(n.Text(), delimiter)
	switch {
	case len(path) == 0:
		p.Errorf(n, "leads to all of the object above the list, and so to the list itself: name a member of it")
		return
	case m.Name == "":
		p.Errorf(n, "has no name")
	case m.Name == s.Members:
		p.Errorf(n, "dataField.members names %q too: give one of them another name", m.Name)
	case s.Bare.has(m.Name):
		p.Errorf(n, "a value of each row is called %q too: give one of them another name", m.Name)
	case path[0] == s.Select[len(s.Select)-1]:
		p.Errorf(n, "leads into the list itself, whose items have that already")
	}
	w.members = append(w.members, withMember{name: m.Name, path: path})
}

// has tells whether the rows have a name that the configuration gives them; b may be nil.
func (b *Bare) has(name string) bool { return b != nil && b.names.has(item.Quote(name)) }

// has tells whether there is a column of that quoted name; c may be nil.
func (c *columnPrefixes) has(quoted []byte) bool {
	for i := range c.count() {
		if slices.Equal(c.name(i), quoted) {
			return true
		}
	}
	return false
}

// reads tells whether something in a member of that quoted name is wanted; w may be nil.
func (w *With) reads(quoted []byte) bool {
	if w == nil {
		return false
	}
	isFirst := func(m withMember) bool { return item.NameIs(quoted, m.path[0]) }
	return slices.ContainsFunc(w.members, isFirst)
}
