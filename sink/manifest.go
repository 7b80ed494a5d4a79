package sink

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"sluice/sink/commit"
	"sluice/sink/target"
)

// fillManifest is --manifest, with a value in the place of each placeholder. Of several processes that share a run
// all have the same.
func (o *Options) fillManifest() (string, error) {
	fill := filling{
		have: "{date} {runId} {shards}",
		values: map[string]string{
			"date":   o.Date,
			"runId":  o.RunID,
			"shards": "",
		},
		attribute: o.Attribute,
	}
	if o.Shards > 0 {
		fill.values["shards"] = number(o.Shards)
	}
	knowsJobs := o.Attribute != nil
	if knowsJobs {
		fill.have = "{job} {date} {runId} {shards} {attr:NAME}"
		fill.values["job"] = ""
	}
	if knowsJobs && len(o.Jobs) > 0 {
		fill.values["job"] = commit.JobsName(o.Jobs)
	}
	name, err := fill.into(o.Manifest)
	var nothing *nothingError
	if errors.As(err, &nothing) && nothing.placeholder == "{job}" {
		err = errors.New(
			"without --job the manifest is that of all jobs, and there is no value for {job}",
		)
	}
	if err != nil {
		return "", fmt.Errorf("--manifest %s: %w", o.Manifest, err)
	}
	return name, commit.CheckManifest(name)
}

// sharedFolder is the deepest folder that all names share, whatever the numbers in them; empty, or with a / at its
// end.
func sharedFolder(outputs []*openOutput) string {
	var folders []string
	for _, o := range outputs {
		// A mark begins so.
		before, _, _ := strings.Cut(o.template, "\x00")
		folders = append(folders, before[:strings.LastIndexByte(before, '/')+1])
	}
	prefix := commonPrefix(folders)
	return prefix[:strings.LastIndexByte(prefix, '/')+1]
}

// Share returns what the run of these options shares. It does no I/O.
func Share(o Options) (*commit.Shared, error) {
	p := locate(o.Output)
	if p.single != "" {
		return nil, fmt.Errorf(
			"%s: the shards of a run write to a folder (DIR/) or below a prefix (s3://bucket/prefix/)",
			cmp.Or(o.Output, "-"),
		)
	}
	to, err := p.open(&o)
	if err != nil {
		return nil, err
	}
	at := p.shared(p.flagsOf(&o.Environment))
	isPublishing := o.Attribute == nil
	if o.Manifest != "" && isPublishing {
		at.Manifest = func(date string) (string, error) {
			o.Date = date
			return o.fillManifest()
		}
		// What is wrong with it is so for any date.
		if _, err := at.Manifest(time.DateOnly); err != nil {
			return nil, err
		}
	}
	return commit.New(to.(target.Store), o.RunID, at), nil
}

// commonPrefix is what all texts begin with; empty if there is none.
func commonPrefix(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	prefix := texts[0]
	for _, text := range texts[1:] {
		for !strings.HasPrefix(text, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
