package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A spot is a place of a request that an option names.
type spot struct {
	// into is request_parameter, header, body_data or body_json.
	into string

	// path is a name, or several in a JSON body.
	path []string
}

// spotOf reads an option of a request. The error says what is not understood.
func spotOf(option *node, sc scope) (spot, error) {
	at := spot{into: option.get("inject_into").text()}
	name, path := option.get("field_name"), option.get("field_path")
	if (name == nil) == (path == nil) {
		return at, errors.New("want one of field_name and field_path")
	}
	for _, n := range append(name.elements(), path.elements()...) {
		text, err := sc.fixedText(n)
		if err != nil {
			return at, err
		}
		if text == "" {
			return at, errors.New("a name is empty")
		}
		at.path = append(at.path, text)
	}
	switch at.into {
	case "request_parameter", "header", "body_data":
		if len(at.path) != 1 || path != nil {
			return at, errors.New("field_path is for body_json")
		}
	case "body_json":
	default:
		return at, fmt.Errorf("inject_into %q is not understood", at.into)
	}
	return at, nil
}

// fixedText is the text of what the conversion has to know; empty: it is nothing.
func (sc scope) fixedText(n *node) (string, error) {
	v, err := sc.constant(n)
	if err != nil || v == nil {
		return "", err
	}
	return printed(v), nil
}

// inject puts a value, as JSON, where an option of a request says. The error says why it cannot be there.
func (j *job) inject(option *node, sc scope, value string) error {
	at, err := spotOf(option, sc)
	if err != nil {
		return err
	}
	return j.put(at, value)
}

// place is where an option of a request says, as a paging parameter such as limitParam has it, as JSON. What is put
// there later goes to the same part of the request.
func (j *job) place(option *node, sc scope) (string, error) {
	at, err := spotOf(option, sc)
	if err != nil {
		return "", err
	}
	return j.placeOf(at)
}

// placeOf is [job.place] of what an option says.
func (j *job) placeOf(at spot) (string, error) {
	if err := j.open(at); err != nil {
		return "", err
	}
	name := quote(at.path[0])
	switch {
	case at.into == "header":
		return item.Object{"header", name}.String(), nil
	case at.into == "body_json":
		return "[" + strings.Join(quotes(at.path), ", ") + "]", nil
	case at.into == "request_parameter" && j.method != "":
		return item.Object{"query", name}.String(), nil
	}
	return name, nil
}

func quotes(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, quote(text))
	}
	return all
}

// put puts a value into a request. Two of one name are an error, as that platform has it.
func (j *job) put(at spot, value string) error {
	if err := j.open(at); err != nil {
		return err
	}
	target := j.target(at)
	if at.into == "header" {
		isSame := func(i int) bool { return strings.EqualFold((*target)[2*i], at.path[0]) }
		if slices.ContainsFunc(indices(*target), isSame) {
			return twice(at)
		}
	}
	with, ok := insert(*target, at.path, value)
	if !ok {
		return twice(at)
	}
	*target = with
	return nil
}

func twice(at spot) error {
	return fmt.Errorf("%s stands twice in the same request (%s)", strings.Join(at.path, "."), at.into)
}

// indices are the numbers of an object's members.
func indices(o item.Object) []int {
	var all []int
	for i := range len(o) / 2 {
		all = append(all, i)
	}
	return all
}

// open makes the part of the request that there is to be something in.
func (j *job) open(at spot) error {
	switch {
	case at.into == "body_json" && j.method == form && len(j.params) > 0:
		return errors.New("a request has a form or a JSON body, not both")
	case at.into == "body_json":
		if j.method == form {
			j.method = "POST"
		}
		if j.body == nil {
			j.body = item.Object{}
		}
	case at.into == "body_data" && j.method != form:
		return errors.New("a form beside a JSON body, or in a GET, cannot be said")
	}
	return nil
}

// form is the method of a POST that has a form, or nothing, as its body.
const form = "FORM"

// target is the part of the request that an option puts values into.
func (j *job) target(at spot) *item.Object {
	switch {
	case at.into == "header":
		return &j.headers
	case at.into == "body_json":
		return &j.body
	case at.into == "request_parameter" && j.method != "":
		return &j.query
	}
	return &j.params
}

// insert adds a value at a path; it is not ok if there is one.
func insert(o item.Object, path []string, value string) (item.Object, bool) {
	for i := range indices(o) {
		if o[2*i] != path[0] {
			continue
		}
		if len(path) == 1 || item.Kind([]byte(o[2*i+1])) != '{' {
			return o, false
		}
		within, ok := insert(objectOf(o[2*i+1]), path[1:], value)
		if !ok {
			return o, false
		}
		with := slices.Clone(o)
		with[2*i+1] = within.String()
		return with, true
	}
	if len(path) > 1 {
		within, _ := insert(nil, path[1:], value)
		value = within.String()
	}
	return append(slices.Clone(o), path[0], value), true
}

// objectOf is the object that a text is.
func objectOf(json string) item.Object {
	o := item.Object{}
	for name, value := range item.Members(tight(json)) {
		o = append(o, item.Unquote(name), loose(value))
	}
	return o
}
