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

// oauth20 puts credentials, or a signature made with them, into headers and query of every request.
type oauth20 struct {
	creds *credentials

	// format is that of #data: json, text, or empty for what it is.
	format string
}

func newOAuth20(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	a := &oauth20{format: o.Choice("format", "", "Format of #data: json or text.", "json", "text")}
	a.creds = decodeCredentials(o, env, p, "#data")
	if a.format == "json" {
		a.creds.wantObject(p)
	}
	env.Expr.Contexts = aboutLater()
	env.Expr.Contexts["authorization"] = func(path string) (expr.Value, bool) {
		_, ok := a.authorization(path, "", time.Time{})
		// Credentials without #data have been reported.
		return expr.Value{}, ok || a.creds.data == ""
	}
	const headersDoc = "Header name to value: an expression with authorization, query and request."
	const queryDoc = "Parameter name to value: an expression with authorization, query and request."
	header := expr.CompileHeaders(o.Any("headers", headersDoc, "map"), env.Expr, p)
	params := expr.CompileMembers(o.Any("query", queryDoc, "map"), env.Expr, p)
	if len(header)+len(params) == 0 {
		p.Errorf(o.Node(), "needs headers or query, which say where the credentials go")
	}
	return &request.Signer{Apply: func(_ context.Context, r *request.Request) error {
		now := env.Now()
		nonce := nonce(a.creds.data, now, string(r.Method), r.Address())
		known := env.Expr
		known.Contexts = expr.Contexts{"authorization": func(path string) (expr.Value, bool) {
			return a.authorization(path, nonce, now)
		}}
		return putInto(r, header, params, known, env.Secrets)
	}}
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

// newOAuth20Login decodes a login with the credentials of OAuth: consumer has client_id and client_secret,
// user what #data holds, if it is there, such as a refresh token.
func newOAuth20Login(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	c := decodeCredentials(o, env, p, "appKey", "#appSecret")
	c.wantObject(p)
	env.Expr = with(env.Expr, expr.Contexts{
		"consumer": func(path string) (expr.Value, bool) {
			switch path {
			case "client_id":
				return expr.Value{JSON: item.Quote(c.appKey)}, true
			case "client_secret":
				return expr.Value{JSON: item.Quote(c.appSecret), Secret: true}, true
			}
			return expr.Value{}, false
		},
		"user": c.find,
	})
	return newLogin(o, env, p)
}
