package page

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"sluice/pipeline"
)

// chunk is a full batch in memory, or, if batch is nil, its place in the file.
type chunk struct {
	batch  *pipeline.Batch
	offset int64
	length int
	items  int
}

func (p *Page) seal() error {
	b := p.open
	if b == nil || b.Items == 0 {
		return nil
	}
	p.open = nil
	p.chunks = append(p.chunks, chunk{batch: b, length: len(b.Text), items: b.Items})
	p.held += len(b.Text)
	if p.held > cmp.Or(p.decoder.HoldLimit, HoldLimit) {
		if err := p.Spill(); err != nil {
			return p.decoder.spillError(err)
		}
	}
	return nil
}

// Spill moves the items in memory to a temporary file; with an error they stay. A nil page holds nothing.
func (p *Page) Spill() error {
	if p == nil || p.held == 0 {
		return nil
	}
	if p.file == nil {
		create := p.decoder.create
		if create == nil {
			create = func() (*os.File, error) { return pipeline.Nameless(p.decoder.Folder) }
		}
		var err error
		if p.file, err = create(); err != nil {
			return err
		}
	}
	for i := range p.chunks {
		c := &p.chunks[i]
		if c.batch == nil {
			continue
		}
		if _, err := p.file.WriteAt(c.batch.Text, p.size); err != nil {
			return err
		}
		c.offset = p.size
		p.size += int64(c.length)
		c.batch.Release()
		c.batch = nil
	}
	p.held = 0
	return nil
}

func (p *Page) load(i int) (*pipeline.Batch, error) {
	c := &p.chunks[i]
	if b := c.batch; b != nil {
		c.batch = nil
		return b, nil
	}
	b := p.decoder.take()
	b.Text, b.Items = slices.Grow(b.Text[:0], c.length)[:c.length], c.items
	if _, err := p.file.ReadAt(b.Text, c.offset); err != nil {
		b.Release()
		return nil, p.decoder.spillError(err)
	}
	return b, nil
}

func (d *Decoder) spillError(err error) error {
	return fmt.Errorf(
		"the temporary folder %s, which a large page goes through, is of no use: %w (make room there, or let TMPDIR name another)",
		cmp.Or(d.Folder, os.TempDir()),
		err,
	)
}
