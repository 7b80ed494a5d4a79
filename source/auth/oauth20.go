package auth

import (
	"context"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

var _ Method = &oauth20{}

// oauth20 puts credentials that were obtained elsewhere into headers and query of
// every request: a bearer token, or a signature that is made of the request.
type oauth20 struct {
	env    Env
	creds  *credentials
	format string // of #data: json, text, or empty for what it is
	header []named
	query  []named
	nonces *nonces
}

func newOAuth20(o *config.Object, env Env, p *config.Problems) Method {
	a := &oauth20{env: env, format: o.Text("format", "", "Format of #data: json or text.")}
	a.creds = decodeCredentials(o, env, p, "#data")
	a.nonces = &nonces{key: a.creds.data}
	switch a.format {
	case "json":
		a.creds.wantObject(p)
	case "", "text":
	default:
		p.Errorf(o.Node().Member("format"), "unknown format %q (have json, text)", a.format)
	}
	a.env.Expr.Contexts = aboutLater()
	a.env.Expr.Contexts["authorization"] = nil
	headers := o.Any("headers", "Header name to value: an expression with authorization, query and request.", "map")
	query := o.Any("query", "Parameter name to value: an expression with authorization, query and request.", "map")
	a.header = compileHeaders(headers, a.env.Expr, p)
	a.query = compile(query, a.env.Expr, p)
	if len(a.header)+len(a.query) == 0 {
		p.Errorf(o.Node(), "needs headers or query, which say where the credentials go")
	}
	for _, n := range []*config.Node{headers, query} {
		checkRequests(n, p)
		references(n, "authorization", func(at *config.Node, path string) {
			if _, ok := a.authorization(path, "", time.Time{}); !ok && a.creds.data != "" {
				p.Errorf(at, "authorization %q is missing", path)
			}
		})
	}
	return a
}

// authorization looks a path of that context up.
func (a *oauth20) authorization(path, nonce string, now time.Time) (expr.Value, bool) {
	switch path {
	case "nonce":
		return expr.Value{JSON: item.Quote(nonce)}, true
	case "timestamp":
		return expr.Value{JSON: strconv.AppendInt(nil, now.Unix(), 10)}, true
	case "clientId":
		return expr.Value{JSON: item.Quote(a.creds.appKey)}, a.creds.appKey != ""
	case "data":
		return expr.Value{JSON: item.Quote(a.creds.data), Secret: true}, true
	}
	path, ok := strings.CutPrefix(path, "data.")
	if !ok || a.format == "text" {
		return expr.Value{}, false
	}
	return a.creds.find(path)
}

// Apply implements [Method].
func (a *oauth20) Apply(_ context.Context, r *request.Request) error {
	now := a.env.Now()
	nonce := a.nonces.next(now, string(r.Method), r.Address())
	var secrets []string
	env := a.env.Expr
	env.Secret = func(text string) { secrets = append(secrets, text) }
	env.Contexts = about(r, a.env.Secrets)
	env.Contexts["authorization"] = func(path string) (expr.Value, bool) { return a.authorization(path, nonce, now) }

	over, err := parameters(a.query, env)
	if err != nil {
		return err
	}
	for _, h := range a.header {
		text, err := headerText(h, env)
		if err != nil {
			return err
		}
		if request.Sensitive(h.name) {
			_, behind, _ := strings.Cut(text, " ")
			secrets = append(secrets, text, behind)
		}
		r.Header.Set(h.name, text)
	}
	a.env.Secrets.AddSignature(secrets...)
	r.Override(over)
	return nil
}
