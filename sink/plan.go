package sink

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/sink/target"
)

const (
	defaultName = "{dataType}.{ext}"
	// longestName is what file systems allow for a part of a path, in bytes.
	longestName = 255
)

// A plan says which items go into which file, and how.
type plan struct {
	target      target.Target
	format      format
	compression compression
	files       []plannedFile
	byJob       bool   // the jobs of a data type have files of their own
	manifest    string // empty: none
}

type plannedFile struct {
	name     string // below the target
	dataType string // all of them, if it gets several
	job      string // the first
	routes   []route
}

// A route leads from a batch to its output.
type route struct {
	dataType string
	job      string // empty unless names tell jobs apart
}

// A place is what --output says.
type place struct {
	scheme string // "-" is standard output, "" files
	folder string // where names are below
	single string // the one name, empty if there is one per data type
}

func newPlan(o Options, outputs []pipeline.Output) (*plan, error) {
	at := newPlace(o.Output)
	p := &plan{}
	var err error
	if err = p.choose(&o, at); err != nil {
		return nil, err
	}
	if at.single != "" {
		err = p.one(&o, at, outputs)
	} else {
		err = p.many(&o, at, outputs)
	}
	if err != nil {
		return nil, err
	}
	if p.target, err = open(&o, at); err != nil {
		return nil, err
	}
	return p, nil
}

func newPlace(output string) place {
	if output == "" || output == "-" {
		return place{scheme: "-", single: "-"}
	}
	if scheme, rest, ok := strings.Cut(output, "://"); ok {
		i := strings.LastIndexByte(rest, '/')
		if i < 0 { // a bucket alone
			return place{scheme: scheme, folder: output + "/"}
		}
		return place{scheme: scheme, folder: scheme + "://" + rest[:i+1], single: rest[i+1:]}
	}
	if os.IsPathSeparator(output[len(output)-1]) {
		return place{folder: output}
	}
	return place{folder: filepath.Dir(output), single: filepath.Base(output)}
}

func open(o *Options, at place) (target.Target, error) {
	switch at.scheme {
	case "-":
		return target.Stdout(o.Stdout), nil
	case "":
		return target.NewFolder(at.folder, at.single == ""), nil
	}
	opener := o.Targets[at.scheme]
	if opener == nil {
		return nil, fmt.Errorf("--output %s: unknown scheme %q (have %s; or a file, a folder that ends in /, - for standard output)",
			o.Output, at.scheme, known(o.Targets))
	}
	t, err := opener(at.folder)
	if err != nil {
		return nil, fmt.Errorf("--output %s: %w", o.Output, err)
	}
	return t, nil
}

// foreign are endings of names that promise what is not written here.
var foreign = []string{
	".7z", ".avro", ".br", ".bz2", ".lz4", ".orc", ".parquet", ".tsv", ".xlsx", ".xml", ".xz", ".yaml", ".zip",
}

// choose finds format and compression: what the flags say, else what the name
// says, else ndjson and none.
func (p *plan) choose(o *Options, at place) error {
	name := at.single
	if name == "" {
		name = o.Name
	}
	name = strings.ToLower(name)
	formatName, compressName, suffix := o.Format, cmp.Or(o.Compress, "none"), ""
	for n, c := range compressions {
		if c.suffix != "" && strings.HasSuffix(name, c.suffix) {
			compressName, suffix = cmp.Or(o.Compress, n), c.suffix
		}
	}
	name = strings.TrimSuffix(name, suffix)
	if formatName == "" {
		if ending := filepath.Ext(name); slices.Contains(foreign, ending) {
			return fmt.Errorf("the name %s promises %s, which is not written here (have .csv, .ndjson, and .gz, .zst behind them); another name will do, or --format", cmp.Or(at.single, o.Name), ending)
		}
		formatName = "ndjson"
		for n, f := range formats {
			if strings.HasSuffix(name, "."+f.ext) {
				formatName = n
			}
		}
	}
	var ok bool
	if p.format, ok = formats[formatName]; !ok {
		return fmt.Errorf("--format: unknown format %q (have %s)", formatName, known(formats))
	}
	if p.compression, ok = compressions[compressName]; !ok {
		return fmt.Errorf("--compress: unknown compression %q (have %s)", compressName, known(compressions))
	}
	if o.Columns != nil && !p.format.table {
		return fmt.Errorf("--columns is for csv, and the format is %s: add --format csv", formatName)
	}
	return checkColumns(o.Columns)
}

func checkColumns(columns []string) error {
	if columns == nil {
		return nil
	}
	if len(columns) == 0 {
		return fmt.Errorf("--columns names no column")
	}
	sorted := slices.Sorted(slices.Values(columns))
	for i := range len(sorted) - 1 {
		if sorted[i] == sorted[i+1] {
			return fmt.Errorf("--columns names %q twice", sorted[i])
		}
	}
	return nil
}

// one plans a single file for everything.
func (p *plan) one(o *Options, at place, outputs []pipeline.Output) error {
	if o.Name != "" {
		return fmt.Errorf("--name is for a folder, and --output %s is none: let it end in /", orDash(o.Output))
	}
	f := plannedFile{name: at.single}
	var types []string
	for _, out := range outputs {
		f.routes = append(f.routes, route{dataType: out.DataType})
		types = append(types, out.DataType)
		if f.job == "" && len(out.Jobs) > 0 {
			f.job = out.Jobs[0]
		}
	}
	f.dataType = strings.Join(types, ",")
	if p.format.table && len(types) > 1 {
		return fmt.Errorf("--output %s: one CSV stream holds one data type, and these are %d (%s): write to a folder (DIR/), choose one with --job (children come with it), or write ndjson",
			orDash(o.Output), len(types), strings.Join(types, ", "))
	}
	p.files = []plannedFile{f}
	return nil
}

// many plans a file per data type, or per job where the names have {job}, and
// the manifest.
func (p *plan) many(o *Options, at place, outputs []pipeline.Output) error {
	t, err := parseTemplate(o.Name)
	if err != nil {
		return err
	}
	p.byJob = t.uses("job")
	p.manifest = manifestName(o.Jobs)
	values := map[string]string{"date": o.Date, "runId": o.RunID, "ext": p.format.ext + p.compression.suffix}

	owner := at.taken(o.Files)
	if other, ok := owner[p.manifest]; ok {
		return fmt.Errorf("%s names the manifest that %s gets by itself: name another file", other, o.Output)
	}
	owner[p.manifest] = "the manifest"
	for f, err := range p.expand(t, values, outputs) {
		if err == nil {
			err = checkName(f.name)
		}
		if err != nil {
			return err
		}
		if other, ok := owner[f.name]; ok {
			return fmt.Errorf("%s and %s fall on one name, %s: tell them apart with dataType or id of the jobs, or with --name", other, describe(f), f.name)
		}
		owner[f.name] = describe(f)
		p.files = append(p.files, f)
	}
	if err := checkName(p.manifest); err != nil {
		return err
	}
	for f, err := range p.expand(t, values, o.Rest) {
		if err != nil {
			continue // it is not written in this run
		}
		if _, ok := owner[f.name]; ok {
			return fmt.Errorf("with --job, %s would hold only a part: job %s writes it too; put {job} into --name", f.name, f.job)
		}
	}
	return nil
}

// taken returns who has which name below the folder: the flags of files, if they
// stand there.
func (at place) taken(files map[string]string) map[string]string {
	owner := map[string]string{}
	if at.scheme != "" {
		return owner
	}
	for flag, file := range files {
		folder, err := filepath.Abs(at.folder)
		path, err2 := filepath.Abs(file)
		if err != nil || err2 != nil || file == "" {
			continue
		}
		if name, err := filepath.Rel(folder, path); err == nil {
			owner[filepath.ToSlash(name)] = flag
		}
	}
	return owner
}

// expand goes through the files that outputs fill.
func (p *plan) expand(t template, values map[string]string, outputs []pipeline.Output) iter.Seq2[plannedFile, error] {
	return func(yield func(plannedFile, error) bool) {
		for _, out := range outputs {
			jobs := out.Jobs
			if !p.byJob {
				jobs = jobs[:min(1, len(jobs))]
			}
			for _, job := range jobs {
				f := plannedFile{dataType: out.DataType, job: job, routes: []route{{dataType: out.DataType}}}
				if p.byJob {
					f.routes[0].job = job
				}
				values["dataType"], values["job"] = out.Name, pipeline.FileName(job)
				var err error
				f.name, err = t.expand(values, f)
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

func describe(f plannedFile) string {
	return fmt.Sprintf("data type %q (job %s)", f.dataType, f.job)
}

// manifestName is what the manifest of a run of these jobs, all if none, is
// called. No job's file name has a dot.
func manifestName(jobs []string) string {
	if len(jobs) == 0 {
		return "_manifest.json"
	}
	names := make([]string, len(jobs))
	for i, job := range jobs {
		names[i] = pipeline.FileName(job)
	}
	slices.Sort(names)
	return "_manifest-" + strings.Join(slices.Compact(names), ".") + ".json"
}

// checkName refuses what does not stay below its folder.
func checkName(name string) error {
	if name == "." || !filepath.IsLocal(name) || path.Clean(name) != name || strings.ContainsAny(name, "\\\x00") {
		return fmt.Errorf("--name: %q is not the name of a file below the folder", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > longestName {
			return fmt.Errorf("--name: a file name of %d bytes is too long, %d are allowed: %s", len(part), longestName, part)
		}
	}
	return nil
}

func orDash(output string) string {
	if output == "" {
		return "-"
	}
	return output
}

// Formats lists what --format may be, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Compressions lists what --compress may be, in order.
func Compressions() []string { return slices.Sorted(maps.Keys(compressions)) }

func known[V any](family map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(family)), ", ")
}
