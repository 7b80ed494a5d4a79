package compile

import (
	"maps"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/request"
)

// endpoint compiles the address of a job, and says which address may see credentials.
func (c *compiler) endpoint(d *config.Job, j *job.Job) {
	r, n := &j.Request, d.Endpoint
	r.Own = c.api.Addresses.Base
	if n == nil || expr.RefuseText(n, nil, c.problems) {
		return
	}
	env := r.Env
	// What joins a secret with other texts is none: its pieces are.
	env.Secret = nil
	last := env.Last
	env.Last = func(path string) (jsontext.Value, bool) {
		r.Followed = true
		return last(path)
	}
	r.Endpoint = expr.Compile(n, env, c.problems)
	sample, endpoint, shown := c.address(n, r.Endpoint, sampleEnv(j))
	r.Sample = sample
	if endpoint == "" {
		return
	}
	_, _, err := c.api.Addresses.Resolve(endpoint)
	switch {
	case err == nil:
		r.Own = c.own(n, j)
	case j.Parent == nil:
		c.problems.Errorf(n, "%v", request.PlainFailure(err, shown, c.api.Addresses.Resolve))
	}
}

// sampleEnv is what the endpoint of a job may use, with other values in place of those that each walk has of its own.
func sampleEnv(j *job.Job) expr.Env {
	env := j.Request.Env
	sample := func(string) (expr.Value, bool) { return expr.Value{JSON: sampleValue}, true }
	env.Contexts = maps.Clone(env.Contexts)
	for _, name := range []string{"window", "placeholder"} {
		if _, exists := env.Contexts[name]; exists {
			env.Contexts[name] = sample
		}
	}
	env.Last = func(string) (jsontext.Value, bool) { return nil, true }
	return env
}

// fixedEndpoint evaluates an endpoint for the whole run.
func (c *compiler) fixedEndpoint(n *config.Node, env expr.Env) (endpoint, shown string) {
	if !n.MayBeText(c.problems) {
		return "", ""
	}
	env.Secret = nil
	_, endpoint, shown = c.address(n, expr.Compile(n, env, c.problems), env)
	if endpoint == "" {
		return "", ""
	}
	if _, _, err := c.api.Addresses.Resolve(endpoint); err != nil {
		c.problems.Errorf(n, "%v", request.PlainFailure(err, shown, c.api.Addresses.Resolve))
	}
	return endpoint, shown
}

// address evaluates an endpoint, which was compiled of n, as far as that is possible now; it is empty if it is not.
func (c *compiler) address(
	n *config.Node, e *expr.Expr, env expr.Env,
) (all []request.EndpointPiece, endpoint, shown string) {
	if e.PerRequest() {
		c.problems.Errorf(n, "a token of jwt cannot stand in an endpoint: put it into the headers")
		return nil, "", ""
	}
	env.Secret = c.madeSecret
	all, err := job.Pieces(e, env)
	if err == nil {
		endpoint, shown, err = request.Join(all, false)
	}
	// Compile has reported what is wrong with the expression itself.
	isReported := expr.IsFault(err)
	isEmpty := endpoint == "" && n.Kind == '{'
	switch {
	case isReported:
	case err != nil:
		c.problems.Errorf(n, "%v", err)
	case isEmpty:
		c.problems.Errorf(n, "is empty, where an address is expected")
	}
	return all, endpoint, shown
}

// own is the address of a job as far as the configuration says it: what items have leads nowhere that credentials
// may go.
func (c *compiler) own(n *config.Node, j *job.Job) *url.URL {
	var none config.Problems
	env := sampleEnv(j)
	env.Secret = nil
	all, err := job.Pieces(expr.Compile(n, env, &none), env)
	endpoint := ""
	if err == nil {
		endpoint, _, err = request.Join(all, false)
	}
	if err != nil {
		return c.api.Addresses.Base
	}
	u, _, err := c.api.Addresses.Resolve(endpoint)
	if err != nil {
		return c.api.Addresses.Base
	}
	return u
}

// sampleValue stands for the values of placeholders before there are any. It can be
// read as a text, a number and a time.
var sampleValue = jsontext.Value(`"1"`)
