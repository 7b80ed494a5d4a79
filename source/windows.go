package source

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// A window is a part of the time that a job asks for (docs/decisions.md, section 20).
type window struct {
	from, to expr.Value
	place    int // of its walk among the root walks of the run
}

const mostWindows = 100_000

// windows compiles the windows of a job, oldest first.
func (c *compiler) windows(d *config.Windows, j *job) []window {
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
	var all []window // nil if there is none
	for i, next := range bounds[1:] {
		last := slices.MaxFunc([]time.Time{bounds[i], next.Add(-gap)}, time.Time.Compare)
		all = append(all, window{from: sentTime(d.Format, bounds[i]), to: sentTime(d.Format, last)})
	}
	return all
}

// inOrder reports a time that has nothing in it: an error if the configuration itself says when it begins.
func (c *compiler) inOrder(d *config.Windows, from, to time.Time) {
	begin, end := from.Format(time.RFC3339), to.Format(time.RFC3339)
	literal := d.From.Kind != '{'
	switch {
	case literal && from.After(to):
		c.problems.Errorf(d.From, "must not be after to: it is %s, and to is %s", begin, end)
	case !from.Before(to):
		c.problems.Notef(d.Node, "from (%s) is not before to (%s): nothing is asked for", begin, end)
	}
}

// bounds are where the windows begin and, last, where all end. The first step is looked at even if there is none.
func (c *compiler) bounds(d *config.Windows, from, to time.Time, gap time.Duration) (all []time.Time, good bool) {
	step := expr.TimeFrom(d.Step)
	all = []time.Time{from}
	next, good := c.step(d, step, from, gap)
	for good && from.Before(to) {
		if len(all) > mostWindows {
			c.problems.Errorf(d.Node.Member("step"), "makes more than %d windows", mostWindows)
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
	d *config.Windows, step func(time.Time) (time.Time, error), from time.Time, gap time.Duration,
) (next time.Time, good bool) {
	next, err := step(from)
	if err != nil || !next.After(from) {
		c.problems.Errorf(d.Node.Member("step"), "must be an amount of time, such as 31 days or 1 month")
		return next, false
	}
	if length := next.Sub(from); gap >= length {
		c.problems.Errorf(d.Node.Member("gap"), "must be shorter than step, which is %s", length)
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
func (c *compiler) moment(n *config.Node, or string, j *job) (time.Time, bool) {
	text := or
	if n != nil {
		env := j.env
		env.Now = func() time.Time { return c.iteration.started }
		v, err := expr.Compile(n, env, c.problems).Eval(env)
		if err != nil {
			return time.Time{}, false // Compile has reported it
		}
		text, _ = item.Text(v.JSON)
		_, err = strconv.ParseInt(text, 10, 64)
		if isUnix := item.Kind(v.JSON) == '0' || len(text) >= 9 && len(text) <= 11; isUnix && err == nil {
			text = "@" + text
		}
	}
	t, err := expr.ParseTime(text, c.iteration.started)
	if err != nil {
		c.problems.Errorf(n, "%v", err)
	}
	return t, err == nil
}

// windowEnv is env with the context window: without w its values come later.
func windowEnv(env expr.Env, started time.Time, w *window) expr.Env {
	env.Contexts = maps.Clone(env.Contexts)
	env.Contexts["window"] = nil
	if w == nil {
		return env
	}
	env.Now = func() time.Time { return started }
	env.Contexts["window"] = func(path string) (expr.Value, bool) {
		v, ok := map[string]expr.Value{"from": w.from, "to": w.to}[path]
		return v, ok
	}
	return env
}

func (w *window) name() string {
	from, _ := item.Text(w.from.JSON)
	to, _ := item.Text(w.to.JSON)
	return fmt.Sprintf("window from %s to %s", from, to)
}

// windowsEnded are the windows of a job whose walks have ended.
type windowsEnded struct {
	walks, pages int
	items        int64
	worst        pipeline.Stop
	opening      uint64 // hash of what all windows begin with; 0: it differs, or says nothing
}

// endWindow counts a window whose walk has ended, and makes of the last one's event that of the job.
func (w *walk) endWindow(e *pipeline.WalkEnded) {
	j, t, opening := w.job, &w.job.overall, uint64(0)
	if o := w.state.Seen.Pages.Opening; o.Items > 1 && !j.paging.TrustEnd {
		opening = o.First + 31*o.Last + uint64(o.Items)
	}
	w.told.Opening = opening
	if t.walks++; t.walks > 1 && opening != t.opening {
		opening = 0
	}
	t.opening = opening
	alone := j.iteration.o.Shards == 0
	if alone && t.walks == len(j.windows) && t.walks > 1 && t.opening != 0 {
		e.Stop.Verdict = max(e.Stop.Verdict, pipeline.Unverified)
		j.warn(pipeline.SameWindows, pipeline.Unverified)
	}
	if t.walks == 1 || e.Stop.Verdict > t.worst.Verdict {
		t.worst = e.Stop
	}
	t.pages += e.Pages
	t.items += e.Items
	if e.Depth = 1; t.walks == len(j.windows) {
		e.Depth, e.Pages, e.Items, e.Stop = 0, t.pages, t.items, t.worst
	}
}
