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
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// types are the authentication types by the name that api.authentication.type has.
var types = map[string]func(*config.Object, Env, *config.Problems) Method{
	"basic":         newBasic,
	"login":         newLogin,
	"oauth10":       newOAuth10,
	"oauth20":       newOAuth20,
	"oauth20.login": newOAuth20Login,
	"query":         newQuery,
	"url.query":     newQuery, // its name in older configurations
}

// A Method signs requests.
type Method interface {
	// Apply adds to r what the API wants to see. It is called once for each
	// attempt, on a request of its own, before parameters are encoded, and may
	// log in first. An error is final for the run, unless it is the cause for
	// which ctx has ended: who does not want the request any more does not wait.
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

// A Finisher is a method whose signature covers the finished request.
type Finisher interface {
	// Finish signs h, as it is about to be sent: once for each request to which
	// Apply was, and not for redirects. It may change headers, and the way in which
	// the address is written, not what it means. An error is final for the run.
	Finish(h *http.Request) error
}

// Env is what authentication needs of the run.
type Env struct {
	// Authorization is the member of that name at the document's root, where the
	// credentials of the OAuth types are; nil if it is absent.
	Authorization *config.Node

	Resolve  func(endpoint string) (*url.URL, request.Params, error)
	Header   http.Header // what every request carries, the login request included
	Expr     expr.Env    // with the context attr
	Secrets  *secret.Set
	Observer pipeline.Observer
	Now      func() time.Time

	// Send sends a request through retry and log, without a session, and gives
	// the body of the 2xx answer to read. It ends with the run, whoever asked for
	// it may have gone away.
	Send func(job string, r *request.Request, read func(contentType string, body io.Reader) error) error
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
		if name != "" {
			p.Errorf(n.Member("type"), "unknown type %q%s", name, config.Have(name, slices.Sorted(maps.Keys(types))))
		}
		return nil
	}
	m := decode(o, env, p)
	o.Done()
	return m
}
