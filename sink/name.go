package sink

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"sluice/pipeline"
	"sluice/sink/commit"
)

// placeholders are those of --name, as its documentation orders them.
const placeholders = "{dataType} {job} {date} {runId} {part} {shard} {shards} {attr:NAME} {ext}"

// defaultName is --name where it is not given.
func defaultName(o *Options) string {
	name := "{dataType}"
	if o.Shards > 0 {
		name += "-{shard}-of-{shards}"
	}
	if o.Roll > 0 {
		name += "-{part}"
	}
	return name + ".{ext}"
}

// checkOutput refuses placeholders in --output.
func checkOutput(o *Options, single string) error {
	braces := regexp.MustCompile(`^(.*?)([^/]*\{[A-Za-z]+(:[^}]*)?\}.*)$`).FindStringSubmatch(o.Output)
	if braces == nil {
		return nil
	}
	folder, name := cmp.Or(braces[1], "./"), braces[2]
	if single == "" {
		name += defaultName(o)
	}
	return fmt.Errorf(
		"--output %s: placeholders are for names below a folder: write --output %s --name '%s'",
		o.Output, folder, name,
	)
}

// number is how those of parts and shards are written in names.
func number(n int) string { return fmt.Sprintf("%05d", n) }

// nameOf is the name of a part of the output.
func (p *plan) nameOf(out *output, part int) string {
	return strings.ReplaceAll(p.withShard(out.template), commit.PartMark, number(part))
}

// withShard puts the numbers of the shard in the place of their marks.
func (p *plan) withShard(template string) string {
	shard, shards := number(p.options.Shard), number(p.options.Shards)
	return strings.NewReplacer(commit.ShardMark, shard, commit.ShardsMark, shards).Replace(template)
}

// template is --name, with a value in the place of each placeholder, and marks where numbers come.
func (p *plan) template(fileName string, out *output) (string, error) {
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

// A filling is what comes in the place of placeholders.
type filling struct {
	// As messages list them.
	have string

	values map[string]string

	// The value of {attr:NAME}; nil: there are none.
	attribute func(name string) (string, error)
}

// A nothingError is a placeholder without a value.
type nothingError struct{ placeholder string }

func (n *nothingError) Error() string { return "there is nothing to put for " + n.placeholder }

// into fills a template.
func (f *filling) into(template string) (string, error) {
	var failed error
	name := regexp.MustCompile(`\{[^}]*}?`).ReplaceAllStringFunc(template, func(placeholder string) string {
		value, err := f.value(placeholder)
		if err == nil && value == "" {
			err = &nothingError{placeholder}
		}
		if err != nil {
			failed = err
		}
		return value
	})
	return name, failed
}

// values are those of the placeholders, by name. A run that is not divided has no shard.
func (p *plan) values(fileName string, out *output) map[string]string {
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

// value is what stands for a placeholder.
func (f *filling) value(placeholder string) (string, error) {
	name := strings.Trim(placeholder, "{}")
	value, isKnown := f.values[name]
	attribute, isAttribute := strings.CutPrefix(name, "attr:")
	if isAttribute && f.attribute != nil {
		text, err := f.attribute(attribute)
		if err != nil {
			return "", err
		}
		// As Hive writes it.
		value = strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
		isKnown = true
	}
	if !strings.HasSuffix(placeholder, "}") {
		return "", errors.New("a { has no }")
	}
	if !isKnown {
		return "", fmt.Errorf("unknown placeholder %s (have %s)", placeholder, f.have)
	}
	return value, nil
}
