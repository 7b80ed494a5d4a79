package markup

import (
	"errors"
	"fmt"
	"io"
)

// An Error says why a document cannot be used: asking again will not help. It quotes names and addresses of namespaces
// only, as the document has them.
type Error struct {
	Reason string

	// What may help; may be empty.
	Remedy string

	// Byte of the document, and the elements that are open there, outermost first.
	At     int64
	Within []string
}

// Error implements error.
func (e *Error) Error() string { return e.Reason + e.Remedy }

var (
	// ErrCut is of a document that has ended before its outermost element: it was cut.
	ErrCut = fmt.Errorf("the outermost element of the document does not end: %w", io.ErrUnexpectedEOF)

	// ErrTooLong is of an item, or of a tag, that is longer than the limit.
	ErrTooLong = errors.New("an item is too long")
)
