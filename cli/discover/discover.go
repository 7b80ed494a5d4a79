// Package discover makes a configuration of somebody's description of an API, such as a curl command, and asks the API
// for what the description does not say.
package discover

import (
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A Description is what a description says: a request for items, and a login if there is one.
type Description struct {
	// Secrets do not stand in the configuration, which refers to them as attributes.
	Secrets []config.Attribute

	// LeftOut names what does not become a part of the configuration, and may be missed.
	LeftOut []string

	configuredRequest

	// login is the request whose answer has the token; nil: there is none.
	login *Description

	// token is the reference to an attribute in whose place the token of the login stands.
	token string

	// tokenPath is where the answer has the token, as the command says; empty: it does not.
	tokenPath string

	// called is what the items are called; empty: it is made of the request and the answer.
	called string

	// known are answers that need not be asked for; offline: nothing else is sent.
	known   []recordedAnswer
	offline bool
}

// Call says what the items are called.
func (a *Description) Call(dataType string) { a.called = dataType }

// HasCredentials tells whether the request has what may log it in.
func (a *Description) HasCredentials() bool {
	return len(a.Secrets) > 0 || a.login != nil || a.aws != ""
}

// A configuredRequest is a request as the members of a configuration.
type configuredRequest struct {
	base     string
	endpoint address

	// method is empty for GET.
	method string

	// aws is what signs it, as JSON; empty: nothing does.
	aws string

	headers item.ObjectBuilder
	params  item.ObjectBuilder

	// query are parameters in the address beside a body, body those of a GET.
	query, body item.ObjectBuilder

	// dataType is what the items are called.
	dataType string
}

// Known tells whether there are answers that need not be asked for.
func (a *Description) Known() bool { return len(a.known) > 0 }

// An address is an endpoint: texts, and references to secrets between them, each as JSON. A text comes first.
type address []string

// JSON is the endpoint as a member of the configuration.
func (a address) JSON() string {
	if len(a) == 1 {
		return a[0]
	}
	// A secret alone needs no text in front of it.
	if len(a) == 2 && a[0] == `""` {
		return a[1]
	}
	return expression("concat", a...)
}

// below is the endpoint as an absolute address.
func (a address) below(base string) address {
	first := quoted(base + item.Unquote([]byte(a[0])))
	return append(address{first}, a[1:]...)
}

// Observed is what the answers of an API say. The zero value leaves it all out of the configuration.
type Observed struct {
	// DataField is where the items are; empty: the configuration does not say it.
	DataField string

	// Made is in its place a dataField as JSON that makes items of rows, or of the members of an object; empty: it is not
	// needed.
	Made string

	// Format is the job's as JSON: how the answer is written; empty: as a document of JSON.
	Format string

	// Pagination is api.pagination as JSON; empty: there is none.
	Pagination string

	// token is where the answer to the login has it.
	token tokenPlace
}

// hasPaths tells whether an answer is one document, in which a path leads to the items.
func (f Observed) hasPaths() bool { return f.Format == "" || f.Format == `"xml"` }

// tokenPlace is where the answer to a login has the token, and for how many seconds
// it is good. Both may be empty.
type tokenPlace struct{ path, expires string }

// A recordedAnswer is a request with the answer that came.
type recordedAnswer struct {
	key string
	*triedAnswer
}

// expression is a function expression of arguments that are JSON.
func expression(function string, args ...string) string {
	return item.ObjectBuilder{"function", quoted(function), "args", "[" + strings.Join(args, ", ") + "]"}.String()
}

func quoted(text string) string { return string(item.Quote(text)) }
