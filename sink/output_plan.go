package sink

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/sink/commit"
)

// mostParts is how many parts an output has at most: more would not sort by their numbers.
const mostParts = 99999

// An outputPlan says which items go into which output, and how.
type outputPlan struct {
	outputPlace
	options *Options

	format      outputFormat
	compression compression

	// The names of both, as the report has them.
	formatName, compressionName string

	outputs []*openOutput

	// Each job has an output of its own, also where several jobs have the same data type.
	byJob bool

	// empty: none.
	manifest string

	// By path: what is written there, an output or the manifest, for messages.
	owner map[string]string

	// By path: the flag that names this file.
	flags map[string]string
}

func newOutputPlan(o *Options, outputs []pipeline.Output) (*outputPlan, error) {
	at := locate(o.Output)
	if err := checkOutput(o, at.single); err != nil {
		return nil, err
	}
	p := &outputPlan{outputPlace: at, options: o, owner: map[string]string{}, flags: at.flagsOf(&o.Environment)}
	if err := p.choose(); err != nil {
		return nil, err
	}
	if o.Shards > 0 {
		if err := p.checkShards(); err != nil {
			return nil, err
		}
	}
	if p.single != "" {
		return p, p.one(outputs)
	}
	return p, p.many(outputs)
}

// Copies tells whether items are written as they come, which takes almost no time.
func (p *outputPlan) Copies() bool { return p.format.copies && p.compression.make == nil }

// Counts tells whether the members of the items are counted: where there is a report for them to stand in.
func (p *outputPlan) Counts() bool { return p.format.counts && !p.isDevice() }

// checkShards refuses what several processes cannot do together.
func (p *outputPlan) checkShards() error {
	if _, err := Share(*p.options); err != nil {
		return err
	}
	if p.format.table && p.options.Columns == nil {
		return fmt.Errorf(
			"--shard: all parts of a %s need the same columns: name them with --columns, or write ndjson", p.format.noun)
	}
	return nil
}

// choose finds format and compression: what the flags say, else the name, else ndjson and none.
func (p *outputPlan) choose() error {
	o := p.options
	name := cmp.Or(p.single, o.Name)
	stem, packed := splitCompression(name)
	formatName := o.Format
	if formatName == "" {
		ending := filepath.Ext(strings.ToLower(stem))
		if slices.Contains(foreign, ending) {
			return fmt.Errorf(
				"the name %s ends in %s, which is no format that is supported (have %s): use another name, or "+
					"add --format",
				name, ending, endings(),
			)
		}
		formatName = formatOf(ending)
	}
	p.formatName = formatName
	p.format = formats[formatName]
	p.compressionName = cmp.Or(o.Compress, packed, DefaultCompression)
	p.compression = compressions[p.compressionName]
	if o.Compress != "" && !p.fitsCompression(name) {
		return fmt.Errorf(
			"--compress %s: the ending of the name %s says something else: name it %s, or leave --compress out",
			o.Compress, name, stem+p.compression.ext,
		)
	}
	return p.checkColumns(formatName)
}

// splitCompression takes the ending of a compression off a name.
func splitCompression(name string) (stem, compression string) {
	lower := strings.ToLower(name)
	for compression, c := range compressions {
		if c.ext != "" && strings.HasSuffix(lower, c.ext) {
			return name[:len(name)-len(c.ext)], compression
		}
	}
	return name, ""
}

// formatOf is the format of an ending, ndjson if it says none.
func formatOf(ending string) string {
	name := strings.TrimPrefix(ending, ".")
	if f, ok := formats[name]; ok && f.ext == ending {
		return name
	}
	return DefaultFormat
}

// fitsCompression tells whether the ending of a name agrees with the compression, or says nothing about it.
func (p *outputPlan) fitsCompression(name string) bool {
	ending, ext := filepath.Ext(name), p.compression.ext
	switch {
	case ext == "", ending == "", ending == ".{ext}":
		return true
	case strings.EqualFold(ending, ext):
		return true
	}
	return p.isDevice()
}

// checkColumns refuses what does not go together with the columns of a table.
func (p *outputPlan) checkColumns(formatName string) error {
	o := p.options
	if o.Columns != nil && !p.format.table {
		have := strings.Join(tables(), " or ")
		return fmt.Errorf("--columns is for %s, and the format is %s: add --format %s", have, formatName, have)
	}
	if p.format.table && o.Roll > 0 && o.Columns == nil {
		return fmt.Errorf("--roll: all %s files must have the same header: "+
			"name the columns with --columns", p.format.noun)
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

// one plans a single output for everything.
func (p *outputPlan) one(outputs []pipeline.Output) error {
	given := cmp.Or(p.output, "-")
	if p.options.Name != "" || p.options.Roll > 0 {
		return fmt.Errorf("--name and --roll are for a folder, and --output %s is none: let it end in /", given)
	}
	if p.options.Manifest != "" {
		return fmt.Errorf("--manifest is for a folder, and --output %s is none: let it end in /", given)
	}
	// Two names of one file were refused before.
	flag := p.flags[p.single]
	if p.scheme != "" && flag != "" {
		return commit.Takenf(
			"%s and --output name one object, %s: the one would replace the other",
			flag,
			given,
		)
	}
	all := &openOutput{name: p.single, job: outputs[0].Jobs[0]}
	for _, out := range outputs {
		all.routes = append(all.routes, out.DataType)
	}
	all.dataType = strings.Join(all.routes, ",")
	if p.format.table && len(outputs) > 1 {
		return fmt.Errorf(
			"--output %s: one %s stream holds one data type, and these are %d (%s): "+
				"write to a folder (DIR/), choose one with --job (children come with it), or write ndjson",
			given, p.format.noun, len(outputs), strings.Join(all.routes, ", "),
		)
	}
	p.outputs = []*openOutput{all}
	return nil
}

// many plans an output per data type, or per job where the names have {job}, and the manifest.
func (p *outputPlan) many(outputs []pipeline.Output) error {
	o := p.options
	p.byJob = strings.Contains(o.Name, "{job}")
	all, err := p.expand(outputs)
	if err != nil {
		return err
	}
	p.manifest, err = p.manifestName(all)
	if err != nil {
		return err
	}
	p.owner[p.path(p.manifest)] = "the manifest"
	if flag := p.flags[p.path(p.manifest)]; flag != "" {
		return commit.Takenf(
			"%s names the manifest that %s gets by itself: name another file", flag, o.Output)
	}
	for _, out := range all {
		if err := p.next(out); err != nil {
			return err
		}
		p.outputs = append(p.outputs, out)
	}
	return p.checkRest()
}

// manifestName is where the manifest of these outputs stands: below the deepest folder that the names of all jobs
// share, whichever --job chooses, or where --manifest says.
func (p *outputPlan) manifestName(all []*openOutput) (string, error) {
	o := p.options
	if o.Manifest == "" {
		// An output without a name is not written in this run.
		rest, _ := p.expand(o.Rest)
		return sharedFolder(append(rest, all...)) + commit.ManifestName(o.Jobs), nil
	}
	if len(o.Rest) > 0 && !strings.Contains(o.Manifest, "{job}") {
		return "", fmt.Errorf(
			"--manifest %s: with --job, the other jobs have manifests of their own: put {job} into it",
			o.Manifest,
		)
	}
	return o.fillManifest()
}

// checkRest refuses a name of this run if a job that --job has left out writes to the same name: the file would have only a
// part of its items.
func (p *outputPlan) checkRest() error {
	// An output without a name is not written in this run.
	rest, _ := p.expand(p.options.Rest)
	for _, out := range rest {
		name := p.nameOf(out, 1)
		if p.owner[p.path(name)] != "" {
			return fmt.Errorf(
				"with --job, %s would hold only a part: job %s writes it too; put {job} into --name",
				name, out.job,
			)
		}
	}
	return nil
}

// next makes out the output of the next part (see --roll), and refuses a name that another output or flag has.
func (p *outputPlan) next(out *openOutput) error {
	if out.part == mostParts {
		return fmt.Errorf(
			"%s: more than %d parts of %s: give a greater --roll",
			out.describe(), mostParts, pipeline.Size(p.options.Roll),
		)
	}
	out.part++
	out.name = p.nameOf(out, out.part)
	if err := commit.CheckName(out.name); err != nil {
		return err
	}
	path := p.path(out.name)
	other := cmp.Or(p.flags[path], p.owner[path])
	if other != "" {
		return commit.Takenf(
			"%s and %s have the same name, %s: change dataType or id of a job, or --name",
			other, out.describe(), out.name,
		)
	}
	p.owner[path] = out.describe()
	return nil
}

// expand returns the outputs below the folder for which --name makes a name, and the error of the first of the others.
func (p *outputPlan) expand(outputs []pipeline.Output) (all []*openOutput, first error) {
	for _, out := range outputs {
		jobs := out.Jobs
		if !p.byJob {
			jobs = jobs[:min(1, len(jobs))]
		}
		for _, job := range jobs {
			o := &openOutput{dataType: out.DataType, job: job, routes: []string{out.DataType}}
			if p.byJob {
				o.routes = []string{job}
			}
			template, err := p.template(out.Name, o)
			o.template = template
			if err == nil {
				all = append(all, o)
			}
			first = cmp.Or(first, err)
		}
	}
	return all, first
}

// nameOf is the name of a part of the output.
func (p *outputPlan) nameOf(out *openOutput, part int) string {
	return strings.ReplaceAll(p.withShard(out.template), commit.PartMark, number(part))
}

// withShard puts the numbers of the shard in the place of their marks.
func (p *outputPlan) withShard(template string) string {
	shard, shards := number(p.options.Shard), number(p.options.Shards)
	return strings.NewReplacer(commit.ShardMark, shard, commit.ShardsMark, shards).Replace(template)
}

// template is --name with the values of its placeholders. The numbers of parts and shards are still marks.
func (p *outputPlan) template(fileName string, out *openOutput) (string, error) {
	o := p.options
	template := o.Name
	if template == "" {
		template = defaultName(o)
	}
	if o.Roll > 0 && !strings.Contains(template, "{part}") {
		return "", fmt.Errorf(
			"--name %s: with --roll there are several files for a data type: put {part} into it", template)
	}
	if o.Shards > 1 && !strings.Contains(template, "{shard}") {
		return "", fmt.Errorf(
			"--name %s: with --shard there are several files for a data type: put {shard} into it", template)
	}
	fill := filling{placeholders, p.values(fileName, out), o.Attribute}
	name, err := fill.into(template)
	var nothing *nothingError
	switch {
	case errors.As(err, &nothing):
		return "", fmt.Errorf("--name: %w of %s", err, out.describe())
	case err != nil:
		return "", fmt.Errorf("--name %s: %w", template, err)
	}
	return name, nil
}

// values are those of the placeholders, by name. A run that is not divided has no shard.
func (p *outputPlan) values(fileName string, out *openOutput) map[string]string {
	values := map[string]string{
		"dataType": fileName,
		"job":      pipeline.FileName(out.job),
		"date":     p.options.Date,
		"runId":    p.options.RunID,
		"part":     commit.PartMark,
		"shard":    "",
		"shards":   "",
		"ext":      strings.TrimPrefix(p.format.ext+p.compression.ext, "."),
	}
	if p.options.Shards > 0 {
		values["shard"] = commit.ShardMark
		values["shards"] = commit.ShardsMark
	}
	return values
}
