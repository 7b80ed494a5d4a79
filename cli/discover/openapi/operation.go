package openapi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

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
func (d *APIDocument) allOperations() (all []*operation) {
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
func (d *APIDocument) look(o *operation) error {
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
func (d *APIDocument) lookAtAnswer(o *operation) {
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
func (d *APIDocument) mayBeList(o *operation) bool {
	isOne := strings.HasSuffix(strings.TrimSuffix(o.path, "/"), "}")
	isPaged := slices.ContainsFunc([]usualNames{sizes, pages, offsets, cursors}, func(of usualNames) bool { return o.first(of) != nil })
	return !isOne && (isPaged || slices.ContainsFunc(d.operations, o.isAbove))
}

// takeUnsaid takes an operation for a list whose answer the document does not describe, unless it is described.
func (d *APIDocument) takeUnsaid(o *operation) bool {
	if !d.isUnsaid(o) {
		return false
	}
	o.isList = true
	o.items = itemLocation{isThere: true, isUnsaid: true, item: &schemaShape{kind: "object"}}
	o.paging = d.pagingOf(o, surroundings{root: &schemaShape{}})
	return true
}
