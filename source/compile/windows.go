package compile

import (
	"slices"
	"strconv"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

const mostWindows = 100_000

// windows compiles the windows of a job, oldest first; nil if there is none.
func (c *compiler) windows(d *config.Windows, j *job.Job) (all []job.Window) {
	from, okFrom := c.moment(d.From, "", j)
	to, okTo := c.moment(d.To, "now", j)
	gap := c.duration(d.Node.Member("gap"))
	if !okFrom || !okTo {
		return nil
	}
	c.inOrder(d, from, to)
	bounds, good := c.bounds(d, from, to, gap)
	if !good {
		return nil
	}
	for i := 1; i < len(bounds); i++ {
		first, last := bounds[i-1], bounds[i].Add(-gap)
		if last.Before(first) {
			last = first
		}
		all = append(all, job.Window{
			From: sentTime(d.Format, first),
			To:   sentTime(d.Format, last),
		})
	}
	return all
}

// inOrder reports a time that has nothing in it: an error if the configuration
// itself says when it begins.
func (c *compiler) inOrder(d *config.Windows, from, to time.Time) {
	begin, end := from.Format(time.RFC3339), to.Format(time.RFC3339)
	literal := d.From.Kind != '{'
	switch {
	case literal && from.After(to):
		c.problems.Errorf(d.From,
			"must not be after to: it is %s, and to is %s", begin, end)
	case !from.Before(to):
		c.problems.Notef(d.Node,
			"from (%s) is not before to (%s): nothing is asked for", begin, end)
	}
}

// bounds are where the windows begin and, last, where all end. The first step is
// looked at even if there is none.
func (c *compiler) bounds(
	d *config.Windows, from, to time.Time, gap time.Duration,
) (all []time.Time, good bool) {
	step := expr.TimeFrom(d.Step)
	all = []time.Time{from}
	next, good := c.step(d, step, from, gap)
	for good && from.Before(to) {
		if len(all) > mostWindows {
			c.problems.Errorf(d.Node.Member("step"),
				"makes more than %d windows", mostWindows)
			return nil, false
		}
		from = slices.MinFunc([]time.Time{next, to}, time.Time.Compare)
		all = append(all, from)
		if from.Before(to) {
			next, good = c.step(d, step, from, gap)
		}
	}
	return all, good
}

// step returns where a window ends that is not the last.
func (c *compiler) step(
	d *config.Windows, step func(time.Time) (time.Time, error),
	from time.Time, gap time.Duration,
) (next time.Time, good bool) {
	next, err := step(from)
	if err != nil || !next.After(from) {
		c.problems.Errorf(d.Node.Member("step"),
			"must be an amount of time, such as 31 days or 1 month")
		return next, false
	}
	length := next.Sub(from)
	if gap >= length {
		c.problems.Errorf(d.Node.Member("gap"),
			"must be shorter than step, which is %s", length)
		return next, false
	}
	return next, true
}

// sentTime is a bound of a window as it is sent: with the format U a number.
func sentTime(format string, t time.Time) expr.Value {
	text := expr.FormatDate(format, t)
	if format == "U" {
		return expr.Value{JSON: []byte(text)}
	}
	return expr.Value{JSON: item.Quote(text)}
}

// moment evaluates a bound: Unix seconds, a date, or a text such as today.
func (c *compiler) moment(n *config.Node, or string, j *job.Job) (time.Time, bool) {
	text := or
	if n != nil {
		env := j.Request.Env
		env.Now = func() time.Time { return c.api.Started }
		v, err := expr.Compile(n, env, c.problems).Eval(env)
		if err != nil {
			// Compile has reported it.
			return time.Time{}, false
		}
		text = momentText(v.JSON)
	}
	t, err := expr.ParseTime(text, c.api.Started)
	if err != nil {
		c.problems.Errorf(n, "%v", err)
	}
	return t, err == nil
}

// momentText is a moment as [expr.ParseTime] reads it. Digits that are too many for
// a date are Unix seconds.
func momentText(value []byte) string {
	text, _ := item.Text(value)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return text
	}
	isLong := len(text) >= 9 && len(text) <= 11
	if item.Kind(value) == '0' || isLong {
		return "@" + text
	}
	return text
}
