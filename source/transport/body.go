package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// zstdMemory bounds what a zstd body may make its reader allocate.
	zstdMemory = 64 << 20

	window = 32 << 10 // of compressed text, read at once

	// maxExpansion is how many times its size a compressed body may become, once
	// it has become more than freeExpansion bytes. No data does; a body made to
	// fill the disk does.
	maxExpansion  = 500
	freeExpansion = 64 << 20
)

// A body is the decoded body of an answer, guarded by the idle timer. It
// remembers what went wrong with it: what its readers make of that cannot be
// told from an answer that is whole and wrong.
type body struct {
	x       *exchange
	raw     raw
	decoded io.Reader // nil before the first read
	free    func()    // gives the decoder back; may be nil
	n       int64     // bytes read so far, decoded
	err     *bodyError
}

// A bodyError says why a body could not be read whole.
type bodyError struct {
	text    string
	err     error
	lasting bool // another attempt would end the same way
}

func (e *bodyError) Error() string { return e.text }
func (e *bodyError) Unwrap() error { return e.err }

// raw is the body as it comes, each read under the idle timer.
type raw struct {
	x   *exchange
	n   int64 // bytes read so far
	err error // its first, but io.EOF
}

func (r *raw) Read(p []byte) (int, error) {
	r.x.idle.Reset(r.x.c.IdleTimeout)
	n, err := r.x.answer.Body.Read(p)
	r.n += int64(n)
	r.x.idle.Stop()
	if err != nil && err != io.EOF { //nolint:errorlint // a wrapped io.EOF is no proper end
		if cause := context.Cause(r.x.ctx); cause != nil {
			err = cause
		}
		r.err = err
	}
	return n, err
}

func newBody(x *exchange) *body { return &body{x: x, raw: raw{x: x}} }

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.decoded == nil {
		if err := b.open(); err != nil {
			return 0, b.failed(err)
		}
	}
	n, err := b.decoded.Read(p)
	b.n += int64(n)
	if b.n > freeExpansion && b.n/maxExpansion > b.raw.n {
		return 0, b.failed(b.exploded())
	}
	b.x.tape.read(p[:n], err)
	return n, b.failed(err)
}

// failed remembers an error that is not the proper end.
func (b *body) failed(err error) error {
	if err == nil || err == io.EOF { //nolint:errorlint // a wrapped io.EOF is no proper end
		return err
	}
	b.err = b.explain(err)
	return b.err
}

// explain tells a body that was cut from one that is wrong.
func (b *body) explain(err error) *bodyError {
	var known *bodyError
	var late *timeout
	coding := b.coding()
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(b.raw.err, &late):
		return &bodyError{text: fmt.Sprintf("the body stalled at %d bytes: %v", b.n, late), err: late}
	case b.raw.err != nil:
		return &bodyError{text: fmt.Sprintf("the body was cut short at %d bytes: %v", b.n, b.raw.err), err: b.raw.err}
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return &bodyError{text: fmt.Sprintf("the zstd body needs more than %d MiB to be decoded: set the header Accept-Encoding to gzip", zstdMemory>>20), err: err, lasting: true}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &bodyError{text: fmt.Sprintf("the %s body was cut short at %d bytes: it has no proper end", coding, b.n), err: err}
	}
	return &bodyError{text: fmt.Sprintf("the %s body is corrupt at %d bytes: %v", coding, b.n, err), err: err}
}

// exploded is the error of a body that is more than it can be.
func (b *body) exploded() *bodyError {
	return &bodyError{text: fmt.Sprintf("%d bytes of the %s body have become more than %d MiB, over %d times as much: that is no data", b.raw.n, b.coding(), b.n>>20, maxExpansion), lasting: true}
}

// coding is the encoding of the body, empty if there is none.
func (b *body) coding() string {
	coding := strings.ToLower(strings.TrimSpace(strings.Join(b.x.answer.Header.Values("Content-Encoding"), ", ")))
	if coding == "identity" {
		return ""
	}
	return coding
}

// open picks the decoder. An empty body needs none, whatever its header says.
func (b *body) open() error {
	switch coding := b.coding(); coding {
	case "":
		b.decoded = &b.raw
		return nil
	case "gzip", "x-gzip":
		return b.gunzip()
	case "zstd":
		return b.unzstd()
	default:
		if _, err := bufio.NewReaderSize(&b.raw, 16).Peek(1); err != nil {
			return err
		}
		return &bodyError{text: fmt.Sprintf("the body has the encoding %q, which cannot be read (have gzip, zstd): set the header Accept-Encoding to one of these", oneLine(coding)), lasting: true}
	}
}

// A gunzip is a decoder and its window, used again and again.
type gunzip struct {
	in *bufio.Reader
	gz gzip.Reader
}

func (b *body) gunzip() error {
	g, ok := b.x.c.gunzips.Get().(*gunzip)
	if !ok {
		g = &gunzip{in: bufio.NewReaderSize(nil, window)}
	}
	b.free = func() {
		g.in.Reset(nil)
		b.x.c.gunzips.Put(g)
	}
	g.in.Reset(&b.raw)
	if _, err := g.in.Peek(1); err != nil {
		return err
	}
	b.decoded = &g.gz
	return g.gz.Reset(g.in)
}

func (b *body) unzstd() error {
	in := bufio.NewReaderSize(&b.raw, window)
	if _, err := in.Peek(1); err != nil {
		return err
	}
	// One decoder means no goroutines.
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(zstdMemory))
	if err != nil {
		return err
	}
	b.free = z.Close
	b.decoded = z
	return nil
}

// release gives the decoder back. Nothing can be read afterwards.
func (b *body) release() {
	if b.free != nil {
		b.free()
		b.free = nil
	}
	b.err = &bodyError{text: "the body was read after the answer had been given up"}
}
