package request

import "slices"

// A RequestPart of a request is where parameters stand.
type RequestPart string

// The parts that a parameter may name. One that names none stands where the method
// puts it.
const (
	InQuery RequestPart = "query"
	// InBody is a body of JSON.
	InBody RequestPart = "body"
)

// Empty stands for a body that is there and has no members.
var Empty = Param{In: InBody}

// isNothing tells whether the parameter is [Empty], wherever it stands.
func (q *Param) isNothing() bool { return q.Name == "" && q.Value == nil && q.Raw == "" }

// part is where the method puts parameters.
func (m Method) part() RequestPart {
	if m == Get {
		return InQuery
	}
	return InBody
}

// Of is a part as a parameter of the method names it: not at all where the method
// puts it anyway.
func (m Method) Of(part RequestPart) RequestPart {
	if part == m.part() {
		return ""
	}
	return part
}

// anyIn tells whether a parameter names a part.
func (p Params) anyIn() bool {
	return slices.ContainsFunc(p, func(q Param) bool { return q.In != "" })
}

// For are the parameters as those of a method, which name no part where it puts them
// anyway.
func (p Params) For(m Method) Params {
	if !p.anyIn() {
		return p
	}
	all := slices.Clone(p)
	for i := range all {
		all[i].In = m.Of(all[i].In)
	}
	return all
}

// Group are the parameters that the configuration gives for one part of a request. A body
// without any is one all the same.
func (p Params) Group(part RequestPart) Params {
	if part == InBody && len(p) == 0 {
		return Params{Empty}
	}
	return p.Into(part)
}

// Into are the parameters, all of which name a part; an empty one is none.
func (p Params) Into(part RequestPart) Params {
	if part == "" && !p.anyIn() {
		return p
	}
	all := slices.Clone(p)
	for i := range all {
		all[i].In = part
	}
	return all
}

// Naming are the parameters that name a part; an empty one are those that name none.
func (p Params) Naming(part RequestPart) Params {
	isElsewhere := func(q Param) bool { return q.In != part }
	if !slices.ContainsFunc(p, isElsewhere) {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), isElsewhere)
}

// standing are the parameters that stand in a part of the request.
func (r *Request) standing(part RequestPart) Params {
	isPlain := !r.Params.anyIn()
	switch {
	case isPlain && r.Method.part() == part:
		return r.Params
	case isPlain:
		return nil
	}
	return r.Params.For(r.Method).Naming(r.Method.Of(part))
}

// Body are the parameters that stand in the body.
func (r *Request) Body() Params { return r.standing(InBody) }

// HasBody tells whether the request has a body: a GET has one only by its parameters.
func (r *Request) HasBody() bool { return r.Method != Get || len(r.Body()) > 0 }

// mergeParts is [Params.Merge] where parameters name parts: those of one name that
// stand in others have nothing to do with each other.
func (p Params) mergeParts(over Params) (all Params) {
	for _, part := range []RequestPart{"", InQuery, InBody} {
		all = append(all, p.Naming(part).mergeNames(over.Naming(part))...)
	}
	return all
}
