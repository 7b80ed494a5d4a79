// Package auth makes requests that an API accepts: one file per authentication
// type. A method is shared by all jobs of a run and safe for concurrent use.
package auth

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// types are the authentication types by the name that api.authentication.type has.
var types = map[string]func(*config.Object, Env, *config.Problems) Method{
	"login": newLogin,
}

// unsupported are the types of the dialect that are still to come.
var unsupported = []string{"basic", "query", "oauth10", "oauth20", "oauth20.login", "url.query", "bearer"}

// A Method signs requests.
type Method interface {
	// Apply adds to r what the API wants to see. It is called once for each
	// attempt, on a request of its own, before parameters are encoded, and may
	// log in first. An error is final for the run.
	Apply(ctx context.Context, r *request.Request) error
}

// A Renewer is a method that may do better after an answer of 401.
type Renewer interface {
	// Rejected is told that r was answered with 401, and says whether it is
	// worth while to apply once more.
	Rejected(r *request.Request) bool
}

// A Pairer is a method that must know when an exchange is over.
type Pairer interface {
	// Done is called once for each request to which Apply was, whatever became
	// of it.
	Done(r *request.Request)
}

// Env is what authentication needs of the run.
type Env struct {
	Resolve  func(endpoint string) (*url.URL, request.Params, error)
	Header   http.Header // what every request carries, the login request included
	Expr     expr.Env    // with the context attr
	Secrets  *pipeline.Secrets
	Observer pipeline.Observer
	Now      func() time.Time

	// Send sends a request through retry and log, without a session, and gives
	// the body of the 2xx answer to read.
	Send func(ctx context.Context, job string, r *request.Request, read func(contentType string, body io.Reader) error) error
}

// New decodes api.authentication; a nil node gives a nil method: no authentication.
func New(n *config.Node, env Env, p *config.Problems) Method {
	o := config.NewObject(n, p)
	if o.Node() == nil {
		return nil
	}
	name := o.Text("type", "", "How requests are authenticated.")
	o.Require("type")
	decode, ok := types[name]
	if !ok {
		known := slices.Sorted(maps.Keys(types))
		switch {
		case slices.Contains(unsupported, name):
			p.Errorf(n.Member("type"), "the type %q is not implemented (have %s)", name, strings.Join(known, ", "))
		case name != "":
			p.Errorf(n.Member("type"), "unknown type %q%s", name, config.Have(name, known))
		}
		return nil
	}
	m := decode(o, env, p)
	o.Done()
	return m
}
