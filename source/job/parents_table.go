package job

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"sluice/pipeline/item"
)

// A parentTable has parents by their hashes. It has no pointer for each of them, and never copies itself to grow: what
// a parent takes is an entry, its part of the index, and its values in texts.
type parentTable struct {
	// In blocks, so that none of them moves.
	entries [][]parentEntry

	// Numbers of entries, from 1, by the hash; 0: none. Its length is a power of 2.
	index []uint32
	seed  maphash.Seed
}

// A parentEntry is a parent in its table.
type parentEntry struct {
	hash parentHash
	run  runNumber

	// 0: the parent is forgotten.
	at textPlace
}

const (
	// Entries of a block.
	entriesOfBlock = 1 << 10
	leastIndex     = 1 << 6
)

func newParentTable() *parentTable { return &parentTable{seed: maphash.MakeSeed()} }

// size is of how many entries it is, also of forgotten parents.
func (t *parentTable) size() int {
	if len(t.entries) == 0 {
		return 0
	}
	last := len(t.entries) - 1
	return last*entriesOfBlock + len(t.entries[last])
}

func (t *parentTable) entry(number int) *parentEntry {
	return &t.entries[number/entriesOfBlock][number%entriesOfBlock]
}

// find returns the number of a parent's entry; -1: it has none.
func (t *parentTable) find(h *parentHash) int {
	if len(t.index) == 0 {
		return -1
	}
	return int(t.index[t.slot(h)]) - 1
}

// slot is where the index has a parent, or would have it.
func (t *parentTable) slot(h *parentHash) int {
	mask := len(t.index) - 1
	at := int(maphash.Bytes(t.seed, h[:])) & mask
	for t.index[at] != 0 && t.entry(int(t.index[at])-1).hash != *h {
		at = (at + 1) & mask
	}
	return at
}

// add enters a parent that has no entry yet.
func (t *parentTable) add(e parentEntry) {
	n := t.size()
	if n%entriesOfBlock == 0 {
		t.entries = append(t.entries, make([]parentEntry, 0, entriesOfBlock))
	}
	last := &t.entries[len(t.entries)-1]
	*last = append(*last, e)
	const eighths = 7
	if (n+1)*8 > len(t.index)*eighths {
		t.rebuild(max(2*len(t.index), leastIndex))
		return
	}
	t.index[t.slot(&e.hash)] = uint32(n + 1)
}

// rebuild makes an index of so many places.
func (t *parentTable) rebuild(places int) {
	if places == len(t.index) {
		clear(t.index)
	} else {
		// The old one goes before the new one comes.
		t.index = nil
		t.index = make([]uint32, places)
	}
	for i := range t.size() {
		t.index[t.slot(&t.entry(i).hash)] = uint32(i + 1)
	}
}

// drop leaves out the entries of forgotten parents: the others move to their places.
func (t *parentTable) drop() {
	left := 0
	for i := range t.size() {
		e := *t.entry(i)
		if e.at != 0 {
			*t.entry(left) = e
			left++
		}
	}
	blocks := (left + entriesOfBlock - 1) / entriesOfBlock
	clear(t.entries[blocks:])
	t.entries = t.entries[:blocks]
	if blocks > 0 {
		t.entries[blocks-1] = t.entries[blocks-1][:left-(blocks-1)*entriesOfBlock]
	}
	t.rebuild(len(t.index))
}

// A textPlace is where a text stands: the number of the block, and how many bytes are before it there.
type textPlace uint32

const (
	// Bits of the bytes before a text.
	placeBits   = 16
	textOfBlock = 1 << placeBits
)

// parentTexts has the values of parents, without a pointer for each of them. The names of an object are kept once for
// all objects that have the same ones.
type parentTexts struct {
	// The first one is empty, so that no place is 0.
	blocks [][]byte

	// How many bytes nobody needs any more.
	garbage int

	// Of objects: quoted names, each with a colon. The first one is none.
	shapes  [][][]byte
	shapeOf map[string]byte

	// Are reused.
	names, values, text []byte
}

// mostShapes have their numbers in a byte.
const mostShapes = 255

func newParentTexts() *parentTexts {
	return &parentTexts{
		blocks:  make([][]byte, 1),
		shapes:  make([][][]byte, 1),
		shapeOf: map[string]byte{},
	}
}

// add keeps an object.
func (t *parentTexts) add(object []byte) textPlace { return t.keep(t.packed(object)) }

// keep keeps a text that [parentTexts.packed] has made.
func (t *parentTexts) keep(packed []byte) textPlace {
	length := binary.AppendUvarint(t.names[:0], uint64(len(packed)))
	size := len(length) + len(packed)
	last := len(t.blocks) - 1
	if cap(t.blocks[last])-len(t.blocks[last]) < size {
		t.blocks = append(t.blocks, make([]byte, 0, max(size, textOfBlock)))
		last++
	}
	at := textPlace(last<<placeBits | len(t.blocks[last]))
	t.blocks[last] = append(append(t.blocks[last], length...), packed...)
	return at
}

// packed is an object as it is kept: the number of its shape, and its values with commas between; or 0 and all of it.
// It is valid until the next call.
func (t *parentTexts) packed(object []byte) []byte {
	t.names, t.values = t.names[:0], t.values[:0]
	for name, value := range item.Members(object) {
		t.names = append(append(t.names, name...), ':')
		t.values = append(append(t.values, value...), ',')
	}
	shape, known := t.shapeOf[string(t.names)]
	if !known && len(t.shapes) <= mostShapes {
		shape = byte(len(t.shapes))
		var names [][]byte
		for name := range item.Members(object) {
			names = append(names, append(slices.Clone(name), ':'))
		}
		t.shapes = append(t.shapes, names)
		t.shapeOf[string(t.names)] = shape
	}
	t.values = slices.Insert(bytes.TrimSuffix(t.values, []byte(",")), 0, shape)
	t.text = t.unpack(t.text[:0], t.values)
	if shape == 0 || !bytes.Equal(t.text, object) {
		t.values = append(append(t.values[:0], 0), object...)
	}
	return t.values
}

// unpack appends an object that is kept.
func (t *parentTexts) unpack(dst, packed []byte) []byte {
	shape, values := packed[0], packed[1:]
	if shape == 0 {
		return append(dst, values...)
	}
	dst = append(dst, '{')
	for i, name := range t.shapes[shape] {
		if i > 0 {
			dst = append(dst, ',')
		}
		size := item.Size(values)
		dst = append(append(dst, name...), values[:size]...)
		values = values[min(size+1, len(values)):]
	}
	return append(dst, '}')
}

// kept is what stands at a place, as it is kept.
func (t *parentTexts) kept(at textPlace) []byte {
	text := t.blocks[at>>placeBits][at&(textOfBlock-1):]
	length, size := binary.Uvarint(text)
	return text[size : size+int(length)]
}

// appendTo appends the object at a place.
func (t *parentTexts) appendTo(dst []byte, at textPlace) []byte { return t.unpack(dst, t.kept(at)) }

// replace puts an object in place of the one at a place, and returns where it stands.
func (t *parentTexts) replace(at textPlace, object []byte) textPlace {
	packed := t.packed(object)
	there := t.kept(at)
	if len(there) == len(packed) {
		copy(there, packed)
		return at
	}
	t.garbage += len(there)
	return t.keep(packed)
}

// isWasteful tells whether most of it is needed no more.
func (t *parentTexts) isWasteful() bool {
	const slack = 16
	return t.garbage > len(t.blocks)*textOfBlock/2+slack*textOfBlock
}

// tidy leaves out what is at none of these places, and puts where they stand then in their stead. They are sorted.
func (t *parentTexts) tidy(places []*textPlace) {
	old := t.blocks
	t.blocks, t.garbage = make([][]byte, 1), 0
	from := parentTexts{blocks: old}
	done := 0
	for _, at := range places {
		block := int(*at >> placeBits)
		for ; done < block; done++ {
			// All of it has gone elsewhere.
			old[done] = nil
		}
		*at = t.keep(from.kept(*at))
	}
}
