package run

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
	"sluice/source/config"
	"sluice/source/transport/record"
	"sluice/transform"
)

// An extraction is one run of a configuration into an output.
type extraction struct {
	process *process
	console *console
	options *Options
	beside  *allSides
	journal *checkpointJournal

	// Of a run of several shards, once it is joined.
	shared atomic.Pointer[commit.Shared]

	// Once the run has begun.
	reporter atomic.Pointer[pipeline.Reporter]
}

func newExtraction(p *process) *extraction {
	x := &extraction{process: p, console: p.console, options: p.options}
	x.journal = &checkpointJournal{
		console:   p.console,
		path:      p.options.journalPlace(),
		every:     p.options.Journal.Every,
		streams:   isStdout(p.options.Data.Output, p.world.Stdout),
		endBeside: func(ctx context.Context) error { return x.beside.endBeside(ctx) },
	}
	return x
}

// A compiled run is its source, and the sink for what that gives.
type compiled struct {
	source *source.Source

	// What the pipeline writes to: the store, or what wraps each item for it.
	sink  pipeline.Sink
	store *sink.Sink

	// Of the store.
	options sink.Options
}

// compile makes the source and the sink of a run, as the identity has it. Problems of the documents go to p.
func (x *extraction) compile(in *inputs, run *runIdentity, p *config.Problems) (*compiled, error) {
	c := &compiled{source: source.New(in.docs, x.sourceOptions(in, run), p)}
	if err := p.Err(); err != nil {
		return nil, err
	}
	x.beside.reports.name(x.options.Input.subject(), c.source.Hosts())
	output, err := withBucket(x.options.Data.Output, in.docs[0])
	if err != nil {
		return nil, err
	}
	c.options = x.sinkOptions(in, run, c.source)
	c.options.Output = output
	c.store, err = sink.New(c.options, c.source.Outputs())
	if err != nil {
		x.beside.keepData(err)
		return nil, &UsageError{err}
	}
	c.sink = c.store
	switch {
	case x.options.Data.Envelope:
		c.sink = &enveloped{Sink: c.store}
	case c.store.Counts():
		c.source.CountColumns()
	}
	return c, nil
}

func (x *extraction) sourceOptions(in *inputs, run *runIdentity) source.Options {
	o := sourceOptions(x.process.world, x.process.secrets, x.options.Version)
	o.Observer, o.Proxy = x.console, in.proxy
	if perSecond := x.options.API.Rate; perSecond > 0 {
		o.Limiter = rate.NewLimiter(rate.Limit(perSecond), 1)
	}
	o.Jobs = x.options.Input.Jobs
	o.Concurrency = x.options.API.Concurrency
	o.ConfirmEnd = x.options.API.ConfirmEnd
	o.Proof = x.options.Wants.Proof
	o.Shard, o.Shards = x.options.Shard.I, x.options.Shard.N
	o.Start = run.start()
	o.EarlierRuns = run.EarlierRuns
	o.Journal, o.Paused = x.journal.kept, x.journal.paused
	o.Tokens = x.beside.tokens.keeper()
	x.beside.traffic.enter(&o, x.process.world)
	return o
}

func (x *extraction) sinkOptions(in *inputs, run *runIdentity, src *source.Source) sink.Options {
	data := x.options.Data
	o := sink.Options{
		RunDetails: sink.RunDetails{
			RunID:  x.process.id,
			Date:   run.Date,
			Mark:   x.process.mark,
			Shard:  x.options.Shard.I,
			Shards: x.options.Shard.N,
			Rest:   src.Rest(),
		},
		Environment: sink.Environment{
			// Connections, temporary files, what stands beside the data.
			Spare:     x.options.API.Concurrency + 16,
			Files:     x.process.files,
			Objects:   x.options.objects(),
			Stdout:    x.process.world.Stdout,
			Targets:   targets(x.bucketOfRun()),
			Attribute: func(name string) (string, error) { return x.attribute(in.docs, name) },
			Redact:    x.process.secrets.Redact,
			Warn:      x.console.warn,
		},
		Format:    data.Format,
		Compress:  data.Compress,
		Name:      data.Name,
		Manifest:  data.Manifest,
		Roll:      data.Roll,
		Columns:   in.columns,
		Enveloped: data.Envelope,
		KeepFull:  x.options.Wants.Strict,
	}
	if len(x.options.Input.Jobs) > 0 {
		o.Jobs = src.Roots()
	}
	return o
}

// bucketOfRun is how a run reaches a bucket: its uploads are noted.
func (x *extraction) bucketOfRun() s3.Options {
	bucket := x.process.bucket
	bucket.RunID, bucket.Note = x.process.id, x.note
	bucket.Uploads = x.options.Data.Roll > 0 || x.options.Shard.N > 0
	return bucket
}

// note keeps that an upload has begun, where a later attempt looks for it.
func (x *extraction) note(ctx context.Context, u target.Sealed) error {
	if shared := x.shared.Load(); shared != nil {
		return shared.Note(ctx, x.options.Shard.I, x.process.mark, u)
	}
	if x.journal.kept != nil {
		return x.journal.kept.Note(ctx, record.BegunUpload{Name: u.Name, ID: u.Hidden})
	}
	return nil
}

// attribute is the text of an attribute of config for a name, which everybody sees.
func (x *extraction) attribute(docs []*config.Document, name string) (string, error) {
	value, _, _ := docs[0].Attribute(name)
	text := string(transform.Text(nil, value))
	for _, doc := range docs {
		other, hidden, ok := doc.Attribute(name)
		if hidden || x.process.secrets.Redact(text) != text {
			return "", fmt.Errorf("config.%s is secret, and names are not", name)
		}
		if !ok || value[0] == '{' || value[0] == '[' || !bytes.Equal(value, other) {
			return "", fmt.Errorf(
				"config.%s must be a string, a number or a boolean, and the same in all iterations",
				name,
			)
		}
	}
	return text, nil
}

// enveloped is a sink that gets each item wrapped (--envelope).
type enveloped struct {
	pipeline.Sink

	// reused.
	text []byte
}

func (e *enveloped) Write(ctx context.Context, b *pipeline.Batch) error {
	e.text = transform.Lines(e.text[:0], b.Text, transform.Envelope(b.Job, b.DataType, b.Page))
	wrapped := *b
	wrapped.Text = e.text
	wrapped.Counted = false
	return e.Sink.Write(ctx, &wrapped)
}
