package page

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A bodyReading is one pass over one response: tokens outside the items, one value for each item.
type bodyReading struct {
	room

	body body
	spec *Spec
	page *Page

	hash xxhash.Digest

	// What is looked for in the item at hand; nil: nothing is.
	top *item.Top

	// Of Beside.Arrays.
	places []jsontext.Pointer

	// Of the rows of the array at hand; nil: the next one has the names.
	header *columns

	// A scalar in the place of the items, as it is in the response; nil: there is none.
	alone []byte

	detected detection
	tail     tail

	// The decoder reads the body as it is, as one document of JSON: a scan may take over, and the end of the body is that
	// of the document.
	verbatim bool

	// What is wrong with the response although its JSON is right.
	fault *Error
}

// room is what the readings of one page after the other are done in.
type room struct {
	dec *jsontext.Decoder

	// Of the body, for lines and rows.
	in *bufio.Reader

	// The first bytes of the body.
	mark [4]byte

	// Of the last token outside the items.
	text []byte

	// Quoted, of the last member beside the way to the items.
	name []byte

	// A row of values, and the item that is made of it.
	row, made []byte

	// What the decoder had read ahead when the scan took over.
	rest []byte

	// Of what is being captured, the innermost last.
	captures [][]byte
}

// lenient is what the decoder takes beside valid JSON.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// read reads the response into p, which is the caller's to close.
func (r *bodyReading) read(src io.Reader, s *Spec, p *Page) error {
	r.spec = s
	r.page = p
	// Src gives its error again.
	n, _ := io.ReadFull(src, r.mark[:])
	begin := r.mark[:n]
	if bad := unreadable(begin); bad != nil {
		return bad
	}
	r.body = body{
		// The mark of the byte order is no part of the text.
		begun:  bytes.TrimPrefix(begin, []byte("\ufeff")),
		src:    src,
		reader: r.dec,
		limit:  cmp.Or(p.store.decoder.ItemLimit, ItemLimit),
		most:   cmp.Or(p.store.decoder.PageLimit, PageLimit),
	}
	r.dec.Reset(&r.body, lenient...)
	r.in.Reset(&r.body)
	r.hash.Reset()
	r.lookFor(s)
	if len(s.Wants) > 0 {
		// By path, then by literal name.
		p.Wanted = make([]jsontext.Value, 2*len(s.Wants))
	}
	read := (*bodyReading).json
	if s.Format != nil {
		read = s.Format.features.read
	}
	if err := read(r); err != nil {
		return err
	}
	return r.finish()
}

// lookFor has the scan look for what is wanted of items.
func (r *bodyReading) lookFor(s *Spec) {
	r.top = s.Top
	if r.page.store.columns == nil {
		return
	}
	if r.top == nil {
		r.top = &item.Top{}
	}
	r.top.Columns = r.page.store.columns
	r.top.Forget()
}

// unreadable says why a response that begins so is not read in any format, nil if it is.
func unreadable(begin []byte) *Error {
	if bytes.HasPrefix(begin, []byte("\x1f\x8b")) {
		return judgement("the answer is gzip within gzip more than twice")
	}
	if bytes.HasPrefix(begin, []byte("PK\x03\x04")) {
		return judgement("the answer is a zip archive, which is not read: ask the API for plain text or gzip")
	}
	return nil
}

// wide is the error about JSON that is not written in UTF-8; nil: it is.
func (r *bodyReading) wide() error {
	if isWide(r.body.begun) {
		return judgement("the answer is written in UTF-16 or UTF-32: ask the API for UTF-8")
	}
	return nil
}

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

// json reads one document, which the body is the very text of.
func (r *bodyReading) json() error {
	if err := r.wide(); err != nil {
		return err
	}
	r.verbatim = true
	return r.response()
}

// response reads the one value that the decoder gets, or nothing.
func (r *bodyReading) response() error {
	kind, err := r.next()
	if r.atEnd(err) {
		r.page.Selected = 'n'
		return r.cut(false)
	}
	if err != nil {
		return err
	}
	r.page.Root = kind
	read := r.value
	if r.spec.Detect && kind == '[' {
		read = r.selection
	}
	if err := read(kind, r.spec.plan()); err != nil {
		return err
	}
	switch kind {
	case '[', '{':
	case 'n':
		r.page.Selected = kind
	default:
		r.noContainer(kind)
	}
	rest := r.dec.UnreadBuffer()
	moreLines := len(bytes.TrimLeft(rest, "\r\n")) < len(rest)
	// Only the end of the body shows that nothing comes after.
	if r.dec.PeekKind() == 0 {
		if _, err := r.dec.ReadToken(); r.atEnd(err) {
			return nil
		}
		if cause := r.interrupted(); cause != nil {
			return cause
		}
	}
	e := judgement("invalid JSON: more text after the end of the document at byte %d", r.body.at())
	if moreLines {
		e.Remedy = ": if each line is a JSON value, set the job's format to \"ndjson\""
	}
	return e
}

// cut is the error about JSON that has ended too early, within its value if that has begun, since the body was cut; nil:
// it was not.
func (r *bodyReading) cut(begun bool) error {
	if r.spec.Answer == nil || !r.verbatim {
		return nil
	}
	return r.spec.Answer.Cut(r.body.given, begun)
}

// noContainer says that no array of items can be found in the response.
func (r *bodyReading) noContainer(kind jsontext.Kind) {
	if r.spec.Detect {
		r.fault = judgement("the response is %s, neither an array nor an object", item.Noun(byte(kind)))
		r.fault.Remedy = `; if that is an item, write "dataField": ` + scalarField(".")
	}
}

// atEnd tells whether err says that a good body has ended outside any value.
func (r *bodyReading) atEnd(err error) bool {
	return errors.Is(err, io.EOF) && r.body.failure() == nil
}

// finish judges what was read as a whole.
func (r *bodyReading) finish() error {
	r.judgeAlone()
	if r.fault == nil {
		r.fault = r.detected.fault(r.clean, r.spec.Detect)
	}
	p := r.page
	p.prefer()
	if r.fault != nil {
		r.fault.Wanted = p.Wanted
		return r.fault
	}
	p.Field = r.spec.Field
	if r.spec.Detect {
		p.Field = "."
		if len(r.detected.arrays) > 0 {
			p.Field = r.detected.arrays[0]
		}
		p.NoArray = r.detected.object && len(r.detected.arrays) == 0
		if p.NoArray {
			p.Beside.Scalars = r.detected.scalars
		}
	}
	// Among scalars null is a value.
	isValue := !p.containers && p.Nulls < p.Items
	if isValue {
		p.Nulls = 0
	}
	p.Hash = r.hash.Sum64()
	return p.store.seal()
}

// prefer drops what was found by paths in favour of what has their literal names.
func (p *Page) prefer() {
	paths := p.Wanted[:len(p.Wanted)/2]
	for i, literal := range p.Wanted[len(paths):] {
		if literal != nil {
			paths[i] = literal
		}
	}
	p.Wanted = paths
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

// keptWhole is how much compact text of an object or array is kept for paging.
const keptWhole = 64 << 10

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

// kind counts an item that begins so.
func (p *Page) kind(begin byte) {
	switch begin {
	case 'n':
		p.Nulls++
	case '{', '[':
		p.containers = true
	}
}

// add counts an item, whose text has that hash.
func (p *Page) add(sum uint64) {
	if p.Items == 0 {
		p.First = sum
	}
	p.Varied = p.Varied || sum != p.First
	p.Texts = item.Mixed(p.Texts, sum)
	p.Set += sum
	p.Last = sum
	p.Items++
}

// take counts the bytes of a text, and adds it to captures until they are longer than keptWhole.
func (r *bodyReading) take(text []byte) {
	r.page.Bytes += int64(len(text))
	for i, c := range r.captures {
		r.captures[i] = append(c, text[:min(len(text), keptWhole+1-len(c))]...)
	}
}
