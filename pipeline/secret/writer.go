package secret

import (
	"io"
	"strings"
)

// window is how many bytes a [Writer] searches at a time, besides the end of the text before, which may be the
// beginning of a secret.
const window = 64 << 10

// A Writer removes the secrets from what is written to it, also those across two writes, in bounded memory.
type Writer struct {
	// Found tells whether there was a secret in what was written on.
	Found bool

	w       io.Writer
	secrets *Set

	// Received, and not yet passed to the inner writer.
	held []byte
}

// NewWriter returns a Writer that writes to w, and must be closed.
func NewWriter(w io.Writer, s *Set) *Writer { return &Writer{w: w, secrets: s} }

// Write implements [io.Writer].
func (r *Writer) Write(p []byte) (int, error) {
	r.held = append(r.held, p...)
	if longest := r.secrets.longest(); len(r.held) >= window+3*longest {
		// A secret that begins after the bound, or overlaps with it, may continue in the next write.
		return len(p), r.pass(len(r.held) - 2*longest)
	}
	return len(p), nil
}

// pass hands the text before bound to the inner writer, with a secret that reaches beyond bound.
func (r *Writer) pass(bound int) error {
	var b strings.Builder
	text := string(r.held)
	shown := r.secrets.replace(&b, text, bound, func(string) string { return Hidden })
	if !r.Found {
		r.Found = shown > 0 && b.String() != text[:shown]
	}
	if shown < bound {
		b.WriteString(text[shown:bound])
		shown = bound
	}
	r.held = append(r.held[:0], text[shown:]...)
	_, err := io.WriteString(r.w, b.String())
	return err
}

// Close writes the rest on. Of a text that was cut the end is left out, since half a secret may stand there.
func (r *Writer) Close(cut bool) error {
	bound := len(r.held)
	if cut {
		bound = max(0, bound-r.secrets.longest())
	}
	return r.pass(bound)
}
