package config

import "strings"

// Secrets maps each value below a name that starts with '#' to its path in the
// document. Of one that is the text of a JSON object, as OAuth has it, the values in
// there belong to it too.
func (d *Document) Secrets() map[string]string {
	paths := make(map[string]string)
	for _, n := range []*Node{d.attributes, d.Authorization, d.AWS} {
		hide(n, false, func(n *Node) {
			paths[n.Text()] = n.Path
			var p Problems
			if text := n.Text(); strings.HasPrefix(strings.TrimSpace(text), "{") {
				hide(Parse("", []byte(text), &p), true, func(inner *Node) { paths[inner.Text()] = n.Path + "." + inner.Path })
			}
		})
	}
	return paths
}
