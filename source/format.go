package source

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/page"
)

// format compiles how the answers of a job are written.
func (c *compiler) format(d *config.Job, j *job) {
	j.spec.Format = page.NewFormat(d.Format, c.problems)
	if j.spec.Format.JSON() {
		return
	}
	name := j.spec.Format.Name
	if j.header.Get("Accept") == "" {
		j.header.Set("Accept", j.spec.Format.Accept)
	}
	needs := j.paging.Needs.Values
	if i := slices.IndexFunc(needs, func(path item.Path) bool { return path[0] != "$header" }); i >= 0 {
		c.problems.Errorf(d.Format, "the paging of the job looks for %s in the answer, where %s has items only: page by offset or pagenum or without, or name a header "+
			"(urlHeader, responseHeader); where other jobs need it, make it a scroller of the method multiple", needs[i], name)
	}
	if n := d.Node.Member("dataField"); n != nil && j.spec.Format.Table() {
		c.problems.Errorf(n, "leads nowhere in a table: remove it, or the format")
	}
}

// misread says of an answer that was read as JSON what it claims to be.
func misread(contentType string) string {
	contentType = strings.ToLower(contentType)
	for _, is := range [...]struct{ kind, format string }{
		{"ndjson", `"ndjson"`}, {"jsonl", `"ndjson"`}, {"json-lines", `"ndjson"`}, {"stream+json", `"ndjson"`},
		{"/csv", `"csv"`}, {"tab-separated-values", `{"type": "csv", "delimiter": "\t"}`},
	} {
		if strings.Contains(contentType, is.kind) {
			return ": set the job's format to " + is.format
		}
	}
	return ""
}
