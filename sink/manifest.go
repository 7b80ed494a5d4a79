package sink

import (
	"errors"
	"fmt"
	"strings"

	"sluice/sink/commit"
)

// manifestName is where the manifest of these outputs stands: below the deepest folder that the names of all jobs
// share, whichever --job chooses, or where --manifest says.
func (p *plan) manifestName(all []*output) (string, error) {
	o := p.options
	if o.Manifest == "" {
		// What has no name is not written in this run.
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
			"without --job the manifest is that of all jobs, and there is nothing to put for {job}",
		)
	}
	if err != nil {
		return "", fmt.Errorf("--manifest %s: %w", o.Manifest, err)
	}
	return name, commit.CheckManifest(name)
}

// sharedFolder is the deepest folder that all names share, whatever the numbers in them; empty, or with a / at its
// end.
func sharedFolder(outputs []*output) string {
	var folders []string
	for _, o := range outputs {
		// A mark begins so.
		before, _, _ := strings.Cut(o.template, "\x00")
		folders = append(folders, before[:strings.LastIndexByte(before, '/')+1])
	}
	prefix := commonPrefix(folders)
	return prefix[:strings.LastIndexByte(prefix, '/')+1]
}
