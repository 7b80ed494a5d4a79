// Package run is the use case: it moves what an API has to where it belongs, makes
// visible what shards have sealed, and ends what killed runs have left. It knows no
// flag of a command line: what was asked for comes as [Options].
//
// A run is prepared (all files that it needs are read), opened (it finds out what other
// processes of the run have done, and compiles), executed, and finished. Each step
// takes and returns values; what lies beside the data has steps of its own ([side]).
package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/sink/target"
	"sluice/source/config"
	"sluice/source/transport/record"
	"sluice/source/verdict"
)

// Run extracts what a configuration says into an output. The exit status follows from its error, which is for
// the caller to tell; people are told of everything else.
func Run(ctx context.Context, w *World, secrets *secret.Set, o Options) error {
	if err := o.settle(w); err != nil {
		return err
	}
	c := newConsole(w, secrets, &o)
	id := o.RunID
	if id == "" {
		id = newID(c.began)
	}
	p, err := newProcess(c, &o, id, target.NewMark(id, o.work()))
	if err != nil {
		return err
	}
	x := newExtraction(p)
	x.beside, err = newAllSides(ctx, p, x.journal)
	if err != nil {
		return err
	}
	return perform(ctx, p, x.beside, x)
}

// attempt moves everything, unless another process has.
func (x *extraction) attempt(ctx context.Context) outcome {
	in, err := x.prepare(ctx)
	if err != nil {
		return outcome{err: err}
	}
	begin, err := x.open(ctx, in)
	if err != nil {
		return outcome{err: err}
	}
	if begin.turn.done != nil {
		return outcome{begin.turn.done, x.beside.reports.ready(ctx, begin.turn.done)}
	}
	if err := x.beside.sides.prepare(ctx); err != nil {
		return outcome{err: err}
	}
	return x.execute(ctx, in, begin)
}

// An openedRun is a run that can begin, or the report of one in which nothing is left to do.
type openedRun struct {
	turn     turn
	compiled *compiled
}

// prepare reads everything that a run needs. It asks nothing of the API.
func (x *extraction) prepare(ctx context.Context) (*inputs, error) {
	columns, err := readColumns(ctx, x.process.world, x.options.Data)
	if err != nil {
		return nil, err
	}
	if err := x.beside.state.open(x.process.bucket); err != nil {
		return nil, err
	}
	if err := x.beside.tokens.open(ctx, x.process.bucket); err != nil {
		return nil, err
	}
	remembered, err := x.beside.state.memory(ctx)
	if err != nil {
		return nil, err
	}
	if err := x.beside.traffic.open(x.process.world, x.process.secrets, x.options, remembered); err != nil {
		return nil, err
	}
	in := &inputs{columns: columns, memory: x.beside.traffic.memory(remembered)}
	in.docs, err = loadDocuments(ctx, x.process.world, x.process.secrets, x.options.Input, true, &in.problems)
	if err != nil {
		return nil, err
	}
	x.beside.tokens.wanted(in.docs, &in.problems)
	x.console.watch(in.docs[0].Debug, x.options.Data.Output)
	in.expected, err = newExpectation(ctx, x.process, x.process.bucket)
	if err != nil {
		return nil, err
	}
	in.proxy, err = findProxy(x.process.world.Getenv, x.process.secrets)
	return in, err
}

// checkPlace refuses a journal where outputs go: who reads these would read it, too, and its folder is private.
func (x *extraction) checkPlace(doc *config.Document) error {
	place := x.journal.path
	if place == "" || x.journal.streams {
		return nil
	}
	output, err := withBucket(x.options.Data.Output, doc)
	if err != nil {
		return err
	}
	below, among := amongOutputs(place, output)
	// Who reads a whole folder leaves out such names.
	isApart := strings.HasPrefix(below, "_") || strings.HasPrefix(below, ".")
	switch {
	case !among || isApart:
		return nil
	case below == "":
		return Usagef(
			"--checkpoint %s is where --output %s goes: name a place for the journal alone",
			place,
			output,
		)
	}
	return Usagef("--checkpoint %s is below --output %s, so whoever reads the output reads the journal, too: "+
		"name another place, or one whose name below the output begins with _", place, output)
}

// open finds out what is left to do for this process, and compiles that.
func (x *extraction) open(ctx context.Context, in *inputs) (openedRun, error) {
	if err := x.checkPlace(in.docs[0]); err != nil {
		return openedRun{}, err
	}
	own := identify(x.process, in)
	mine := turn{first: own}
	if x.options.Shard.N > 0 {
		// What is wrong with the configuration is said before other shards take it for theirs.
		alone, err := x.compile(in, own, &config.Problems{})
		if err != nil {
			return openedRun{}, err
		}
		// With the bucket: one shard may name it where another one takes it from the configuration.
		own.Flags["--output"] = alone.options.Output
		mine, err = x.joinShards(ctx, own, alone)
		if err != nil || mine.done != nil {
			return openedRun{turn: mine}, err
		}
	}
	if x.journal.path != "" {
		if err := x.journal.open(ctx, x.process.bucket, x.process.mark); err != nil {
			return openedRun{}, err
		}
		var err error
		mine, err = x.journal.join(ctx, mine.first, x.options.Shard.N > 0)
		if err != nil || mine.done != nil {
			return openedRun{turn: mine}, err
		}
	}
	c, err := x.compile(in, mine.first, &in.problems)
	if err != nil {
		return openedRun{}, err
	}
	return openedRun{mine, c}, x.refuseDoubts(in, c)
}

// refuseDoubts refuses, with --strict, a configuration of which something has no effect.
func (x *extraction) refuseDoubts(in *inputs, c *compiled) error {
	doubts, _ := in.problems.Doubts(in.docs, idsOf(c.source.Jobs()))
	if len(doubts) == 0 || !x.options.Wants.Strict {
		return nil
	}
	const cure = "--strict refuses what has no effect: correct it, or begin the name of a remark with _"
	return fmt.Errorf("%w\n%s", &config.Error{Problems: doubts}, cure)
}

func idsOf(jobs []report.JobReport) (ids []string) {
	for _, j := range jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

// execute runs what was opened.
func (x *extraction) execute(ctx context.Context, in *inputs, o openedRun) outcome {
	reporter := pipeline.NewReporter(x.begin(in, o))
	x.reporter.Store(reporter)
	x.console.observers = pipeline.Observers{reporter, x.console.live, x.console.log}
	if x.beside.timeline.name != "" || x.beside.reports.page != nil {
		x.console.observers = append(x.console.observers, x.beside.timeline.trace)
	}
	if pace := x.process.world.Pace; pace != nil {
		isOne := x.options.API.Concurrency == 1
		pace.Begin(isOne && o.compiled.store.Copies())
		x.console.observers = append(x.console.observers, pace)
	}
	jobs := o.compiled.source.Outlines()
	x.console.live.Start(jobs, x.options.API.Concurrency)
	for _, problem := range in.problems.All() {
		x.console.warn("", problem.String())
	}
	x.beside.state.seen = func(r *report.Report) (*stateInput, error) {
		return stateInputOf(o, r, x.beside.reports.subject.Load())
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.journal.begin(o.turn.first.start(), reporter.Counts, cancel)
	x.endEarlier(ctx, o.compiled.store)
	stop := x.console.log.Watch(jobs, x.console.live != nil)
	out := x.extract(ctx, o.compiled, reporter, in.expected)
	stop()
	x.console.live.Close()
	out.err = errors.Join(out.err, x.beside.timeline.trace.Close())
	return out
}

// begin is the report of a run that begins.
func (x *extraction) begin(in *inputs, o openedRun) report.Report {
	head := x.console.head(x.process.id, o.turn.first.Date)
	head.Incremental, head.Jobs = in.docs[0].Incremental, o.compiled.source.Jobs()
	_, doubted := in.problems.Doubts(in.docs, idsOf(head.Jobs))
	for i := range head.Jobs {
		j := &head.Jobs[i]
		if why, ok := doubted[j.ID]; ok {
			j.Verdict, j.Reason = verdict.Joined(verdict.Trust{}, verdict.NoEffect.Told(why.Brief()))
		}
	}
	if x.options.Shard.N > 0 {
		head.Shard = &report.ShardReport{Form: report.ShardForm}
	}
	j := x.journal.kept
	if j == nil {
		return head
	}
	head.Resumed = j.Attempts
	if len(head.Resumed) > 0 {
		head.StartedAt = o.turn.first.start()
	}
	for i := range head.Jobs {
		head.Jobs[i].Costs = j.Totals[head.Jobs[i].ID]
	}
	return head
}

// stateInputOf is what a run that has ended knows for the state, and what it is about, for the
// page of publishing.
func stateInputOf(o openedRun, r *report.Report, of *view.Subject) (*stateInput, error) {
	began := o.turn.first.start()
	if began.IsZero() {
		began = r.StartedAt
	}
	lasts, err := o.compiled.source.Lasts()
	if err != nil {
		return nil, err
	}
	parents, err := o.compiled.source.Parents()
	return &stateInput{
		StartedAt: began,
		Trees:     o.compiled.source.Trees(false),
		Rest:      o.compiled.source.Trees(true),
		Lasts:     lasts,
		Parents:   parents,
		Most:      o.compiled.source.Most(),
		Subject:   of,
	}, err
}

// endEarlier ends what earlier attempts at this run, or shard, have left, as far as
// they can do no more harm: once this one has its claim in the journal, the others
// end before they publish. One that was publishing is left alone.
func (x *extraction) endEarlier(ctx context.Context, store *sink.Sink) {
	j := x.journal.kept
	if j == nil && x.shared.Load() == nil {
		return
	}
	var uploads []target.Sealed
	if j != nil {
		for _, u := range j.Uploads {
			uploads = append(uploads, target.Sealed{Name: u.Name, Hidden: u.ID})
		}
	}
	x.console.notAll(store.EndEarlier(ctx, x.journal.isClaimed(), uploads))
}

// extract moves the items, and makes them visible, or seals those of a shard.
func (x *extraction) extract(
	ctx context.Context, c *compiled, r *pipeline.Reporter, expected *expectation,
) outcome {
	var told *report.Report
	soFar := func() *report.Report {
		told = r.Succeeded(x.process.now().UTC())
		if x.options.Shard.N > 0 {
			told.Status = report.Sealed
		}
		return told
	}
	err := pipeline.Run(ctx, c.source, c.sink, soFar, pipeline.Options{
		Observer: x.console,
		Wants:    x.options.Wants,
		Ready: func(r *report.Report) error {
			if err := expected.compareWith(ctx, c.store, r); err != nil {
				return err
			}
			return x.process.toShow(ctx, x.beside, r)
		},
	})
	err = Cause(ctx, err)
	if err == nil {
		x.process.world.Stage.Enter(Published)
		return outcome{report: told}
	}
	x.process.world.Stage.Enter(Working)
	if context.Cause(ctx) == nil && x.journal.kept.Lost() {
		// The other process has ended the uploads of this one.
		err = record.ErrContinued
	}
	failed := x.console.failed(r, err)
	if told != nil {
		// What is visible all the same.
		failed.Outputs = told.Outputs
	}
	return outcome{failed, err}
}

func (x *extraction) soFar() *pipeline.Reporter {
	if r := x.reporter.Load(); r != nil {
		return r
	}
	return pipeline.NewReporter(x.console.head(x.process.id, x.process.date))
}
