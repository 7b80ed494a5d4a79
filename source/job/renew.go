package job

import (
	"bytes"
	"slices"

	"sluice/source/request"
)

// Renew gives what is renewed of a request its value of now, unless something
// stronger took its place. What functions make of secrets there, and other secrets of
// the request, are secret as long as requests with them are in flight.
func (a *API) Renew(r *request.Request, all []Renewed, secrets ...string) error {
	secrets = slices.Clip(secrets)
	for _, m := range all {
		m.Env.Now = a.Clock
		m.Env.Secret = func(_, text string) { secrets = append(secrets, text) }
		if r.Header.Get(m.Name) == string(m.First) {
			text, err := m.Header(m.Env)
			if err != nil {
				return err
			}
			r.SetHeader(m.Name, text)
		}
		for i, p := range r.Params {
			if p.Name != m.Name || !bytes.Equal(p.Value, m.First) {
				continue
			}
			v, err := m.Value.Eval(m.Env)
			if err != nil {
				return err
			}
			r.Params = slices.Clone(r.Params)
			r.Params[i].Value = v.JSON
		}
	}
	if len(secrets) > 0 {
		a.Secrets.AddSignature(secrets...)
	}
	return nil
}
