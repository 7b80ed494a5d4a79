package openapi

import "sluice/pipeline/item"

// An APIDocument is a document of OpenAPI or Swagger that has been read.
type APIDocument struct {
	root *documentNode

	// isSwagger: it is of Swagger 2.
	isSwagger bool

	operations []*operation

	// shapes are those of schemas that have been looked at.
	shapes map[*documentNode]*schemaShape

	// left is how many members may still be looked at, depth how many schemas contain each other at the moment.
	left, depth int

	// fault is why what is looked at cannot be read; fatal: no operation can.
	fault, fatal error
}

// An operation is one of the document.
type operation struct {
	method, path string

	// node is what the document says of it, item what it says of all operations of the path.
	node, item *documentNode

	// looked: what follows is known, or why it cannot be.
	looked bool
	fault  error
	isList bool

	parameters []parameter
	answer     successResponse
	items      itemLocation
	paging     documentedPaging
}

// A successResponse is what an operation gives where all is well.
type successResponse struct {
	schema, headers *documentNode

	// format is that of a configuration; empty: JSON.
	format string
}

// name is the operation as a person names it.
func (o *operation) name() string { return o.method + " " + o.path }

// A parameter is one that an operation takes.
type parameter struct {
	name string

	// in is where it goes: path, query, header, cookie, or body for a member of a JSON body, form for one of a form.
	in         string
	isRequired bool

	// schema is what is said of its values, shape the same with all that it is made of.
	schema *documentNode
	shape  *schemaShape
}

// An itemLocation is where the items are.
type itemLocation struct {
	// isThere: there are some.
	isThere bool

	// isUnsaid: the document does not say where.
	isUnsaid bool

	// path is empty where the answer is the array.
	path []string

	// others are the paths of arrays that may be meant, too.
	others []string

	// item is what is said of one.
	item *schemaShape
}

// A documentedPaging is how pages follow each other.
type documentedPaging struct {
	// options is the member pagination of a configuration; nil: there is none.
	options item.ObjectBuilder

	// size is the parameter for the number of items of a page, limit its value; 0: the document says none.
	size  *parameter
	limit int

	// isOfJob: the job sends the size itself.
	isOfJob bool

	// fromOne is the parameter that counts items from 1; nil: none does.
	fromOne *parameter

	// words say it in a table, account for people.
	words   string
	account []AccountLine

	// taken are the parameters that it sends.
	taken []*parameter
}

// A schemaShape is what a schema says of values, with all that it is made of.
type schemaShape struct {
	// kind is the type; empty: the schema does not say it.
	kind string

	// items is the schema of the elements of an array.
	items *documentNode

	members []schemaProperty

	// format, description, example and the numbers are as the schema has them.
	format, description  string
	example, standard    *documentNode
	least, most, choices *documentNode

	// isOpen: it is being looked at.
	isOpen bool
	fault  error
}

// A schemaProperty is a property of an object, with its schema.
type schemaProperty struct {
	name   string
	schema *documentNode
}
