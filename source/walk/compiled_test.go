package walk_test

import (
	"slices"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source/compile"
	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/transport"
	"sluice/source/transport/record"
	"sluice/source/walk"
)

// options of a run; the zero value is useful.
type options struct {
	Concurrency   int
	TempDir       string
	Shard, Shards int
	Network       transport.Options
	Journal       *record.Journal
	Memory        job.EarlierRuns
}

// made is a configuration, compiled, with its run.
type made struct {
	*walk.Run
	api *job.API
}

// prepare compiles a configuration with one document.
func prepare(t *testing.T, text string, o options) made {
	t.Helper()
	o.Concurrency = max(o.Concurrency, 1)
	o.Network.Secrets = &secret.Set{}
	if o.Network.Observer == nil {
		o.Network.Observer = pipeline.Observers{}
	}
	var p config.Problems
	docs := []*config.Document{config.Decode(config.Parse("test", []byte(text), &p), o.Network.Secrets, &p)}
	all := compile.Documents(docs, compile.Options{
		Network:     o.Network,
		Concurrency: o.Concurrency,
		Clock:       time.Now,
		Shard:       o.Shard,
		Shards:      o.Shards,
		EarlierRuns: o.Memory,
	}, &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	run := walk.New(walk.Options{
		API:         all[0].API,
		Client:      all[0].Client,
		Decoder:     &page.Decoder{Folder: o.TempDir, Redact: o.Network.Secrets.Redact},
		Observer:    o.Network.Observer,
		Now:         time.Now,
		Concurrency: o.Concurrency,
		Shard:       o.Shard,
		Shards:      o.Shards,
		Journal:     o.Journal,
		Documents:   1,
	})
	return made{run, all[0].API}
}

// jobs are those of a report.
func (m made) jobs() (all []report.JobReport) {
	for _, j := range job.Tree(m.api.Jobs) {
		if !slices.ContainsFunc(all, func(r report.JobReport) bool { return r.ID == j.ID }) {
			all = append(all, report.JobReport{ID: j.ID, DataType: j.DataType})
		}
	}
	return all
}
