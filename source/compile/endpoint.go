package compile

import (
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/request"
)

// endpoint compiles the address of a job, and says which address may see credentials.
func (c *compiler) endpoint(d *config.Job, j *job.Job, env expr.Env) {
	r, n := &j.Request, d.Endpoint
	r.Own = c.api.Addresses.Base
	if n == nil || expr.RefuseText(n, nil, c.problems) {
		return
	}
	// What joins a secret with other texts is none: its pieces are.
	env.Secret = nil
	if last := env.Last; last != nil {
		env.Last = func(path string) jsontext.Value {
			r.Followed = true
			return last(path)
		}
	}
	r.Endpoint = expr.Compile(n, env, c.problems)
	if j.Windowed && len(j.Windows) > 0 {
		env = job.WindowEnv(env, c.api.Started, &j.Windows[0])
	}
	endpoint, shown := c.address(n, r.Endpoint, env)
	if endpoint == "" {
		return
	}
	_, _, err := c.api.Addresses.Resolve(endpoint)
	switch {
	case err == nil:
		r.Own = c.own(n, env)
	case j.Parent == nil:
		c.problems.Errorf(n, "%v", request.PlainFailure(err, shown, c.api.Addresses.Resolve))
	}
}

// fixedEndpoint evaluates an endpoint for the whole run.
func (c *compiler) fixedEndpoint(n *config.Node, env expr.Env) (endpoint, shown string) {
	if !n.MayBeText(c.problems) {
		return "", ""
	}
	env.Secret = nil
	endpoint, shown = c.address(n, expr.Compile(n, env, c.problems), env)
	if endpoint == "" {
		return "", ""
	}
	if _, _, err := c.api.Addresses.Resolve(endpoint); err != nil {
		c.problems.Errorf(n, "%v", request.PlainFailure(err, shown, c.api.Addresses.Resolve))
	}
	return endpoint, shown
}

// address evaluates an endpoint, which was compiled of n, as far as that is possible now; it is empty if it is not.
func (c *compiler) address(n *config.Node, e *expr.Expr, env expr.Env) (endpoint, shown string) {
	if e.PerRequest() {
		c.problems.Errorf(n, "a token of jwt cannot stand in an endpoint: put it into the headers")
		return "", ""
	}
	env.Secret = c.madeSecret
	parts, err := job.Parts(e, env)
	if err == nil {
		endpoint, shown, err = request.Join(parts, false)
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
	return endpoint, shown
}

// own is the address of an endpoint as far as the configuration says it: what items had before leads nowhere that
// credentials may go.
func (c *compiler) own(n *config.Node, env expr.Env) *url.URL {
	if env.Last != nil {
		env.Last = func(string) jsontext.Value { return nil }
	}
	var none config.Problems
	parts, err := job.Parts(expr.Compile(n, env, &none), env)
	endpoint := ""
	if err == nil {
		endpoint, _, err = request.Join(parts, false)
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

// fillAny fills in placeholders whose values are not known yet.
func fillAny(pages *paginate.Job, j *job.Job, placeholders []job.Placeholder) error {
	c := job.NewChild(placeholders)
	c.Job = j
	values := slices.Repeat([]jsontext.Value{jsontext.Value("1")}, len(placeholders))
	return c.Fill(pages, values)
}
