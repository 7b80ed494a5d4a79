package source

import (
	"bytes"

	"sluice/source/expr"
	"sluice/source/request"
)

// renewed is a header or a parameter that holds a token, which is good for a short
// time only: it is evaluated for each request (docs/decisions.md, section 13).
type renewed struct {
	expr.Member
	env   expr.Env
	first []byte // its first value: text of a header, JSON of a parameter
}

// renew gives the headers of a request their values of now.
func (it *iteration) renew(r *request.Request) error {
	return it.evaluated(it.renewed, func(m renewed, env expr.Env) error {
		if r.Header.Get(m.Name) != string(m.first) { // something stronger took its place
			return nil
		}
		text, err := m.Header(env)
		if err == nil {
			r.Header.Set(m.Name, text)
		}
		return err
	})
}

// renew does the same for a request of the job, parameters included.
func (j *job) renew(r *request.Request) error {
	err := j.iteration.evaluated(j.renewed, func(m renewed, env expr.Env) error {
		for i, p := range r.Params {
			if p.Name != m.Name || !bytes.Equal(p.Value, m.first) {
				continue
			}
			v, err := m.Value.Eval(env)
			if err != nil {
				return err
			}
			r.Params[i].Value = v.JSON
		}
		return nil
	})
	if err != nil {
		return err
	}
	return j.iteration.renew(r)
}

// evaluated calls use for each of all, and makes what functions make of secrets there
// secret, as long as requests with it are in flight.
func (it *iteration) evaluated(all []renewed, use func(renewed, expr.Env) error) error {
	var secrets []string
	for _, m := range all {
		m.env.Secret = func(_, text string) { secrets = append(secrets, text) }
		if err := use(m, m.env); err != nil {
			return err
		}
	}
	if len(secrets) > 0 {
		it.o.Secrets.AddSignature(secrets...)
	}
	return nil
}
