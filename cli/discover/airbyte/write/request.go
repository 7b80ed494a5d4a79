package write

import (
	"net/url"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/pipeline/item"
)

// A Request is what a job sends.
type Request struct {
	// Endpoint is what the request asks for, below its base.
	Endpoint Parts

	// Method is empty for GET, or POST or FORM.
	Method string

	Params, Query, Headers item.Object

	// Body is nil where there is none.
	Body item.Object
}

// A Spot is a place of a request that an option names.
type Spot struct {
	// Into is request_parameter, header, body_data or body_json.
	Into string

	// Path is a name, or several in a JSON body.
	Path []string
}

// PlaceOf is [job.place] of what an option says. What is put there later goes to the same part of the request.
func (j *Job) PlaceOf(at Spot) string {
	j.open(at)
	switch {
	case at.Into == "request_parameter" && j.Method == "":
		at.Into = "body_data"
	case at.Into == "body_json" && j.Method == "":
		// A GET that has no body on its first page has one on the others.
		return item.Object{"body", Place(at)}.String()
	}
	return Place(at)
}

// Place is [job.place] of a spot in a request that has a body: without one the parameters of a form are those of the
// address.
func Place(at Spot) string {
	name := Quote(at.Path[0])
	switch at.Into {
	case "header":
		return item.Object{"header", name}.String()
	case "request_parameter":
		return item.Object{"query", name}.String()
	case "body_json":
		return List(Quotes(at.Path))
	}
	return name
}

// Put puts a value into a request. Two of one name are a fault, as Airbyte has it.
func (j *Job) Put(at Spot, value string) {
	j.open(at)
	target := j.target(at)
	isTwice := false
	for m := range slices.Chunk(*target, 2) {
		isTwice = isTwice || at.Into == "header" && strings.EqualFold(m[0], at.Path[0])
	}
	with, ok := Insert(*target, at.Path, value)
	fault.If(isTwice || !ok, "%s stands twice in the same request (%s)", strings.Join(at.Path, "."), at.Into)
	*target = with
}

// open makes the part of the request that there is to be something in.
func (j *Job) open(at Spot) {
	isForm := j.Method == Form
	fault.If(at.Into == "body_json" && isForm && len(j.Params) > 0, "a request has a form or a JSON body, not both")
	fault.If(at.Into == "body_data" && !isForm, "a form beside a JSON body, or in a GET, has no equivalent in sluice")
	switch {
	case at.Into != "body_json":
		return
	case isForm:
		j.Method = "POST"
	}
	if j.Body == nil {
		j.Body = item.Object{}
	}
}

// Form is the method of a POST that has a form, or nothing, as its body.
const Form = "FORM"

// target is the part of the request that an option puts values into.
func (j *Job) target(at Spot) *item.Object {
	switch {
	case at.Into == "header":
		return &j.Headers
	case at.Into == "body_json":
		return &j.Body
	case at.Into == "request_parameter" && j.Method != "":
		return &j.Query
	}
	return &j.Params
}

// Insert adds a value at a path; it is not ok if there is one.
func Insert(o item.Object, path []string, value string) (item.Object, bool) {
	with := slices.Clone(o)
	at := slices.IndexFunc(slices.Collect(slices.Chunk(o, 2)), func(m item.Object) bool { return m[0] == path[0] })
	var within item.Object
	if at >= 0 {
		if len(path) == 1 || item.Kind([]byte(o[2*at+1])) != '{' {
			return o, false
		}
		within = ObjectOf(o[2*at+1])
	}
	if len(path) > 1 {
		var ok bool
		if within, ok = Insert(within, path[1:], value); !ok {
			return o, false
		}
		value = within.String()
	}
	if at < 0 {
		return append(with, path[0], value), true
	}
	with[2*at+1] = value
	return with, true
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
