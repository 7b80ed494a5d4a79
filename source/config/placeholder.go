package config

// A PlaceholderOptions is a value of the parent's item: its path, or an object.
type PlaceholderOptions struct {
	// Path is empty if there is a problem.
	Path string
	// Function makes the value of the one at Path; nil: it is that itself.
	Function *Node
	// Optional: an item without the value has no child.
	Optional bool
}

// DecodePlaceholder reads a member of a job's placeholders.
func DecodePlaceholder(n *Node, p *Problems) (d PlaceholderOptions) {
	switch n.Kind {
	case '"':
		d.Path = n.Text()
	case '{':
		d.decode(NewObjectDecoder(n, p))
		return d
	}
	if d.Path == "" {
		p.Errorf(n, "must be a path in the parent's item, or an object with path, function and optional")
	}
	return d
}

func (d *PlaceholderOptions) decode(o *ObjectDecoder) {
	d.Path = o.Text("path", "", "Path of the value in the parent's item.")
	o.Require("path")
	o.Filled("path")
	function := o.Any("function", "What is made of the value, which is {\"placeholder\": \"value\"} in it.",
		"functionName")
	args := o.Any("args", "The arguments of the function.", "array")
	d.Optional = o.Bool("optional", false,
		"Whether an item without the value has no child; else that is an error.")
	o.Done()
	if function == nil {
		return
	}
	members := []Member{{Name: "function", Value: function}}
	if args != nil {
		members = append(members, Member{Name: "args", Value: args})
	}
	d.Function = o.node.with(members)
}
