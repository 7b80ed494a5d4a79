package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/source"
)

// A runIdentity is what all processes of one run have in common. Whoever comes later works by the values of the first.
type runIdentity struct {
	// Of the program.
	Version string `json:"version"`

	RunID string `json:"runId"`
	Date  string `json:"date"`

	// What parameters take for now.
	StartedAt time.Time `json:"startedAt"`

	// A fingerprint, the values of secrets left out.
	Configuration string `json:"configuration"`

	// That shape the output, as they were given.
	Flags map[string]string `json:"flags"`

	source.EarlierRuns

	// Others may have it too.
	common bool
}

// identify is the identity of a run that this process begins.
func identify(p *process, in *inputs) *runIdentity {
	o := p.options
	i := &runIdentity{
		Version:     o.Version,
		RunID:       p.id,
		Date:        p.date,
		StartedAt:   p.now().UTC(),
		EarlierRuns: in.memory,
		Flags:       o.shaping(in.columns),
	}
	i.Salt = source.NewSalt()
	for _, d := range in.docs {
		i.Configuration += d.Fingerprint
	}
	return i
}

// shaping are the flags that shape the output, as they were given. columns are those of CSV.
func (o *Options) shaping(columns []string) map[string]string {
	flags := map[string]string{
		"--output":   o.Data.Output,
		"--format":   o.Data.Format,
		"--compress": o.Data.Compress,
		"--name":     o.Data.Name,
		"--manifest": o.Data.Manifest,
		"--date":     o.Date,
		"--columns":  strings.Join(columns, ","),
		"--job":      strings.Join(slices.Sorted(slices.Values(o.Input.Jobs)), ","),
	}
	if o.Data.Envelope {
		flags["--envelope"] = "true"
	}
	if o.API.ConfirmEnd {
		flags["--confirm-end"] = "true"
	}
	if o.Wants.Proof {
		flags["--proof"] = "true"
	}
	if o.Data.Roll > 0 {
		flags["--roll"] = pipeline.Size(o.Data.Roll)
	}
	if o.Shard.N > 0 {
		flags["--shard"] = fmt.Sprintf("I/%d", o.Shard.N)
	}
	maps.DeleteFunc(flags, func(_, value string) bool { return value == "" })
	return flags
}

// differs says in what another process of the same run differs; empty: in nothing.
func (i *runIdentity) differs(other *runIdentity) string {
	var all []string
	add := func(what, here, there string) {
		if here != there {
			all = append(all, fmt.Sprintf("%s is %q in this process and %q in the earlier one", what, here, there))
		}
	}
	add("--run-id", i.RunID, other.RunID)
	names := maps.Clone(i.Flags)
	maps.Copy(names, other.Flags)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		add(name, i.Flags[name], other.Flags[name])
	}
	if i.Configuration != other.Configuration {
		all = append(all, "the configuration, or an attribute that is not secret, differs")
	}
	return strings.Join(all, "; ")
}

// following is the identity with what the first process of the run has decided.
func (i *runIdentity) following(first *runIdentity) *runIdentity {
	own := *i
	own.Date, own.StartedAt, own.EarlierRuns = first.Date, first.StartedAt, first.EarlierRuns
	own.common = true
	return &own
}

// start is what the parameters of all processes of the run see; zero where there is no other process.
func (i *runIdentity) start() time.Time {
	if !i.common {
		return time.Time{}
	}
	return i.StartedAt
}
