package compile

import (
	"fmt"
	"maps"
	"slices"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

// walkContexts adds what each walk of a job has its own value of to the contexts of
// its expressions, from then on, and enters which of them these name. ch is nil for
// a root job.
func walkContexts(j *job.Job, ch *job.Child) {
	env := &j.Request.Env
	env.Contexts = maps.Clone(env.Contexts)
	if j.Windowed {
		env.Contexts["window"] = func(path string) (v expr.Value, ok bool) {
			j.Request.Names.Window = true
			return v, path == "from" || path == "to"
		}
	}
	if ch == nil {
		return
	}
	env.Contexts["placeholder"] = func(name string) (v expr.Value, ok bool) {
		j.Request.Names.Placeholder = true
		if ch.Named(name) >= 0 {
			return v, true
		}
		v.Fault = fmt.Sprintf("the job has no placeholder %q%s", name, have(name, ch))
		return v, false
	}
}

// have lists the placeholders of a child, with the one that was meant.
func have(name string, ch *job.Child) string {
	var names []string
	for i := range ch.Placeholders {
		names = append(names, ch.Placeholders[i].BareName())
	}
	if len(names) == 0 {
		return ": it has none"
	}
	slices.Sort(names)
	return config.Have(name, slices.Compact(names))
}

// sameWindows reports windows whose requests are all the same.
func (c *compiler) sameWindows(d *config.Job, j *job.Job) {
	if j.Windowed && !j.Request.Names.Window {
		c.problems.Errorf(d.Windows.Node,
			`each window would ask for the same: `+
				`put {"window": "from"} and {"window": "to"} into the parameters`)
	}
}
