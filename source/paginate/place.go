package paginate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// placed is a paging parameter and the path to its place (docs/decisions.md, section 15).
type placed struct {
	at    item.Path
	value []byte // nil: the parameter is taken out
}

// paged is [Job.request] with paging parameters at their places.
func (j *Job) paged(own request.Params, paging ...placed) (*Request, error) {
	r := j.request(own, nil)
	for _, p := range paging {
		var err error
		if r.Params, err = j.set(r.Params, p); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// set returns params with a paging parameter at its place.
func (j *Job) set(params request.Params, p placed) (request.Params, error) {
	at := j.place(params, p.at)
	q := request.Param{Name: at[0], Value: p.value}
	if len(at) > 1 {
		if i := slices.IndexFunc(params, func(have request.Param) bool { return have.Name == q.Name }); i >= 0 {
			q = params[i]
		} else {
			q.Value = nil
		}
		var err error
		if q.Value, err = put(q.Value, at, 1, p.value); err != nil {
			return nil, err
		}
	}
	if q.Value == nil {
		return params.Without(q.Name), nil
	}
	return params.Set(q), nil
}

// place is where a parameter goes. In a query a[b] is one name, unless there is an a for it to be part of.
func (j *Job) place(params request.Params, at item.Path) item.Path {
	if len(at) < 2 || j.Method == request.Post || params.Has(at[0]) {
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

// put returns value, at the first depth steps of a path, with what is given at its end.
func put(value []byte, at item.Path, depth int, given []byte) ([]byte, error) {
	if depth == len(at) {
		return given, nil
	}
	path, step, kind := "params."+at[:depth].String(), at[depth], item.Kind(value)
	index, err := strconv.Atoi(step)
	switch isIndex := err == nil; {
	case isIndex && (kind == '[' || kind == 'n'):
		elements := slices.Collect(item.Elements(value))
		if index > len(elements) || index < 0 {
			return nil, fmt.Errorf("%s has %d elements, and paging puts a parameter at %s: write those before it", path, len(elements), at)
		}
		if index == len(elements) {
			elements = append(elements, nil)
		}
		if elements[index], err = put(elements[index], at, depth+1, given); err != nil {
			return nil, err
		}
		return array(elements), nil
	case kind == '{', kind == 'n', string(value) == "[]": // some programs write {} so
		all := members(value)
		inner, err := put(all.Get(step), at, depth+1, given)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			return all.Without(step).Object(), nil
		}
		return all.Set(request.Param{Name: step, Value: inner}).Object(), nil
	}
	return nil, fmt.Errorf("%s is %s, and paging puts a parameter at %s: make it an object", path, item.Noun(kind), at)
}

func array(elements [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(elements, []byte{','}), []byte{']'})
}

// filled is the job's request with numbers in its texts, where their names stand in braces.
func (j *Job) filled(name string, n, limit int64) (*Request, error) {
	r := j.request(slices.Clone(j.Params), nil)
	digits := func(n int64) string { return strconv.FormatInt(n, 10) }
	fill := []string{"{" + name + "}", digits(n), "{" + name + "+1}", digits(n + 1)}
	if limit > 0 {
		fill = append(fill, "{limit}", digits(limit))
	}
	moves := false
	for i, q := range r.Params {
		text := string(q.Value)
		moves = moves || strings.Contains(text, fill[0]) || strings.Contains(text, fill[2])
		text = strings.NewReplacer(fill...).Replace(text)
		for _, unknown := range []string{"{offset}", "{page}", "{limit}"} {
			if strings.Contains(text, unknown) {
				return nil, fmt.Errorf("params.%s: %s is there, and api.pagination has no such number", q.Name, unknown)
			}
		}
		r.Params[i].Value = []byte(text)
	}
	if !moves {
		return nil, errors.New("params: with api.pagination.template a text must have {" + name + "} where the number goes")
	}
	return r, nil
}
