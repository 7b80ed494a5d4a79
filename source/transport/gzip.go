package transport

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gunzip reads the members of a gzip stream one after the other. As gzip -d does, it takes zero bytes after the last one for
// padding, and anything else there for damage.
type gunzip struct {
	in *bufio.Reader
	z  gzip.Reader
}

// reset begins a stream.
func (g *gunzip) reset(in *bufio.Reader) error {
	g.in = in
	return g.begin()
}

// begin reads the header of a member. Its error is io.EOF where nothing is left.
func (g *gunzip) begin() error {
	err := g.z.Reset(g.in)
	g.z.Multistream(false)
	return err
}

func (g *gunzip) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if !isEnd(err) {
			return n, err
		}
		err = g.pass()
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// pass goes on to the next member. Its error is io.EOF where the stream has ended, if with padding.
func (g *gunzip) pass() error {
	next, err := g.in.Peek(1)
	if err != nil {
		return err
	}
	if next[0] != 0 {
		return g.begin()
	}
	for b := byte(0); b == 0; {
		b, err = g.in.ReadByte()
		if err != nil {
			return err
		}
	}
	return gzip.ErrHeader
}

// isEnd tells whether an error is the proper end of a body, which a wrapped io.EOF is not.
func isEnd(err error) bool {
	//nolint:errorlint // see above
	return err == io.EOF
}
