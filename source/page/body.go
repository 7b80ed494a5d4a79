package page

import (
	"errors"
	"io"
)

// bodyReader is the response as it is read: it bounds the window, and remembers the end, which the decoder takes for
// a syntax error.
type bodyReader struct {
	// What was read of it already.
	begun []byte

	src io.Reader

	// Of this body: the decoder, or rows.
	reader interface{ InputOffset() int64 }

	// Where in the body the reader began.
	begin int64

	// Of bytes that the reader may hold and not be done with.
	limit int64

	// Of bytes in all.
	most int64

	given int64

	// The last byte that was given.
	last byte

	// What src ended with, io.EOF included, or which limit was reached.
	end error
}

// at is where in the body the reader is.
func (b *bodyReader) at() int64 { return b.begin + b.reader.InputOffset() }

// separators is how much a value may have around it in the window.
const separators = 4 << 10

// Read implements io.Reader.
func (b *bodyReader) Read(p []byte) (int, error) {
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
	if len(b.begun) > 0 {
		n := copy(p, b.begun)
		b.begun = b.begun[n:]
		b.give(p[:n])
		return n, nil
	}
	n, err := b.src.Read(p)
	b.end = err
	b.give(p[:n])
	// The error comes with the next call.
	if n > 0 {
		err = nil
	}
	return n, err
}

func (b *bodyReader) give(p []byte) {
	b.given += int64(len(p))
	if len(p) > 0 {
		b.last = p[len(p)-1]
	}
}

// lacksLineBreak tells whether what was given does not end with one.
func (b *bodyReader) lacksLineBreak() bool { return b.given > 0 && b.last != '\n' && b.last != '\r' }

// Which limit was reached.
var (
	errTooLong = errors.New("a value is too long")
	errEndless = errors.New("the response has no end")
)

// failure returns what went wrong with the reading, if anything.
func (b *bodyReader) failure() error {
	if isEOF(b.end) {
		return nil
	}
	return b.end
}

// isEOF tells whether err says that a text has ended well.
func isEOF(err error) bool {
	//nolint:errorlint // wrapped, it is a failure
	return err == io.EOF
}

// nowhere stands for a decoder that reads nothing.
type nowhere struct{}

func (nowhere) InputOffset() int64 { return 0 }

// endless reads as a text without end.
type endless struct {
	text string
	at   int
}

// Read implements io.Reader.
func (r *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		r.at = (r.at + copied) % len(r.text)
		n += copied
	}
	return n, nil
}
