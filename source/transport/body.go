package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"sluice/pipeline"
	"sluice/source/transport/record"
)

func (r *raw) Read(p []byte) (int, error) {
	r.x.watch.wait()
	n, err := r.body.Read(p)
	r.n += int64(n)
	r.x.watch.pause()
	if isEnd(err) {
		r.ended = true
	} else if err != nil {
		if cause := context.Cause(r.x.ctx); cause != nil {
			err = cause
		}
		r.err = err
	}
	return n, err
}

func newBody(x *exchange, answer *http.Response) decodedBody {
	coding := strings.ToLower(strings.TrimSpace(strings.Join(answer.Header.Values("Content-Encoding"), ", ")))
	if coding == "identity" {
		coding = ""
	}
	return decodedBody{
		raw:      raw{x: x, body: answer.Body},
		coding:   coding,
		optional: mayBeEmpty(answer.StatusCode),
	}
}

// Read implements [io.Reader].
func (b *decodedBody) Read(p []byte) (int, error) {
	if b.decoded == nil {
		if err := b.open(); err != nil {
			return 0, b.fail(err)
		}
	}
	n, err := b.decoded.Read(p)
	b.n += int64(n)
	if why := pipeline.Explosion(b.raw.n, b.coding+" body", b.n); why != "" {
		b.failed = true
		return 0, &record.Error{Lasting: true, Text: why}
	}
	return n, b.fail(err)
}

// Close reads a bounded rest of the body, so that the connection can be used again.
func (b *decodedBody) Close() error {
	if !b.failed && !b.raw.ended {
		defer b.raw.x.limit(restTime).Stop()
		// An error says nothing about what was wanted.
		_, _ = io.CopyN(io.Discard, b.raw.body, restBytes)
	}
	if b.decoder != nil {
		// What it has kept of a large body takes memory.
		if b.failed || b.n > zstdKept {
			b.decoder.zstd = nil
		}
		b.raw.x.c.putDecoder(b.decoder)
		b.decoder = nil
	}
	return b.raw.body.Close()
}

// fail explains an error, and tells a body that was cut from one that is wrong.
func (b *decodedBody) fail(err error) error {
	if err == nil || isEnd(err) {
		return err
	}
	b.failed = true
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
		e.Text = fmt.Sprintf(
			"the zstd body needs more than %d MiB to be decoded: set the header Accept-Encoding to gzip",
			zstdMemory>>20,
		)
		e.Lasting = true
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Text = fmt.Sprintf("the %s body was cut short at %d bytes: it has no proper end", b.coding, b.n)
	default:
		e.Text = fmt.Sprintf("the %s body is corrupt at %d bytes: %v", b.coding, b.n, err)
	}
	e.Text = b.raw.x.c.clean(e.Text)
	return e
}

// open picks the decoder. What is gzip is unpacked although no header says so, also within an encoding: files are often
// sent like that.
func (b *decodedBody) open() error {
	d := b.raw.x.c.decoder()
	b.decoder = d
	d.in.Reset(&b.raw)
	packed, err := isGzip(d.in)
	if packed && b.coding == "" {
		b.coding = "gzip"
	} else if err != nil {
		return b.nothing(err)
	}
	switch b.coding {
	case "":
		b.decoded = d.in
		return nil
	case "gzip", "x-gzip":
		err = b.openGzip(d, packed)
	case "zstd":
		b.decoded, err = d.openZstd()
	default:
		err = unknownCoding(b.coding)
	}
	if err != nil {
		return err
	}
	d.readDecoded(b.decoded)
	b.decoded = d.out
	packed, _ = isGzip(d.out)
	if !packed {
		return nil
	}
	b.decoded = &d.inner
	return d.inner.reset(d.out)
}

// nothing is the error of a body of which no byte comes: err, but of one that was to be encoded, and so was cut.
func (b *decodedBody) nothing(err error) error {
	if b.coding == "" || b.optional || !isEnd(err) {
		return err
	}
	return io.ErrUnexpectedEOF
}

// openGzip begins a body that is to be gzip. Of fewer bytes than its magic number the rest may have been cut off.
func (b *decodedBody) openGzip(d *contentDecoder, packed bool) error {
	begun := d.in.Buffered() >= len(gzipMagic)
	if begun && !packed {
		return &record.Error{
			Lasting: true,
			Text:    "the answer says Content-Encoding: " + b.coding + " and is not gzip",
		}
	}
	b.decoded = &d.gz
	return d.gz.reset(d.in)
}

// unknownCoding is the error of a body that has an encoding which cannot be read.
func unknownCoding(coding string) error {
	const text = "the body has the encoding %q, which cannot be read (have gzip, zstd): " +
		"set the header Accept-Encoding to one of these"
	return &record.Error{Lasting: true, Text: fmt.Sprintf(text, oneLine(coding))}
}

// gzipMagic is how gzip begins.
const gzipMagic = "\x1f\x8b"

// isGzip tells whether what comes next is gzip, as no text begins. An error says why nothing comes at all.
func isGzip(in *bufio.Reader) (bool, error) {
	begin, err := in.Peek(len(gzipMagic))
	if len(begin) > 0 {
		err = nil
	}
	return string(begin) == gzipMagic, err
}

// Cut tells readers of JSON why a body was cut that has ended after so many bytes, within its value if that has begun: an
// error that is [io.ErrUnexpectedEOF]. It is nil of a body that is as its sender meant it: one of an announced length,
// 0 too (specification.md, offset rule 6: an empty response), or one of nothing that does not say that it is JSON.
func (r *Response) Cut(bytes int64, begun bool) error {
	isAnnounced := r.Header.Get("Content-Length") != ""
	kind := jsonType(r.Header)
	isNothing := r.Header.Get("Content-Length") == "0"
	isMeant := !begun && (kind == "" || isNothing || mayBeEmpty(r.Status))
	const begin = "the body was cut short at %d bytes: "
	switch {
	case isMeant:
		return nil
	case bytes == 0:
		return fmt.Errorf(begin+"the content type is %s, which is never empty: %w", bytes, kind, io.ErrUnexpectedEOF)
	case isAnnounced:
		return nil
	}
	return fmt.Errorf(begin+"its JSON has no end, and its length was not announced: %w", bytes, io.ErrUnexpectedEOF)
}

// tellEnd has the header of an answer of the network say whether its body ends where the connection does, also where the header is
// kept: net/http takes from it what says how the length was announced. A body with an encoding has an end of its own.
func tellEnd(answer *http.Response) {
	isAnnounced := answer.ProtoMajor > 1 || answer.ContentLength >= 0 || len(answer.TransferEncoding) > 0
	isEncoded := answer.Header.Get("Content-Encoding") != ""
	answer.Header.Del("Connection")
	if !isAnnounced && !isEncoded {
		answer.Header.Set("Connection", "close")
	}
}

// EndsWithConnection tells whether nothing but the end of its connection says where the body ends of an answer with that header.
func EndsWithConnection(header http.Header) bool {
	return header.Get("Connection") == "close" && header.Get("Content-Length") == ""
}

// jsonType is the content type of an answer if that is one JSON document, else empty.
func jsonType(header http.Header) string {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	// That is how lines of JSON are called by some.
	isJSON := strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
	if kind == "application/stream+json" || !isJSON {
		return ""
	}
	return kind
}

// mayBeEmpty tells whether an answer of a status may be without a body although its header describes one.
func mayBeEmpty(status int) bool {
	without := []int{http.StatusCreated, http.StatusAccepted, http.StatusNoContent, http.StatusResetContent}
	return status/100 != 2 || slices.Contains(without, status)
}
