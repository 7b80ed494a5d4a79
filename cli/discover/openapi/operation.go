package openapi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// An operation is one of the document.
type operation struct {
	method, path string

	// node is what the document says of it, item what it says of all operations of the path.
	node, item *node

	// looked: what follows is known, or why it cannot be.
	looked bool
	fault  error
	isList bool

	parameters []parameter
	answer     answer
	items      place
	paging     paging
}

// An answer is what an operation gives where all is well.
type answer struct {
	schema, headers *node

	// format is that of a configuration; empty: JSON.
	format string
}

// name is the operation as a person names it.
func (o *operation) name() string { return o.method + " " + o.path }

// summary is what the document says that it does.
func (o *operation) summary() string {
	first, _, _ := strings.Cut(o.node.get("description").scalar(), "\n")
	text := shortened(cmp.Or(o.node.get("summary").scalar(), first))
	if o.node.get("deprecated").isTrue() {
		return strings.TrimSpace("(deprecated) " + text)
	}
	return text
}

// allOperations are those that may read: GET and POST.
func (d *Document) allOperations() (all []*operation) {
	for path, n := range d.root.get("paths").members() {
		if !strings.HasPrefix(path, "/") {
			continue
		}
		of := d.follow(n)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if said := of.get(strings.ToLower(method)); said.kind() == '{' {
				all = append(all, &operation{method: method, path: path, node: said, item: of})
			}
		}
		d.fault = nil
	}
	return all
}

// look finds out whether an operation returns a list, where its items are, and how it pages.
func (d *Document) look(o *operation) error {
	if o.looked {
		return o.fault
	}
	d.fault = nil
	o.looked = true
	o.parameters = d.parametersOf(o)
	o.answer = d.answerOf(o)
	if o.answer.schema != nil {
		d.lookAtAnswer(o)
	}
	o.fault, d.fault = d.fault, nil
	return o.fault
}

// lookAtAnswer is what look does of an answer that has a schema.
func (d *Document) lookAtAnswer(o *operation) {
	around := d.around(o.answer.schema)
	o.items = d.itemsOf(o, around)
	// A POST may write, unless it asks for pages.
	mayRead := o.method == http.MethodGet || o.pages()
	o.isList = o.items.isThere && mayRead
	if o.isList {
		o.paging = d.pagingOf(o, around)
	}
}

// pages tells whether a parameter asks for a page, and another one says how many items it has.
func (o *operation) pages() bool {
	return o.first(sizes) != nil && (o.first(pages) != nil || o.first(offsets) != nil || o.first(cursors) != nil)
}

// goodStatuses are the answers that have the items, the best first.
var goodStatuses = []string{"200", "2XX", "2xx", "203", "206", "201", "202", "default"}

// answerOf is the answer of an operation; without a schema: the document has none.
func (d *Document) answerOf(o *operation) answer {
	responses := o.node.get("responses")
	for _, status := range goodStatuses {
		response := d.follow(responses.get(status))
		if response.kind() != '{' {
			continue
		}
		a := answer{headers: response.get("headers")}
		if d.isSwagger {
			d.oldBody(&a, o, response)
		} else {
			d.body(&a, response.get("content"))
		}
		return a
	}
	return answer{}
}

// oldBody takes the body of an answer of Swagger 2.
func (d *Document) oldBody(a *answer, o *operation, response *node) {
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
func (d *Document) body(a *answer, content *node) {
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
func (d *Document) byExample(a *answer, example *node) {
	if example.kind() == '{' || example.kind() == '[' {
		a.schema = d.shown(example, 0)
	}
}

// allNames are the names of the members.
func (n *node) allNames() []string {
	if n.kind() != '{' {
		return nil
	}
	return n.names
}

// formatOf is the format of a media type as a configuration has it; empty: JSON.
func formatOf(media string) string {
	media = mediaOf(media)
	switch {
	case strings.Contains(media, "ndjson"), strings.Contains(media, "jsonl"), strings.Contains(media, "json-seq"):
		return "ndjson"
	case strings.Contains(media, "json"), strings.Contains(media, "*"):
		return ""
	case strings.HasSuffix(media, "/csv"):
		return "csv"
	case strings.Contains(media, "xml"):
		return "xml"
	}
	return ""
}

// mediaOf is a media type without its parameters.
func mediaOf(media string) string {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return strings.TrimSpace(media)
}

// bestType is the place of the media type that is read best; -1: none can be.
func bestType(types []string) int {
	rank := func(media string) int {
		media = mediaOf(media)
		order := []bool{
			media == "application/json", strings.HasSuffix(media, "+json"), strings.Contains(media, "json"),
			strings.Contains(media, "*"), formatOf(media) != "",
		}
		return slices.Index(order, true)
	}
	best := -1
	for i, media := range types {
		if r := rank(media); r >= 0 && (best < 0 || r < rank(types[best])) {
			best = i
		}
	}
	return best
}
