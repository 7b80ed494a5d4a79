package auth

import (
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// newOAuth20Login decodes a login whose credentials are those of OAuth: consumer
// has client_id and client_secret, user what #data holds, such as a refresh token.
// Client credentials need no #data.
func newOAuth20Login(o *config.Object, env Env, p *config.Problems) *request.Signer {
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
