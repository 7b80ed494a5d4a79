package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

func newLogin(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	l := &login{env: env, mu: make(chan struct{}, 1)}
	format := o.Choice("format", "json", "Format of the login response: json or text.", "json", "text")
	l.text = format == "text"
	l.decodeKeep(o, l.listed(o, p), p)

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
		l.learnExpiry(o.Node().Member("expires").Member("response"), p)
	}
	l.pairs = l.expiry.always
	l.refuseKeep(o.Node(), p)
	if env.Divided {
		l.warnDivided(o.Node(), p)
	}
	s := &request.Signer{
		Apply:    l.apply,
		Rejected: l.rejected,
		Done:     l.done,
		Plan:     l.plan,
		PlanNote: l.keep.planNote(),
	}
	if l.base != nil {
		s.Locate = l.locate
	}
	return s
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

func (l *login) decodeAPIRequest(o *config.ObjectDecoder, p *config.Problems) {
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
	l.base = expr.Compile(n, l.later(l.publish), p)
	if path, ok := l.base.Literal(); ok {
		l.publish(path)
	}
}

// decodeRequest decodes a login request, which draws upon env.
func (l *login) decodeRequest(o *config.ObjectDecoder, env expr.Env, p *config.Problems) *loginRequest {
	q := &loginRequest{reads: map[string]bool{}}
	l.decodeEndpoint(q, o, env, p)
	const methodDoc = "GET, POST (parameters as a JSON body) or FORM (as a form)."
	method, err := request.ParseMethod(o.Text("method", "GET", methodDoc, "GET", "POST", "FORM"))
	if err != nil {
		p.Errorf(o.Node().Member("method"), "%v", err)
	}
	q.method = method
	parts := o.Parts("Parameters of the login request.")
	parts.Check(string(method), p)
	q.params = expr.CompileMembers(parts.Params, env, p)
	if parts.Query != nil {
		q.parts = append(q.parts, loginPart{request.InQuery, expr.CompileMembers(parts.Query, env, p)})
	}
	if parts.Body != nil {
		q.parts = append(q.parts, loginPart{request.InBody, expr.CompileMembers(parts.Body, env, p)})
	}
	headers := o.Any("headers", "Headers of the login request.", "map")
	q.loginHeaders = expr.CompileHeaders(headers, env, p)
	o.Done()
	return q
}

func (l *login) apply(ctx context.Context, r *request.Request) error {
	if err := l.lock(ctx); err != nil {
		return err
	}
	// A paired session keeps it, until done gives it back.
	kept := false
	defer func() {
		if !kept {
			<-l.mu
		}
	}()
	if err := l.logIn(ctx, r.Job); err != nil {
		return err
	}
	err := l.current.sign(r)
	kept = err == nil && l.current.paired
	return err
}

// lock waits for mu, unless ctx ends.
func (l *login) lock(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	select {
	case l.mu <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// logIn makes current good for a request. The caller holds mu.
func (l *login) logIn(ctx context.Context, job string) error {
	if l.failed == nil && !l.good() {
		l.current, l.failed = l.newSession(ctx, job)
	}
	return l.failed
}

// locate is the function of that name of [request.Signer].
func (l *login) locate(ctx context.Context, job string) error {
	if err := l.lock(ctx); err != nil {
		return err
	}
	defer func() { <-l.mu }()
	return l.logIn(ctx, job)
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

// decodeKeep decodes the member keep of a login, and then its requests, to which it adds the context kept.
func (l *login) decodeKeep(o *config.ObjectDecoder, requests []*config.Node, p *config.Problems) {
	const doc = "What the login gives for the next one, such as a refresh token that can be used only once: " +
		"name to value reference."
	n := o.Any("keep", doc, "map")
	l.requests = make([]*loginRequest, len(requests))
	for i := range l.requests {
		l.requests[i] = &loginRequest{reads: map[string]bool{}}
	}
	l.keepAt = len(requests) - 1
	if n != nil {
		l.keep = &keeping{keeper: l.env.Keeper}
		l.keep.members = expr.CompileMembers(n, l.keepLater(n, p), p)
		l.keep.learnSeed(o.Node().Member("loginRequest"), l.env.Expr.Contexts)
		l.checkKeep(n, p)
	}
	l.env.Expr = with(l.env.Expr, expr.Contexts{"kept": l.keep.find})
	for i, request := range requests {
		env := l.env.Expr
		if l.numbered {
			env = with(env, l.answered(i, nil))
		}
		q := l.decodeRequest(config.NewObjectDecoder(request, p), env, p)
		q.reads, q.public = l.requests[i].reads, l.requests[i].public
		l.requests[i] = q
	}
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

// literalSecrets are those of the members of apiRequest that may be credentials themselves.
func literalSecrets(members []expr.NamedValue) []string {
	var all []string
	for _, m := range members {
		text, plain := m.Value.Literal()
		if plain && secret.Literal(m.Name, text) {
			all = append(all, secret.Parts(text)...)
		}
	}
	return all
}
