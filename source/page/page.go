// Package page turns the body of a response into a page: its items as compact JSON text, judged as a whole
// before the first is given away, and the facts that paging needs.
package page

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// A Spec says what to take from a response. A member with the very name of a path wins over the path.
type Spec struct {
	// nil: JSON.
	Format *Format

	// There is no dataField: the items are the elements of the response, or of the one member of it that is
	// an array.
	Detect bool

	// Else leads to an array of the items, or to the only one; * is each element of an array.
	Select item.Path

	// dataField as the configuration writes it.
	Field string

	Form

	// What the body is of; nil: a body that never was cut.
	Answer Delivery

	// Further values of the response, wherever they are.
	Wants []item.Path

	// Asks for BesideItems.Names.
	Names bool

	// Tells by its name whether a member of the objects on the way to the items is kept in BesideItems.Notable;
	// may be nil.
	Notable func(quoted []byte) bool

	// Tells by its value, a text or an array, whether another one is kept there too; may be nil.
	Telling func(value []byte) bool

	// Tells what such a member says, for BesideItems.Members, by its quoted name and its value, of which it gets the
	// first byte if it is an object or an array; may be nil.
	Says func(quoted, value []byte) uint8

	// Gets the text of each item, and must not keep it: the page may still be bad; ErrLeftOut: the item
	// counts, but is not given away; may be nil.
	Each func(text []byte) error

	// Is of the item that Each gets, and says nothing where no scan has read that; may be nil.
	Top *item.Top

	// What is given away is changed before it is written: its members are not counted.
	Changes bool

	// Gets the page of each line of NDJSON, its error is the end; may be nil.
	Line func(*Page) error

	// See Plan; nil: it was not called.
	root *wantedNode
}

// A Delivery knows what was said of its body before that came.
type Delivery interface {
	// Cut tells why JSON was cut that has ended after so many bytes, within its value if that has begun: an error
	// that is [io.ErrUnexpectedEOF]; nil: it was not.
	Cut(bytes int64, begun bool) error
}

// A Form says how items stand at Select. Its zero value is for elements of an array, or one object.
type Form struct {
	// Not empty: the members of the object are the items, each with its name as the first member, which is
	// called so; what is no object becomes one with the member value.
	Members string

	// A step [Every] goes over the members of an object, too.
	Objects bool

	// The items are rows without names; nil: they are not.
	Bare *Bare

	// What each item gets of the object above its list; nil: nothing.
	With *With

	// A lone text, number or true is an item; else it is an error.
	Scalar bool
}

// Listed tells whether several items can only be elements of one array of a document.
func (s *Spec) Listed() bool {
	return s.Format.Document() && s.Members == "" && !slices.Contains(s.Select, Every)
}

// ErrLeftOut is what [Spec.Each] returns of an item that is another shard's, or is not wanted.
var ErrLeftOut = errors.New("the item is left out")

// A Page is what a whole, good response held; it must be closed, or given away by [Page.Batches].
type Page struct {
	Items int

	// Of these, those that are not given away.
	LeftOut int

	Prints

	// Length of the whole response as compact JSON, with the items as they go out.
	Bytes int64

	// Bytes of items that were no UTF-8 and became U+FFFD.
	Replaced int

	// What the warning about an empty page names: dataField, else the member that was detected, else ".".
	Field string

	// Of the value where the items are looked for; 0: there is none, n also: the whole response is null or
	// empty.
	Selected jsontext.Kind

	// Of the whole response; 0: it is empty, or no JSON.
	Root jsontext.Kind

	// Nulls are items that are null, among others that are objects or arrays, or if all are.
	Nulls int

	// Columns of a table, as its header has them.
	Columns int

	// Hash of the names in the first header, of a table or of rows; 0: there is none.
	Header uint64

	// Detection found an object without any array.
	NoArray bool

	// The item is a lone text, number or true at dataField, and all that the response has: this, fit to be
	// shown. Empty: it is none.
	Alone string

	// Of lines that are items.
	Lines Lines

	Beside BesideItems

	// Wanted has one value for each of Spec.Wants, nil if there is none, of a repeated key the last. An object
	// or array of more than 64 KiB is {"":null} or [null], which read as not empty.
	Wanted []jsontext.Value

	// Some item is an object or an array.
	containers bool

	store itemStore
}

// Prints tell whether two pages are the same.
type Prints struct {
	// The same for pages that are the same JSON, read with the same Spec.
	Hash uint64

	// Hashes of the compact text of the first and last item; 0 without items.
	First, Last uint64

	// Hash of the texts of the items, in order, and one whatever their order is.
	Texts, Set uint64

	// There are two different items.
	Varied bool
}

// Lines are what the lines of a page without dataField are.
type Lines struct {
	// Some line is an object or an array.
	Containers bool

	// The first that is a lone text, number or true, fit to be shown; empty: none is.
	Scalar string

	// The last one, if it is unlike those before it.
	Odd OddLine

	// The last line, or row of a table, has no line break.
	Unended bool
}

// Stray is the error about a scalar among lines of which those of pages before were none.
func (l Lines) Stray() *Error { return stray("the line", l.Scalar, ".") }

// Lone is an item that is [Page.Alone]: where it stands, its text for people, and the dataField that says that it is one.
func (p *Page) Lone() (field, value, scalar string) {
	return p.Field, pipeline.Shorten(p.Alone, longest), scalarField(p.Field)
}

// Stray is the error about a scalar in the place of the items, a member that was an array on pages before. Both
// texts are fit to be shown.
func Stray(member, text string) *Error { return stray(member, text, member) }

// Batches gives the items away in order, or one empty batch, until emit fails; emit takes the batches over.
func (p *Page) Batches(emit func(*pipeline.Batch) error) error { return p.store.drain(emit) }

// Drop has the items given away without those for which it is true.
func (p *Page) Drop(dropped []bool) {
	for _, is := range dropped {
		if is {
			p.LeftOut++
		}
	}
	p.store.dropped = dropped
}

// Spill moves the items in memory to a temporary file; with an error they stay. A nil page holds nothing.
func (p *Page) Spill() error {
	if p == nil {
		return nil
	}
	return p.store.spill()
}

// Close gives up the items that were not given away. It may be called more than once.
func (p *Page) Close() {
	if p != nil {
		p.store.close()
	}
}

// An OddLine is a last line that may be an error; its texts are fit to be shown. The zero value is none.
type OddLine struct {
	Text string

	// Of its first member.
	Name string
}

// A With is what each item gets of the object that stands next above its list.
type With struct {
	members []withMember

	// The text of dataField's path that leads to the list, for messages.
	field string
}

// A withMember is a member that each item gets.
type withMember struct {
	name string

	// Of its value in the object above the list.
	path item.Path
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
