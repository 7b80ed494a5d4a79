package auth

import (
	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/request"
)

var _ Planner = &login{}

// A Planner is a method that sends requests of its own before it signs one. What
// it would do can be told beforehand.
type Planner interface {
	// Plan returns the request that comes first, which is not sent, and signs r
	// with response(path) in the place of the value that its answer will have at
	// path; literal is true where the path itself is meant if there is none.
	// secret names the headers of the first request that are not to be shown.
	Plan(r *request.Request, response func(path string, literal bool) string) (first *request.Request, secret []string, err error)
}

// Plan implements [Planner].
func (l *login) Plan(r *request.Request, response func(path string, literal bool) string) (*request.Request, []string, error) {
	first, err := l.request(r.Job)
	if err != nil {
		return nil, nil, err
	}
	var secret []string
	for _, h := range l.spec.header {
		if !request.Harmless(h.name) {
			secret = append(secret, h.name)
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
	return first, secret, nil
}
