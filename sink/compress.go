package sink

import (
	"bufio"
	"context"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sluice/pipeline"
)

// A compression is one of --compress.
type compression struct {
	suffix string                  // of names
	make   func() (archive, error) // nil: none
}

// An archive is what gzip and zstd have in common. Without Close its stream has
// no proper end.
type archive interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// Level 3 of gzip is as fast as 1, and smaller. A window of 1 MiB keeps an open
// zstd stream small.
var compressions = map[string]compression{
	"none": {},
	"gzip": {suffix: ".gz", make: func() (archive, error) { return gzip.NewWriterLevel(nil, 3) }},
	"zstd": {suffix: ".zst", make: func() (archive, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	}},
}

const (
	// membersOpen bounds how many outputs are compressed at a time. One more, and
	// the member that was idle longest is ended; its file goes on with another
	// later, as both formats allow.
	membersOpen = 4
	pieceSize   = 128 << 10 // handed to a compressor at a time
	flushSize   = 64 << 10  // handed to the target at a time
)

// A packer lends compressors to outputs.
type packer struct {
	make func() (archive, error)
	open []*output // those with an open member, least recently used first
	idle []*press
}

// use makes sure that o has an open member.
func (p *packer) use(ctx context.Context, o *output) error {
	if o.open != nil {
		if i := slices.Index(p.open, o); i < len(p.open)-1 {
			p.open = append(slices.Delete(p.open, i, i+1), o)
		}
		return nil
	}
	if len(p.open) == membersOpen {
		if err := p.end(ctx, p.open[0]); err != nil {
			return err
		}
	}
	var with *press
	if n := len(p.idle); n > 0 {
		with, p.idle = p.idle[n-1], p.idle[:n-1]
	} else {
		a, err := p.make()
		if err != nil {
			return err
		}
		with = &press{archive: a, out: bufio.NewWriterSize(nil, flushSize)}
	}
	o.open = begin(with, o.stored)
	p.open = append(p.open, o)
	return nil
}

// finish ends what is open of o. What got no byte is a compressed nothing.
func (p *packer) finish(ctx context.Context, o *output) error {
	if o.open == nil && o.stored.bytes > 0 {
		return nil
	}
	if err := p.use(ctx, o); err != nil {
		return err
	}
	return p.end(ctx, o)
}

func (p *packer) end(ctx context.Context, o *output) error {
	with := o.open.press
	err := o.open.end(ctx)
	p.forget(o)
	if err == nil {
		p.idle = append(p.idle, with)
	}
	return err
}

// abandon stops the compressor of o, without a proper end.
func (p *packer) abandon(o *output) {
	if o.open != nil {
		_ = o.open.stop() // whatever it was, it is given up
		p.forget(o)
	}
}

func (p *packer) forget(o *output) {
	o.open = nil
	p.open = slices.DeleteFunc(p.open, func(other *output) bool { return other == o })
}

// A press is a compressor with its buffer, used by one member after the other.
type press struct {
	archive archive
	out     *bufio.Writer // gzip writes a few hundred bytes at a time
}

// A member is one compressed stream, and the goroutine that makes it.
type member struct {
	press *press
	full  chan piece
	free  chan piece
	done  chan error
}

// A piece of text goes to the compressor full and comes back free, with what
// went wrong so far.
type piece struct {
	ctx  context.Context // of the write that the text is of
	text []byte
	last bool
	err  error
}

// begin starts a member, which writes to s until it is ended or stopped.
func begin(with *press, s *stored) *member {
	const pieces = 2 // one is compressed while the other is filled
	m := &member{press: with, full: make(chan piece, pieces), free: make(chan piece, pieces), done: make(chan error, 1)}
	for range pieces {
		m.free <- piece{}
	}
	go m.run(s)
	return m
}

func (m *member) run(s *stored) {
	to := &withContext{stored: s}
	m.press.out.Reset(to)
	m.press.archive.Reset(m.press.out)
	var err error
	for p := range m.full {
		if err == nil {
			to.ctx = p.ctx
			err = pipeline.Guard(func() error { return m.compress(p) })
		}
		m.free <- piece{text: p.text[:0], err: err}
	}
	m.done <- err
}

func (m *member) compress(p piece) error {
	if _, err := m.press.archive.Write(p.text); err != nil || !p.last {
		return err
	}
	if err := m.press.archive.Close(); err != nil {
		return err
	}
	return m.press.out.Flush()
}

// write hands text over in pieces. An error of an earlier write may show here.
func (m *member) write(ctx context.Context, text []byte) error {
	for len(text) > 0 {
		n := min(len(text), pieceSize)
		if err := m.hand(ctx, text[:n], false); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

func (m *member) hand(ctx context.Context, text []byte, last bool) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case p := <-m.free:
		if p.err != nil {
			m.free <- p
			return p.err
		}
		m.full <- piece{ctx: ctx, text: append(p.text, text...), last: last}
		return nil
	}
}

// end gives the stream its proper end, and waits until all of it was written.
func (m *member) end(ctx context.Context) error {
	err := m.hand(ctx, nil, true)
	if stopped := m.stop(); err == nil {
		err = stopped
	}
	return err
}

// stop ends the goroutine and returns what went wrong in it.
func (m *member) stop() error {
	close(m.full)
	return <-m.done
}

// withContext is a stored object as an io.Writer.
type withContext struct {
	ctx    context.Context
	stored *stored
}

func (w *withContext) Write(p []byte) (int, error) {
	if err := w.stored.write(w.ctx, p); err != nil {
		return 0, err
	}
	return len(p), nil
}
