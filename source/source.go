// Package source turns a configuration into walks over pages, requests
// them, judges each, and emits the items in order. It puts its rooms
// together, and decides nothing.
package source

import (
	"context"
	"slices"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source/check"
	"sluice/source/compile"
	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/plan"
	"sluice/source/schema"
	"sluice/source/transport"
	"sluice/source/transport/record"
	"sluice/source/walk"
)

var _ pipeline.Source = &Source{}

// Options of a [Source]. The zero value is useful.
type Options struct {
	// Jobs are the only ones that run, by id or data type; empty: all.
	Jobs []string
	// Concurrency is how many API requests are in flight; less than 1 is 1.
	Concurrency int
	// ConfirmEnd asks for one page more after an underflow with items.
	ConfirmEnd bool
	// Proof asks for at most two more where the end is only assumed, and doubts what stays so.
	Proof bool

	// Without an Observer nobody sees what happens, without Secrets they
	// are a new set.
	Network
	// Now is nil for time.Now.
	Now func() time.Time
	// TempDir is that of pages that are too large for memory.
	TempDir string

	// Shard is the part of the run that this process does, from 0; 0 Shards:
	// all of it.
	Shard, Shards int
	// Start is what the parameters of all processes of a run see; zero: each
	// sees its Clock.
	Start time.Time
	EarlierRuns
	// Clock is what the configuration and the expiry of a session see; nil: Now.
	Clock func() time.Time
	// Plan is what [Source.Plan] adds to; nil if that is not called.
	Plan *plan.Plan
	// Journal is that of answers that earlier processes of the run got; nil:
	// there is none.
	Journal *record.Journal
	// Paused is how long the run has lain still.
	Paused time.Duration
	// Tokens has what logins give for the next one; nil: it goes with the process.
	Tokens Keeper
}

// A Keeper has what logins give for the next one.
type Keeper = compile.Keeper

// Network is how requests reach the API.
type Network = transport.Options

// A Source is a configuration, compiled. It runs once.
type Source struct {
	plan *plan.Plan
	// iterations are the documents, each with its own login. Each runs after
	// those before it.
	iterations []iteration
	decoder    *page.Decoder
}

type iteration struct {
	api *job.API
	run *walk.Run
	// nil: the configuration does not say it.
	consent *Consent
	client  *transport.Client
}

// Consent is how a person logs in.
type Consent = compile.Consent

// New compiles the documents of a configuration; the source is of use only if p has
// no errors then.
func New(docs []*config.Document, o Options, p *config.Problems) *Source {
	o.complete()
	compiling := compile.Options{
		Jobs:        o.Jobs,
		Network:     o.Network,
		Concurrency: o.Concurrency,
		Clock:       o.Clock,
		Shard:       o.Shard,
		Shards:      o.Shards,
		Start:       o.Start,
		EarlierRuns: o.EarlierRuns,
		Tokens:      o.Tokens,
	}
	if o.Plan != nil {
		compiling.Made = o.Plan.Made
		for _, d := range docs {
			o.Plan.Learn(d)
		}
	}
	observer := foresee(o.Observer, docs)
	decoder := &page.Decoder{Folder: o.TempDir, Redact: o.Secrets.Redact}
	s := &Source{plan: o.Plan, decoder: decoder}
	for _, d := range compile.Documents(docs, compiling, p) {
		run := walk.New(walk.Options{
			API:         d.API,
			Client:      d.Client,
			Decoder:     decoder,
			Observer:    observer,
			Now:         o.Now,
			Paused:      o.Paused,
			Concurrency: o.Concurrency,
			ConfirmEnd:  o.ConfirmEnd,
			Proof:       o.Proof,
			Shard:       o.Shard,
			Shards:      o.Shards,
			Journal:     o.Journal,
			Documents:   len(docs),
		})
		s.iterations = append(s.iterations, iteration{d.API, run, d.Consent, d.Client})
	}
	return s
}

// complete puts in what is said by leaving it out.
func (o *Options) complete() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Clock == nil {
		o.Clock = o.Now
	}
	if o.Observer == nil {
		o.Observer = pipeline.Observers{}
	}
	if o.Secrets == nil {
		o.Secrets = &secret.Set{}
	}
	o.Concurrency = max(o.Concurrency, 1)
	o.Secrets.KeepSignatures(o.Concurrency)
}

// CountColumns has the members of items counted, see [pipeline.Batch]. It is for before Extract.
func (s *Source) CountColumns() { s.decoder.Columns = true }

// Extract implements [pipeline.Source].
func (s *Source) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	for _, it := range s.iterations {
		if err := it.run.Extract(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}

// Check logs in, and tells found what the first page of each job showed, and with
// second how the page after it differs. A page that cannot be had is no error.
func (s *Source) Check(
	ctx context.Context, guess bool, found func(check.JobResult) error,
) error {
	for _, it := range s.iterations {
		if err := check.All(ctx, it.run, guess, found); err != nil {
			return err
		}
	}
	return nil
}

// Consent is how a person logs in, by requests that end with ctx; nil: the configuration does not say it.
func (s *Source) Consent(ctx context.Context) *Consent {
	for _, it := range s.iterations {
		if it.consent != nil {
			it.client.Begin(ctx)
			return it.consent
		}
	}
	return nil
}

// First logs in, and tells found what the first page of the first job shows.
func (s *Source) First(ctx context.Context, found func(check.JobResult) error) error {
	return check.First(ctx, s.iterations[0].run, found)
}

// Plan adds the requests that a run would begin with to Options.Plan. None is sent.
func (s *Source) Plan() error {
	for _, it := range s.iterations {
		if err := s.plan.Add(it.run); err != nil {
			return err
		}
	}
	return nil
}

// Outputs implements [pipeline.Source]: one for each data type, in the
// order of the jobs.
func (s *Source) Outputs() []pipeline.Output { return outputs(s.jobs(false)) }

// Rest is what the jobs that Options.Jobs leaves out would fill.
func (s *Source) Rest() []pipeline.Output { return outputs(s.jobs(true)) }

func outputs(jobs []*job.Job) (all []pipeline.Output) {
	for _, j := range job.Tree(jobs) {
		sameType := func(o pipeline.Output) bool { return o.DataType == j.DataType }
		i := slices.IndexFunc(all, sameType)
		if i < 0 {
			i = len(all)
			name := pipeline.FileName(j.DataType)
			all = append(all, pipeline.Output{DataType: j.DataType, Name: name})
		}
		if !slices.Contains(all[i].Jobs, j.ID) {
			all[i].Jobs = append(all[i].Jobs, j.ID)
		}
	}
	return all
}

// jobs are those of all iterations that run, or that Options.Jobs leaves out,
// below no other.
func (s *Source) jobs(rest bool) (all []*job.Job) {
	for _, it := range s.iterations {
		if rest {
			all = append(all, it.api.Rest...)
		} else {
			all = append(all, it.api.Jobs...)
		}
	}
	return all
}

// Trees has the ids of each job below no other, which runs or not, and of
// those below it.
func (s *Source) Trees(rest bool) (all [][]string) {
	for _, root := range s.jobs(rest) {
		var ids []string
		for _, j := range job.Tree([]*job.Job{root}) {
			ids = append(ids, j.ID)
		}
		all = append(all, ids)
	}
	return all
}

// Roots returns the ids of the jobs that run and are below no other, each once.
func (s *Source) Roots() (ids []string) {
	for _, j := range s.jobs(false) {
		if !slices.Contains(ids, j.ID) {
			ids = append(ids, j.ID)
		}
	}
	return ids
}

// Jobs returns the jobs that run, each once, for the head of the report.
func (s *Source) Jobs() (all []report.JobReport) {
	for _, j := range job.Tree(s.jobs(false)) {
		sameID := func(r report.JobReport) bool { return r.ID == j.ID }
		if !slices.ContainsFunc(all, sameID) {
			all = append(all, report.JobReport{ID: j.ID, DataType: j.DataType})
		}
	}
	return all
}

// Outlines are the jobs that run, each once, parents first.
func (s *Source) Outlines() (all []pipeline.Outline) {
	for _, j := range job.Tree(s.jobs(false)) {
		same := func(o pipeline.Outline) bool { return o.Job == j.ID }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Documents++
			continue
		}
		outline := pipeline.Outline{Job: j.ID, Documents: 1}
		if j.Parent != nil {
			outline.Parent = j.Parent.ID
		}
		all = append(all, outline)
	}
	return all
}

// Hosts are those that the jobs that run ask first, as the configuration says them,
// each once.
func (s *Source) Hosts() (all []string) {
	for _, it := range s.iterations {
		for _, j := range job.Tree(it.api.Jobs) {
			host := j.Host()
			if host != "" && !slices.Contains(all, host) {
				all = append(all, host)
			}
		}
	}
	return all
}

// Lasts has the greatest values by job and path, with several iterations the least
// of their greatest.
func (s *Source) Lasts() (job.Lasts, error) {
	var all []job.Followed
	for _, it := range s.iterations {
		all = append(all, it.run.Lasts()...)
	}
	return job.Least(all)
}

// An EarlierRuns is what earlier runs have left for this one.
type EarlierRuns = job.EarlierRuns

// Parents are what the function last knows of the parents of a child job.
type Parents = job.Parents

// A ParentsReader takes the parents of a state one after the other.
type ParentsReader = job.ParentsReader

// NewParentsReader is a reader of parents, which may be those that a run began with that has found these; nil: of any.
func NewParentsReader(found *Parents) *ParentsReader { return job.NewParentsReader(found) }

// MostParents is how many of them are kept at most.
const MostParents = job.MostParents

// NewSalt makes a key for the hashes of parents.
func NewSalt() string { return job.NewSalt() }

// Parents has the values of the function last below items, by the id of the child job.
func (s *Source) Parents() (map[string]*Parents, error) {
	all := map[string]*Parents{}
	for _, it := range s.iterations {
		if err := MergeParents(all, it.run.Parents()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Most has, by job, the greatest number of items that the first page of a walk had, where it is not one that a page
// may be cut to.
func (s *Source) Most() map[string]int {
	all := map[string]int{}
	for _, it := range s.iterations {
		MergeMost(all, it.run.Most())
	}
	return all
}

// MergeMost adds to all what [Source.Most] returned for another part of a run.
func MergeMost(all, other map[string]int) {
	for id, items := range other {
		all[id] = max(all[id], items)
	}
}

// MergeParents adds to all what another part of a run has seen.
func MergeParents(all, other map[string]*Parents) error {
	for id, parents := range other {
		if all[id] == nil {
			all[id] = parents
			continue
		}
		if err := all[id].Merge(parents); err != nil {
			return err
		}
	}
	return nil
}

// Greatest merges what [Source.Lasts] returned for two parts of a run.
func Greatest(a, b job.Lasts) (job.Lasts, error) { return job.GreatestOf(a, b) }

// Schema returns the JSON Schema of a configuration.
func Schema() any { return schema.New() }
