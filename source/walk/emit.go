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

// changes tells whether change is anything.
func (s *Scope) changes() bool {
	adds := len(s.members())+len(s.values.Added) > 0
	return adds || s.Job.Items.Filter != nil
}

// change is what the configuration says about each item of the walk; nil if
// there is nothing.
func (s *Scope) change() transform.Func {
	added := append(s.members(), s.values.Added...)
	filter := s.Job.Items.Filter
	if len(added) == 0 && filter == nil {
		return nil
	}
	// text is reused.
	var text []byte
	return func(dst, value []byte) []byte {
		if filter != nil {
			text = filter.Append(text[:0], value)
			value = text
		}
		if len(added) == 0 {
			return append(dst, value...)
		}
		return transform.AddMembers(dst, value, added)
	}
}
