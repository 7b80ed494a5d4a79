package paginate

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// decodePlace decodes an option that says where a parameter goes.
func decodePlace(o *config.ObjectDecoder, p *config.Problems, name, or, doc string) config.ParameterDestination {
	at := o.Place(name, or, doc+": its name, a path, or its name in a part of the request.")
	if at.In == config.PlaceHeader {
		expr.CheckHeaderName(o.Node().Member(name), at.Path[0], p)
	}
	return at
}

// A NamedPlace is where a paging parameter goes, and the option that says so, such as queryParam or params.NAME.
type NamedPlace struct {
	Option string
	config.ParameterDestination
}

// Node is where the option stands in a pagination: a member of it, or of its params.
func (p NamedPlace) Node(pagination *config.Node) *config.Node {
	if name, isOfSeveral := strings.CutPrefix(p.Option, "params."); isOfSeveral {
		return pagination.Member("params").Member(name)
	}
	return pagination.Member(p.Option)
}

func isHeader(at NamedPlace) bool { return at.In == config.PlaceHeader }

// Key is the same for places of one parameter in a request of the method.
func (p NamedPlace) Key(method request.Method) string {
	in, name := p.In, p.Path.String()
	switch {
	case in == config.PlaceQuery && method == request.Get, in == config.PlaceBody && method != request.Get:
		in = ""
	case in == config.PlaceHeader:
		name = http.CanonicalHeaderKey(name)
	}
	return in + " " + name
}

// placed is a paging parameter and its place, which may lie within a parameter of the
// job.
type placed struct {
	at config.ParameterDestination
	// value is nil where the parameter is taken out.
	value []byte
}

// paged is [Job.request] with paging parameters at their places.
func (j *Job) paged(own request.Params, paging ...placed) (*Request, error) {
	r := j.request(own, nil)
	params := append(make(request.Params, 0, len(r.Params)+len(paging)), r.Params...)
	for _, p := range paging {
		var err error
		if p.at.In == config.PlaceHeader {
			err = r.setHeader(p)
		} else {
			params, err = j.set(params, p)
		}
		if err != nil {
			return nil, err
		}
	}
	r.Params = params
	return r, nil
}

// setHeader puts a paging parameter into a header.
func (r *Request) setHeader(p placed) error {
	if item.Kind(p.value) == 'n' {
		return nil
	}
	name := p.at.Path[0]
	text, err := expr.NamedValue{Name: name}.HeaderText(p.value)
	if err != nil {
		return err
	}
	header := make(http.Header, len(r.Header)+1)
	maps.Copy(header, r.Header)
	header.Set(name, text)
	r.Header = header
	return nil
}

// set returns params, which it may change, with a paging parameter at its place.
func (j *Job) set(params request.Params, p placed) (request.Params, error) {
	q, at := j.target(params, p.at)
	i := params.Index(q)
	if len(at) > 1 && i >= 0 {
		q = params[i]
	}
	value, err := put(q.Value, at, 1, p.value)
	if err != nil {
		return nil, fmt.Errorf("%s.%w", j.whence(p.at), err)
	}
	if value == nil {
		return params.Without(q), nil
	}
	q.Value = value
	return params.Put(q), nil
}

// whence is the member of a job that has what stands at a place.
func (j *Job) whence(at config.ParameterDestination) string {
	switch {
	case at.In != "":
		return at.In
	case j.isOfBody(at):
		return "body"
	}
	return "params"
}

// sectionOf is the member of a job that has a parameter.
func sectionOf(q request.Param) string { return cmp.Or(string(q.In), "params") }

// isOfBody tells whether a place leads into the body of a job that is a GET: that is for
// paths, where the job has a body.
func (j *Job) isOfBody(at config.ParameterDestination) bool {
	isPath := at.Deep && at.In == ""
	return isPath && j.Method == request.Get && j.HasBody()
}

// HasBody tells whether the configuration gives the job a body of its own.
func (j *Job) HasBody() bool {
	return len(j.Params.Naming(request.InBody))+len(j.Scroll.Naming(request.InBody)) > 0
}

// target is the parameter that a place is of, without a value, and the path that begins
// with it. In a query a[b] is one name, unless there is an a for it to be part of.
func (j *Job) target(params request.Params, at config.ParameterDestination) (request.Param, item.Path) {
	q := request.Param{Name: at.Path[0]}
	isJSON := j.Method == request.Post
	switch {
	case at.In == config.PlaceQuery:
		q.In, isJSON = j.Method.Of(request.InQuery), false
	case at.In == config.PlaceBody:
		q.In, isJSON = j.Method.Of(request.InBody), j.Method != request.Form
	case j.isOfBody(at):
		q.In, isJSON = request.InBody, true
	}
	if len(at.Path) < 2 || isJSON {
		return q, at.Path
	}
	if params.Naming(q.In).Has(q.Name) {
		return q, at.Path
	}
	q.Name += "[" + strings.Join(at.Path[1:], "][") + "]"
	return q, item.Path{q.Name}
}

// Own is what the job has at a place itself, nil if there is nothing. Headers are not
// looked at: those of the job are none of paging.
func (j *Job) Own(at config.ParameterDestination) []byte {
	if at.In == config.PlaceHeader || len(at.Path) == 0 {
		return nil
	}
	params := j.Params.For(j.Method)
	q, path := j.target(params, at)
	return item.Lookup(params.Naming(q.In).Get(q.Name), path[1:])
}

// put returns value, at the first depth steps of a path, with what is given at its
// end.
func put(value []byte, at item.Path, depth int, given []byte) ([]byte, error) {
	if depth == len(at) {
		return given, nil
	}
	kind := item.Kind(value)
	index, err := strconv.Atoi(at[depth])
	isArray := kind == '[' || kind == 'n'
	// Some programs write {} as [].
	isObject := kind == '{' || kind == 'n' || string(value) == "[]"
	switch {
	case err == nil && isArray:
		return putElement(value, at, depth, index, given)
	case isObject:
		return putMember(value, at, depth, given)
	}
	return nil, fmt.Errorf("%s is %s, and paging puts a parameter at %s: make it an object",
		at[:depth], item.Noun(kind), at)
}

// putElement is [put] for the element of an array that has the index.
func putElement(array []byte, at item.Path, depth, index int, given []byte) ([]byte, error) {
	elements := slices.Collect(item.Elements(array))
	if index > len(elements) || index < 0 {
		return nil, fmt.Errorf("%s has %d elements, and paging puts a parameter at %s: write those before it",
			at[:depth], len(elements), at)
	}
	if index == len(elements) {
		elements = append(elements, nil)
	}
	inner, err := put(elements[index], at, depth+1, given)
	if err != nil {
		return nil, err
	}
	elements[index] = inner
	return arrayOf(elements), nil
}

// putMember is [put] for the member of an object.
func putMember(object []byte, at item.Path, depth int, given []byte) ([]byte, error) {
	all, name := members(object), at[depth]
	inner, err := put(all.Get(name), at, depth+1, given)
	if err != nil {
		return nil, err
	}
	if inner == nil {
		return all.Without(request.Param{Name: name}).Object(), nil
	}
	return all.Set(request.Param{Name: name, Value: inner}).Object(), nil
}

func arrayOf(elements [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(elements, []byte{','}), []byte{']'})
}

func members(object []byte) (all request.Params) {
	for name, value := range item.Members(object) {
		all = append(all, request.Param{Name: item.Unquote(name), Value: value})
	}
	return all
}

// exclusive reports options that take each other's place, if both are there.
func exclusive(o *config.ObjectDecoder, p *config.Problems, one, other string) {
	n := o.Node().Member(other)
	if n != nil && o.Node().Member(one) != nil {
		p.Errorf(n, "%s and %s exclude each other", one, other)
	}
}

// positive reads an option that must be a positive number; 0 is none.
func positive(o *config.ObjectDecoder, p *config.Problems, name, doc string) int64 {
	v, n := o.Int(name, 0, doc)
	if n != nil && v <= 0 {
		p.Errorf(n, "must be positive")
	}
	return v
}
