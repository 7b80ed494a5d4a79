package auth

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// login sends a login request and puts values of its answer into every other request. There is one session for
// the whole run, and one login in flight.
type login struct {
	env Env
	loginRequest

	// text tells that the answer to the login request is text, not JSON.
	text bool

	// headers and query are those of apiRequest.
	headers, query []expr.NamedValue

	// base is apiRequest.baseUrl; nil: that of the API.
	base *expr.Expr

	// reads is [request.Request.AnswerHeaders].
	reads map[string]bool

	// public is [request.Request.Public].
	public []item.Path
	expiry expiry

	// keep is for the next login; nil: nothing.
	keep *keeping

	// mu is a mutex, held while a login is in flight, and to the end of the request that a paired session
	// is for. Unlike a sync.Mutex it lets the clock of a testing/synctest bubble go on.
	mu chan struct{}

	// current is nil if there must be a login first.
	current *session

	// failed is final.
	failed error

	// pairs tells that every request has a login of its own.
	pairs bool
}

// loginRequest is what the configuration says of the request.
type loginRequest struct {
	method       request.Method
	endpoint     *expr.Expr
	params       []expr.NamedValue
	loginHeaders []expr.NamedValue

	// parts are the members query and body.
	parts []loginPart
}

// loginPart is parameters of a login request that stand in one part of it.
type loginPart struct {
	in      request.RequestPart
	members []expr.NamedValue
}

// session is what one login gave.
type session struct {
	header http.Header
	query  request.Params

	// expires is zero if it never does.
	expires time.Time

	// paired tells that the session is good for one request.
	paired bool

	// base is that of relative endpoints; nil: api.baseUrl.
	base    *url.URL
	cookies http.CookieJar

	// values evaluates header and query for one request; nil: they stay.
	values func() (http.Header, request.Params, error)
}

// sign puts the session's values into r.
func (s *session) sign(r *request.Request) (err error) {
	r.Session = s
	r.Cookies = s.cookies
	header, query := s.header, s.query
	if s.values != nil {
		header, query, err = s.values()
		if err != nil {
			return err
		}
	}
	for name := range header {
		r.SetHeader(name, header.Get(name))
	}
	r.Login = slices.Concat(r.Login, query)
	if s.base != nil {
		r.URL, err = r.Rebase(s.base)
	}
	return err
}

func newLogin(o *config.Object, env Env, p *config.Problems) *request.Signer {
	l := &login{env: env, mu: make(chan struct{}, 1), reads: map[string]bool{}}
	format := o.Choice("format", "json", "Format of the login response: json or text.", "json", "text")
	l.text = format == "text"
	l.decodeKeep(o, p)
	l.decodeRequest(o.Object("loginRequest", "The login request."), p)

	l.decodeAPIRequest(
		o.Object("apiRequest", "Values of the login response that every API request carries."),
		p,
	)
	const expiresDoc = "When the login request is repeated: seconds, or where the response says it."
	l.expiry = decodeExpiry(o.Any("expires", expiresDoc, "integer", "expires"), p)
	// All members are known by now: before, apiRequest would look like a misspelt loginRequest.
	o.Require("loginRequest")
	if l.expiry.response != nil {
		l.public = append(l.public, places(l.expiry.response)...)
	}
	l.pairs = l.expiry.always
	l.refuseKeep(o.Node(), p)
	if env.Divided {
		l.warnDivided(o.Node(), p)
	}
	return &request.Signer{
		Apply:    l.apply,
		Rejected: l.rejected,
		Done:     l.done,
		Plan:     l.plan,
		PlanNote: l.keep.planNote(),
	}
}

// warnDivided says what becomes of logins in a run of several shards.
func (l *login) warnDivided(n *config.Node, p *config.Problems) {
	if l.pairs {
		p.Errorf(n.Member("expires"), "a login for each request cannot be divided by --shard: "+
			"the logins of shards may end each other's sessions")
		return
	}
	p.Notef(n, "each shard logs in by itself: where the API ends a session when another one begins, "+
		"--shard is of no use")
}

func (l *login) decodeAPIRequest(o *config.Object, p *config.Problems) {
	later := l.later(nil)
	l.headers = expr.CompileHeaders(o.Any("headers", "Header name to value reference.", "map"), later, p)
	l.query = expr.CompileMembers(o.Any("query", "Parameter name to value reference.", "map"), later, p)
	const baseDoc = "Address of relative endpoints in place of api.baseUrl; a value reference."
	l.decodeBase(o.Any("baseUrl", baseDoc, "string", "expression"), p)
	l.env.Secrets.Add(literalSecrets(slices.Concat(l.headers, l.query))...)
	o.Done()
}

// decodeBase decodes apiRequest.baseUrl. It is made of no secrets: addresses are shown.
func (l *login) decodeBase(n *config.Node, p *config.Problems) {
	if n == nil {
		return
	}
	if n.Kind != '{' && n.Kind != '"' {
		p.Errorf(n,
			`must be a reference such as {"response": "instance_url"}, or a path in the login response`)
	}
	public := func(path string) { l.public = append(l.public, places(item.ParsePath(path, "."))...) }
	l.base = expr.Compile(n, l.later(public), p)
	if path, ok := l.base.Literal(); ok {
		public(path)
	}
}

// later has the contexts of apiRequest, while there is no login response yet. The function public, if set, is
// told the paths in it that are referred to: what is there is no secret, and no header is either.
func (l *login) later(public func(path string)) expr.Env {
	env := with(l.env.Expr, expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			if public != nil {
				public(path)
			}
			return expr.Value{}, true
		},
		"responseHeader": func(name string) (expr.Value, bool) {
			if name == "" || strings.ContainsAny(name, " :,") {
				fault := fmt.Sprintf("%q cannot be the name of a header of the login response", name)
				return expr.Value{Fault: fault}, false
			}
			name = http.CanonicalHeaderKey(name)
			l.reads[name] = l.reads[name] || public != nil
			return expr.Value{}, true
		},
	})
	// That is for the login request.
	delete(env.Contexts, "kept")
	return env
}

func (l *login) decodeRequest(o *config.Object, p *config.Problems) {
	l.decodeEndpoint(o, p)
	const methodDoc = "GET, POST (parameters as a JSON body) or FORM (as a form)."
	method, err := request.ParseMethod(o.Text("method", "GET", methodDoc, "GET", "POST", "FORM"))
	if err != nil {
		p.Errorf(o.Node().Member("method"), "%v", err)
	}
	l.method = method
	parts := o.Parts("Parameters of the login request.")
	parts.Check(string(method), p)
	l.params = expr.CompileMembers(parts.Params, l.env.Expr, p)
	if parts.Query != nil {
		l.parts = append(l.parts, loginPart{request.InQuery, expr.CompileMembers(parts.Query, l.env.Expr, p)})
	}
	if parts.Body != nil {
		l.parts = append(l.parts, loginPart{request.InBody, expr.CompileMembers(parts.Body, l.env.Expr, p)})
	}
	headers := o.Any("headers", "Headers of the login request.", "map")
	l.loginHeaders = expr.CompileHeaders(headers, l.env.Expr, p)
	o.Done()
}

// with returns env with more contexts.
func with(env expr.Env, more expr.Contexts) expr.Env {
	all := maps.Clone(more)
	maps.Copy(all, env.Contexts)
	env.Contexts = all
	return env
}

func (l *login) apply(ctx context.Context, r *request.Request) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	select {
	case l.mu <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	// A paired session keeps it, until done gives it back.
	kept := false
	defer func() {
		if !kept {
			<-l.mu
		}
	}()
	if l.failed == nil && !l.good() {
		l.current, l.failed = l.newSession(ctx, r.Job)
	}
	if l.failed != nil {
		return l.failed
	}
	err := l.current.sign(r)
	kept = err == nil && l.current.paired
	return err
}

// done lets the next pair begin, if r is of one.
func (l *login) done(r *request.Request) {
	if s, ok := r.Session.(*session); ok && s.paired {
		<-l.mu
	}
}

// rejected takes the session that signed r for void, unless a newer one has taken its place already.
func (l *login) rejected(r *request.Request) bool {
	s, ok := r.Session.(*session)
	if !ok || s.paired {
		// The session is not used again.
		return true
	}
	// Nobody holds it for longer than a login takes, and a request.
	l.mu <- struct{}{}
	defer func() { <-l.mu }()
	if l.current == s {
		l.current = nil
	}
	return true
}

// good tells whether the current session can sign a request.
func (l *login) good() bool {
	s := l.current
	if s == nil || s.paired {
		return false
	}
	return s.expires.IsZero() || l.env.Now().Before(s.expires)
}
