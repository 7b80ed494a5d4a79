// Package openapi makes a configuration of an operation that a document of OpenAPI (3.0, 3.1) or Swagger 2 describes, by
// what the document says. Nothing is asked of any API. What the document says outright is sure, what names suggest is
// likely, and what it does not say is unknown.
package openapi

import (
	"slices"
	"strings"
)

// A ListOperation is an operation that returns a list.
type ListOperation struct {
	Method string `json:"method"`
	Path   string `json:"path"`

	// DataField is where the items lie; empty: the answer is the list.
	DataField string `json:"dataField"`

	// Unsaid: the document does not describe the answer.
	Unsaid bool `json:"unsaid,omitempty"`

	// Paging is how the next page is asked for, in words; empty: the document does not show it.
	Paging string `json:"paging,omitempty"`

	Summary string `json:"summary,omitempty"`
}

// A ConvertedOperation is the configuration that an operation becomes.
type ConvertedOperation struct {
	// Configuration is the text of one, indented.
	Configuration []byte

	// Account says of each part how well it is known.
	Account []AccountLine

	// OfAPI is how many lines of the account, the first ones, are about the server and the credentials.
	OfAPI int

	// Secrets and Missing are names of attributes that have no value yet: those that are secret, and the others.
	Secrets, Missing []string
}

// Read reads a document, YAML or JSON.
func Read(text []byte) (*APIDocument, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	d := &APIDocument{root: root, shapes: map[*documentNode]*schemaShape{}, left: mostLooks}
	version := root.get("openapi").scalar()
	old := root.get("swagger").scalar()
	switch {
	case version == "3" || strings.HasPrefix(version, "3."):
	case old == "2" || strings.HasPrefix(old, "2."):
		d.isSwagger = true
	case version != "" || old != "":
		return nil, faultf("the version %s is not supported: it must be OpenAPI 3 or Swagger 2", shortened(version+old))
	default:
		return nil, faultf("this is no OpenAPI document, which begins with the member openapi or swagger")
	}
	if root.get("paths").kind() != '{' {
		return nil, faultf("the document has no paths")
	}
	d.operations = d.allOperations()
	return d, d.fatal
}

// Lists are the operations that return lists, in the order of the document, and why others were left out. The error says
// why there are none.
func (d *APIDocument) Lists() (lists []ListOperation, leftOut []string, err error) {
	for _, o := range d.operations {
		err := d.look(o)
		if d.fatal != nil {
			return nil, nil, d.fatal
		}
		if err != nil {
			leftOut = append(leftOut, o.name()+": "+err.Error())
		}
		if err != nil || !o.isList {
			continue
		}
		lists = append(lists, ListOperation{
			Method: o.method, Path: o.path, DataField: strings.Join(o.items.path, "."),
			Unsaid: o.items.isUnsaid, Paging: o.paging.words, Summary: o.summary(),
		})
	}
	switch {
	case len(lists) > 0:
	case len(leftOut) > 0:
		return nil, leftOut, faultf("no operation can be read: %s", leftOut[0])
	case slices.ContainsFunc(d.operations, d.isUnsaid):
		at := slices.IndexFunc(d.operations, d.isUnsaid)
		return nil, nil, faultf("the document does not describe the answers of its operations: name the one that "+
			"returns a list, such as --path %s", shortened(d.operations[at].path))
	default:
		return nil, nil, faultf("none of its operations returns a list: there are %d, and GET counts, and POST that "+
			"asks for pages", len(d.operations))
	}
	return lists, leftOut, nil
}
