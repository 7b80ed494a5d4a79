package transport

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// That a zstd body may make its reader allocate.
	zstdMemory = 64 << 20
	// Of a zstd body whose reader is used again, at most: its memory grows with the body.
	zstdKept = 1 << 20
	// Of compressed text, read at once.
	window = 32 << 10
)

// A contentDecoder undoes the encodings of a body. It is used again and again.
type contentDecoder struct {
	// Of the body.
	in *bufio.Reader

	// Of what is decoded; nil: nothing was so far.
	out *bufio.Reader

	gz gunzip

	// Of gzip within an encoding.
	inner gunzip

	// nil: to be made.
	zstd *zstd.Decoder
}

// decoder returns one that nobody uses.
func (c *Client) decoder() *contentDecoder {
	if d, ok := c.decoders.Get().(*contentDecoder); ok {
		return d
	}
	return &contentDecoder{in: bufio.NewReaderSize(nil, window)}
}

// putDecoder gives a decoder back.
func (c *Client) putDecoder(d *contentDecoder) {
	d.in.Reset(nil)
	if d.out != nil {
		d.out.Reset(nil)
	}
	c.decoders.Put(d)
}

// readDecoded has d.out read src.
func (d *contentDecoder) readDecoded(src io.Reader) {
	if d.out == nil {
		d.out = bufio.NewReaderSize(nil, window)
	}
	d.out.Reset(src)
}

// openZstd begins a body that is to be zstd.
func (d *contentDecoder) openZstd() (io.Reader, error) {
	if d.zstd != nil {
		return d.zstd, d.zstd.Reset(d.in)
	}
	// One decoder means no goroutines, so that it need not be closed.
	var err error
	d.zstd, err = zstd.NewReader(
		d.in,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(zstdMemory),
	)
	return d.zstd, err
}
