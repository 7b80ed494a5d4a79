package auth

import (
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/expr"
	"sluice/source/request"
)

// plan is the function of that name of [request.Signer].
func (l *login) plan(r *request.Request, response func(path string, literal bool) string) (*request.Request, []string, error) {
	first, err := l.request(r.Job)
	if err != nil {
		return nil, nil, err
	}
	var hidden []string
	for _, h := range l.loginHeaders {
		if !secret.HarmlessHeader(h.Name) {
			hidden = append(hidden, h.Name)
		}
	}
	env := with(l.env.Expr, expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			return expr.Value{JSON: item.Quote(response(path, false)), Secret: true}, true
		},
	})
	s, err := l.values(env, func(path string) (string, error) { return response(path, true), nil })
	if err != nil {
		return nil, nil, err
	}
	s.sign(r)
	return first, hidden, nil
}
