package sink

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/sink/commit"
	"sluice/sink/target"
)

const (
	// placeholders are those of --name, as its documentation orders them.
	placeholders = "{dataType} {job} {date} {runId} {part} {shard} {shards} {attr:NAME} {ext}"
	// More would not sort by their numbers.
	mostParts = 99999
)

// A plan says which items go into which output, and how.
type plan struct {
	options *Options

	// Of --output:
	// "-" is standard output, "" files.
	scheme string

	// Where names are below.
	folder string

	// The one name, empty if there is one per data type.
	single string

	format      format
	compression compression
	outputs     []*output

	// The jobs of a data type have outputs of their own.
	byJob bool

	// empty: none.
	manifest string

	// By path: what has the name.
	owner map[string]string

	// By path: whose file it is.
	flags map[string]string
}

func newPlan(o *Options, outputs []pipeline.Output) (*plan, error) {
	p := &plan{options: o, owner: map[string]string{}, flags: map[string]string{}}
	p.locate(o.Output)
	if braces := regexp.MustCompile(`^(.*?)([^/]*\{[A-Za-z]+(:[^}]*)?\}.*)$`).FindStringSubmatch(o.Output); braces != nil {
		if p.single == "" {
			braces[2] += p.defaultName()
		}
		return nil, fmt.Errorf(
			"--output %s: placeholders are for names below a folder: write --output %s --name '%s'",
			o.Output,
			cmp.Or(braces[1], "./"),
			braces[2],
		)
	}
	if err := p.choose(); err != nil {
		return nil, err
	}
	if o.Shards > 0 {
		if _, err := Share(*o); err != nil {
			return nil, err
		}
		if p.format.table && o.Columns == nil {
			return nil, errors.New(
				"--shard: all parts of a CSV need the same columns: name them with --columns, or write ndjson",
			)
		}
	}
	if p.single != "" {
		return p, p.one(outputs)
	}
	return p, p.many(outputs)
}

// locate takes --output apart.
func (p *plan) locate(output string) {
	scheme, rest, ok := strings.Cut(output, "://")
	switch i := strings.LastIndexByte(rest, '/'); {
	case output == "" || output == "-":
		p.scheme, p.single = "-", "-"
	// A bucket alone.
	case ok && i < 0:
		p.scheme, p.folder = scheme, output+"/"
	case ok:
		p.scheme, p.folder, p.single = scheme, scheme+"://"+rest[:i+1], rest[i+1:]
	case os.IsPathSeparator(output[len(output)-1]):
		p.folder = output
	default:
		p.folder, p.single = filepath.Dir(output), filepath.Base(output)
	}
}

// open returns the target. It does no I/O.
func (p *plan) open() (target.Target, error) {
	o := p.options
	switch p.scheme {
	case "-":
		return target.Stdout(o.Stdout), nil
	case "":
		folder := target.NewFolder(p.folder, true)
		folder.Mark = o.Mark
		return folder, nil
	}
	opener := o.Targets[p.scheme]
	if opener == nil {
		return nil, fmt.Errorf(
			"--output %s: unknown scheme %q (have s3; or a file, a folder that ends in /, - for standard output)",
			o.Output,
			p.scheme,
		)
	}
	t, err := opener(p.folder)
	if err != nil {
		err = fmt.Errorf("--output %s: %w", o.Output, err)
	}
	return t, err
}

// choose finds format and compression: what the flags say, else the name, else ndjson and none.
func (p *plan) choose() error {
	o := p.options
	given := cmp.Or(p.single, o.Name)
	name, formatName, compressName := strings.ToLower(given), cmp.Or(o.Format, "ndjson"), o.Compress
	// Without the ending of a compression.
	stem := given
	for n, c := range compressions {
		if c.ext != "" && strings.HasSuffix(name, c.ext) {
			name, stem, compressName = strings.TrimSuffix(
				name,
				c.ext,
			), given[:len(given)-len(c.ext)], cmp.Or(
				compressName,
				n,
			)
			break
		}
	}
	switch ending := filepath.Ext(name); {
	case o.Format != "":
	case slices.Contains(foreign, ending):
		return fmt.Errorf(
			"the name %s promises %s, which is not written here (have .csv, .ndjson, and .gz, .zst after them); another name will do, or --format",
			given,
			ending,
		)
	case ending != "" && formats[ending[1:]].ext == ending:
		formatName = ending[1:]
	}
	p.format, p.compression = formats[formatName], compressions[compressName]
	ending, ext := filepath.Ext(given), p.compression.ext
	if o.Compress != "" && ext != "" && ending != "" && ending != ".{ext}" && !strings.EqualFold(ending, ext) &&
		!p.device() {
		return fmt.Errorf(
			"--compress %s: the name %s does not say so: name it %s, or leave --compress out",
			compressName,
			given,
			stem+ext,
		)
	}
	if o.Columns != nil && !p.format.table {
		return fmt.Errorf("--columns is for csv, and the format is %s: add --format csv", formatName)
	}
	if o.Roll > 0 && p.format.table && o.Columns == nil {
		return errors.New(
			"--roll: a CSV file begins with its header, and all are to have the same: name the columns with --columns",
		)
	}
	seen := map[string]bool{}
	for _, name := range o.Columns {
		if seen[name] {
			return fmt.Errorf("--columns names %q twice", name)
		}
		seen[name] = true
	}
	return nil
}

// device tells whether the output is standard output, a device or a FIFO: its name says nothing.
func (p *plan) device() bool {
	place, err := target.Resolve(p.options.Output)
	return p.scheme == "-" ||
		p.scheme == "" && err == nil && place.Info != nil && !place.Info.Mode().IsRegular() &&
			!place.Info.IsDir()
}

// one plans a single output for everything.
func (p *plan) one(outputs []pipeline.Output) error {
	place := cmp.Or(p.options.Output, "-")
	if p.options.Name != "" || p.options.Roll > 0 {
		return fmt.Errorf("--name and --roll are for a folder, and --output %s is none: let it end in /", place)
	}
	all := &output{name: p.single, job: outputs[0].Jobs[0]}
	for _, out := range outputs {
		all.routes = append(all.routes, out.DataType)
	}
	all.dataType = strings.Join(all.routes, ",")
	if p.format.table && len(outputs) > 1 {
		return fmt.Errorf(
			"--output %s: one CSV stream holds one data type, and these are %d (%s): write to a folder (DIR/), choose one with --job (children come with it), or write ndjson",
			place,
			len(outputs),
			strings.Join(all.routes, ", "),
		)
	}
	p.outputs = []*output{all}
	return nil
}

// many plans an output per data type, or per job where the names have {job}, and the manifest.
func (p *plan) many(outputs []pipeline.Output) error {
	o := p.options
	p.byJob = strings.Contains(o.Name, "{job}")
	p.manifest = commit.ManifestName(o.Jobs)

	p.reserve()
	p.owner[p.path(p.manifest)] = "the manifest"
	if flag := p.flags[p.path(p.manifest)]; flag != "" {
		return commit.Takenf("%s names the manifest that %s gets by itself: name another file", flag, o.Output)
	}
	all, err := p.expand(outputs)
	if err != nil {
		return err
	}
	for _, out := range all {
		if err := p.next(out); err != nil {
			return err
		}
		p.outputs = append(p.outputs, out)
	}
	// What has no name is not written in this run.
	rest, _ := p.expand(o.Rest)
	for _, out := range rest {
		if name := p.nameOf(out, 1); p.owner[p.path(name)] != "" {
			return fmt.Errorf(
				"with --job, %s would hold only a part: job %s writes it too; put {job} into --name",
				name,
				out.job,
			)
		}
	}
	return nil
}

// reserve enters whose files the other flags name.
func (p *plan) reserve() {
	for flag, file := range p.options.Files {
		if p.scheme == "" {
			p.flags[strings.ToLower(file.Path)] = flag
		}
	}
}

// next makes out the output of the part after its own, with a name that nothing else has.
func (p *plan) next(out *output) error {
	if out.part == mostParts {
		return fmt.Errorf(
			"%s: more than %d parts of %s: let --roll be greater",
			out.describe(),
			mostParts,
			pipeline.Size(p.options.Roll),
		)
	}
	out.part++
	out.name = p.nameOf(out, out.part)
	if err := commit.CheckName(out.name); err != nil {
		return err
	}
	path := p.path(out.name)
	if other := cmp.Or(p.flags[path], p.owner[path]); other != "" {
		return commit.Takenf(
			"%s and %s fall on one name, %s: tell them apart with dataType or id of the jobs, or with --name",
			other,
			out.describe(),
			out.name,
		)
	}
	p.owner[path] = out.describe()
	return nil
}

// path is what a name stands for: two of one path are one file. The case of letters may make no difference.
func (p *plan) path(name string) string {
	if p.scheme != "" {
		return name
	}
	name = filepath.Join(p.folder, filepath.FromSlash(name))
	if place, err := target.Resolve(name); err == nil {
		name = place.Path
	}
	return strings.ToLower(name)
}

// expand returns the outputs below the folder that have a name, and why others have none.
func (p *plan) expand(outputs []pipeline.Output) (all []*output, err error) {
	for _, out := range outputs {
		jobs := out.Jobs
		if !p.byJob {
			jobs = jobs[:min(1, len(jobs))]
		}
		for _, job := range jobs {
			o := &output{dataType: out.DataType, job: job, routes: []string{out.DataType}}
			if p.byJob {
				o.routes = []string{job}
			}
			var wrong error
			if o.template, wrong = p.expandName(out.Name, o); wrong == nil {
				all = append(all, o)
			}
			err = cmp.Or(err, wrong)
		}
	}
	return all, err
}

// defaultName is --name where it is not given.
func (p *plan) defaultName() string {
	name := "{dataType}"
	if p.options.Shards > 0 {
		name += "-{shard}-of-{shards}"
	}
	if p.options.Roll > 0 {
		name += "-{part}"
	}
	return name + ".{ext}"
}

// nameOf is the name of a part of the output.
func (p *plan) nameOf(out *output, part int) string {
	return strings.NewReplacer(commit.PartMark, number(part), commit.ShardMark, number(p.options.Shard), commit.ShardsMark, number(p.options.Shards)).
		Replace(out.template)
}

// number is how those of parts and shards are written in names.
func number(n int) string { return fmt.Sprintf("%05d", n) }

// expandName puts values in the place of the placeholders of --name.
func (p *plan) expandName(dataType string, out *output) (string, error) {
	o := p.options
	values := map[string]string{
		"dataType": dataType, "job": pipeline.FileName(out.job), "date": o.Date, "runId": o.RunID,
		"part": commit.PartMark, "ext": strings.TrimPrefix(p.format.ext+p.compression.ext, "."),
	}
	if values["shard"], values["shards"] = "", ""; o.Shards > 0 {
		values["shard"], values["shards"] = commit.ShardMark, commit.ShardsMark
	}
	template := cmp.Or(o.Name, p.defaultName())
	if o.Roll > 0 && !strings.Contains(template, "{part}") {
		return "", fmt.Errorf(
			"--name %s: with --roll there are several files for a data type: put {part} into it",
			template,
		)
	}
	if o.Shards > 1 && !strings.Contains(template, "{shard}") {
		return "", fmt.Errorf(
			"--name %s: with --shard there are several files for a data type: put {shard} into it",
			template,
		)
	}
	var err, wrong error
	name := regexp.MustCompile(`\{[^}]*}?`).ReplaceAllStringFunc(template, func(placeholder string) string {
		name := strings.Trim(placeholder, "{}")
		value, known := values[name]
		if attribute, ok := strings.CutPrefix(name, "attr:"); ok && o.Attribute != nil {
			value, wrong = o.Attribute(attribute)
			// As Hive writes it.
			value, known = strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), true
		}
		switch {
		case wrong != nil:
			err = fmt.Errorf("--name %s: %w", template, wrong)
		case !strings.HasSuffix(placeholder, "}"):
			err = fmt.Errorf("--name %s: a { has no }", template)
		case !known:
			err = fmt.Errorf("--name %s: unknown placeholder %s (have %s)", template, placeholder, placeholders)
		case value == "":
			err = fmt.Errorf("--name: there is nothing to put for %s of %s", placeholder, out.describe())
		}
		return value
	})
	return name, err
}

// describe names the output in messages about --name.
func (o *output) describe() string {
	return fmt.Sprintf("data type %q (job %s)", o.dataType, o.job)
}
