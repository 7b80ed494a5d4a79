package sink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"sluice/pipeline"
)

const (
	// maxStreams bounds how many outputs are compressed at a time. For one more
	// the stream that was idle longest is ended. Its output goes on with another
	// stream later, which both formats allow.
	maxStreams = 4
	chunkSize  = 256 << 10 // of text, compressed at a time
	flushSize  = 64 << 10  // handed to the target at least, where it is up to us
)

// compressors lend a compressor to each output that is being written.
type compressors struct {
	make func() (archive, error) // nil: outputs are not compressed
	all  []*compressor           // least recently used first
}

// of returns the compressor that has the open stream of o, nil if none has.
func (p *compressors) of(o *output) *compressor {
	for _, c := range p.all {
		if c.output == o {
			return c
		}
	}
	return nil
}

// use is of, and begins a stream if there is none.
func (p *compressors) use(ctx context.Context, o *output) (*compressor, error) {
	c := cmp.Or(p.of(o), p.of(nil))
	switch {
	case c == nil && len(p.all) < maxStreams:
		a, err := p.make()
		if err != nil {
			return nil, err
		}
		c = &compressor{archive: a, text: make([]byte, chunkSize)}
	case c == nil:
		c = p.all[0]
		if err := c.end(ctx); err != nil {
			return nil, err
		}
	}
	if c.output == nil {
		c.begin(ctx, o)
	}
	p.all = append(slices.DeleteFunc(p.all, func(other *compressor) bool { return other == c }), c)
	return c, nil
}

// abandon stops the stream of o, if one is open, without a proper end.
func (p *compressors) abandon(o *output) {
	if c := p.of(o); c != nil {
		c.stop(errAbandoned)
		<-c.done //nolint:errcheck // the output is given up, and its error with it
		c.output = nil
	}
}

var errAbandoned = errors.New("the output was given up")

// A compressor compresses one stream after the other, each in a goroutine of its
// own. The goroutine works on after the call that brought its text has returned,
// so the context of that call must not reach it.
type compressor struct {
	archive archive
	text    []byte       // the chunk that is being compressed
	packed  bytes.Buffer // what became of it

	output *output // whose stream is open; nil: none is
	in     *io.PipeWriter
	stop   func(cause error) // ends the goroutine soon; writers get cause
	done   chan error
}

// begin starts a stream into o. It goes on until end or stop, whatever becomes of ctx.
func (c *compressor) begin(ctx context.Context, o *output) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	out, in := io.Pipe()
	done := make(chan error, 1)
	stop := func(cause error) {
		cancel(cause)
		_ = out.CloseWithError(cause) // it never fails
	}
	c.output, c.in, c.stop, c.done = o, in, stop, done
	go func() {
		err := pipeline.Guard(func() error { return c.compress(ctx, out, o.stored) })
		if err != nil {
			err = cmp.Or(context.Cause(ctx), err)
		}
		stop(err) // later writes return err
		done <- err
	}()
}

// compress stores what it reads until the end of from.
func (c *compressor) compress(ctx context.Context, from io.Reader, to *stored) error {
	c.packed.Reset()
	c.archive.Reset(&c.packed)
	for {
		n, err := from.Read(c.text)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			_, err = c.archive.Write(c.text[:n])
		}
		if err == nil && c.packed.Len() >= flushSize {
			err = to.write(ctx, c.packed.Bytes())
			c.packed.Reset()
		}
		if err != nil {
			return err
		}
	}
	if err := c.archive.Close(); err != nil {
		return err
	}
	return to.write(ctx, c.packed.Bytes())
}

// write hands text over. It may return the error of an earlier write.
func (c *compressor) write(ctx context.Context, text []byte) error {
	defer c.watch(ctx)()
	_, err := c.in.Write(text)
	return err
}

// end waits until the stream is stored, with its proper end.
func (c *compressor) end(ctx context.Context) error {
	defer c.watch(ctx)()
	_ = c.in.Close() // it never fails
	c.output = nil
	return <-c.done
}

// watch stops the stream if ctx ends before the returned function is called: a
// call that waits for the stream must not wait longer than its context.
func (c *compressor) watch(ctx context.Context) (unwatch func() bool) {
	stop := c.stop
	return context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })
}
