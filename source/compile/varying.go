package compile

import (
	"fmt"
	"maps"
	"slices"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

// placeholderContext lets the expressions of a job name the placeholders of ch, which
// is nil for a root job, and enters whether they do.
func placeholderContext(j *job.Job, ch *job.Child) {
	if ch == nil {
		return
	}
	addContext(j, "placeholder", func(name string) (v expr.Value, ok bool) {
		j.Request.Names.Placeholder = true
		if ch.Named(name) >= 0 {
			return v, true
		}
		v.Fault = fmt.Sprintf("the job has no placeholder %q%s", name, have(name, ch))
		return v, false
	})
}

// windowContext lets the expressions of a job name its window, and enters whether
// they do.
func windowContext(j *job.Job) {
	addContext(j, "window", func(path string) (v expr.Value, ok bool) {
		j.Request.Names.Window = true
		bounds := []string{"from", "to"}
		v.Fault = fmt.Sprintf("a window has no %q%s", path, config.Have(path, bounds))
		return v, slices.Contains(bounds, path)
	})
}

// addContext adds a context to those of the expressions of a job, from then on. Its
// values come with each walk.
func addContext(j *job.Job, name string, find func(path string) (expr.Value, bool)) {
	all := maps.Clone(j.Request.Env.Contexts)
	all[name] = find
	j.Request.Env.Contexts = all
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
	if j.Windowed() && !j.Request.Names.Window {
		c.problems.Errorf(d.Windows.Node,
			`each window would ask for the same: `+
				`put {"window": "from"} and {"window": "to"} into the parameters or the endpoint`)
	}
}
