package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
)

// An Error says why a whole response cannot be used: asking again will not help. It quotes nothing but names of
// members, one character and a lone value, without secrets, and never matches io.ErrUnexpectedEOF, which is for
// cut bodies.
type Error struct {
	Reason string

	// What may help; may be empty.
	Remedy string

	// Wanted is that of a page, nil if the response could not be read whole.
	Wanted []jsontext.Value
}

// Error implements error.
func (e *Error) Error() string { return e.Reason + e.Remedy }

// judgement is an [Error] about the response as a whole.
func judgement(format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...)}
}

// broken says why the JSON decoder gave up: its body's error comes first, which it does not see.
func (r *bodyReading) broken(err error) error {
	if cause := r.interrupted(); cause != nil {
		return cause
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err
	}
	begin := bytes.TrimLeft(r.dec.UnreadBuffer(), " \t\r\n")
	reason := syntax.Err.Error()
	switch {
	case errors.Is(syntax.Err, io.ErrUnexpectedEOF):
		if r.lastLineIsCut() {
			return fmt.Errorf("the body was cut short: its last line ends within a value: %w",
				io.ErrUnexpectedEOF)
		}
		if cut := r.cut(true); cut != nil {
			return cut
		}
		reason = "the text ends too early"
	case r.body.at() == 0 && isNoJSON(begin):
		return r.foreign(begin)
	// It quotes them.
	case strings.HasPrefix(reason, "invalid escape sequence"),
		strings.HasPrefix(reason, "invalid surrogate pair"):
		reason = "invalid escape sequence in a string"
	case reason == "exceeded max depth":
		reason = "nested too deeply, more than 10000 levels"
	}
	return r.within("invalid JSON: "+reason, syntax.ByteOffset+r.body.begin, r.upcoming())
}

// lastLineIsCut tells of lines that have ended within a value whether the last one lacks its end.
func (r *bodyReading) lastLineIsCut() bool {
	return r.spec.Format.Lines() && !bytes.HasSuffix(r.dec.UnreadBuffer(), []byte("\n"))
}

// isNoJSON tells whether a text begins as no array, object or string does.
func isNoJSON(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(`{["`), text[0]) < 0
}

// within is an [Error] about a value, at a byte of the body.
func (r *bodyReading) within(reason string, offset int64, value jsontext.Pointer) *Error {
	e := judgement("%s at byte %d", reason, offset)
	if value != "" {
		e.Reason += " within " + strconv.Quote(r.dotted(value))
	}
	return e
}

// foreign says what a response that is no JSON begins with.
func (r *bodyReading) foreign(begin []byte) error {
	// The first read may have been short; a piece as all others, which a recording ends with.
	more := make([]byte, window)
	n, _ := r.body.src.Read(more)
	text := slices.Concat(begin, more[:n])
	e := judgement("not JSON: begins with %q", text[0])
	if r.spec.Format.Usual() {
		e.Remedy = resembling(text)
	}
	isXML := e.Remedy == "" && bytes.HasPrefix(text, []byte("<?xml"))
	if isXML {
		return judgement("not JSON but XML, which is not read: ask the API for JSON, NDJSON or CSV")
	}
	return e
}

// interrupted returns why the JSON decoder gets no more text, although there may be more.
func (r *bodyReading) interrupted() error {
	switch {
	case errors.Is(r.body.end, errTooLong):
		return r.tooLong(nil)
	case errors.Is(r.body.end, errEndless):
		return r.endless()
	}
	return r.body.failure()
}

// endless is the error about a response that is too long.
func (r *bodyReading) endless() error {
	return judgement("the response is longer than %s, the limit for one page: ask for smaller pages",
		pipeline.Size(r.body.most))
}

// tooLong is the error about a value that is too large: raw, or, if that is nil, the next one.
func (r *bodyReading) tooLong(raw []byte) error {
	place := r.dec.StackPointer()
	at := r.body.at()
	if raw == nil {
		place = r.upcoming()
	} else {
		at -= int64(len(raw))
	}
	return r.tooLongAt(at, place)
}

// tooLongRow is the error about a row of a table that is too large.
func (r *bodyReading) tooLongRow() error { return r.tooLongAt(r.body.at(), "") }

// tooLongAt is the error about a value that is too large, at a byte of the body.
func (r *bodyReading) tooLongAt(offset int64, value jsontext.Pointer) error {
	reason := fmt.Sprintf("a value of more than %s, the limit for one item,", pipeline.Size(r.body.limit))
	return r.within(reason, offset, value)
}

// upcoming leads to the value that the JSON decoder could not read.
func (r *bodyReading) upcoming() jsontext.Pointer {
	last := r.dec.StackPointer()
	in, length := r.dec.StackIndex(r.dec.StackDepth())
	behindValue := length > 0 && length%2 == 0
	switch {
	case in == '[' && length == 0:
		return last.AppendToken("0")
	case in == '[':
		return last.Parent().AppendToken(strconv.FormatInt(length, 10))
	// A name, or the end.
	case in == '{' && behindValue:
		return last.Parent()
	}
	return last
}

// longest bounds what is shown of a path or name, in bytes.
const longest = 160

// dotted writes a JSON pointer as paths are written in configurations.
func (r *bodyReading) dotted(p jsontext.Pointer) string {
	return r.clean(strings.Join(slices.Collect(p.Tokens()), "."))
}

// clean makes a text from the response fit to be shown.
func (r *bodyReading) clean(text string) string { return pipeline.Shorten(r.redacted(text), longest) }

// redacted takes secrets out of a text from the response.
func (r *bodyReading) redacted(text string) string {
	if redact := r.page.store.decoder.Redact; redact != nil {
		return redact(text)
	}
	return text
}
