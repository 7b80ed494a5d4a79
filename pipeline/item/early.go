package item

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// EndsEarly tells whether text is white space or nothing, or the beginning of a JSON value that lacks its end.
func EndsEarly(text []byte) bool {
	_, err := jsontext.NewDecoder(
		bytes.NewReader(text),
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
	).ReadValue()
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
