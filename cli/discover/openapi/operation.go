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
	if !o.isList && d.fault == nil && d.mayBeList(o) {
		d.takeUnsaid(o)
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

// mayBeList tells whether an operation whose answer the document does not describe seems to return a list: parameters ask
// for pages, or a path below it names one thing.
func (d *Document) mayBeList(o *operation) bool {
	isOne := strings.HasSuffix(strings.TrimSuffix(o.path, "/"), "}")
	isPaged := slices.ContainsFunc([]names{sizes, pages, offsets, cursors}, func(of names) bool { return o.first(of) != nil })
	return !isOne && (isPaged || slices.ContainsFunc(d.operations, o.isAbove))
}

// takeUnsaid takes an operation for a list whose answer the document does not describe, unless it is described.
func (d *Document) takeUnsaid(o *operation) bool {
	if !d.isUnsaid(o) {
		return false
	}
	o.isList = true
	o.items = place{isThere: true, isUnsaid: true, item: &shape{kind: "object"}}
	o.paging = d.pagingOf(o, surroundings{root: &shape{}})
	return true
}

// isUnsaid tells whether the document does not describe the answer of an operation that reads.
func (d *Document) isUnsaid(o *operation) bool {
	isDescribed := o.answer.schema != nil && !d.isVague(o.answer.schema)
	isGood := func(status string) bool { return d.isUndescribed(o, status) }
	return o.method == http.MethodGet && !isDescribed && slices.ContainsFunc(goodStatuses, isGood)
}

// isUndescribed tells whether the answer with a good status may be JSON, as far as the document says.
func (d *Document) isUndescribed(o *operation, status string) bool {
	response := d.follow(o.node.get("responses").get(status))
	types := response.get("content").allNames()
	return status != "default" && response.kind() == '{' && (len(types) == 0 || bestType(types) >= 0)
}

// isAbove tells whether the path of another operation names one of the things of this one.
func (o *operation) isAbove(other *operation) bool {
	rest, isBelow := strings.CutPrefix(other.path, strings.TrimSuffix(o.path, "/")+"/{")
	return isBelow && strings.HasSuffix(strings.TrimSuffix(rest, "/"), "}") && !strings.Contains(strings.TrimSuffix(rest, "/"), "/")
}

// isVague tells whether a schema says nothing of what is in a value.
func (d *Document) isVague(schema *node) bool {
	s := d.shape(schema)
	isOpen := s.kind == "object" && len(s.members) == 0 && schema.get("additionalProperties").kind() != '{'
	return s.kind == "" || isOpen
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
