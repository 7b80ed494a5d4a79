// Package source turns a configuration into walks over pages, requests them, judges each, and emits the items in order.
package source

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/page"
	"sluice/source/request"
	"sluice/source/schema"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

var _ pipeline.Source = &Source{}

// Options of a [Source]. The zero value is useful.
type Options struct {
	Jobs        []string // only these (id or data type); empty: all
	Concurrency int      // API requests in flight; less than 1 is 1
	ConfirmEnd  bool     // after an underflow with items ask for one page more

	Network                  // without Observer nobody sees what happens, without Secrets they are a new set
	Now     func() time.Time // nil: time.Now
	TempDir string           // of pages that are too large for memory

	Shard, Shards  int                                   // the part of the run that this process does, from 0; 0 Shards: all of it
	Start          time.Time                             // that the parameters of all processes of a run see; zero: each is that of Clock
	PreviousStarts map[string]int64                      // in Unix seconds by the id of the job, under the empty one of all others; nil: no --state
	Lasts          map[string]map[string]json.RawMessage // of the function last, by the id of the job and the path; nil: no --state
	Clock          func() time.Time                      // that the configuration and the expiry of a session see; nil: Now
	walks          int                                   // root walks so far
	Plan           *Plan                                 // to which Source.Plan adds; nil if that is not called
	Journal        *record.Journal                       // of answers that earlier processes of the run got; nil: there is none
	Paused         time.Duration                         // how long the run has lain still
	Second         bool                                  // Check asks for the second page, too
}

// Network is how requests reach the API.
type Network = transport.Options

// A Source is a configuration, compiled. It runs once.
type Source struct{ iterations []*iteration }

// An iteration is one document of a configuration, with its own login; it runs after those before it.
type iteration struct {
	o         *Options
	only      bool // there is no other
	addresses request.Addresses
	ignored   []int // statuses whose answers are data, api.http.ignoreErrors
	shape     request.Shape
	started   time.Time // time.currentStart
	jobs      []*job
	rest      []*job          // that Options.Jobs leaves out
	between   func(*walk)     // sees each walk between two pages; nil but in tests
	signer    *request.Signer // nil: no authentication
	renewed   []renewed       // headers of all jobs and of the login
	run       context.Context // of logins
	client    *transport.Client
	decoder   *page.Decoder
}

// New compiles the documents of a configuration; the source is of use only if p has no errors then.
func New(docs []*config.Document, o Options, p *config.Problems) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Clock == nil {
		o.Clock = o.Now
	}
	if o.Observer == nil {
		o.Observer = pipeline.Observers{}
	}
	o.Secrets = cmp.Or(o.Secrets, &secret.Set{})
	o.Concurrency = max(o.Concurrency, 1)
	o.Secrets.KeepSignatures(o.Concurrency)
	decoder := &page.Decoder{Folder: o.TempDir, Redact: o.Secrets.Redact}
	s := &Source{}
	for _, d := range docs {
		if o.Plan != nil {
			o.Plan.learn(d)
		}
		it := &iteration{o: &o, only: len(docs) == 1, started: cmp.Or(o.Start, o.Clock()), decoder: decoder}
		(&compiler{iteration: it, doc: d, problems: p}).compile()
		s.iterations = append(s.iterations, it)
	}
	return s
}

// secret is told a text that a function of the configuration made of secrets.
func (o *Options) secret(function, text string) {
	o.Secrets.Add(text)
	if o.Plan != nil {
		o.Plan.made(function, text)
	}
}

// Outputs implements [pipeline.Source]: one for each data type, in the order of the jobs.
func (s *Source) Outputs() []pipeline.Output { return outputs(s.jobs(false)) }

// Rest is what the jobs that Options.Jobs leaves out would fill.
func (s *Source) Rest() []pipeline.Output { return outputs(s.jobs(true)) }

func outputs(jobs []*job) (all []pipeline.Output) {
	for _, j := range tree(jobs) {
		i := slices.IndexFunc(all, func(o pipeline.Output) bool { return o.DataType == j.dataType })
		if i < 0 {
			i = len(all)
			all = append(all, pipeline.Output{DataType: j.dataType, Name: pipeline.FileName(j.dataType)})
		}
		if !slices.Contains(all[i].Jobs, j.id) {
			all[i].Jobs = append(all[i].Jobs, j.id)
		}
	}
	return all
}

// jobs are those of all iterations that run, or that Options.Jobs leaves out, below no other.
func (s *Source) jobs(rest bool) (all []*job) {
	for _, it := range s.iterations {
		if rest {
			all = append(all, it.rest...)
		} else {
			all = append(all, it.jobs...)
		}
	}
	return all
}

// Trees has the ids of each job below no other, which runs or not, and of those below it.
func (s *Source) Trees(rest bool) (all [][]string) {
	for _, root := range s.jobs(rest) {
		var ids []string
		for _, j := range tree([]*job{root}) {
			ids = append(ids, j.id)
		}
		all = append(all, ids)
	}
	return all
}

// Roots returns the ids of the jobs that run and are below no other, each once.
func (s *Source) Roots() (ids []string) {
	for _, j := range s.jobs(false) {
		if !slices.Contains(ids, j.id) {
			ids = append(ids, j.id)
		}
	}
	return ids
}

// Jobs returns the jobs that run, each once, for the head of the report.
func (s *Source) Jobs() (all []pipeline.JobReport) {
	for _, j := range tree(s.jobs(false)) {
		if !slices.ContainsFunc(all, func(r pipeline.JobReport) bool { return r.ID == j.id }) {
			all = append(all, pipeline.JobReport{ID: j.id, DataType: j.dataType})
		}
	}
	return all
}

// tree is jobs and all below them, parents first.
func tree(jobs []*job) (all []*job) {
	for _, j := range jobs {
		all = append(all, j)
		for _, c := range j.children {
			all = append(all, tree([]*job{c.job})...)
		}
	}
	return all
}

// Extract implements [pipeline.Source].
func (s *Source) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	for _, it := range s.iterations {
		err := newCoordinator(it, emit).run(ctx)
		it.client.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// signerOf returns what signs r: nothing if it goes to another origin than the API's.
func (it *iteration) signerOf(r *request.Request) *request.Signer {
	if !r.Trusted {
		return nil
	}
	return it.signer
}

// Schema returns the JSON Schema of a configuration.
func Schema() any { return schema.New() }
