package write

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A Spot is a place of a request that an option names.
type Spot struct {
	// Into is request_parameter, header, body_data or body_json.
	Into string

	// Path is a name, or several in a JSON body.
	Path []string
}

// PlaceOf is [job.place] of what an option says.
func (j *Job) PlaceOf(at Spot) (string, error) {
	if err := j.open(at); err != nil {
		return "", err
	}
	name := Quote(at.Path[0])
	switch {
	case at.Into == "header":
		return item.Object{"header", name}.String(), nil
	case at.Into == "body_json":
		return "[" + strings.Join(Quotes(at.Path), ", ") + "]", nil
	case at.Into == "request_parameter" && j.Method != "":
		return item.Object{"query", name}.String(), nil
	}
	return name, nil
}

// Quotes are texts as JSON.
func Quotes(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, Quote(text))
	}
	return all
}

// Put puts a value into a request. Two of one name are an error, as that platform has it.
func (j *Job) Put(at Spot, value string) error {
	if err := j.open(at); err != nil {
		return err
	}
	target := j.target(at)
	if at.Into == "header" {
		isSame := func(i int) bool { return strings.EqualFold((*target)[2*i], at.Path[0]) }
		if slices.ContainsFunc(Indices(*target), isSame) {
			return twice(at)
		}
	}
	with, ok := Insert(*target, at.Path, value)
	if !ok {
		return twice(at)
	}
	*target = with
	return nil
}

func twice(at Spot) error {
	return fmt.Errorf("%s stands twice in the same request (%s)", strings.Join(at.Path, "."), at.Into)
}

// Indices are the numbers of an object's members.
func Indices(o item.Object) []int {
	var all []int
	for i := range len(o) / 2 {
		all = append(all, i)
	}
	return all
}

// open makes the part of the request that there is to be something in.
func (j *Job) open(at Spot) error {
	switch {
	case at.Into == "body_json" && j.Method == Form && len(j.Params) > 0:
		return errors.New("a request has a form or a JSON body, not both")
	case at.Into == "body_json":
		if j.Method == Form {
			j.Method = "POST"
		}
		if j.Body == nil {
			j.Body = item.Object{}
		}
	case at.Into == "body_data" && j.Method != Form:
		return errors.New("a form beside a JSON body, or in a GET, cannot be said")
	}
	return nil
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
	for i := range Indices(o) {
		if o[2*i] != path[0] {
			continue
		}
		if len(path) == 1 || item.Kind([]byte(o[2*i+1])) != '{' {
			return o, false
		}
		within, ok := Insert(ObjectOf(o[2*i+1]), path[1:], value)
		if !ok {
			return o, false
		}
		with := slices.Clone(o)
		with[2*i+1] = within.String()
		return with, true
	}
	if len(path) > 1 {
		within, _ := Insert(nil, path[1:], value)
		value = within.String()
	}
	return append(slices.Clone(o), path[0], value), true
}

// ObjectOf is the object that a text is.
func ObjectOf(json string) item.Object {
	o := item.Object{}
	for name, value := range item.Members(Tight(json)) {
		o = append(o, item.Unquote(name), Loose(value))
	}
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
