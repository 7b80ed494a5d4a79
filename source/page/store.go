package page

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// An itemStore has the items of a page, in memory or, if they are long, in a temporary file.
type itemStore struct {
	decoder *Decoder

	// Being filled; nil if there is none.
	open *pipeline.Batch

	// The items, each the text of a batch.
	chunks []chunk

	// Room for the only one of most pages.
	first [1]chunk

	// Of all items, those that are not given away; nil: none.
	dropped []bool

	// What the items have at their top; nil: nobody has counted that.
	columns *item.Columns

	// Bytes of the chunks in memory.
	held int

	// Without a name, for chunks beyond HoldLimit; nil: none.
	file *os.File

	// Of file.
	size int64
}

// chunk is a full batch in memory, or, if batch is nil, its place in the file.
type chunk struct {
	batch  *pipeline.Batch
	offset int64
	length int
	items  int
}

// room returns the batch for the next item, which has room for need bytes more.
func (s *itemStore) room(need int) (*pipeline.Batch, error) {
	size := s.decoder.chunkSize()
	if s.open != nil && len(s.open.Text)+need > size {
		if err := s.seal(); err != nil {
			return nil, err
		}
	}
	if s.open == nil {
		s.open = s.decoder.take()
	}
	b := s.open
	if len(b.Text)+need <= cap(b.Text) {
		return b, nil
	}
	// A small page needs no more, and often as much as the one before. It is doubled, since to grow by a quarter copies
	// too often.
	if len(s.chunks) == 0 {
		usual := int(s.decoder.usual.Load())
		size = min(max(2*cap(b.Text), usual, 16<<10), size)
	}
	b.Text = slices.Grow(b.Text, max(need, size-len(b.Text)))
	return b, nil
}

// seal makes a chunk of the batch that is being filled, if it has items.
func (s *itemStore) seal() error {
	b := s.open
	if b == nil || b.Items == 0 {
		return nil
	}
	s.open = nil
	if s.chunks == nil {
		s.chunks = s.first[:0]
	}
	if len(s.chunks) == 0 {
		const more = 8
		s.decoder.usual.Store(int64(len(b.Text) + len(b.Text)/more))
	}
	s.chunks = append(s.chunks, chunk{batch: b, length: len(b.Text), items: b.Items})
	s.held += len(b.Text)
	if s.held <= cmp.Or(s.decoder.HoldLimit, HoldLimit) {
		return nil
	}
	if err := s.spill(); err != nil {
		return s.decoder.spillError(err)
	}
	return nil
}

// spill moves the chunks in memory to the file; with an error they stay.
func (s *itemStore) spill() error {
	if s.held == 0 {
		return nil
	}
	if s.file == nil {
		file, err := s.decoder.newFile()
		if err != nil {
			return err
		}
		s.file = file
	}
	for i := range s.chunks {
		c := &s.chunks[i]
		if c.batch == nil {
			continue
		}
		if _, err := s.file.WriteAt(c.batch.Text, s.size); err != nil {
			return err
		}
		c.offset = s.size
		s.size += int64(c.length)
		c.batch.Release()
		c.batch = nil
	}
	s.held = 0
	return nil
}

// drain gives the chunks away in order, or one empty batch, until emit fails.
func (s *itemStore) drain(emit func(*pipeline.Batch) error) error {
	// What is left, after an error, is given up.
	defer s.close()
	if len(s.chunks) == 0 {
		s.chunks = []chunk{{batch: s.decoder.take()}}
	}
	isFirst, left := true, s.dropped
	columns, areCounted := s.counted()
	for i := range s.chunks {
		b, err := s.load(&s.chunks[i])
		if err != nil {
			return err
		}
		if left != nil {
			left = without(b, left)
		}
		isNeeded := b.Items > 0 || s.dropped == nil
		if !isNeeded {
			b.Release()
			continue
		}
		b.First, isFirst = isFirst, false
		b.Columns, columns = columns, nil
		b.Counted = areCounted
		if err := emit(b); err != nil {
			return err
		}
	}
	return nil
}

// count counts the item that came last.
func (s *itemStore) count(text []byte) {
	switch c := s.columns; {
	case c == nil:
	case c.Known():
		c.Count()
	default:
		c.Add(text)
	}
}

// counted hands on what the items that are given away have at their top, if that is known.
func (s *itemStore) counted() (columns *item.Columns, are bool) {
	columns = s.columns
	if columns == nil {
		return nil, false
	}
	s.columns = nil
	if s.dropped != nil || columns.Left() > 0 {
		s.decoder.giveColumns(columns)
		return nil, false
	}
	return columns, true
}

// without takes the items out of a batch for which the next of dropped is true, and returns the rest of
// dropped.
func without(b *pipeline.Batch, dropped []bool) (rest []bool) {
	kept, text := b.Text[:0], b.Text
	for range b.Items {
		end := bytes.IndexByte(text, '\n') + 1
		if dropped[0] {
			b.Items--
		} else {
			kept = append(kept, text[:end]...)
		}
		text, dropped = text[end:], dropped[1:]
	}
	b.Text = kept
	return dropped
}

// load takes the batch of a chunk, from the file if it is there.
func (s *itemStore) load(c *chunk) (*pipeline.Batch, error) {
	if b := c.batch; b != nil {
		c.batch = nil
		return b, nil
	}
	b := s.decoder.take()
	b.Text = slices.Grow(b.Text[:0], c.length)[:c.length]
	b.Items = c.items
	if _, err := s.file.ReadAt(b.Text, c.offset); err != nil {
		b.Release()
		return nil, s.decoder.spillError(err)
	}
	return b, nil
}

// close gives up the chunks that were not given away. It may be called more than once.
func (s *itemStore) close() {
	if s.open != nil {
		s.open.Release()
		s.open = nil
	}
	for _, c := range s.chunks {
		if c.batch != nil {
			c.batch.Release()
		}
	}
	s.chunks = nil
	s.decoder.giveColumns(s.columns)
	s.columns = nil
	// It may be nil, and has no name: nobody will read it.
	_ = s.file.Close()
	s.file = nil
}

// newFile makes a temporary file without a name.
func (d *Decoder) newFile() (*os.File, error) {
	if d.create != nil {
		return d.create()
	}
	return pipeline.Nameless(d.Folder)
}

// spillError says which folder could not be used, and what to do.
func (d *Decoder) spillError(err error) error {
	folder := d.Folder
	if folder == "" {
		folder = os.TempDir()
	}
	return fmt.Errorf("the temporary folder %s, which a large page goes through, cannot be used: %w "+
		"(make room there, or let TMPDIR name another)", folder, err)
}
