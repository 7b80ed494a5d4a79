package auth

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

var (
	_ Method  = &login{}
	_ Renewer = &login{}
	_ Pairer  = &login{}
)

// login sends a login request and puts values of its answer into every other
// request (specification.md, authentication rules 1 to 10). There is one session
// for the whole run, and at most one login in flight: whoever needs a session
// while one is being made waits for it.
type login struct {
	env    Env
	spec   loginRequest
	text   bool // format is text
	header []named
	query  []named
	expiry expiry

	mu      lock     // held while a login is in flight
	current *session // nil: there must be a login first
	failed  error    // a failed login is final
	pairs   bool     // every request has a login of its own
	pair    lock     // then held from a login to the end of its request
}

// lock is a mutex that is held while a request is on its way: unlike a
// sync.Mutex, a testing/synctest bubble lets its clock go on while some wait.
type lock chan struct{}

func (l lock) Unlock() { <-l }

// Lock returns the cause for which ctx has ended, if it does before the lock is
// free.
func (l lock) Lock(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// loginRequest is the member of that name.
type loginRequest struct {
	method   request.Method
	endpoint string
	params   []named
	header   []named
}

// named is a member whose value is an expression.
type named struct {
	name  string
	value *expr.Expr
}

// session is what one login gave.
type session struct {
	header  http.Header
	query   request.Params
	expires time.Time // zero: never
	paired  bool      // good for one request
}

// sign puts the session's values into r.
func (s *session) sign(r *request.Request) {
	r.Session = s
	for name := range s.header {
		r.Header.Set(name, s.header.Get(name))
	}
	r.Login = append(r.Login, s.query...)
}

func newLogin(o *config.Object, env Env, p *config.Problems) Method {
	l := &login{env: env, mu: make(lock, 1), pair: make(lock, 1)}
	format := o.Text("format", "json", "Format of the login response: json or text.", "json", "text")
	if format != "json" && format != "text" {
		p.Errorf(o.Node().Member("format"), "unknown format %q (have json, text)", format)
	}
	l.text = format == "text"
	l.decodeRequest(o.Object("loginRequest", "The login request."), p)

	later := with(env.Expr, expr.Contexts{"response": nil})
	api := o.Object("apiRequest", "Values of the login response that every API request carries.")
	l.header = compileHeaders(api.Any("headers", "Header name to value reference.", "map"), later, p)
	l.query = compile(api.Any("query", "Parameter name to value reference.", "map"), later, p)
	api.Done()
	l.expiry = decodeExpiry(o.Any("expires", "When the login request is repeated: seconds, or where the response says it.", "integer", "expires"), p)
	o.Require("loginRequest") // when all members are known, or apiRequest would look like a misspelt one
	l.pairs = l.expiry.always
	return l
}

func (l *login) decodeRequest(o *config.Object, p *config.Problems) {
	l.spec.endpoint = o.Text("endpoint", "", "Address of the login, relative to baseUrl.")
	o.Require("endpoint")
	if n := o.Node().Member("endpoint"); n != nil {
		if strings.TrimSpace(l.spec.endpoint) == "" {
			p.Errorf(n, "must not be empty")
		} else if _, _, err := l.env.Resolve(l.spec.endpoint); err != nil {
			p.Errorf(n, "%v", err)
		}
	}
	method, err := request.ParseMethod(o.Text("method", "GET", "GET, POST (parameters as a JSON body) or FORM (as a form).", "GET", "POST", "FORM"))
	if err != nil {
		p.Errorf(o.Node().Member("method"), "%v", err)
	}
	l.spec.method = method
	l.spec.params = compile(o.Any("params", "Parameters of the login request.", "map"), l.env.Expr, p)
	l.spec.header = compileHeaders(o.Any("headers", "Headers of the login request.", "map"), l.env.Expr, p)
	o.Done()
}

// with returns env with more contexts.
func with(env expr.Env, more expr.Contexts) expr.Env {
	all := maps.Clone(more)
	maps.Copy(all, env.Contexts)
	env.Contexts = all
	return env
}

// compile compiles each member of an object.
func compile(n *config.Node, env expr.Env, p *config.Problems) []named {
	if n == nil || n.Kind == '[' && len(n.Elems) == 0 || config.NewObject(n, p).Node() == nil {
		return nil
	}
	all := make([]named, 0, len(n.Members))
	for _, m := range n.Members {
		all = append(all, named{m.Name, expr.Compile(m.Value, env, p)})
	}
	return all
}

// compileHeaders compiles each member of an object of headers. As far as it can
// be known now, a value must be text in the end.
func compileHeaders(n *config.Node, env expr.Env, p *config.Problems) []named {
	all := compile(n, env, p)
	for i, h := range all {
		at := n.Members[i].Value
		if !request.ValidHeaderName(h.name) {
			p.Errorf(at, "%q cannot be the name of a header", h.name)
		}
		if !h.value.Ready() {
			if isData(at, env.Contexts) {
				p.Errorf(at, "a header must be a string, number or boolean")
			}
			continue
		}
		v, err := h.value.Eval(env)
		if err != nil {
			continue // Compile has reported it
		}
		switch text, ok := item.Text(v.JSON); {
		case !ok:
			p.Errorf(at, "a header must be a string, number or boolean")
		case !request.ValidHeader(text):
			p.Errorf(at, "the value has a line break or another character that no header can have")
		}
	}
	return all
}

// isData tells whether a value that is known later is an array, or an object that
// is neither an expression nor a reference.
func isData(n *config.Node, contexts expr.Contexts) bool {
	called := func(m config.Member) bool {
		_, context := contexts[m.Name]
		return m.Name == "function" || context && len(n.Members) == 1
	}
	return n.Kind == '[' || n.Kind == '{' && !slices.ContainsFunc(n.Members, called)
}

// Apply implements [Method].
func (l *login) Apply(ctx context.Context, r *request.Request) error {
	s, err := l.session(ctx, r.Job)
	if err != nil {
		return err
	}
	s.sign(r)
	return nil
}

// session returns a session that is good now. A paired one comes with l.pair
// held, which Done gives back.
func (l *login) session(ctx context.Context, job string) (*session, error) {
	if err := l.mu.Lock(ctx); err != nil {
		return nil, err
	}
	if l.pairs {
		l.mu.Unlock() // not held while waiting: Rejected needs it
		return l.paired(ctx, job)
	}
	defer l.mu.Unlock()
	if l.failed == nil && !l.good() {
		l.current, l.failed = l.renew(job)
		if l.pairs && l.failed == nil { // it turned out that sessions are good for one request
			if err := l.pair.Lock(ctx); err != nil {
				return nil, err
			}
		}
	}
	return l.current, l.failed
}

// paired logs in for one request, when it is its turn.
func (l *login) paired(ctx context.Context, job string) (*session, error) {
	if err := l.pair.Lock(ctx); err != nil {
		return nil, err
	}
	if err := l.mu.Lock(ctx); err != nil {
		l.pair.Unlock()
		return nil, err
	}
	defer l.mu.Unlock()
	l.current = nil
	if l.failed == nil {
		l.current, l.failed = l.renew(job)
	}
	if l.failed != nil {
		l.pair.Unlock()
		return nil, l.failed
	}
	return l.current, nil
}

// Done implements [Pairer].
func (l *login) Done(r *request.Request) {
	if s, ok := r.Session.(*session); ok && s.paired {
		l.pair.Unlock()
	}
}

// Rejected implements [Renewer]: the session that signed r is void, unless a
// newer one has taken its place already.
func (l *login) Rejected(r *request.Request) bool {
	l.mu <- struct{}{} // nobody holds it for longer than a login takes
	defer l.mu.Unlock()
	if s, ok := r.Session.(*session); ok && l.current == s {
		l.current = nil
	}
	return true
}

// good tells whether the current session can sign a request.
func (l *login) good() bool {
	return l.current != nil && (l.current.expires.IsZero() || l.env.Now().Before(l.current.expires))
}
