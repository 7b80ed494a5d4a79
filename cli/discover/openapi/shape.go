package openapi

import "slices"

// isCount tells whether values are numbers.
func (s *schemaShape) isCount() bool { return s.kind == "integer" || s.kind == "number" }

// member is the one of a name; nil: there is none.
func (s *schemaShape) member(name string) *documentNode {
	at := slices.IndexFunc(s.members, func(m schemaProperty) bool { return m.name == name })
	if at < 0 {
		return nil
	}
	return s.members[at].schema
}

// maxChain is how many schemas may be made of each other, one of the next.
const maxChain = 500

// shape is that of a schema. The schemas of its members are not looked at.
func (d *APIDocument) shape(n *documentNode) *schemaShape {
	if n == nil {
		return &schemaShape{}
	}
	if s := d.shapes[n]; s != nil {
		if s.isOpen {
			d.raise(faultf("line %d: the schema is made of itself", n.line))
		}
		if s.fault != nil {
			d.raise(s.fault)
		}
		return s
	}
	s := &schemaShape{isOpen: true}
	d.shapes[n] = s
	before := d.fault
	d.fault = nil
	d.depth++
	if d.depth > maxChain {
		d.raise(faultf("line %d: more than %d schemas are made of each other", n.line, maxChain))
	} else {
		d.fill(s, n)
	}
	d.depth--
	s.isOpen, s.fault = false, d.fault
	if before != nil {
		d.fault = before
	}
	return s
}

// fill takes all that a schema says.
func (d *APIDocument) fill(s *schemaShape, n *documentNode) {
	if !d.spend(1) {
		return
	}
	to, isReference := d.referred(n)
	if isReference {
		d.take(s, d.shape(to))
	}
	d.own(s, n)
	for _, part := range n.get("allOf").elements() {
		d.take(s, d.shape(part))
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		d.alternatives(s, n.get(name))
	}
}

// own takes what a schema says itself.
func (d *APIDocument) own(s *schemaShape, n *documentNode) {
	if kind := typeOf(n); kind != "" {
		s.kind = kind
	}
	if items := n.get("items"); items.kind() == '{' {
		s.items = items
		s.kind = "array"
	}
	for name, schema := range n.get("properties").members() {
		d.add(s, schemaProperty{name, schema})
	}
	if s.kind == "" && len(s.members) > 0 {
		s.kind = "object"
	}
	for _, text := range []struct {
		name string
		to   *string
	}{{"format", &s.format}, {"description", &s.description}} {
		if said := n.get(text.name); said.kind() == '"' {
			*text.to = said.text
		}
	}
	for _, value := range []struct {
		name string
		to   **documentNode
	}{{"example", &s.example}, {"default", &s.standard}, {"minimum", &s.least}, {"maximum", &s.most}, {"enum", &s.choices}} {
		if said := n.get(value.name); said != nil {
			*value.to = said
		}
	}
	if only := n.get("const"); only != nil {
		s.choices = &documentNode{is: '[', values: []*documentNode{only}, line: only.line}
	}
}

// typeOf is the type of a schema, of several the first that is not null.
func typeOf(n *documentNode) string {
	said := n.get("type")
	for _, one := range said.elements() {
		if one.scalar() != "null" {
			return one.scalar()
		}
	}
	if said.kind() == '"' && said.text != "null" {
		return said.text
	}
	return ""
}

// add adds a member. One that is there has what both say of it.
func (d *APIDocument) add(s *schemaShape, m schemaProperty) {
	// To look for it takes as long as there are others.
	if !d.spend(1 + len(s.members)/16) {
		return
	}
	at := slices.IndexFunc(s.members, func(other schemaProperty) bool { return other.name == m.name })
	if at < 0 {
		s.members = append(s.members, m)
		return
	}
	if known := s.members[at].schema; known != m.schema {
		s.members[at].schema = both(known, m.schema)
	}
}

// both is a schema that says what two of them say.
func both(first, second *documentNode) *documentNode {
	all := &documentNode{is: '[', values: []*documentNode{first, second}, line: first.line}
	n := &documentNode{is: '{', line: first.line}
	n.with("allOf", all)
	return n
}

// take takes all of another shape that is not there yet.
func (d *APIDocument) take(s, other *schemaShape) {
	if s.kind == "" {
		s.kind = other.kind
	}
	if s.items == nil || saysNothing(s.items) && other.items != nil {
		s.items = other.items
	}
	if s.format == "" {
		s.format = other.format
	}
	if s.description == "" {
		s.description = other.description
	}
	for _, value := range []struct{ to, from **documentNode }{
		{&s.example, &other.example}, {&s.standard, &other.standard}, {&s.least, &other.least},
		{&s.most, &other.most}, {&s.choices, &other.choices},
	} {
		if *value.to == nil {
			*value.to = *value.from
		}
	}
	for _, m := range other.members {
		d.add(s, m)
	}
}

// saysNothing tells whether a schema of an object has no word of what is in it.
func saysNothing(schema *documentNode) bool {
	about := []string{"$ref", "properties", "allOf", "oneOf", "anyOf", "items"}
	return !slices.ContainsFunc(about, func(name string) bool { return schema.get(name) != nil })
}

// alternatives takes of several schemas those of the kind of the first.
func (d *APIDocument) alternatives(s *schemaShape, all *documentNode) {
	for _, one := range all.elements() {
		if one.get("type").scalar() == "null" {
			continue
		}
		other := d.shape(one)
		if s.kind == "" || s.kind == other.kind {
			d.take(s, other)
		}
	}
}

// shown is a schema of what an example shows.
func (d *APIDocument) shown(example *documentNode, depth int) *documentNode {
	kinds := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean"}
	n := &documentNode{is: '{', line: example.line}
	kind := kinds[example.kind()]
	if depth > maxExample || kind == "" || !d.spend(1) {
		return n
	}
	n.with("type", &documentNode{is: '"', text: kind})
	n.with("example", example)
	switch kind {
	case "object":
		properties := &documentNode{is: '{'}
		for name, value := range example.members() {
			properties.with(name, d.shown(value, depth+1))
		}
		n.with("properties", properties)
	case "array":
		first := &documentNode{is: '{'}
		if elements := example.elements(); len(elements) > 0 {
			first = d.shown(elements[0], depth+1)
		}
		n.with("items", first)
	}
	return n
}

// maxExample is how deep an example is looked at.
const maxExample = 6
