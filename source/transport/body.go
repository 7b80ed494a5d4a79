package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sluice/source/transport/record"
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

// A body is the decoded body of an answer, read under the idle timer of its
// exchange. Its errors are [*record.Error]: what a reader makes of a body that was
// cut cannot be told from an answer that is whole and wrong.
type body struct {
	raw     raw
	coding  string    // empty: none
	decoded io.Reader // nil before the first read
	free    func()    // gives the decoder back; may be nil
	n       int64     // bytes read so far, decoded
	failed  bool
}

// raw is the body as it comes, each read under the idle timer.
type raw struct {
	x    *exchange
	body io.ReadCloser
	n    int64 // bytes read so far
	err  error // its first, but io.EOF
}

func (r *raw) Read(p []byte) (int, error) {
	r.x.idle.Reset(r.x.c.IdleTimeout)
	n, err := r.body.Read(p)
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

func newBody(x *exchange, answer *http.Response) *body {
	coding := strings.ToLower(strings.TrimSpace(strings.Join(answer.Header.Values("Content-Encoding"), ", ")))
	if coding == "identity" {
		coding = ""
	}
	return &body{raw: raw{x: x, body: answer.Body}, coding: coding}
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.decoded == nil {
		if err := b.open(); err != nil {
			return 0, b.fail(err)
		}
	}
	n, err := b.decoded.Read(p)
	b.n += int64(n)
	if b.n > freeExpansion && b.n/maxExpansion > b.raw.n {
		b.failed = true
		return 0, b.exploded()
	}
	return n, b.fail(err)
}

// Close reads a bounded rest of the body, so that the connection can be used
// again. Nothing can be read afterwards.
func (b *body) Close() error {
	if !b.failed {
		defer b.raw.x.limit(restTime).Stop()
		_, _ = io.CopyN(io.Discard, b.raw.body, restBytes) // an error says nothing about what was wanted
	}
	if b.free != nil {
		b.free()
		b.free = nil
	}
	return b.raw.body.Close()
}

// fail explains an error that is not the proper end.
func (b *body) fail(err error) error {
	if err == nil || err == io.EOF { //nolint:errorlint // a wrapped io.EOF is no proper end
		return err
	}
	b.failed = true
	return b.explain(err)
}

// explain tells a body that was cut from one that is wrong.
func (b *body) explain(err error) *record.Error {
	e := &record.Error{Err: err}
	stalled, timedOut := errors.AsType[*record.Error](b.raw.err)
	switch {
	case timedOut:
		e.Text = fmt.Sprintf("the body stalled at %d bytes: %v", b.n, stalled)
	case b.raw.err != nil:
		e.Text = fmt.Sprintf("the body was cut short at %d bytes: %v", b.n, b.raw.err)
		e.Err = b.raw.err
	case errors.As(err, &e):
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		e.Text = fmt.Sprintf("the zstd body needs more than %d MiB to be decoded: set the header Accept-Encoding to gzip", zstdMemory>>20)
		e.Lasting = true
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Text = fmt.Sprintf("the %s body was cut short at %d bytes: it has no proper end", b.coding, b.n)
	default:
		e.Text = fmt.Sprintf("the %s body is corrupt at %d bytes: %v", b.coding, b.n, err)
	}
	e.Text = b.raw.x.c.clean(e.Text)
	return e
}

// exploded is the error of a body that is more than it can be.
func (b *body) exploded() *record.Error {
	return &record.Error{Lasting: true, Text: fmt.Sprintf("%d bytes of the %s body have become more than %d MiB, over %d times as much: that is no data",
		b.raw.n, b.coding, b.n>>20, maxExpansion)}
}

// open picks the decoder. An empty body needs none, whatever its header says.
func (b *body) open() error {
	switch b.coding {
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
		return &record.Error{Lasting: true, Text: fmt.Sprintf("the body has the encoding %q, which cannot be read (have gzip, zstd): set the header Accept-Encoding to one of these", oneLine(b.coding))}
	}
}

// A gunzip is a decoder and its window, used again and again.
type gunzip struct {
	in *bufio.Reader
	gz gzip.Reader
}

func (b *body) gunzip() error {
	g, ok := b.raw.x.c.gunzips.Get().(*gunzip)
	if !ok {
		g = &gunzip{in: bufio.NewReaderSize(nil, window)}
	}
	b.free = func() {
		g.in.Reset(nil)
		b.raw.x.c.gunzips.Put(g)
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
