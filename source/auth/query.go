package auth

import (
	"context"

	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

var _ Method = &query{}

// query adds parameters to the query of every request. Their values may be made
// of the request, so they are evaluated for each one anew.
type query struct {
	env    expr.Env
	known  *secret.Set
	params []named
}

func newQuery(o *config.Object, env Env, p *config.Problems) Method {
	n := o.Any("query", "Parameter name to value: a literal, or an expression with attr, query and request.", "map")
	o.Require("query")
	checkRequests(n, p)
	q := &query{env.Expr, env.Secrets, compile(n, with(env.Expr, aboutLater()), p)}
	for _, param := range q.params { // a key need not be an attribute whose name begins with #
		if v, err := param.value.Eval(env.Expr); err == nil && param.value.Ready() {
			env.Secrets.Add(texts(v.JSON)...)
		}
	}
	return q
}

// Apply implements [Method].
func (q *query) Apply(_ context.Context, r *request.Request) error {
	var secrets []string
	env := with(q.env, about(r, q.known))
	env.Secret = func(text string) { secrets = append(secrets, text) }
	over, err := parameters(q.params, env)
	if err != nil {
		return err
	}
	q.known.AddSignature(secrets...)
	r.Override(over)
	return nil
}

// parameters evaluates parameters that are not to be shown.
func parameters(all []named, env expr.Env) (request.Params, error) {
	var params request.Params
	for _, param := range all {
		v, err := param.value.Eval(env)
		if err != nil {
			return nil, err
		}
		params = append(params, request.Param{Name: param.name, Value: v.JSON, Secret: true})
	}
	return params, nil
}
