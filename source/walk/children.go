package walk

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/source/job"
)

// Below begins the walks below the items of a page of w: for each item and each
// child one, or, where the values of placeholders are arrays, one for every
// combination of their elements. Each is made when it is wanted. only is the one
// child whose walks are wanted; nil: those of all.
func (r *Run) Below(
	w *Walk, page int, parents []byte, only *job.Child,
) iter.Seq2[*Walk, error] {
	return func(yield func(*Walk, error) bool) {
		for p := range w.parents(parents) {
			above := job.Ancestors{
				Item: append([]int{p.number}, w.Above.Item...),
				Kept: append([][]jsontext.Value{p.kept}, w.Above.Kept...),
			}
			for i, c := range w.Job.Children {
				wanted := only == nil || c == only
				if p.has[i] == 0 || !wanted {
					continue
				}
				place := ""
				if r.options.places {
					place = fmt.Sprintf("%s/%d.%d.%d.", w.place, page, p.number, i+1)
				}
				goesOn, err := r.combinations(w, c, above, place, yield)
				if err != nil {
					yield(nil, fmt.Errorf("job %s: item %d of page %d of job %s: %w",
						c.Job.ID, p.number, page, w.Job.ID, err))
					return
				}
				if !goesOn {
					return
				}
			}
		}
	}
}

// combinations begins the walks of a child below one item of a page of w: for each
// combination of the values of placeholders one, or one for each of its windows.
func (r *Run) combinations(
	w *Walk, c *job.Child, above job.Ancestors, place string,
	yield func(*Walk, error) bool,
) (goesOn bool, err error) {
	all, err := c.Combine(above, w.Above.Values)
	if err != nil {
		return false, err
	}
	if c.HasOptional() {
		r.tellOptional(c, above, all.Lacks)
	}
	for begun := range all.Size {
		above.Values = all.At(begun)
		own := place
		if place != "" {
			own += strconv.Itoa(begun + 1)
		}
		goesOn, err := r.windows(c, above, own, yield)
		if err != nil || !goesOn {
			return goesOn, err
		}
	}
	return true, nil
}

// windows begins the walks of a child for one set of placeholders' values.
func (r *Run) windows(
	c *job.Child, above job.Ancestors, place string, yield func(*Walk, error) bool,
) (goesOn bool, err error) {
	// A parent is noted even if it has no window in this run.
	if err := r.progress[c.Job].see(above.Values); err != nil {
		return false, err
	}
	all, err := c.Job.WindowsOf(job.Own{Child: c, Values: above.Values})
	if err != nil {
		return false, err
	}
	together := &endedWindows{of: len(all)}
	for i := range all {
		next, err := r.Begin(c.Job, c, above, &all[i])
		if err != nil {
			return false, err
		}
		next.windows, next.place = together, place
		if place != "" && c.Job.Windowed() {
			next.place = fmt.Sprintf("%s~%d", place, i+1)
		}
		if !yield(next, nil) {
			return false, nil
		}
	}
	return true, nil
}

// tellOptional tells whether an item above a child lacks an optional placeholder, nil:
// it has all of them.
func (r *Run) tellOptional(c *job.Child, above job.Ancestors, lacks *job.Placeholder) {
	found := &r.progress[c.Job].found
	isAbsent := lacks != nil && above.Kept[lacks.Level-1][lacks.Kept] == nil
	if !isAbsent {
		found.HadOptional = true
	}
	if lacks == nil {
		return
	}
	if isAbsent {
		found.NoOptional, found.Absent = max(found.NoOptional, lacks.Path), found.Absent+1
	}
	r.options.Observer.Observe(pipeline.ItemSkipped{Job: c.Job.ID, At: r.options.Now()})
}
