package auth

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// Env is what authentication needs of the run.
type Env struct {
	// Authorization has the credentials of the OAuth types, at the document's root; nil if absent.
	Authorization *config.Node

	Resolve func(endpoint string) (*url.URL, request.Params, error)

	// Header is what every request carries, the login request included.
	Header http.Header

	// Renew gives the headers that are good for a short time their values of now.
	Renew func(*request.Request) error
	Shape request.ValueStyle

	// Expr has the context attr.
	Expr     expr.Env
	Secrets  *secret.Set
	Observer pipeline.Observer

	// Divided tells that the run is one of several shards.
	Divided bool
	Now     func() time.Time

	// Keeper has what logins give for the next one; nil: it goes with the process.
	Keeper Keeper

	// Consent is told how a person logs in, if the configuration says so; nil: nobody wants to know.
	Consent func(*Consent)

	// KeepsNot says why a login cannot keep anything here; empty: it can.
	KeepsNot string

	// Base reads an address that the login at an address gives in place of api.baseUrl, and lets its origin
	// have the credentials.
	Base func(text string, login *url.URL) (*url.URL, error)

	// Send sends a request through retry and log, without a signer, and gives the 2xx answer to read. It ends
	// with the run, not with the request that needed the login.
	Send func(job string, r *request.Request, read func(LoginAnswer) error) error
}

// A LoginAnswer is that to a login request.
type LoginAnswer struct {
	Header http.Header

	// Cookies are those that it and the redirects before it set.
	Cookies http.CookieJar
	Body    io.Reader

	// Tells why JSON was cut that has ended after so many bytes, within its value if that has begun; nil: it was not.
	Cut func(bytes int64, begun bool) error
}

// A Keeper has what logins gave for the next one, such as a refresh token that can be used once, at a place where other
// processes find it too: one of them logs in at a time.
type Keeper interface {
	// Begin comes before a login request is made. It returns what was kept last under a seed, of what has these
	// names, and what people are to be told, which may be empty. Where another process logs in, or nothing could
	// be kept, its error ends the login before it is sent.
	Begin(seed string, names []string) (kept map[string]string, told string, err error)

	// Renew comes before each attempt at the request: this process still logs in.
	Renew() error

	// End comes after each Begin without an error. When it returns nil, what the login gave is kept durably, in
	// place of what was kept before. nil says that it gave nothing: that stays.
	End(kept map[string]string) error
}

// with returns env with more contexts.
func with(env expr.Env, more expr.Contexts) expr.Env {
	all := maps.Clone(more)
	maps.Copy(all, env.Contexts)
	env.Contexts = all
	return env
}
