package commit

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/pipeline/report"
	"sluice/sink/target"
)

// A Fragment is what one shard leaves for publishing.
type Fragment struct {
	// 0 in the commit.
	Shard int `json:"shard"`

	Shards int            `json:"shards"`
	Report *report.Report `json:"report"`

	// Its name.
	Manifest string `json:"manifest"`

	// In the order of the report's outputs.
	Objects []target.Sealed `json:"objects"`
}

// A commit is what publishing makes of the fragments of all shards. Report is nil as long as there is none.
type commit struct {
	Fragment

	// Of all shards, for --state.
	Progress []json.RawMessage `json:"progress,omitempty"`

	// Names that an earlier run has, and this one has with other numbers.
	Stale []target.Sealed `json:"stale,omitempty"`

	// Of the manifest.
	Replaced []string `json:"replaced,omitempty"`
}

// check refuses what no shard of the run can have left: each object has its output in the report, and a name of
// its own.
func (f *Fragment) check(id string) error { return f.checkWith(id, nil) }

// check refuses what nobody can have entered who publishes the run.
func (c *commit) check(id string) error { return c.checkWith(id, c.Stale) }

// checkWith does what check does. Besides, no object may have the name of one of others.
func (f *Fragment) checkWith(id string, others []target.Sealed) error {
	if f.Report.RunID != id {
		return fmt.Errorf("it belongs to the run %s, not to %s", f.Report.RunID, id)
	}
	outputs := f.Report.Outputs
	if len(f.Objects) == 0 || len(f.Objects) != len(outputs) {
		return fmt.Errorf("its report has %d outputs, and %d objects are sealed", len(outputs), len(f.Objects))
	}
	names := []string{f.Manifest}
	for i, o := range f.Objects {
		if !isOutput(o, outputs[i]) {
			return fmt.Errorf("object %s is not output %d of its report", o.Name, i+1)
		}
		names = append(names, o.Name)
	}
	for _, o := range others {
		names = append(names, o.Name)
	}
	return checkNames(names)
}

// isOutput tells whether an output of a report is a sealed object.
func isOutput(o target.Sealed, out report.OutputReport) bool {
	uri := "/" + filepath.ToSlash(out.URI)
	return strings.HasSuffix(uri, "/"+o.Name) && o.SHA256 == out.SHA256 && o.Bytes == out.Bytes
}

// add enters what a shard has left.
func (c *commit) add(f *Fragment) error {
	if c.Manifest != "" && c.Manifest != f.Manifest {
		return fmt.Errorf("its manifest is %s, and that of other shards %s", f.Manifest, c.Manifest)
	}
	c.Manifest = f.Manifest
	c.Objects = append(c.Objects, f.Objects...)
	if f.Report.Shard != nil {
		c.Progress = append(c.Progress, f.Report.Shard.Progress)
	}
	return nil
}

// empty returns the objects without items, but for those of an output of which another shard has some.
func (c *commit) empty() (all []EmptyOutput) {
	items := map[string]int64{}
	for i, o := range c.Objects {
		items[o.Like] += c.Report.Outputs[i].Items
	}
	for i, o := range c.Objects {
		if items[o.Like] == 0 {
			all = append(all, EmptyOutput{Name: o.Name, Output: c.Report.Outputs[i]})
		}
	}
	return all
}

// replaces enters the run whose manifest this one takes the place of.
func (c *commit) replaces(earlier *Manifest, id string) {
	if earlier == nil {
		return
	}
	var names []string
	for _, o := range earlier.Outputs {
		names = append(names, c.nameOf(o))
	}
	c.addStale(names)
	c.Replaced = earlier.replacedBy(id)
}

// addStale enters what an earlier run has, and what differs from a name of this run by its numbers only.
func (c *commit) addStale(names []string) {
	known := map[string]bool{}
	for _, o := range c.Objects {
		known[o.Name] = true
	}
	for _, o := range c.Stale {
		known[o.Name] = true
	}
	likeOwn := c.likeNames()
	for _, name := range names {
		if !known[name] && likeOwn.MatchString(name) {
			known[name] = true
			c.Stale = append(c.Stale, target.Sealed{Name: name})
		}
	}
}

// nameOf is the name at this place of an output that the manifest lists. The place itself may be written differently in
// the manifest, or be another machine's way to it.
func (c *commit) nameOf(o report.OutputReport) string {
	if o.Path != "" {
		return path.Join(path.Dir(c.Manifest), o.Path)
	}
	place := strings.TrimSuffix(filepath.ToSlash(c.Report.Outputs[0].URI), c.Objects[0].Name)
	return strings.TrimPrefix(filepath.ToSlash(o.URI), place)
}

// likeNames matches the names of the commit with whatever numbers.
func (c *commit) likeNames() *regexp.Regexp {
	marks := regexp.MustCompile("\x00(part|shards?)\x00")
	like := map[string]bool{}
	for _, o := range c.Objects {
		like[marks.ReplaceAllLiteralString(regexp.QuoteMeta(o.Like), `\d{5}`)] = true
	}
	return regexp.MustCompile("^(" + strings.Join(slices.Collect(maps.Keys(like)), "|") + ")$")
}

// failed is the report of publishing that failed, with the outputs that are visible.
func (c *commit) failed(visible []bool) *report.Report {
	if c.Report == nil {
		return nil
	}
	r := *c.Report
	r.Outputs = []report.OutputReport{}
	for i, shows := range visible {
		if shows {
			r.Outputs = append(r.Outputs, c.Report.Outputs[i])
		}
	}
	return &r
}
