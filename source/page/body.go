package page

import (
	"errors"
	"io"
)

// body is the response as it is read: it bounds the window, and remembers the end, which the decoder takes for a syntax error.
type body struct {
	src    io.Reader
	reader interface{ InputOffset() int64 } // of this body: the decoder, or rows
	begin  int64                            // where in the body the reader began
	limit  int64                            // of bytes that the reader may hold and not be done with
	most   int64                            // of bytes in all
	given  int64
	end    error // what src ended with, io.EOF included, or which limit was reached
}

// at is where in the body the reader is.
func (b *body) at() int64 { return b.begin + b.reader.InputOffset() }

// separators is how much a value may have around it in the window.
const separators = 4 << 10

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	waiting := b.given - b.at()
	switch {
	case b.end != nil:
	case waiting > b.limit+separators:
		b.end = errTooLong
	case b.given > b.most:
		b.end = errEndless
	}
	if b.end != nil {
		return 0, b.end
	}
	n, err := b.src.Read(p)
	b.end = err
	b.given += int64(n)
	if n > 0 { // the error comes with the next call
		err = nil
	}
	return n, err
}

// Which limit was reached.
var (
	errTooLong = errors.New("a value is too long")
	errEndless = errors.New("the response has no end")
)

// failure returns what went wrong with the reading, if anything.
func (b *body) failure() error {
	if b.end == io.EOF { //nolint:errorlint // wrapped, it is a failure
		return nil
	}
	return b.end
}
