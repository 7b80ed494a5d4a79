package compile

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/page"
)

// format compiles how the answers of a job are written.
func (c *compiler) format(d *config.Job, j *job.Job) {
	f := page.NewFormat(d.Format, c.problems)
	j.Spec.Format = f
	if f.Accept != "" && j.Request.Header.Get("Accept") == "" {
		j.Request.Header.Set("Accept", f.Accept)
	}
	if f.Document() {
		return
	}
	if j.Paging.Overlaps() {
		c.problems.Errorf(d.Format, "cannot stand beside overlap: only pages of %s can overlap", page.Documents())
	}
	needs := j.Paging.Needs.Values
	inBody := func(path item.Path) bool { return path[0] != "$header" }
	if i := slices.IndexFunc(needs, inBody); i >= 0 {
		c.problems.Errorf(d.Format, "the paging of the job looks for %s in the answer, "+
			"where %s has items only: page by offset or pagenum or without, "+
			"or name a header (urlHeader, responseHeader); where other jobs need it, "+
			"make it a scroller of the method multiple", needs[i], f.Name)
	}
	if d.DataRows != nil && f.Lines() {
		c.problems.Errorf(
			d.DataRows,
			"cannot stand beside the format %s, each line of which would have rows",
			f.Name,
		)
	}
	n := d.Node.Member("dataField")
	if n != nil && !f.Paths() {
		c.problems.Errorf(n, "leads nowhere in a table: remove it, or the format")
	}
}
