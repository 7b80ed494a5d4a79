package sink

import (
	"bytes"
	"context"
	"slices"
)

const (
	// maxStreams bounds how many outputs are compressed at a time. If one more output is written, the stream that was
	// idle longest is ended. Its output goes on with another stream later.
	maxStreams = 4
	// Of text, compressed at a time.
	chunkSize = 256 << 10
	// Handed to the target at least, where it is up to us.
	flushSize = 64 << 10
)

// compressors lend a compressor to each output that is being written.
type compressors struct {
	// nil: outputs are not compressed.
	make func() (compressingWriter, error)

	// Least recently used first.
	all []*compressor
}

// of returns the compressor that has the open stream of o, nil if none has.
func (p *compressors) of(o *openOutput) *compressor {
	for _, c := range p.all {
		if c.output == o {
			return c
		}
	}
	return nil
}

// use returns what of returns, or begins a stream if there is none.
func (p *compressors) use(ctx context.Context, o *openOutput) (*compressor, error) {
	c := p.of(o)
	if c == nil {
		idle, err := p.idle(ctx)
		if err != nil {
			return nil, err
		}
		c = idle
		c.begin(o)
	}
	p.all = append(slices.DeleteFunc(p.all, func(other *compressor) bool { return other == c }), c)
	return c, nil
}

// idle returns a compressor without an open stream.
func (p *compressors) idle(ctx context.Context) (*compressor, error) {
	if c := p.of(nil); c != nil {
		return c, nil
	}
	if len(p.all) < maxStreams {
		a, err := p.make()
		return &compressor{archive: a}, err
	}
	c := p.all[0]
	return c, c.end(ctx)
}

// end ends the stream of o. An output that got no byte becomes the compressed form of an empty text.
func (p *compressors) end(ctx context.Context, o *openOutput) error {
	if p.make == nil {
		return nil
	}
	hasEnded := p.of(o) == nil && o.size > 0
	if hasEnded {
		return nil
	}
	c, err := p.use(ctx, o)
	if err != nil {
		return err
	}
	return c.end(ctx)
}

// A compressor compresses one stream after the other.
type compressor struct {
	archive compressingWriter

	// What is not handed to the target yet.
	packed bytes.Buffer

	// Whose stream is open; nil: none is.
	output *openOutput
}

// begin begins a stream.
func (c *compressor) begin(o *openOutput) {
	c.output = o
	c.packed.Reset()
	c.archive.Reset(&c.packed)
}

func (c *compressor) write(ctx context.Context, text []byte) error {
	for chunk := range slices.Chunk(text, chunkSize) {
		if _, err := c.archive.Write(chunk); err != nil {
			return err
		}
		if c.packed.Len() < flushSize {
			continue
		}
		if err := c.output.store(ctx, c.packed.Bytes()); err != nil {
			return err
		}
		c.packed.Reset()
	}
	return nil
}

// end stores the stream, with its proper end.
func (c *compressor) end(ctx context.Context) error {
	if err := c.archive.Close(); err != nil {
		return err
	}
	o := c.output
	c.output = nil
	return o.store(ctx, c.packed.Bytes())
}
