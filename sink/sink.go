// Package sink stores items: a format (NDJSON, CSV), a compression and a target, one after the other, make one sink.
// None of it is visible before Commit, except on a stream that cannot be taken back. Memory does not grow with the
// number of outputs: buffers are shared, few compressors are open, items that wait for the header of a table are in
// temporary files.
package sink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/sink/commit"
	"sluice/sink/target"
)

// A Sink implements [pipeline.Sink]. It is used by one goroutine at a time.
type Sink struct {
	*outputPlan
	target target.Target

	// routes has the output of each data type, or of each job if byJob.
	routes map[string]*openOutput

	// record is the manifest, once it is sealed.
	record target.Object

	// ends: EndEarlier was called.
	ends bool

	// uploads are those of earlier attempts that are known.
	uploads []target.Sealed

	// empty are uploads without parts that earlier attempts have begun under the names of these outputs.
	empty commit.EmptyUploads
}

// New checks everything that can be known before the first request; its errors
// are errors of usage. outputs are those of the source. It does no I/O.
func New(o Options, outputs []pipeline.Output) (*Sink, error) {
	if o.Warn == nil {
		o.Warn = func(string, string) {}
	}
	if o.Redact == nil {
		o.Redact = func(name string) string { return name }
	}
	p, err := newOutputPlan(&o, outputs)
	if err != nil {
		return nil, err
	}
	to, err := p.open(&o)
	if err != nil {
		return nil, err
	}
	s := &Sink{outputPlan: p, target: to, routes: map[string]*openOutput{}}
	var buffers scratch
	pool := &compressors{make: p.compression.make}
	counts := p.Counts()
	for _, out := range s.outputs {
		out.target = to
		out.counts = counts
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
	hiding, ok := s.target.(target.Hiding)
	if ok && s.options.Shards > 0 {
		if err := hiding.Hold(); err != nil {
			return err
		}
	}
	for _, o := range s.outputs {
		if e, ok := o.encoder.(prober); ok {
			// One is enough to see that there is room.
			return e.probe()
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

// openable tells whether n files can be open at a time. Otherwise the run would fail in the middle.
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
		// A root without devices says nothing about a limit.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf(
				"this run needs about %d open files and connections, more than the process may have: "+
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

// shared is what the shards of the run share.
func (s *Sink) shared() *commit.Shared {
	return commit.New(s.target.(target.Store), s.options.RunID, s.outputPlace.shared(s.flags))
}
