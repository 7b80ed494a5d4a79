package config

// MayBeText tells whether a node is a string, or may be an expression that makes one, and reports any other one but nil.
func (n *Node) MayBeText(p *Problems) bool {
	if n == nil {
		return false
	}
	if n.Kind == '"' || n.Kind == '{' {
		return true
	}
	p.Errorf(n, "must be a string or an expression, not %s", n.kindName())
	return false
}
