package request

import (
	"fmt"
	"net/http"
	"strings"
)

// A Method says how a request is sent and where its parameters travel.
type Method string

// The methods of the configuration.
const (
	// Parameters in the query.
	Get Method = "GET"
	// Parameters as a JSON body.
	Post Method = "POST"
	// An HTTP POST, parameters as a form.
	Form Method = "FORM"
)

// ParseMethod reads a method without regard to case; empty is [Get].
func ParseMethod(text string) (Method, error) {
	m := Method(strings.ToUpper(text))
	switch m {
	case "":
		return Get, nil
	case Get, Post, Form:
		return m, nil
	}
	return "", fmt.Errorf("unknown method %q (have GET, POST, FORM)", text)
}

// HTTP is the method of the protocol.
func (m Method) HTTP() string {
	if m == Get {
		return http.MethodGet
	}
	return http.MethodPost
}

// A RequestPart of a request is where parameters stand.
type RequestPart string

// The parts that a parameter may name. One that names none stands where the method
// puts it.
const (
	InQuery RequestPart = "query"
	// InBody is a body of JSON.
	InBody RequestPart = "body"
)

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
