// Package page turns the body of a response into a page: its items as compact JSON text, judged as a whole
// before the first is given away, and the facts that paging needs (docs/decisions.md, section 5).
package page

import (
	"errors"
	"os"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// A Spec says what to take from a response. A member with the very name of a path wins over the path.
type Spec struct {
	Format  *Format                  // nil: JSON
	Detect  bool                     // there is no dataField: the items are the elements of the response, or of the one member of it that is an array
	Select  item.Path                // else leads to an array of the items, or to the only one; * is each element of an array
	Field   string                   // dataField as the configuration writes it
	Members string                   // not empty: the members of the object at Select are the items, each with its name as the first member, which is called so; what is no object becomes one with the member value
	Wants   []item.Path              // further values of the response, wherever they are
	Names   bool                     // asks for Page.Names
	Notable func(quoted []byte) bool // tells by its name whether a member of the objects on the way to the items is wanted as Page.Around; may be nil
	Each    func(text []byte) error  // gets the text of each item, and must not keep it: the page may still be bad; ErrNotOurs: the item counts, but is not given away; may be nil
	Line    func(*Page) error        // gets the page of each line of NDJSON, its error is the end; may be nil
}

// ErrNotOurs is what [Spec.Each] returns of an item of another shard.
var ErrNotOurs = errors.New("the item is another shard's")

// A Page is what a whole, good response held; it must be closed, or given away by [Page.Batches].
type Page struct {
	Items       int
	NotOurs     int           // of these, those that are not given away
	Hash        uint64        // the same for pages that are the same JSON, read with the same Spec
	First, Last uint64        // hashes of the compact text of the first and last item; 0 without items
	Bytes       int64         // length of the whole response as compact JSON, with the items as they go out
	Replaced    int           // bytes of items that were no UTF-8 and became U+FFFD
	Field       string        // what the warning about an empty page names: dataField, else the member that was detected, else "."
	Selected    jsontext.Kind // of the value where the items are looked for; 0: there is none, n also: the whole response is null or empty
	NoArray     bool          // detection found an object without any array
	Elsewhere   []string      // paths of arrays that are not empty, the first few beside the items
	Around      []item.Found  // the notable members, a few: those of repeated keys all, a value of more than 64 KiB cut there
	Names       []string      // paths of members in the objects that lead to the items or to what is wanted; not all if there are many

	// Wanted has one value for each of Spec.Wants, nil if there is none, of a repeated key the last. An object
	// or array of more than 64 KiB is {"":null} or [null], which read as not empty.
	Wanted []jsontext.Value

	decoder *Decoder
	open    *pipeline.Batch // being filled; nil if there is none
	chunks  []chunk         // the items, each the text of a batch
	held    int             // bytes of the chunks in memory
	file    *os.File        // without a name, for chunks beyond HoldLimit; nil: none
	size    int64           // of file
}

// Batches gives the items away in order, or one empty batch, until emit fails; emit takes the batches over.
func (p *Page) Batches(emit func(*pipeline.Batch) error) error {
	defer p.Close() // what is left, after an error, is given up
	if len(p.chunks) == 0 {
		p.chunks = []chunk{{batch: p.decoder.take()}}
	}
	for i := range p.chunks {
		b, err := p.load(i)
		if err != nil {
			return err
		}
		b.First = i == 0
		if err := emit(b); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up the items that were not given away. It may be called more than once.
func (p *Page) Close() {
	if p == nil {
		return
	}
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
	_ = p.file.Close() // it may be nil, and has no name: nobody will read it
	p.file = nil
}
