package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/pattern"
	"sluice/source/config"
)

// place is where the parameter goes, as an option of paging has it.
func (p *parameter) place(method string) string {
	at := config.Named(p.name)
	switch {
	case p.in == "header":
		at.In = config.PlaceHeader
	case p.in == "query" && method != http.MethodGet:
		at.In = config.PlaceQuery
	}
	return at.JSON()
}

// isSent tells whether it is of the query, a header or the body, where parameters of paging are.
func (p *parameter) isSent() bool {
	return slices.Contains([]string{"query", "header", "body", "form"}, p.in)
}

// first is the first parameter of the operation that is of the names; nil: there is none.
func (o *operation) first(of usualNames) *parameter {
	for i := range o.parameters {
		p := &o.parameters[i]
		if p.isSent() && of.fits(p) {
			return p
		}
	}
	return nil
}

// pathParameter is one of the path, also where the document says nothing of it.
func (o *operation) pathParameter(name string) *parameter {
	for i := range o.parameters {
		if p := &o.parameters[i]; p.in == "path" && p.name == name {
			return p
		}
	}
	return &parameter{name: name, in: "path", isRequired: true, shape: &schemaShape{}}
}

// parametersOf are those of an operation, over those of its path.
func (d *APIDocument) parametersOf(o *operation) (all []parameter) {
	for _, list := range []*documentNode{o.item.get("parameters"), o.node.get("parameters")} {
		for _, n := range list.elements() {
			said := d.follow(n)
			if said == nil || !d.spend(1) {
				continue
			}
			p := parameter{
				name: said.get("name").scalar(), in: said.get("in").scalar(),
				isRequired: said.get("required").isTrue(), schema: said,
			}
			p.in = strings.Replace(p.in, "formData", "form", 1)
			if schema := said.get("schema"); schema != nil {
				p.schema = schema
			}
			for _, media := range said.get("content").members() {
				p.schema = media.get("schema")
			}
			all = d.with(all, p, said)
		}
	}
	body := d.follow(o.node.get("requestBody")).get("content")
	if best := bestType(body.allNames()); best >= 0 {
		d.members(&all, body.values[best].get("schema"), "body")
	} else if form := body.get("application/x-www-form-urlencoded"); form != nil {
		d.members(&all, form.get("schema"), "form")
	}
	return all
}

// with adds a parameter, over one of its name and place. An object stands for its members.
func (d *APIDocument) with(all []parameter, p parameter, said *documentNode) []parameter {
	if p.in == "body" {
		d.members(&all, p.schema, "body")
		return all
	}
	p.shape = d.shape(p.schema)
	if p.shape.description == "" {
		// It may be that of many parameters.
		own := *p.shape
		own.description = said.get("description").scalar()
		p.shape = &own
	}
	if p.shape.example == nil && said.get("example") != nil {
		own := *p.shape
		own.example = said.get("example")
		p.shape = &own
	}
	if p.in == "query" && p.shape.kind == "object" && len(p.shape.members) > 0 {
		isDeep := said.get("style").scalar() == "deepObject"
		for _, m := range p.shape.members {
			name := m.name
			if isDeep {
				name = p.name + "[" + m.name + "]"
			}
			all = append(all, parameter{name: name, in: "query", schema: m.schema, shape: d.shape(m.schema)})
		}
		return all
	}
	isSame := func(other parameter) bool { return other.name == p.name && other.in == p.in }
	all = slices.DeleteFunc(all, isSame)
	return append(all, p)
}

// members adds those of a body.
func (d *APIDocument) members(all *[]parameter, schema *documentNode, in string) {
	s := d.shape(schema)
	required := d.follow(schema).get("required")
	for _, m := range s.members {
		isRequired := slices.ContainsFunc(required.elements(), func(n *documentNode) bool { return n.scalar() == m.name })
		*all = append(*all, parameter{name: m.name, in: in, isRequired: isRequired, schema: m.schema, shape: d.shape(m.schema)})
	}
}

// fits tells whether a parameter is one of them, and has such values.
func (n usualNames) fits(p *parameter) bool { return n.has(p.name) && n.mayBe(p.shape.kind) }

// pages tells whether a parameter asks for a page, and another one says how many items it has.
func (o *operation) pages() bool {
	return o.first(sizes) != nil && (o.first(pages) != nil || o.first(offsets) != nil || o.first(cursors) != nil)
}

// mostIn is the maximum that a description names.
func mostIn(description string) (int, bool) {
	m := saidMost().FindStringSubmatch(description)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n, err == nil && n > 0
}

var saidMost = pattern.Lazy(`(?i)(?:max(?:imum)?\b[^0-9.]{0,30}|between 1 and |up to |from 1 to )([0-9][0-9,]{0,6})\b`)

// saysMost tells whether the document names the largest value of a parameter.
func (p *parameter) saysMost() bool {
	if p == nil {
		return false
	}
	_, isNumber := p.shape.most.number()
	_, isSaid := mostIn(p.shape.description)
	return isNumber || isSaid
}
