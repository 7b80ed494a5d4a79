package job

import (
	"slices"

	"sluice/source/expr"
	"sluice/source/paginate"
	"sluice/source/request"
)

// Host is the host of the job's first request, as the configuration says it; empty: it is secret, or is known only when
// the job runs.
func (j *Job) Host() string {
	return request.HostOf(j.Request.Sample, j.API.Addresses.Base)
}

// All returns the parameters of the job itself, not those of paging, whatever part of the request they stand in.
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

// groups are the parameters of the job itself, by the part of the request they stand in.
func (r *RequestSpec) groups() []paginate.Group {
	return append([]paginate.Group{{Members: r.Params}}, r.Parts...)
}

// evaluate evaluates the members of groups, appends the parameters that they make, and returns those that are evaluated
// again for each request.
func (own *Own) evaluate(
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
