package compile

import (
	"errors"
	"time"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

// windows compiles the windows of a job, oldest first. There are none if there is a
// problem, or each parent has its own.
func (c *compiler) windows(d *config.Windows, j *job.Job) {
	env := j.Request.Env
	env.Now = func() time.Time { return c.api.Started }
	t := &job.Timing{
		Now:    c.api.Started,
		Step:   expr.TimeFrom(d.Step),
		Gap:    c.duration(d.Node.Member("gap")),
		Format: d.Format,
	}
	j.Timing, j.Windows = t, nil
	t.From, t.To = c.bound(d.From, env), c.bound(d.To, env)
	if j.HasOwnWindows() {
		c.varyingWindows(d, t)
		return
	}
	from, errFrom := t.Moment(t.From, "from", env)
	to, errTo := t.Moment(t.To, "to", env)
	c.windowsProblem(d, errFrom)
	c.windowsProblem(d, errTo)
	if errFrom != nil || errTo != nil {
		return
	}
	c.inOrder(d, from, to)
	all, err := t.Divide(from, to)
	c.windowsProblem(d, err)
	if err == nil {
		j.Windows = all
	}
}

// bound compiles a bound; nil if there is none.
func (c *compiler) bound(n *config.Node, env expr.Env) *expr.Expr {
	if n == nil {
		return nil
	}
	return expr.Compile(n, env, c.problems)
}

// varyingWindows looks at what is known of windows that each parent has its own of.
func (c *compiler) varyingWindows(d *config.Windows, t *job.Timing) {
	_, err := t.Divide(t.Now, t.Now)
	c.windowsProblem(d, err)
}

// windowsProblem reports what is wrong with windows, unless that is in an expression,
// which has been reported.
func (c *compiler) windowsProblem(d *config.Windows, err error) {
	if bad, ok := errors.AsType[*job.WindowsError](err); ok {
		c.problems.Errorf(d.Node.Member(bad.Member), "%s", bad.Text)
	}
}

// inOrder reports a time that has nothing in it: an error if the configuration
// itself says when it begins.
func (c *compiler) inOrder(d *config.Windows, from, to time.Time) {
	begin, end := from.Format(time.RFC3339), to.Format(time.RFC3339)
	switch {
	case d.From.Kind != '{' && from.After(to):
		c.problems.Errorf(d.From,
			"must not be after to: it is %s, and to is %s", begin, end)
	case !from.Before(to):
		c.problems.Notef(d.Node,
			"from (%s) is not before to (%s): nothing is asked for", begin, end)
	}
}
