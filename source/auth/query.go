package auth

import (
	"context"

	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// newQuery adds parameters, which may be made of the request, to the query of every request.
func newQuery(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	n := o.Any("query",
		"Parameter name to value: a literal, or an expression with attr, query and request.", "map")
	o.Require("query")
	if n != nil {
		for _, m := range n.Members {
			// It may be a secret.
			expr.RefuseText(m.Value, []byte(`such as {"attr": "…"} or {"function": …}`), p)
		}
	}
	params := expr.CompileMembers(n, with(env.Expr, aboutLater()), p)
	// A key need not be an attribute whose name begins with #.
	for _, param := range params {
		v, err := param.Value.Eval(env.Expr)
		if err == nil && param.Value.Ready() {
			env.Secrets.Add(texts(v.JSON)...)
		}
	}
	return &request.Signer{Apply: func(_ context.Context, r *request.Request) error {
		return putInto(r, nil, params, env.Expr, env.Secrets)
	}}
}

// putInto evaluates headers and parameters with what they may be made of, and puts them into r.
func putInto(r *request.Request, headers, params []expr.NamedValue, env expr.Env, known *secret.Set) error {
	var secrets []string
	env = with(env, about(r, known))
	env.Secret = func(_, text string) { secrets = append(secrets, text) }
	var over request.Params
	err := expr.EvalMembers(params, env, func(name string, v expr.Value) {
		if secret.Name(name) {
			secrets = append(secrets, texts(v.JSON)...)
		}
		over = append(over, request.Param{Name: name, Value: v.JSON, Secret: true})
	})
	if err != nil {
		return err
	}
	for _, h := range headers {
		text, err := h.Header(env)
		if err != nil {
			return err
		}
		if secret.Name(h.Name) {
			secrets = append(secrets, secret.Parts(text)...)
		}
		r.SetHeader(h.Name, text)
	}
	known.AddSignature(secrets...)
	r.Override(over)
	return nil
}
