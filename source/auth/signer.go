package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

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
	l.decodeAuthorize(o, p)
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
		p.Errorf(n.Member("expires"), "cannot be 0 with --shard: with a login for each request, the logins of "+
			"shards may end each other's sessions")
		return
	}
	p.Notef(n, "each shard logs in by itself: if the API ends a session when another one begins, --shard "+
		"cannot be used")
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

// decodeKeep decodes the member keep of a login, and adds the context kept to what the login request draws upon.
func (l *login) decodeKeep(o *config.Object, p *config.Problems) {
	const doc = "What the login gives for the next one, such as a refresh token that can be used only once: " +
		"name to value reference."
	n := o.Any("keep", doc, "map")
	if n != nil {
		l.keep = &keeping{keeper: l.env.Keeper}
		l.keep.members = expr.CompileMembers(n, l.later(nil), p)
		l.keep.learnSeed(o.Node().Member("loginRequest"), l.env.Expr.Contexts)
		l.checkKeep(n, p)
	}
	l.env.Expr = with(l.env.Expr, expr.Contexts{"kept": l.keep.find})
}

func (l *login) checkKeep(n *config.Node, p *config.Problems) {
	for _, m := range l.keep.members {
		if m.Value.Ready() {
			p.Errorf(n.Member(m.Name), `must be a reference such as {"response": "refresh_token"}`)
		}
	}
	if l.env.KeepsNot != "" {
		p.Errorf(n, "%s", l.env.KeepsNot)
	}
}

// refuseKeep refuses what does not go together with keep: each request would use up what the one before it gave.
func (l *login) refuseKeep(n *config.Node, p *config.Problems) {
	if l.keep != nil && l.expiry.always {
		p.Errorf(n.Member("expires"), "cannot be 0 beside keep, since that would log in for each request: "+
			"write a number of seconds, or where the response has it")
	}
}

// newSession logs in, and has what the login gives kept before anything of it is used. If ctx has ended meanwhile nobody
// hears of its error.
func (l *login) newSession(ctx context.Context, job string) (*session, error) {
	if l.keep == nil {
		return l.renew(job)
	}
	told, err := l.keep.begin()
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	l.env.Secrets.Add(slices.Collect(maps.Values(l.keep.kept))...)
	if told != "" {
		l.env.Observer.Observe(pipeline.Warned{Job: job, Text: told, At: l.env.Now()})
	}
	if l.keep.needsPerson() {
		return nil, l.keep.end(errNobody)
	}
	s, err := l.renew(job)
	unheard := l.keep.lost(err)
	err = l.keep.end(err)
	if errors.As(err, new(*notKept)) && ctx.Err() != nil {
		unheard = err.Error()
	}
	if unheard != "" {
		l.env.Observer.Observe(pipeline.Warned{Job: job, Text: unheard, At: l.env.Now()})
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
