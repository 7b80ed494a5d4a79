package compile

import (
	"errors"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/paginate"
)

// until compiles what a job knows already of a list whose newest items come first.
func (c *compiler) until(d *config.UntilOption, j *job.Job) {
	if d.Node == nil || d.Before == nil || d.Field == "" {
		return
	}
	u := &paginate.Until{Field: item.ParsePath(d.Field, "."), Cut: d.Cut}
	var err error
	if u.Slack, err = paginate.NewSlack(d.Slack); err != nil {
		c.problems.Errorf(d.Slack, "%v", err)
		return
	}
	if why := j.Paging.RefusesUntil(u); why != "" {
		c.problems.Errorf(d.Node, "%s", why)
		return
	}
	j.Paging.Until = u
	env := j.Request.Env
	env.Now = func() time.Time { return c.api.Started }
	j.Before = expr.Compile(d.Before, env, c.problems)
	if !j.Before.Ready() {
		return
	}
	v, err := j.Before.Eval(env)
	if err == nil {
		_, err = j.BoundOf(v)
	}
	if bad, ok := errors.AsType[*job.UntilError](err); ok {
		c.problems.Errorf(d.Node.Member(bad.Member), "%s", bad.Text)
	}
}
