package page

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// Decode reads body to its end and judges it. An error of body is returned as it is; an [*Error] says that what
// came is of no use.
func (d *Decoder) Decode(body io.Reader, s *Spec) (*Page, error) {
	r, ok := d.readings.Get().(*bodyReading)
	if !ok {
		r = newReading()
	}
	p := &Page{store: itemStore{decoder: d}}
	if d.Columns && !s.Changes {
		p.store.columns = d.takeColumns()
	}
	err := r.read(body, s, p)
	if r.top != nil {
		// It may be kept, and these are the page's.
		r.top.Columns = nil
	}
	*r = bodyReading{room: r.room}
	d.readings.Put(r)
	if err != nil {
		// err is the reason, and the page is of no use.
		p.Close()
		return nil, err
	}
	return p, nil
}

// newReading makes a reading whose decoder has a buffer of its full size: it grows only with a value that it must hold.
func newReading() *bodyReading {
	text := `"` + strings.Repeat(" ", decoded/2) + `"`
	r := &bodyReading{room: room{dec: jsontext.NewDecoder(strings.NewReader(text))}}
	// A string, which cannot fail.
	_, _ = r.dec.ReadValue()
	return r
}

// readAhead has r.in read src. Pages of one short document do without its window.
func (r *bodyReading) readAhead(src io.Reader) {
	if r.in == nil {
		size := cmp.Or(r.page.store.decoder.window, window)
		r.in = bufio.NewReaderSize(nil, size)
	}
	r.in.Reset(src)
}

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
	r.body = bodyReader{
		// Neither the mark of the byte order nor a guard is part of the text.
		begun:  bytes.TrimPrefix(bytes.TrimPrefix(begin, byteOrderMark), guard),
		src:    src,
		reader: r.dec,
		limit:  cmp.Or(p.store.decoder.ItemLimit, ItemLimit),
		most:   cmp.Or(p.store.decoder.PageLimit, PageLimit),
	}
	r.dec.Reset(&r.body, lenient...)
	r.hash.Reset()
	r.lookFor(s)
	if len(s.Wants) > 0 {
		// By path, then by literal name.
		p.Wanted = make([]jsontext.Value, 2*len(s.Wants))
	}
	read := (*bodyReading).json
	if s.Format != nil {
		r.readAhead(&r.body)
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
		return judgement("the answer is a zip archive, which is not supported: ask the API for plain text or gzip")
	}
	return nil
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
	if !p.containers && p.Nulls < p.Items {
		p.Nulls = 0
	}
	p.Hash = r.hash.Sum64()
	return p.store.seal()
}

// judgeAlone says what a scalar in the place of the items is: an item if the response has nothing else.
func (r *bodyReading) judgeAlone() {
	if r.alone == nil {
		return
	}
	if len(r.page.Beside.Members) > 0 {
		r.stray(r.spec.Field, r.alone)
		return
	}
	r.page.Alone = r.clean(string(r.alone))
}
