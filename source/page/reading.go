package page

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/page/markup"
)

// A bodyReading is one pass over one response: tokens outside the items, one value for each item.
type bodyReading struct {
	room

	body bodyReader
	spec *Spec
	page *Page

	hash xxhash.Digest

	// What is looked for in the item at hand; nil: nothing is.
	top *item.Top

	// Of BesideItems.Arrays.
	places []jsontext.Pointer

	// Of the rows of the array at hand; nil: the next one has the names.
	header *columnPrefixes

	// The objects on the way to the items, the innermost last, if items get something of them.
	above []above

	// A scalar in the place of the items, as it is in the response; nil: there is none.
	alone []byte

	detected detection
	tail     lastLineCheck

	// The decoder reads the body as it is, as one document of JSON: a scan may take over, and the end of the body is that
	// of the document.
	verbatim bool

	// Makes JSON of the document; nil: the body is JSON.
	document *markup.Reader

	// What is wrong with the response although its JSON is right.
	fault *Error
}

// room is what the readings of one page after the other are done in.
type room struct {
	dec *jsontext.Decoder

	// Of the body, for lines, rows and scans; nil: there were none so far.
	in *bufio.Reader

	// The first bytes of the body.
	mark [4]byte

	// Of the last token outside the items.
	text []byte

	// Quoted, of the last member beside the way to the items.
	name []byte

	// A row of values, and the item that is made of it.
	row, made []byte

	// What the items at hand begin with, and the item that is made with it.
	lead, joined []byte

	// What the decoder had read ahead when the scan took over.
	rest []byte

	// Of what is being captured, the innermost last.
	captures [][]byte

	// Reads one document after the other; nil: none so far.
	markup *markup.Reader
}

// lenient is what the decoder takes beside valid JSON.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// atEnd tells whether err says that a good body has ended outside any value.
func (r *bodyReading) atEnd(err error) bool {
	return errors.Is(err, io.EOF) && r.body.failure() == nil
}

// next looks at the next token and writes the separator before it.
func (r *bodyReading) next() (jsontext.Kind, error) {
	kind := r.dec.PeekKind()
	if kind == 0 {
		_, err := r.dec.ReadToken()
		if r.atEnd(err) {
			return 0, io.EOF
		}
		return 0, r.broken(err)
	}
	if kind == '}' || kind == ']' {
		return kind, nil
	}
	switch in, length := r.dec.StackIndex(r.dec.StackDepth()); {
	case length == 0 || in == 0:
	case in == '{' && length%2 == 1:
		r.write(':')
	default:
		r.write(',')
	}
	return kind, nil
}

// wide is the error about JSON that is not written in UTF-8; nil: it is.
func (r *bodyReading) wide() error {
	if isWide(r.body.begun) {
		return judgement("the answer is written in UTF-16 or UTF-32: ask the API for UTF-8")
	}
	return nil
}

// inLine says which line an error is about; nil stays nil.
func inLine(number int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", number, err)
}

// byteOrderMark may stand before a text in UTF-8, and is no part of it.
var byteOrderMark = []byte("\ufeff")

// guard is what some APIs put before JSON, such as Gerrit, so that no browser runs it as a script. No JSON begins so.
var guard = []byte(")]}'")

// isWide tells whether JSON that begins so is written in UTF-16 or UTF-32: by the mark of its byte order, or
// since JSON begins with ASCII, of which the other bytes of a character are 0 there.
func isWide(begin []byte) bool {
	if len(begin) < 2 {
		return false
	}
	switch string(begin[:2]) {
	// The mark of UTF-32 in the order FF FE 00 00 begins as that of UTF-16.
	case "\xff\xfe", "\xfe\xff":
		return true
	case "\x00\x00":
		return inUTF32BE(begin)
	}
	return begin[0] == 0 || begin[1] == 0
}

// inUTF32BE tells whether JSON that begins with two bytes 0 is written in UTF-32 with the greatest byte first.
func inUTF32BE(begin []byte) bool {
	if len(begin) < 4 {
		return false
	}
	last := string(begin[2:4])
	isASCII := last[0] == 0 && last[1] != 0
	return last == "\xfe\xff" || isASCII
}

// token reads the token that next has announced; text is valid until another one is read.
func (r *bodyReading) token(kind jsontext.Kind) (text []byte, err error) {
	switch kind {
	case '{', '}', '[', ']':
		if _, err := r.dec.ReadToken(); err != nil {
			return nil, r.broken(err)
		}
		return r.write(byte(kind)), nil
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, r.broken(err)
	}
	return r.scalar(raw)
}

func (r *bodyReading) scalar(raw []byte) (text []byte, err error) {
	if int64(len(raw)) > r.body.limit {
		return nil, r.tooLong(raw)
	}
	r.text, _ = item.Compact(r.text[:0], raw)
	r.count(r.text)
	return r.text, nil
}

func (r *bodyReading) write(c byte) (text []byte) {
	r.text = append(r.text[:0], c)
	r.count(r.text)
	return r.text
}

// count counts and hashes text, and captures it.
func (r *bodyReading) count(text []byte) {
	// Never fails.
	_, _ = r.hash.Write(text)
	r.take(text)
}

// countItem is [bodyReading.count] of an item: its hash stands in the hash of the response for its text, which is
// so hashed only once.
func (r *bodyReading) countItem(text []byte) {
	sum := xxhash.Sum64(text)
	var written [8]byte
	binary.LittleEndian.PutUint64(written[:], sum)
	// Never fails.
	_, _ = r.hash.Write(written[:])
	r.take(text)
	r.page.add(sum)
	r.page.kind(text[0])
}

// take counts the bytes of a text, and adds it to captures until they are longer than keptWhole.
func (r *bodyReading) take(text []byte) {
	r.page.Bytes += int64(len(text))
	for i, c := range r.captures {
		r.captures[i] = append(c, text[:min(len(text), keptWhole+1-len(c))]...)
	}
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
		e.Format, e.Remedy = resembling(text)
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
	case r.body.failure() == nil && r.document != nil && r.document.Err() != nil:
		return r.badMarkup(r.document.Err())
	}
	return r.body.failure()
}

// endless is the error about a response that is too long.
func (r *bodyReading) endless() error {
	return judgement("the response is longer than %s, the limit for one page: ask for smaller pages",
		pipeline.Size(r.body.most))
}

// tooLong is the error about a value that is too large: raw, or, if that is nil, the next one.
func (r *bodyReading) tooLong(raw []byte) *Error {
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
func (r *bodyReading) tooLongAt(offset int64, value jsontext.Pointer) *Error {
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

// cut is the error about JSON that has ended too early, within its value if that has begun, since the body was cut; nil:
// it was not.
func (r *bodyReading) cut(begun bool) error {
	if r.spec.Answer == nil || !r.verbatim {
		return nil
	}
	return r.spec.Answer.Cut(r.body.given, begun)
}

// badMarkup says why a document could not be read, which has ended with err.
func (r *bodyReading) badMarkup(err error) error {
	switch {
	case errors.Is(r.body.end, errTooLong), errors.Is(err, markup.ErrTooLong):
		return r.tooLongAt(r.body.at(), "")
	case errors.Is(r.body.end, errEndless):
		return r.endless()
	case r.body.failure() != nil:
		return r.body.failure()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the body was cut short: %w", err)
	}
	bad, ok := errors.AsType[*markup.Error](err)
	if !ok {
		return err
	}
	e := judgement("XML that is not read: %s at byte %d", r.clean(bad.Reason), bad.At)
	if len(bad.Within) > 0 {
		e.Reason += " within " + strconv.Quote(r.clean(strings.Join(bad.Within, ".")))
	}
	e.Remedy = bad.Remedy
	return e
}

// stray says that a scalar is no item; path leads to it.
func (r *bodyReading) stray(path string, text []byte) {
	if r.fault != nil {
		return
	}
	name := r.clean(path)
	switch {
	case path == "." && r.spec.Format.Lines():
		name = "the line"
	case path == ".":
		name = "the answer"
	}
	r.fault = stray(name, r.clean(string(text)), r.clean(path))
}

// fail says what is wrong with the response, unless that is known already.
func (r *bodyReading) fail(format string, args ...any) {
	if r.fault == nil {
		r.fault = judgement(format, args...)
	}
}

// above is an object on the way to the items, and what it has for them.
type above struct {
	// Of each of With: what was found so far, and whether the first step of its path was there.
	values []jsontext.Value
	seen   []bool

	// Lists that wait for what stands behind them, and how long they are.
	held []heldList
	size int64
}

// A heldList is one whose items cannot be made yet.
type heldList struct {
	kind jsontext.Kind
	text []byte
}
