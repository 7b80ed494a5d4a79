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

// An Error says why a whole response cannot be used: asking again will not help. It quotes nothing but
// names of members and one character, and never matches io.ErrUnexpectedEOF, which is for cut bodies.
type Error struct {
	Reason string

	// What may help; may be empty.
	Remedy string

	// Foreign tells that the response is in another format: its beginning says what it is.
	Foreign bool

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
func (r *reading) broken(err error) error {
	if cause := r.interrupted(); cause != nil {
		return cause
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err
	}
	reason, begin := syntax.Err.Error(), bytes.TrimLeft(r.dec.UnreadBuffer(), " \t\r\n")
	switch {
	case errors.Is(syntax.Err, io.ErrUnexpectedEOF) && r.spec.Format.lines() && !bytes.HasSuffix(r.dec.UnreadBuffer(), []byte("\n")):
		return fmt.Errorf("the body was cut short: its last line ends within a value: %w", io.ErrUnexpectedEOF)
	case errors.Is(syntax.Err, io.ErrUnexpectedEOF):
		reason = "the text ends too early"
	case r.body.at() == 0 && len(begin) > 0 && bytes.IndexByte([]byte(`{["`), begin[0]) < 0:
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

// within is an [Error] about a value, at a byte of the body.
func (r *reading) within(reason string, offset int64, value jsontext.Pointer) *Error {
	e := judgement("%s at byte %d", reason, offset)
	if value != "" {
		e.Reason += " within " + strconv.Quote(r.dotted(value))
	}
	return e
}

func (r *reading) foreign(begin []byte) error {
	// The first read may have been short; a piece as all others, which a recording ends with.
	more := make([]byte, window)
	n, _ := r.body.src.Read(more)
	text := slices.Concat(begin, more[:n])
	if bytes.HasPrefix(text, []byte("<?xml")) {
		e := judgement("not JSON but XML, which is not read: ask the API for JSON, NDJSON or CSV")
		e.Foreign = true
		return e
	}
	e := judgement("not JSON: begins with %q", text[0])
	e.Foreign = true
	if line, _, _ := bytes.Cut(text, []byte("\n")); r.spec.Format.JSON() && text[0] != '<' &&
		bytes.ContainsAny(line, ",;\t") {
		e.Remedy = `: if it is a table, set the job's format to "csv"`
	}
	return e
}

// interrupted returns why the JSON decoder gets no more text, although there may be more.
func (r *reading) interrupted() error {
	switch r.body.end {
	case errTooLong: //nolint:errorlint // it is not wrapped
		return r.tooLong(nil)
	case errEndless:
		return judgement(
			"the response is longer than %s, the limit for one page: ask for smaller pages",
			pipeline.Size(r.body.most),
		)
	}
	return r.body.failure()
}

// tooLong is the error about a value that is too large: raw, or, if that is nil, the next one.
func (r *reading) tooLong(raw []byte) error {
	place, at := r.dec.StackPointer(), r.body.at()
	if raw == nil {
		place = r.upcoming()
	} else if !r.spec.Format.Table() {
		at -= int64(len(raw))
	}
	return r.within(
		fmt.Sprintf("a value of more than %s, the limit for one item,", pipeline.Size(r.body.limit)),
		at,
		place,
	)
}

// upcoming leads to the value that the JSON decoder could not read.
func (r *reading) upcoming() jsontext.Pointer {
	last := r.dec.StackPointer()
	in, length := r.dec.StackIndex(r.dec.StackDepth())
	switch {
	case in == '[' && length == 0:
		return last.AppendToken("0")
	case in == '[':
		return last.Parent().AppendToken(strconv.FormatInt(length, 10))
	// A name, or the end.
	case in == '{' && length > 0 && length%2 == 0:
		return last.Parent()
	}
	return last
}

// longest bounds what is shown of a path or name, in bytes.
const longest = 160

// dotted writes a JSON pointer as paths are written in configurations.
func (r *reading) dotted(p jsontext.Pointer) string {
	return r.clean(strings.Join(slices.Collect(p.Tokens()), "."))
}

// clean makes a text from the response fit to be shown.
func (r *reading) clean(text string) string { return pipeline.Shorten(r.redacted(text), longest) }

func (r *reading) redacted(text string) string {
	if redact := r.page.store.decoder.Redact; redact != nil {
		return redact(text)
	}
	return text
}
