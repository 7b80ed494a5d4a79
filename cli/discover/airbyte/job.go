package airbyte

import "sluice/pipeline/item"

// A stream is one of the manifest while it is converted. What cannot be said is noted, and the conversion goes on, so
// that all of it is said at once.
type stream struct {
	name string
	at   *node

	// root is the outermost job, own the one whose items the stream has.
	root, own *job

	// slices are its parts, each with jobs of its own.
	slices []*slice

	refusals, more []Reason

	// left is what the items still lack that no filter of jq says.
	left []Reason

	// trace has the values that have decided something for it, and what a person should know of it.
	trace trace

	// steps are the filters of jq for the items, in order; transformed are those of the first slice's transformations.
	steps, transformed []string
	isTransformed      bool
}

// refuse notes that there is no job for the stream, and why: the text names what is not understood, and the cure.
func (s *stream) refuse(at *node, text string) { s.refusals = append(s.refusals, s.reason(at, text)) }

// leave notes what the items still lack, and no filter of jq says.
func (s *stream) leave(at *node, text string) { s.left = append(s.left, s.reason(at, text)) }

// widen notes that the job gives more items than the manifest would.
func (s *stream) widen(at *node, text string) { s.more = append(s.more, s.reason(at, text)) }

// reason is a text about a place; what is not there at all stands at the stream.
func (s *stream) reason(at *node, text string) Reason {
	if at == nil {
		at = s.at
	}
	if at == nil {
		return Reason{Text: text}
	}
	return Reason{Place: at.place, Line: at.line, Text: text}
}

// shape notes a filter of jq that the items still have to pass.
func (s *stream) shape(filter string) { s.steps = append(s.steps, filter) }

// A job is one of the configuration, its values as JSON.
type job struct {
	// part tells it from other jobs of its stream, such as eu-2; empty: there are none. What its state knows stands there
	// by this name, so it must not be that of another part one day.
	part string

	// base is the address that the endpoint is relative to, as JSON; empty: the endpoint is absolute.
	base string

	request

	// auth is how requests are signed.
	auth authentication

	// pagination is a paging method with its members; nil: the job is one request.
	pagination item.Object

	// dataField and format are empty where the default is meant.
	dataField, format string

	// where is the condition under which an item is emitted.
	where string

	answers

	// userData are members that each item gets.
	userData item.Object

	// windows is empty, or has windows of time.
	windows item.Object

	// of a child
	placeholders item.Object

	children []*job
}

// A request is what a job sends.
type request struct {
	// endpoint is a text or an expression, as JSON; method is empty for GET, or POST or FORM.
	endpoint, method string

	params, query, headers item.Object

	// body is nil where there is none.
	body item.Object
}

// answers are the conditions about answers, each in the language of recursionFilter.
type answers struct {
	emptyOn, endOn, failOn, retryOn []string

	// waitOn is nil, or has the member waitOn.
	waitOn item.Object

	// retryHeader is the header that says how long to wait.
	retryHeader string
}

// An authentication is what signs requests: headers and parameters that stand as they are, or a login.
type authentication struct {
	headers, query, body item.Object

	// member is api.authentication; nil: there is none.
	member item.Object

	// credentials are the members of config that it needs by their names, such as username and #password.
	credentials item.Object
}
