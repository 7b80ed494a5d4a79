package source

import (
	"bytes"
	"slices"

	"sluice/source/expr"
	"sluice/source/request"
)

// renewed is a header or parameter that is evaluated for each request (docs/decisions.md, section 13).
type renewed struct {
	expr.Member
	env   expr.Env
	first []byte // its first value: text of a header, JSON of a parameter
}

// renew gives the headers of a request their values of now.
func (it *iteration) renew(r *request.Request) error { return it.evaluate(r, it.renewed) }

// renew does the same for a request of the job, parameters included.
func (j *job) renew(r *request.Request) error {
	return j.iteration.evaluate(r, slices.Concat(j.renewed, j.iteration.renewed))
}

// evaluate gives what is renewed of a request its value of now, unless something stronger took its place.
// What functions make of secrets there is secret as long as requests with it are in flight.
func (it *iteration) evaluate(r *request.Request, all []renewed) error {
	var secrets []string
	for _, m := range all {
		m.env.Now = it.o.Clock
		m.env.Secret = func(_, text string) { secrets = append(secrets, text) }
		if r.Header.Get(m.Name) == string(m.first) {
			text, err := m.Header(m.env)
			if err != nil {
				return err
			}
			r.Header.Set(m.Name, text)
		}
		for i, p := range r.Params {
			if p.Name != m.Name || !bytes.Equal(p.Value, m.first) {
				continue
			}
			v, err := m.Value.Eval(m.env)
			if err != nil {
				return err
			}
			r.Params[i].Value = v.JSON
		}
	}
	if len(secrets) > 0 {
		it.o.Secrets.AddSignature(secrets...)
	}
	return nil
}
