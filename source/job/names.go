package job

import "strings"

func namesOf(placeholders []Placeholder) placeholderNames {
	n := placeholderNames{own: map[string]int{}, bare: map[string]int{}}
	for i := range placeholders {
		p := &placeholders[i]
		n.longest = max(n.longest, len(p.Name))
		if p.Above == 0 {
			n.own[p.Name] = i
		}
		at, known := n.bare[p.BareName()]
		if !known || p.Level < placeholders[at].Level {
			n.bare[p.BareName()] = i
		}
	}
	return n
}

// Begins returns which placeholder text begins with, negative for none, and its name
// there: {2:id} and {id} stand for 2:id.
func (c *Child) Begins(text string) (found int, name string) {
	inBraces, begins := strings.CutPrefix(text, "{")
	if !begins {
		return -1, ""
	}
	inBraces = inBraces[:min(len(inBraces), c.names.longest+len("}"))]
	name, _, closed := strings.Cut(inBraces, "}")
	if !closed {
		return -1, ""
	}
	if i := c.Named(name); i >= 0 {
		return i, name
	}
	return -1, ""
}

// Named returns which placeholder has a name, negative for none. Of equal names the
// name as it stands counts, then that of the nearest level.
func (c *Child) Named(name string) int {
	if i, known := c.names.own[name]; known {
		return i
	}
	if i, known := c.names.bare[name]; known {
		return i
	}
	return -1
}
