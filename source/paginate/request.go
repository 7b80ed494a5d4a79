package paginate

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/request"
)

// A Group is parameters of the configuration that stand in one part of a request.
type Group struct {
	// In is empty for parameters that stand where the HTTP method puts them.
	In      request.RequestPart
	Members []expr.NamedValue
	// Escape is what values in a text get that is all of the body; nil: the members are parameters.
	Escape func(text string) string
}

// Groups compiles members query and body of an object.
func Groups(parts config.ParameterParts, env expr.Env, p *config.Problems) (all []Group) {
	for _, part := range []struct {
		in request.RequestPart
		n  *config.Node
	}{
		{request.InQuery, parts.Query},
		{request.InBody, parts.Body},
	} {
		if part.n != nil {
			all = append(all, Group{In: part.in, Members: expr.CompileMembers(part.n, env, p)})
		}
	}
	return all
}

// A Job is what paging knows of a job. Parameters are evaluated.
type Job struct {
	Method   request.Method
	Endpoint string
	// Shown is Endpoint without secrets, empty if it has none.
	Shown string
	// Pieces are those that Endpoint was made of.
	Pieces []request.EndpointPiece
	// Defaults are those of api.http.defaultOptions.
	Defaults request.Params
	// Params are the job's own. Those of its members query and body name the part.
	Params request.Params
	// Scroll are those of pages after the first, likewise; see [Needs].
	Scroll request.Params
	// Before is the bound of [Until], if the job has one.
	Before expr.Comparable
}

// request returns the job's request, own parameters over the defaults, and paging's
// over both.
func (j *Job) request(own, paging request.Params) *Request {
	params := j.Defaults.Merge(own.For(j.Method)).Merge(paging)
	return &Request{Method: j.Method, Endpoint: j.Endpoint, Shown: j.Shown, Params: params}
}

// A Request is what a page is asked for with, before authentication. It is plain
// data.
type Request struct {
	Method   request.Method
	Endpoint string
	// Shown is Endpoint without the secrets of the configuration, empty if it has none.
	Shown string
	// Given: Endpoint comes from a response, not from the configuration.
	Given  bool
	Params request.Params
	// Header goes over the job's own; it is mostly nil.
	Header http.Header
}

// hash is the same for requests that are the same.
func (r *Request) hash() uint64 {
	sum := textsHash(1)
	sum.add(string(r.Method))
	sum.add(r.Endpoint)
	sum.add(strconv.FormatBool(r.Given))
	for i := range r.Params {
		p := &r.Params[i]
		sum.add(p.Name + string(p.In))
		sum = sum.with(xxhash.Sum64(p.Value))
		sum.add(p.Raw)
	}
	if len(r.Header) == 0 {
		return uint64(sum)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		sum.add(name)
		for _, value := range r.Header[name] {
			sum.add(value)
		}
	}
	return uint64(sum)
}

// counts tells whether a request counts items or pages.
func (r *Request) counts() bool {
	for name := range r.Values() {
		if evidence.Is(name, evidence.OffsetNames|evidence.PageNames) {
			return true
		}
	}
	return false
}

// skips returns how many items a request skips by its own parameters, but for the one
// that has the page size; a greater number is a time.
func (r *Request) skips(size string) int64 {
	for _, p := range r.Params {
		if !evidence.Is(p.Name, evidence.OffsetNames) || p.Name == size {
			continue
		}
		n, ok := item.Integer(p.Value)
		if ok && n > 0 && n < most {
			return before(n)
		}
	}
	return 0
}

// beginsLater tells whether a request asks for another page than the first by its own
// parameters.
func (r *Request) beginsLater() bool {
	isLater := func(n evidence.Number) bool { return n.Value > 1 && evidence.IsPage(n.Name) }
	for name, value := range r.Values() {
		// In a text there are only sizes.
		mayBePage := evidence.IsPage(name) || item.Kind(value) == '{'
		if mayBePage && slices.ContainsFunc(evidence.Numbers{}.Asked(name, value), isLater) {
			return true
		}
	}
	return false
}

// Numbers are those in the parameters and the address of a request.
func (r *Request) Numbers() (all evidence.Numbers) {
	for name, value := range r.Values() {
		all = all.Asked(name, value)
	}
	return all
}

// Values are the parameters of a request but for secrets, then those in its address: names,
// and values as JSON.
func (r *Request) Values() iter.Seq2[string, []byte] {
	return func(yield func(name string, value []byte) bool) {
		for _, p := range r.Params {
			if !p.Secret && !yield(p.Name, p.Value) {
				return
			}
		}
		_, query, _ := strings.Cut(cmp.Or(r.Shown, r.Endpoint), "?")
		query, _, _ = strings.Cut(query, "#")
		for _, p := range request.ParseQuery(query) {
			_, value, _ := strings.Cut(p.Raw, "=")
			if !yield(p.Name, item.Quote(request.Unescape(value))) {
				return
			}
		}
	}
}

// A textsHash is the hash of several texts in their order.
type textsHash uint64

func (h *textsHash) add(text string) { *h = h.with(xxhash.Sum64String(text)) }

func (h textsHash) with(one uint64) textsHash { return textsHash(item.Mixed(uint64(h), one)) }

// Same tells whether both ask for the same page.
func (r *Request) Same(o *Request) bool {
	if r == nil || o == nil {
		return r == o
	}
	if r.Method != o.Method || r.Endpoint != o.Endpoint || r.Given != o.Given {
		return false
	}
	return slices.EqualFunc(r.Params, o.Params, isSame) && maps.EqualFunc(r.Header, o.Header, slices.Equal)
}

// isSame tells whether two parameters are sent alike.
func isSame(p, o request.Param) bool {
	isAlike := p.Name == o.Name && p.In == o.In && p.Raw == o.Raw
	return isAlike && p.Secret == o.Secret && bytes.Equal(p.Value, o.Value)
}

// most is what a number may be to be an offset or a page number; a greater one is a
// time.
const most = 1e8

// before is how many items stand before an offset. Where that is 1, items are mostly
// counted from 1, as SCIM does: nobody leaves out just the first one.
func before(offset int64) int64 {
	if offset == 1 {
		return 0
	}
	return offset
}
