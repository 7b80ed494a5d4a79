package paginate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// placed is a paging parameter and the path to its place, which may lie within a
// parameter of the job.
type placed struct {
	at item.Path
	// value is nil where the parameter is taken out.
	value []byte
}

// paged is [Job.request] with paging parameters at their places.
func (j *Job) paged(own request.Params, paging ...placed) (*Request, error) {
	r := j.request(own, nil)
	params := append(make(request.Params, 0, len(r.Params)+len(paging)), r.Params...)
	for _, p := range paging {
		var err error
		params, err = j.set(params, p)
		if err != nil {
			return nil, err
		}
	}
	r.Params = params
	return r, nil
}

// set returns params, which it may change, with a paging parameter at its place.
func (j *Job) set(params request.Params, p placed) (request.Params, error) {
	at := j.place(params, p.at)
	q := request.Param{Name: at[0]}
	i := slices.IndexFunc(params, func(have request.Param) bool { return have.Name == q.Name })
	isPart := len(at) > 1
	if isPart && i >= 0 {
		q = params[i]
	}
	value, err := put(q.Value, at, 1, p.value)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return params.Without(q.Name), nil
	}
	q.Value = value
	return params.Put(q), nil
}

// place is where a parameter goes. In a query a[b] is one name, unless there is an a
// for it to be part of.
func (j *Job) place(params request.Params, at item.Path) item.Path {
	if len(at) < 2 || j.Method == request.Post {
		return at
	}
	if params.Has(at[0]) {
		return at
	}
	return item.Path{at[0] + "[" + strings.Join(at[1:], "][") + "]"}
}

// own is what the job has at a place itself, nil if there is nothing.
func (j *Job) own(at item.Path) []byte {
	if len(at) == 0 {
		return nil
	}
	at = j.place(j.Params, at)
	return item.Lookup(j.Params.Get(at[0]), at[1:])
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
		placeOf(at, depth), item.Noun(kind), at)
}

// placeOf names the parameter at the first depth steps of a path.
func placeOf(at item.Path, depth int) string { return "params." + at[:depth].String() }

// putElement is [put] for the element of an array that has the index.
func putElement(array []byte, at item.Path, depth, index int, given []byte) ([]byte, error) {
	elements := slices.Collect(item.Elements(array))
	if index > len(elements) || index < 0 {
		return nil, fmt.Errorf("%s has %d elements, and paging puts a parameter at %s: write those before it",
			placeOf(at, depth), len(elements), at)
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
		return all.Without(name).Object(), nil
	}
	return all.Set(request.Param{Name: name, Value: inner}).Object(), nil
}

func arrayOf(elements [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(elements, []byte{','}), []byte{']'})
}
