package page

import (
	"os"
	"sync"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// Limits.
const (
	// Greatest length of one item, or of any other string or number, as the API sent it, in bytes.
	ItemLimit = 64 << 20
	// Greatest length of one response: one that has no end must not fill every disk.
	PageLimit = 64 << 30
	// Bytes of items of one page that stay in memory.
	HoldLimit = 4 << 20
	// Length up to which items share a batch.
	ChunkSize = 256 << 10

	// Bytes of a body that are looked at together.
	window = 64 << 10
	// Bytes of a body that the decoder reads at once, before a scan takes over.
	decoded = 16 << 10
)

// A Decoder decodes pages, concurrently if need be. Its zero value is ready; its fields must not change once it
// is in use.
type Decoder struct {
	// Of temporary files; empty: that of the system.
	Folder string

	// Takes secrets out of the names that an error shows; nil: there are none.
	Redact func(text string) string

	// 0: the constant of the same name.
	ItemLimit, PageLimit int64

	// HoldLimit negative: nothing stays in memory.
	HoldLimit, ChunkSize int

	// The members of items are counted, see [pipeline.Batch].
	Columns bool

	// Bytes of the first batch of the page before, and an eighth more.
	usual atomic.Int64

	// Of *pipeline.Batch.
	batches sync.Pool

	// Of *bodyReading.
	readings sync.Pool

	// Of *item.Columns.
	columns sync.Pool

	create func() (*os.File, error)

	// Of the readings; 0: the constants.
	window  int
	scanned int64
}

// chunkSize is asked for with each item.
func (d *Decoder) chunkSize() int {
	if d.ChunkSize != 0 {
		return d.ChunkSize
	}
	return ChunkSize
}

// take returns an empty batch.
func (d *Decoder) take() *pipeline.Batch {
	if b, ok := d.batches.Get().(*pipeline.Batch); ok {
		return b
	}
	return &pipeline.Batch{Recycle: d.recycle}
}

// recycle takes a batch back, unless it has grown large.
func (d *Decoder) recycle(b *pipeline.Batch) {
	d.giveColumns(b.Columns)
	b.Columns = nil
	if cap(b.Text) > 2*d.chunkSize() {
		return
	}
	*b = pipeline.Batch{Text: b.Text[:0], Recycle: b.Recycle}
	d.batches.Put(b)
}

// Beyond these a page leaves the columns to who writes it, so that little is held for each page in flight.
var columnsOfPage = item.ColumnLimits{Names: 512, Bytes: 16 << 10}

// takeColumns returns columns that have counted nothing.
func (d *Decoder) takeColumns() *item.Columns {
	if c, ok := d.columns.Get().(*item.Columns); ok {
		return c
	}
	return item.NewColumns(columnsOfPage)
}

// giveColumns takes columns back; they may be nil.
func (d *Decoder) giveColumns(c *item.Columns) {
	if c != nil {
		c.Reset()
		d.columns.Put(c)
	}
}
