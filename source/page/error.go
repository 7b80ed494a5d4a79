package page

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// An Error says why a whole response cannot be used: asking again will not help. It quotes nothing but names of
// members, one character and a lone value, without secrets, and never matches io.ErrUnexpectedEOF, which is for
// cut bodies.
type Error struct {
	Reason string

	// What may help; may be empty.
	Remedy string

	// The format, as JSON, in which the response seems to be; empty: in none that is known.
	Format string

	// Wanted is that of a page, nil if the response could not be read whole.
	Wanted []jsontext.Value
}

// Error implements error.
func (e *Error) Error() string { return e.Reason + e.Remedy }

// An OtherFormatError says that an answer seems to be in another format than the job's.
type OtherFormatError struct {
	// As JSON.
	Format string
}

// Error implements error.
func (e *OtherFormatError) Error() string { return "the answer seems to be in the format " + e.Format }

// judgement is an [Error] about the response as a whole.
func judgement(format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...)}
}

// longest bounds what is shown of a path or name, in bytes.
const longest = 160

// stray is the error about a scalar in the place of the items, to which path leads.
func stray(name, scalar, path string) *Error {
	e := judgement("%s is %s, where items should be", name, scalar)
	e.Remedy = `: if it is an item, write "dataField": ` + scalarField(path)
	return e
}

// scalarField is the dataField that makes an item of a scalar at a path.
func scalarField(path string) string {
	return fmt.Sprintf(`{"path": %s, "scalar": true}`, item.Quote(path))
}
