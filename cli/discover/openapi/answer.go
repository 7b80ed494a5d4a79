package openapi

import (
	"net/http"
	"slices"
)

// isUnsaid tells whether the document does not describe the answer of an operation that reads.
func (d *APIDocument) isUnsaid(o *operation) bool {
	isDescribed := o.answer.schema != nil && !d.isVague(o.answer.schema)
	isGood := func(status string) bool { return d.isUndescribed(o, status) }
	return o.method == http.MethodGet && !isDescribed && slices.ContainsFunc(goodStatuses, isGood)
}

// isUndescribed tells whether the answer with a good status may be JSON, as far as the document says.
func (d *APIDocument) isUndescribed(o *operation, status string) bool {
	response := d.follow(o.node.get("responses").get(status))
	types := response.get("content").allNames()
	return status != "default" && response.kind() == '{' && (len(types) == 0 || bestType(types) >= 0)
}

// isVague tells whether a schema says nothing of what is in a value.
func (d *APIDocument) isVague(schema *documentNode) bool {
	s := d.shape(schema)
	isOpen := s.kind == "object" && len(s.members) == 0 && schema.get("additionalProperties").kind() != '{'
	return s.kind == "" || isOpen
}

// goodStatuses are the answers that have the items, the best first.
var goodStatuses = []string{"200", "2XX", "2xx", "203", "206", "201", "202", "default"}

// answerOf is the answer of an operation; without a schema: the document has none.
func (d *APIDocument) answerOf(o *operation) successResponse {
	responses := o.node.get("responses")
	for _, status := range goodStatuses {
		response := d.follow(responses.get(status))
		if response.kind() != '{' {
			continue
		}
		a := successResponse{headers: response.get("headers")}
		if d.isSwagger {
			d.oldBody(&a, o, response)
		} else {
			d.body(&a, response.get("content"))
		}
		return a
	}
	return successResponse{}
}

// oldBody takes the body of an answer of Swagger 2.
func (d *APIDocument) oldBody(a *successResponse, o *operation, response *documentNode) {
	a.schema = response.get("schema")
	produces := o.node.get("produces")
	if produces == nil {
		produces = d.root.get("produces")
	}
	var types []string
	for _, one := range produces.elements() {
		types = append(types, one.scalar())
	}
	if best := bestType(types); best >= 0 {
		a.format = formatOf(types[best])
	}
	if a.schema == nil {
		for _, example := range response.get("examples").members() {
			d.byExample(a, example)
			return
		}
	}
}

// body takes the body of an answer of OpenAPI 3.
func (d *APIDocument) body(a *successResponse, content *documentNode) {
	best := bestType(content.allNames())
	if best < 0 {
		return
	}
	a.format = formatOf(content.names[best])
	media := d.follow(content.values[best])
	a.schema = media.get("schema")
	isVague := a.schema == nil
	if !isVague {
		s := d.shape(a.schema)
		isVague = s.kind == "" || s.kind == "object" && len(s.members) == 0
	}
	if !isVague {
		return
	}
	if example := media.get("example"); example != nil {
		d.byExample(a, example)
		return
	}
	for _, example := range media.get("examples").members() {
		d.byExample(a, d.follow(example).get("value"))
		return
	}
}

// byExample takes an example as the schema.
func (d *APIDocument) byExample(a *successResponse, example *documentNode) {
	if example.kind() == '{' || example.kind() == '[' {
		a.schema = d.shown(example, 0)
	}
}
