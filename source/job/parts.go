package job

import (
	"slices"

	"sluice/source/expr"
	"sluice/source/paginate"
	"sluice/source/request"
)

// Host is the one that the job asks first, as the configuration says it; empty: that
// is secret, or not known before.
func (j *Job) Host() string {
	return request.HostOf(j.Request.Sample, j.API.Addresses.Base)
}

// All are all parameters of the job's own.
func (r *RequestSpec) All() []expr.NamedValue {
	all := slices.Clone(r.Params)
	for _, g := range r.Parts {
		all = append(all, g.Members...)
	}
	return all
}

// HasBody tells whether the configuration gives the job a body of its own.
func (r *RequestSpec) HasBody() bool {
	isBody := func(g paginate.Group) bool { return g.In == request.InBody }
	return slices.ContainsFunc(r.Parts, isBody)
}

// groups are the parameters of the job's own by the part of the request where they
// stand.
func (r *RequestSpec) groups() []paginate.Group {
	return append([]paginate.Group{{Members: r.Params}}, r.Parts...)
}

// groups evaluates groups of members into parameters, which they follow, and returns
// those of them that are evaluated for each request.
func (own *Own) groups(
	into *request.Params, from []paginate.Group, env expr.Env,
) (renewed []Renewed, err error) {
	for _, g := range from {
		var params request.Params
		if g.Escape != nil {
			text, err := own.text(g, env)
			if err != nil {
				return nil, err
			}
			*into = append(*into, request.Params{text}.Into(g.In)...)
			continue
		}
		if err := own.members(&params, g.Members, env); err != nil {
			return nil, err
		}
		for _, m := range g.Members {
			if m.Value.PerRequest() {
				renewed = append(renewed, Renewed{m, env, params.Get(m.Name)})
			}
		}
		*into = append(*into, params.Group(g.In)...)
	}
	return renewed, nil
}
