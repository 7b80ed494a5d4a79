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
	if f.Mapped() {
		c.mapped(d, f)
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
		c.problems.Errorf(d.Format, "the paging of the job looks for %s in the answer, but %s has items only: "+
			"use the method offset, pagenum or none, or name a header (urlHeader, responseHeader). If other "+
			"jobs need this paging, use the method multiple with several scrollers", needs[i], f.Name)
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
		c.problems.Errorf(n, "has no effect on a table, whose rows are the items: remove it, or the format")
	}
}

// mapped reports what dataField has no use for where it is a path of names of elements.
func (c *compiler) mapped(d *config.Job, f *page.Format) {
	n := d.Node.Member("dataField")
	isEach := slices.Contains(item.ParsePath(d.DataField, d.DataDelimiter), page.Every)
	switch {
	case d.DataRows != nil:
		c.problems.Errorf(d.DataRows, "cannot stand beside the format %s, whose items are elements", f.Name)
	case d.DataWith != nil:
		c.problems.Errorf(d.DataWith, "cannot stand beside the format %s, whose items are elements", f.Name)
	case d.DataMembers != "":
		c.problems.Errorf(n.Member("members"), "cannot stand beside the format %s, whose items are elements", f.Name)
	case isEach:
		c.problems.Errorf(n, "leave * out: with the format %s each element at the path is an item", f.Name)
	}
}
