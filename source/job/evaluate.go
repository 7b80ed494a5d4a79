package job

import (
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/transform"
)

// Evaluate evaluates the headers and all parameters of a job, for a walk that has
// this of its own.
func (j *Job) Evaluate(own Own) (*Evaluated, error) {
	pages := &paginate.Job{Method: j.Request.Method}
	e := &Evaluated{Pages: pages}
	env := j.env(own, e)
	if err := j.address(own, pages, env); err != nil {
		return nil, err
	}
	if err := j.headers(own, e, env); err != nil {
		return nil, err
	}
	var err error
	if pages.Before, err = j.before(own, env); err != nil {
		return nil, err
	}
	var data request.Params
	for _, p := range []struct {
		into *request.Params
		from []paginate.Group
	}{
		{&pages.Defaults, []paginate.Group{{Members: j.Request.Defaults}}},
		{&pages.Params, j.Request.groups()},
		{&data, []paginate.Group{{Members: j.Items.UserData}}},
		{&pages.Scroll, j.Paging.Needs.Scroll},
	} {
		renewed, err := own.evaluate(p.into, p.from, env)
		if err != nil {
			return nil, err
		}
		e.Renewed = append(e.Renewed, renewed...)
	}
	for _, d := range data {
		added := transform.AddedMember{Name: d.Name, Value: d.Value, Suffix: "_u"}
		e.Added = append(e.Added, added)
	}
	return e, nil
}
