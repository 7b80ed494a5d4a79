// Package page turns the body of a response into a page: its items as compact
// JSON text, judged as a whole before the first of them is given away, and the
// facts that paging needs (docs/decisions.md, section 5). The body streams through
// the window of the JSON decoder, and its items into chunks, which beyond a limit go
// to a temporary file.
package page

import (
	"errors"
	"os"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// A Spec says what to take from a response.
type Spec struct {
	Format *Format // nil: JSON

	// Select leads to the items, unless Detect is set: to an array of them, or to
	// the only one. Array indices are steps like object keys; * is each element.
	Select item.Path

	// Members, if set, says that Select leads to an object whose members are the items.
	// Each gets its name as the first member, which is called so; what is no object
	// becomes one with the member value.
	Members string

	// Detect: there is no dataField. The items are the elements of the response,
	// or of the one member of it that is an array.
	Detect bool

	// Field is dataField as the configuration writes it. A member of the response
	// with that very name wins over the path. Not used with Detect.
	Field string

	// Wants are further values of the response, wherever they are. A member of the
	// response with the name of a path, dots and all, wins over the path.
	Wants []item.Path

	// Notable, if set, tells which members of the objects on the way to the items
	// are wanted as Page.Around, by their quoted names.
	Notable func(quoted []byte) bool

	// Names asks for Page.Names.
	Names bool

	// Each, if set, is called with the compact text of each item, in order. The
	// page may still turn out to be bad. It must neither keep nor change the text.
	// Its error ends the decoding and is returned as it is.
	Each func(text []byte) error

	// Line, if set, is called after each line of a format with Lines: Wanted, Around
	// and Selected of the page are those of that line. Its error ends the decoding.
	Line func(*Page) error
}

// A Page is what a whole, good response held. It must be closed, or given away
// by [Page.Batches].
type Page struct {
	Items int

	// Wanted has one value for each of Spec.Wants: nil if the response has none.
	// Of a repeated key the last one counts. A scalar is kept whole, an object or
	// array up to 64 KiB of compact text; a larger one shows as {"":null} or
	// [null], which reads as not empty like the original.
	Wanted []jsontext.Value

	// Hash is the same for pages that are the same JSON, white space between
	// tokens aside, and read with the same Spec.
	Hash uint64

	// First and Last are hashes of the compact text of the first and last item; 0
	// without items.
	First, Last uint64

	// Bytes is the length of the whole response as compact JSON.
	Bytes int64

	// Replaced counts the bytes of items that were no UTF-8 and became U+FFFD.
	Replaced int

	// Field is what the warning about an empty page names: dataField, else the
	// member that was detected, else ".".
	Field string

	// Selected is the kind of the value where the items are looked for, or the array
	// that was detected; 0: there is none. It is n also if the whole response is null
	// or empty.
	Selected jsontext.Kind

	// NoArray: detection found an object without any array.
	NoArray bool

	// Elsewhere are paths of arrays that are not empty, the first few beside the items.
	Elsewhere []string

	// Around are the notable members, a few: those of repeated keys all, a value of
	// more than 64 KiB of compact text cut there.
	Around []item.Found

	// Names are the paths of the members that the response has in the objects that
	// lead to the items or to what is wanted; not all if there are many.
	Names []string

	decoder *Decoder
	open    *pipeline.Batch // being filled; nil if there is none
	chunks  []chunk         // the items, each the text of a batch
	held    int             // bytes of the chunks in memory
	file    *os.File        // without a name, for chunks beyond HoldLimit; nil: none
	size    int64           // of file
	gone    bool            // the items were given away or given up
}

// Batches gives the items away in order, as batches with Text, Items and Recycle set,
// which emit takes over; a page without items is one empty batch. After its first
// error, which is returned, the rest is given up. The page is closed in any case.
func (p *Page) Batches(emit func(*pipeline.Batch) error) error {
	if p.gone {
		return errors.New("the items of the page were given away already")
	}
	defer p.Close() // what is left, after an error, is given up
	if len(p.chunks) == 0 {
		return emit(p.decoder.take())
	}
	for i := range p.chunks {
		b, err := p.load(i)
		if err != nil {
			return err
		}
		if err := emit(b); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up the items that were not given away. It may be called more than
// once, and after Batches; a nil page holds nothing.
func (p *Page) Close() {
	if p == nil {
		return
	}
	p.gone = true
	if p.open != nil {
		p.open.Release()
		p.open = nil
	}
	for i := range p.chunks {
		if b := p.chunks[i].batch; b != nil {
			b.Release()
		}
	}
	p.chunks = nil
	if p.file != nil {
		_ = p.file.Close() // it has no name: nobody will read it
		p.file = nil
	}
}
