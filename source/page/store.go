package page

import (
	"fmt"
	"os"

	"sluice/pipeline"
)

// store holds the items of one page in chunks, each the text of a batch. While
// more than the decoder's HoldLimit would be in memory, chunks go to a temporary
// file that has no name.
type store struct {
	d      *Decoder
	open   *pipeline.Batch // being filled; nil if there is none
	chunks []chunk
	held   int // bytes of the chunks in memory
	file   *os.File
	size   int64 // of file
}

// chunk is a full batch in memory, or, if batch is nil, its place in the file.
type chunk struct {
	batch  *pipeline.Batch
	offset int64
	length int
	items  int
}

// firstRoom is what a new batch has room for; it doubles as it fills, so that
// small pages cost little memory.
const firstRoom = 16 << 10

// full tells whether n more bytes belong into a new chunk.
func (s *store) full(n int) bool {
	return s.open != nil && s.open.Items > 0 && len(s.open.Text)+n > s.d.chunkSize()
}

// room returns the open batch with room for n more bytes.
func (s *store) room(n int) *pipeline.Batch {
	if s.open == nil {
		s.open = s.d.take()
	}
	b := s.open
	if need := len(b.Text) + n; need > cap(b.Text) {
		double := min(max(2*cap(b.Text), firstRoom), s.d.chunkSize())
		b.Text = append(make([]byte, 0, max(double, need)), b.Text...)
	}
	return b
}

// seal ends the open chunk.
func (s *store) seal() error {
	b := s.open
	if b == nil {
		return nil
	}
	s.open = nil
	s.chunks = append(s.chunks, chunk{batch: b, length: len(b.Text), items: b.Items})
	s.held += len(b.Text)
	if s.held <= s.d.holdLimit() {
		return nil
	}
	if err := s.spill(); err != nil {
		return s.d.spillError(err)
	}
	return nil
}

// spill moves every chunk that is in memory to the file.
func (s *store) spill() error {
	if s.file == nil {
		f, err := s.d.temporary()
		if err != nil {
			return err
		}
		s.file = f
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

// load gives the i-th chunk away as a batch.
func (s *store) load(i int) (*pipeline.Batch, error) {
	c := &s.chunks[i]
	if b := c.batch; b != nil {
		c.batch = nil
		return b, nil
	}
	b := s.d.take()
	if cap(b.Text) < c.length {
		b.Text = make([]byte, c.length)
	}
	b.Text, b.Items = b.Text[:c.length], c.items
	if _, err := s.file.ReadAt(b.Text, c.offset); err != nil {
		b.Release()
		return nil, s.d.spillError(err)
	}
	return b, nil
}

// close gives up what the store still holds.
func (s *store) close() error {
	if s.open != nil {
		s.open.Release()
		s.open = nil
	}
	for i := range s.chunks {
		if b := s.chunks[i].batch; b != nil {
			b.Release()
		}
	}
	s.chunks = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	if err != nil {
		return s.d.spillError(err)
	}
	return nil
}

// temporary makes a file that vanishes when it is closed.
func (d *Decoder) temporary() (*os.File, error) {
	if d.create != nil {
		return d.create()
	}
	return pipeline.Nameless(d.folder())
}

func (d *Decoder) folder() string {
	if d.Folder != "" {
		return d.Folder
	}
	return os.TempDir()
}

func (d *Decoder) spillError(err error) error {
	return fmt.Errorf("the temporary folder %s, which a page of more than %s goes through, is of no use: %w (make room there, or let TMPDIR name another)",
		d.folder(), size(int64(d.holdLimit())), err)
}
