package walk

import (
	"sluice/pipeline"
	"sluice/transform"
)

// emitPages hands the batches of the pages to the sink, for which
// nothing else waits.
func (c *coordinator) emitPages() {
	// text is reused.
	var text []byte
	for s := range c.pages {
		c.emitted <- pipeline.Guard(func() error {
			defer s.came.Page.Close()
			change := s.change()
			return s.came.Page.Batches(func(b *pipeline.Batch) error {
				b.Job, b.DataType, b.Page = s.Job.ID, s.Job.DataType, s.number
				if change != nil {
					text = transform.Lines(text[:0], b.Text, change)
					b.Text = append(b.Text[:0], text...)
					b.Counted = false
				}
				return c.emit(b)
			})
		})
	}
}
