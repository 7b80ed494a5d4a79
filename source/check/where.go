package check

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/job"
)

// sought are the paths at which the where of a job looks.
func sought(j *job.Job) []item.Path {
	if j.Items.Where == nil {
		return nil
	}
	return j.Items.Where.Paths()
}

// seek strikes out what an item has.
func (l *looked) seek(text []byte) {
	isThere := func(path item.Path) bool { return item.Lookup(text, path) != nil }
	l.sought = slices.DeleteFunc(l.sought, isThere)
}

// missPaths tells of paths of where that lead nowhere in all items of the page.
func (k *checker) missPaths(seen *looked, result *JobResult) {
	for _, path := range seen.sought {
		text := "where: no item of this page has anything at " + path.String() + ": check the path"
		k.tell(result, report.Remark{Text: text})
	}
}
