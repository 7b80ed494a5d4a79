package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/source/config"
)

// An identity is what all processes of one run have in common: those that continue it,
// and those that share it. Whoever comes later works by the values of the first.
type identity struct {
	Version       string            `json:"version"` // of the program
	RunID         string            `json:"runId"`
	Date          string            `json:"date"`
	StartedAt     time.Time         `json:"startedAt"`     // what parameters take for now
	Configuration string            `json:"configuration"` // a fingerprint, the values of secrets left out
	Flags         map[string]string `json:"flags"`         // that shape the output, as they were given

	PreviousStarts map[string]int64                      `json:"previousStarts"` // of --state, as source.Options has them
	Lasts          map[string]map[string]json.RawMessage `json:"lasts"`
}

// identify returns the identity of a run that begins now.
func (e *extraction) identify(docs []*config.Document) *identity {
	i := &identity{
		Version: version, RunID: e.sink.RunID, Date: e.sink.Date, StartedAt: cmp.Or(e.source.Start, e.world.now().UTC()),
		PreviousStarts: e.source.PreviousStarts, Lasts: e.source.Lasts,
		Flags: map[string]string{
			"--output": e.sink.Output, "--format": e.sink.Format, "--compress": e.sink.Compress, "--name": e.sink.Name, "--date": e.date,
			"--columns": strings.Join(e.sink.Columns, ","), "--job": strings.Join(slices.Sorted(slices.Values(e.source.Jobs)), ","),
		},
	}
	for name, set := range map[string]bool{"--envelope": e.sink.Enveloped, "--confirm-end": e.source.ConfirmEnd} {
		if set {
			i.Flags[name] = "true"
		}
	}
	if e.sink.Roll > 0 {
		i.Flags["--roll"] = pipeline.Size(e.sink.Roll)
	}
	if n := e.source.Shards; n > 0 {
		i.Flags["--shard"] = fmt.Sprintf("I/%d", n)
	}
	maps.DeleteFunc(i.Flags, func(_, value string) bool { return value == "" })
	for _, d := range docs {
		i.Configuration += d.Fingerprint
	}
	return i
}

// differs says in what another process of the same run differs; empty: in nothing.
func (i *identity) differs(other *identity) string {
	var all []string
	add := func(what, here, there string) {
		if here != there {
			all = append(all, fmt.Sprintf("%s is %q here and %q there", what, here, there))
		}
	}
	add("--run-id", i.RunID, other.RunID)
	names := maps.Clone(i.Flags)
	maps.Copy(names, other.Flags)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		add(name, i.Flags[name], other.Flags[name])
	}
	if i.Configuration != other.Configuration {
		all = append(all, "the configuration, or an attribute that is no secret, is another one")
	}
	return strings.Join(all, "; ")
}

// adopt makes the run one of the first process.
func (e *extraction) adopt(first *identity) {
	e.sink.Date, e.source.Start = first.Date, first.StartedAt
	e.source.PreviousStarts, e.source.Lasts = first.PreviousStarts, first.Lasts
}
