package write

import (
	"net/url"
	"slices"
	"strings"
)

// A JobRequest is what a job sends.
type JobRequest struct {
	// Endpoint is what the request asks for, below its base.
	Endpoint Parts

	// Method is empty for GET, or POST or FORM.
	Method string

	Params, Query, Headers Object

	// Body is nil where there is none.
	Body Object
}

// A RequestOption is a place of a request that an option names.
type RequestOption struct {
	// Into is request_parameter, header, body_data or body_json.
	Into string

	// Path is a name, or several in a JSON body.
	Path []string
}

// Place is [job.place] of a spot in a request that has a body: without one the parameters of a form are those of the
// address.
func Place(at RequestOption) ConfigValue {
	name := Text(at.Path[0])
	switch at.Into {
	case "header":
		return Object{{"header", name}}
	case "request_parameter":
		return Object{{"query", name}}
	case "body_json":
		return Texts(at.Path)
	}
	return name
}

// Form is the method of a POST that has a form, or nothing, as its body.
const Form = "FORM"

// Insert adds a value at a path; it is not ok if there is one.
func Insert(o Object, path []string, value ConfigValue) (Object, bool) {
	at := slices.IndexFunc(o, func(m Pair) bool { return m.Name == path[0] })
	var within Object
	if at >= 0 {
		object, isObject := o[at].Value.(Object)
		if len(path) == 1 || !isObject {
			return o, false
		}
		within = object
	}
	if len(path) > 1 {
		made, ok := Insert(within, path[1:], value)
		if !ok {
			return o, false
		}
		value = made
	}
	with := slices.Clone(o)
	if at < 0 {
		return with.And(path[0], value), true
	}
	with[at].Value = value
	return with, true
}

// without is an object without what stands at a path.
func without(o Object, path []string) Object {
	at := slices.IndexFunc(o, func(m Pair) bool { return m.Name == path[0] })
	switch {
	case at < 0:
		return o
	case len(path) == 1:
		return slices.Delete(slices.Clone(o), at, at+1)
	}
	within, _ := o[at].Value.(Object)
	o = slices.Clone(o)
	o[at].Value = without(within, path[1:])
	return o
}

// InAddress is the value that a parameter has in the query of an address, as far as that is known.
func InAddress(endpoint Parts, name string) (value string, isThere bool) {
	_, query, _ := strings.Cut(endpoint.Shape(), "?")
	for pair := range strings.SplitSeq(query, "&") {
		own, text, _ := strings.Cut(pair, "=")
		if own == name {
			value, err := url.QueryUnescape(text)
			return value, err == nil
		}
	}
	return "", false
}
