package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/pipeline/report"
	"sluice/sink/target"
)

// A fragment is what one shard leaves, and the commit what publishing makes of all.
type fragment struct {
	// 0 in the commit.
	Shard int `json:"shard"`

	Shards int            `json:"shards"`
	Report *report.Report `json:"report"`

	// Its name.
	Manifest string `json:"manifest"`

	// In the order of the report's outputs.
	Objects []target.Sealed `json:"objects"`

	// Of the commit:
	// Of all shards.
	Progress []json.RawMessage `json:"progress,omitempty"`

	// Names that an earlier run has, and this one has with other numbers.
	Stale []target.Sealed `json:"stale,omitempty"`

	// Of the manifest.
	Replaced []string `json:"replaced,omitempty"`
}

// check refuses what no shard of the run can have left: each object has its output in the report, and a name of its own.
func (f *fragment) check(id string) error {
	switch n := len(f.Report.Outputs); {
	case f.Report.RunID != id:
		return fmt.Errorf("it is of the run %s, not of %s", f.Report.RunID, id)
	case len(f.Objects) == 0, len(f.Objects) != n:
		return fmt.Errorf("its report has %d outputs, and %d objects are sealed", n, len(f.Objects))
	}
	names := []string{f.Manifest}
	for i, o := range f.Objects {
		if !isOutput(o, f.Report.Outputs[i]) {
			return fmt.Errorf("object %s is not output %d of its report", o.Name, i+1)
		}
		names = append(names, o.Name)
	}
	for _, o := range f.Stale {
		names = append(names, o.Name)
	}
	return checkNames(names)
}

// isOutput tells whether an output of a report is a sealed object.
func isOutput(o target.Sealed, out report.OutputReport) bool {
	uri := "/" + filepath.ToSlash(out.URI)
	isThere := strings.HasSuffix(uri, "/"+o.Name)
	return isThere && o.SHA256 == out.SHA256 && o.Bytes == out.Bytes
}

// checkNames refuses names that do not stay below the place, or that come twice. The first is that of the manifest.
func checkNames(names []string) error {
	taken := map[string]bool{}
	for i, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		switch {
		case i == 0 && !strings.HasPrefix(name, manifestStem):
			return fmt.Errorf("%s is no name of a manifest", name)
		case strings.HasPrefix(name, texts):
			return fmt.Errorf("%s is below %s, which is not for data", name, texts)
		case taken[name]:
			return fmt.Errorf("two objects have the name %s", name)
		}
		taken[name] = true
	}
	return nil
}

// add enters what a shard has left into the commit, which has the names of all.
func (f *fragment) add(shard *fragment) error {
	if f.Manifest != "" && f.Manifest != shard.Manifest {
		return fmt.Errorf("its manifest is %s, and that of other shards %s", shard.Manifest, f.Manifest)
	}
	f.Manifest = shard.Manifest
	f.Objects = append(f.Objects, shard.Objects...)
	if shard.Report.Shard != nil {
		f.Progress = append(f.Progress, shard.Report.Shard.Progress)
	}
	return nil
}

// empty returns the objects without items, but for those of an output of which another shard has some.
func (f *fragment) empty() (all []*output) {
	items := map[string]int64{}
	for i, o := range f.Objects {
		items[o.Like] += f.Report.Outputs[i].Items
	}
	for i, o := range f.Objects {
		if items[o.Like] == 0 {
			all = append(all, &output{name: o.Name, entry: &f.Report.Outputs[i]})
		}
	}
	return all
}

// mostReplaced is how many runs a manifest remembers.
const mostReplaced = 100

// replaces enters the run whose manifest this one takes the place of.
func (f *fragment) replaces(earlier *manifest, id string) {
	if earlier == nil {
		return
	}
	f.addStale(earlier.Outputs)
	f.Replaced = append([]string{earlier.RunID}, earlier.Replaced...)
	f.Replaced = slices.DeleteFunc(f.Replaced, func(known string) bool { return known == id || known == "" })
	f.Replaced = f.Replaced[:min(len(f.Replaced), mostReplaced)]
}

// addStale enters what an earlier run has listed, and what differs from a name of this run by its numbers only.
func (f *fragment) addStale(earlier []report.OutputReport) {
	number, own, like := regexp.MustCompile("\x00(part|shards?)\x00"), map[string]bool{}, map[string]bool{}
	for _, o := range f.Objects {
		own[o.Name], like[number.ReplaceAllLiteralString(regexp.QuoteMeta(o.Like), `\d{5}`)] = true, true
	}
	same := regexp.MustCompile("^(" + strings.Join(slices.Collect(maps.Keys(like)), "|") + ")$")
	place := strings.TrimSuffix(filepath.ToSlash(f.Report.Outputs[0].URI), f.Objects[0].Name)
	for _, o := range earlier {
		if name, below := strings.CutPrefix(filepath.ToSlash(o.URI), place); below && !own[name] &&
			same.MatchString(name) {
			f.Stale = append(f.Stale, target.Sealed{Name: name})
		}
	}
}
