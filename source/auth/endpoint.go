package auth

import (
	"net/url"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// decodeEndpoint decodes the address of a login request, which draws upon env.
func (l *login) decodeEndpoint(q *loginRequest, o *config.ObjectDecoder, env expr.Env, p *config.Problems) {
	n := o.Any("endpoint", "Address of the login, relative to baseUrl; a string or an expression.",
		"string", "expression")
	o.Require("endpoint")
	o.Filled("endpoint")
	if !n.MayBeText(p) {
		return
	}
	// What joins a secret with other texts is none: its pieces are.
	env.Secret = nil
	q.endpoint = expr.Compile(n, env, p)
	if q.endpoint.PerRequest() {
		p.Errorf(n, "a token of jwt cannot stand in an endpoint: put it into the headers")
		return
	}
	if !q.endpoint.Ready() {
		return
	}
	text, shown, err := q.address(l.env.Expr)
	isMissing := text == "" && n.Kind == '"'
	switch {
	// These are reported.
	case expr.IsFault(err), err == nil && isMissing:
	case err != nil:
		p.Errorf(n, "%v", err)
	case text == "":
		p.Errorf(n, "is empty, where an address is expected")
	default:
		if _, _, err := l.env.Resolve(text); err != nil {
			p.Errorf(n, "%v", request.PlainFailure(err, shown, l.env.Resolve))
		}
	}
}

// address evaluates the address of the login. Shown has no secrets; it is empty if there are none.
func (q *loginRequest) address(env expr.Env) (text, shown string, err error) {
	pieces, err := q.endpoint.Pieces(env)
	if err != nil {
		return "", "", err
	}
	var all []request.EndpointPiece
	for _, p := range pieces {
		all = append(all, request.EndpointPiece{
			Text: p.Text, Name: p.Name, Escaped: p.Escaped, Secret: p.Secret, Whole: p.Whole,
		})
	}
	return request.Join(all, false)
}

// at sets where a login request goes, which draws upon env.
func (l *login) at(r *request.Request, q *loginRequest, env expr.Env) error {
	text, shown, err := q.address(env)
	if err != nil {
		return err
	}
	var u *url.URL
	u, r.Endpoint, err = l.env.Resolve(text)
	if err != nil {
		return request.PlainFailure(err, shown, l.env.Resolve)
	}
	r.URL = u
	if shown != "" {
		r.Endpoint, r.Hide = request.Conceal(u, r.Endpoint, shown, l.env.Resolve)
	}
	return nil
}
