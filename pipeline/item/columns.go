package item

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
)

// ColumnLimits are those of [Columns]: items whose keys are ids, and not names, would fill memory.
type ColumnLimits struct {
	// Of the members of different names.
	Names int

	// Of the bytes of these names.
	Bytes int
}

// Columns counts the members that items have at their top, of a repeated one the last. It must be made by
// [NewColumns]. An item is looked through first, mostly by who checks it (see [Top]), and counted then: this way
// one that is left out costs nothing. Who looks through it knows which name is likely to come next, and compares
// instead of reading it, so that nearly all of what counting takes is saved there.
type Columns struct {
	limits ColumnLimits

	// Of all that were seen, and of those before Reset; their places by name.
	list  []columnCount
	named map[string]int32

	// Of list, those that were counted, in the order of first sight.
	order []int32

	// Of names, in list.
	bytes int

	// The one that is likely to come first, or noColumn.
	first int32

	// The item at hand.
	row

	// The members of the last object that was counted by itself, unless one is repeated or left out; and how many there
	// are like it which are not counted yet.
	last  []cell
	alike int64

	// So far.
	items int64

	// Items that are no objects.
	others Kinds

	// Values of members for which there was no room.
	left int64
}

// A row is an item that was looked through.
type row struct {
	// It is known.
	known bool

	kind  KindOf
	cells []cell
}

// A cell is a member of an object: its column, and in the lowest byte the kind of its value.
type cell uint32

// noColumn is the place of none.
const noColumn int32 = 1<<24 - 1

// A columnCount is what was counted of one name.
type columnCount struct {
	// The first and the last eight bytes of what is expected: the name in quotes as it came first, and a colon.
	// A shorter text is head alone, without what mask takes away.
	head, mask, tail uint64

	// Of that.
	length int32

	// The column that is likely to come behind it, or noColumn.
	next int32

	// The name is no UTF-8.
	broken bool

	// The last item that has it, from 1; and what it is there.
	item int64
	kind KindOf

	kinds Kinds

	// How often it was repeated within an item.
	again int64

	text, name string
}

// NewColumns makes one that has counted nothing.
func NewColumns(l ColumnLimits) *Columns {
	return &Columns{limits: l, named: map[string]int32{}, first: noColumn}
}

// begin is told that an item is looked through; c may be nil.
func (c *Columns) begin() {
	if c != nil {
		c.known = false
		c.kind = IsObject
		c.cells = c.cells[:0]
	}
}

// know is told whether the item at hand was looked through; c may be nil.
func (c *Columns) know(known bool) {
	if c != nil {
		c.known = known
	}
}

// note is told of the next member of the item.
func (c *Columns) note(at int32, kind KindOf) {
	c.cells = append(c.cells, cell(at)<<8|cell(kind))
}

// expected returns the column whose name text begins with, if it is likely to come behind another one, else
// noColumn.
func (c *Columns) expected(text []byte, last int32) int32 {
	const far = 8
	if len(text) < 8 {
		return noColumn
	}
	head := binary.LittleEndian.Uint64(text)
	at := c.after(last)
	for range far {
		if at == noColumn {
			return at
		}
		col := &c.list[at]
		if head&col.mask == col.head && col.begins(text) {
			return at
		}
		at = col.next
	}
	return noColumn
}

// begins tells whether a text that has its head begins with all of the name.
func (col *columnCount) begins(text []byte) bool {
	n := int(col.length)
	switch {
	case n <= 8:
		return true
	case n > len(text):
		return false
	case binary.LittleEndian.Uint64(text[n-8:n]) != col.tail:
		return false
	}
	return n <= 16 || string(text[:n]) == col.text
}

// after is the column that is likely to come behind another, which may be noColumn.
func (c *Columns) after(last int32) int32 {
	if last == noColumn {
		return c.first
	}
	return c.list[last].next
}

// place returns the column of a quoted name that was not expected, noColumn if there is no room for it. It is
// expected behind last from now on.
func (c *Columns) place(quoted []byte, last int32) int32 {
	plain := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(plain, '\\') >= 0 {
		plain = AppendUnquote(nil, quoted)
	}
	at, isKnown := c.named[string(plain)]
	if !isKnown {
		at = c.enter(string(plain), string(quoted)+":")
	}
	if at == noColumn {
		return at
	}
	if !isKnown {
		c.list[at].next = c.after(last)
	}
	if last == noColumn {
		c.first = at
	} else {
		c.list[last].next = at
	}
	return at
}

// enter makes a column of a name that is new, or returns noColumn if there is no room for it.
func (c *Columns) enter(name, text string) int32 {
	if len(c.list) >= c.limits.Names || c.bytes+len(name) > c.limits.Bytes {
		return noColumn
	}
	n := len(text)
	col := columnCount{length: int32(n), text: text, name: name, next: noColumn, broken: !validUTF8([]byte(text))}
	var head, mask [8]byte
	copy(head[:], text)
	for i := range min(n, 8) {
		mask[i] = 0xff
	}
	col.head = binary.LittleEndian.Uint64(head[:])
	col.mask = binary.LittleEndian.Uint64(mask[:])
	if n > 8 {
		col.tail = binary.LittleEndian.Uint64([]byte(text[n-8:]))
	}
	at := int32(len(c.list))
	c.list = append(c.list, col)
	c.named[name] = at
	c.bytes += len(name)
	return at
}

// Known tells whether the item at hand was looked through by who checked it.
func (c *Columns) Known() bool { return c.known }

// Count counts the item that was looked through.
func (c *Columns) Count() {
	c.items++
	c.known = false
	switch {
	case c.kind != IsObject:
		c.others[c.kind]++
	case slices.Equal(c.cells, c.last):
		c.alike++
	default:
		c.settle()
		c.countCells()
	}
}

// settle counts the objects that were alike.
func (c *Columns) settle() {
	if c.alike == 0 {
		return
	}
	for _, m := range c.last {
		c.list[m>>8].kinds[m&0xff] += c.alike
	}
	c.alike = 0
}

// countCells counts the members of the object at hand.
func (c *Columns) countCells() {
	isPlain := true
	for _, m := range c.cells {
		at := int32(m >> 8)
		if at == noColumn {
			c.left++
			isPlain = false
			continue
		}
		col := &c.list[at]
		if col.item == 0 {
			c.order = append(c.order, at)
		}
		if col.item == c.items {
			col.kinds[col.kind]--
			col.again++
			isPlain = false
		}
		col.item = c.items
		col.kind = KindOf(m & 0xff)
		col.kinds[col.kind]++
	}
	c.last = c.last[:0]
	if isPlain {
		c.last = append(c.last, c.cells...)
	}
}

// All goes through the columns in the order of first sight.
func (c *Columns) All() iter.Seq2[string, *Kinds] {
	c.settle()
	return func(yield func(string, *Kinds) bool) {
		for _, at := range c.order {
			if !yield(c.list[at].name, &c.list[at].kinds) {
				return
			}
		}
	}
}

// Others are the items that are no objects.
func (c *Columns) Others() *Kinds { return &c.others }

// Left is how many values the members have that were beyond the limits; 0: all were counted.
func (c *Columns) Left() int64 { return c.left }

// Merge adds what other has counted, which has left none.
func (c *Columns) Merge(other *Columns) {
	other.settle()
	c.items += other.items
	c.others.add(&other.others)
	for _, from := range other.order {
		col := &other.list[from]
		at, isKnown := c.named[col.name]
		if !isKnown {
			at = c.enter(col.name, col.text)
		}
		if at == noColumn {
			c.left += col.kinds.Values() + col.again
			continue
		}
		own := &c.list[at]
		if own.item == 0 {
			c.order = append(c.order, at)
		}
		own.item = c.items
		own.again += col.again
		own.kinds.add(&col.kinds)
	}
}

// Reset forgets what was counted. The names stay, unless there are many.
func (c *Columns) Reset() {
	if len(c.list) > c.limits.Names/2 || c.bytes > c.limits.Bytes/2 {
		*c = *NewColumns(c.limits)
		return
	}
	for _, at := range c.order {
		col := &c.list[at]
		col.kinds = Kinds{}
		col.item = 0
		col.again = 0
	}
	c.order = c.order[:0]
	c.row = row{cells: c.cells[:0]}
	c.last = c.last[:0]
	c.alike = 0
	c.items = 0
	c.others = Kinds{}
	c.left = 0
}
