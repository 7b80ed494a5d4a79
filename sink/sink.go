// Package sink stores items: a format (NDJSON, CSV), a compression and a target, one after the other, make one sink.
// Nothing of it shows before Commit, except on a stream that cannot be taken back. Memory does not grow with the number of
// outputs: buffers are shared, few compressors are open, items that wait for the header of a table are in temporary files.
package sink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
	"sluice/sink/target"
)

// Options say what goes where (cli.md, sluice run). The zero value writes NDJSON to Stdout.
type Options struct {
	// --output: "-", FILE, DIR/, scheme://…; "" is "-".
	Output string

	// One of Formats; "" is what the name says, else ndjson.
	Format string

	// One of Compressions; "" is what the name says, else none.
	Compress string

	// --name, the template of names below a folder; "" is {dataType}.{ext}, with Roll
	// {dataType}-{part}.{ext}.
	Name string

	// --roll: a page that begins after so many bytes of text begins another part; 0: none does.
	Roll int64

	// --columns: the CSV columns, in order; nil is all that occur.
	Columns []string

	// Items say themselves where they come from.
	Enveloped bool

	// An output without items replaces only what is empty or the same, else the run is
	// [report.ErrNotComplete].
	KeepFull bool

	Run
	Environment
}

// A Run is whose items are written.
type Run struct {
	// For {runId}.
	RunID string

	// For {date}, YYYY-MM-DD.
	Date string

	// Of this attempt at the run.
	Mark target.Mark

	// The part of the run that this process does, from 0, and seals, see [commit.Shared]; 0 Shards: all of it.
	Shard, Shards int

	// The ids that --job chose: they name the manifest.
	Jobs []string

	// What the other jobs would fill: a name that they share is refused.
	Rest []pipeline.Output
}

// An Environment is what a sink uses of what is around it.
type Environment struct {
	// Where "-" goes.
	Stdout io.Writer

	// Targets opens, by scheme, what is no file: "s3" gets "s3://bucket/prefix/",
	// which always ends in /, and names are relative to it. It does no I/O.
	Targets map[string]func(place string) (target.Target, error)

	// Files that other flags name, by flag: an output must not be one.
	Files map[string]target.Place

	// Files and connections that may be open beside one for each output.
	Spare int

	// The value of {attr:NAME}.
	Attribute func(name string) (string, error)

	// Told what a person should know, with the first job of an output; nil: nobody is.
	Warn func(job, text string)
}

// A Sink implements [pipeline.Sink]. It is used by one goroutine at a time.
type Sink struct {
	*plan
	target target.Target

	// By data type, or by job if byJob.
	routes map[string]*output

	// The manifest, once it is sealed.
	record target.Object

	// Of earlier attempts, see EndEarlier:
	// It was called.
	ends bool

	// That are known.
	uploads []target.Sealed

	// Under the names of these outputs.
	empty commit.EmptyUploads
}

// New checks everything that can be known before the first request; its errors
// are errors of usage. outputs are those of the source. It does no I/O.
func New(o Options, outputs []pipeline.Output) (*Sink, error) {
	if o.Warn == nil {
		o.Warn = func(string, string) {}
	}
	p, err := newPlan(&o, outputs)
	if err != nil {
		return nil, err
	}
	to, err := p.open(&o)
	if err != nil {
		return nil, err
	}
	s := &Sink{plan: p, target: to, routes: map[string]*output{}}
	var buffers scratch
	pool := &compressors{make: p.compression.make}
	for _, out := range s.outputs {
		out.target = to
		out.compressors = pool
		out.encoder = p.format.make(&o, out, &buffers)
		for _, key := range out.routes {
			s.routes[key] = out
		}
	}
	return s, nil
}

// Probe implements [pipeline.Sink].
func (s *Sink) Probe(ctx context.Context) error {
	s.warnOfMixture()
	if err := openable(len(s.outputs) + s.options.Spare); err != nil {
		return err
	}
	if err := s.target.Probe(ctx, s.names()); err != nil {
		return err
	}
	folder, isFolder := s.target.(*target.Folder)
	if isFolder && s.options.Shards > 0 {
		if err := folder.Hold(); err != nil {
			return err
		}
	}
	for _, o := range s.outputs {
		e, isTable := o.encoder.(*csvEncoder)
		if isTable && e.spool != nil {
			// One is enough to see that there is room.
			return e.spool.create()
		}
	}
	return nil
}

// warnOfMixture tells of items of several data types in one file that nothing tells apart.
func (s *Sink) warnOfMixture() {
	if s.single == "" || s.options.Enveloped {
		return
	}
	types := s.outputs[0].routes
	if len(types) < 2 || s.isDevice() {
		return
	}
	s.options.Warn("", fmt.Sprintf(
		"--output %s mixes the items of %d data types (%s): "+
			"tell them apart with --envelope, or write to a folder (DIR/)",
		s.output, len(types), strings.Join(types, ", "),
	))
}

// names are those of all outputs, and of the manifest.
func (s *Sink) names() []string {
	var names []string
	for _, o := range s.outputs {
		names = append(names, o.name)
	}
	if s.manifest != "" {
		names = append(names, s.manifest)
	}
	return names
}

// openable tells whether n files can be open at a time: too few would show in the middle of the run.
func openable(n int) error {
	open := make([]*os.File, 0, n)
	defer func() {
		for _, f := range open {
			// Nothing was written.
			_ = f.Close()
		}
	}()
	for range n {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return fmt.Errorf(
				"this run has about %d files and connections open at a time, and the process may not: "+
					"raise the limit (ulimit -n %d), or divide the jobs with --job: %w",
				n, 2*n, err,
			)
		}
		open = append(open, f)
	}
	return nil
}

// Write implements [pipeline.Sink]. Without compression a batch is one write.
func (s *Sink) Write(ctx context.Context, b *pipeline.Batch) error {
	key := b.DataType
	if s.byJob {
		key = b.Job
	}
	isFull := s.options.Roll > 0 && s.routes[key].text >= s.options.Roll
	beginsPage := b.First && b.Items > 0
	if isFull && beginsPage {
		if err := s.roll(ctx, key); err != nil {
			return err
		}
	}
	return s.routes[key].add(ctx, b)
}

// roll seals a part of an output, and begins the next one, with the same encoder.
func (s *Sink) roll(ctx context.Context, key string) error {
	o := s.routes[key]
	if err := o.seal(ctx, false); err != nil {
		return err
	}
	next := *o
	next.written = written{}
	s.outputs = slices.Insert(s.outputs, slices.Index(s.outputs, o)+1, &next)
	s.routes[key] = &next
	return s.next(&next)
}

// Commit implements [pipeline.Sink].
func (s *Sink) Commit(
	ctx context.Context,
	sealed func([]report.OutputReport) (*report.Report, error),
) error {
	outputs, err := s.seal(ctx)
	if err != nil {
		return err
	}
	if s.options.KeepFull {
		if err := commit.KeepFull(ctx, s.target, s.withoutItems()); err != nil {
			return err
		}
	}
	r, err := sealed(outputs)
	if err == nil && s.options.Shards > 0 {
		return s.leave(ctx, r)
	}
	if err == nil && s.manifest != "" {
		err = s.sealManifest(ctx, r)
	}
	// As long as nothing shows.
	r.Outputs = []report.OutputReport{}
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	ctx, stop := outlast(ctx)
	defer stop()
	if err := s.show(ctx, r); err != nil {
		return err
	}
	s.endRest(ctx)
	return nil
}

// seal seals all outputs, and returns what the report says of them.
func (s *Sink) seal(ctx context.Context) ([]report.OutputReport, error) {
	outputs := make([]report.OutputReport, 0, len(s.outputs))
	for _, o := range s.outputs {
		// The others were sealed when the next part began.
		if o.entry == nil {
			if err := o.seal(ctx, true); err != nil {
				return nil, err
			}
		}
		if o.entry != nil {
			outputs = append(outputs, *o.entry)
		}
	}
	return outputs, nil
}

// show makes all visible.
func (s *Sink) show(ctx context.Context, r *report.Report) error {
	if s.manifest == "" {
		return s.publish(ctx, r)
	}
	if err := s.target.Remove(ctx, s.manifest); err != nil {
		return err
	}
	if err := s.publish(ctx, r); err != nil {
		return err
	}
	for _, o := range s.routes {
		if err := s.removeOld(ctx, *o); err != nil {
			return err
		}
	}
	return s.record.Publish(ctx)
}

// withoutItems are the outputs that have none.
func (s *Sink) withoutItems() (all []commit.Empty) {
	for _, o := range s.outputs {
		if o.items == 0 && o.entry != nil {
			all = append(all, commit.Empty{Name: o.name, Output: *o.entry})
		}
	}
	return all
}

// finishing is how long publishing goes on after its run was cancelled.
const finishing = 5 * time.Second

// outlast returns a context that is cancelled like ctx, but only when finishing has passed since.
func outlast(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(finishing, func() { cancel(context.Cause(ctx)) })
	})
	return longer, func() {
		stop()
		cancel(nil)
	}
}

// sealManifest brings the manifest to the destination, so that a full disk shows while all is invisible.
func (s *Sink) sealManifest(ctx context.Context, r *report.Report) error {
	m := commit.Manifest{Report: r}
	m.Replace(ctx, s.target, s.manifest)
	text, err := m.Text()
	if err != nil {
		return err
	}
	s.record, err = s.target.Create(ctx, s.manifest)
	if err != nil {
		return err
	}
	if err := s.record.Write(ctx, text); err != nil {
		return err
	}
	return s.record.Seal(ctx)
}

// shared is what the shards of the run share.
func (s *Sink) shared() *commit.Shared { return s.share(s.target, s.options.RunID, s.flags) }

// leave ends a shard: nothing shows, and what is sealed is another process's to publish.
func (s *Sink) leave(ctx context.Context, r *report.Report) error {
	f := &commit.Fragment{
		Shard:    s.options.Shard,
		Shards:   s.options.Shards,
		Report:   r,
		Manifest: s.manifest,
	}
	for _, o := range s.outputs {
		f.Objects = append(f.Objects, o.sealed())
	}
	if s.ends {
		if err := s.shared().MaySeal(ctx, s.attempt()); err != nil {
			return err
		}
	}
	stays, err := s.shared().Leave(ctx, f)
	if err == nil {
		s.endRest(ctx)
	}
	if stays {
		// There is nothing left to give up.
		s.outputs = nil
	}
	r.Outputs = []report.OutputReport{}
	return err
}

// publish makes the outputs visible, and enters into r those that are.
func (s *Sink) publish(ctx context.Context, r *report.Report) error {
	for _, o := range s.outputs {
		if err := o.object.Publish(ctx); err != nil {
			return err
		}
		if o.entry != nil {
			r.Outputs = append(r.Outputs, *o.entry)
		}
	}
	return nil
}

// removeOld removes the parts that an earlier run had beyond those of this one.
func (s *Sink) removeOld(ctx context.Context, old output) error {
	// A name without {part} is taken.
	for s.next(&old) == nil {
		there, err := s.target.Head(ctx, old.name, 1)
		if err != nil || there == nil {
			return err
		}
		if err := s.target.Remove(ctx, old.name); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [pipeline.Sink].
func (s *Sink) Close() error {
	var err error
	for _, o := range s.outputs {
		err = errors.Join(err, o.close())
	}
	if s.record != nil {
		err = errors.Join(err, s.record.Close())
	}
	if c, ok := s.target.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}
