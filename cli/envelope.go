package cli

import (
	"context"

	"sluice/pipeline"
	"sluice/transform"
)

// enveloped is a sink that gets each item wrapped (--envelope).
type enveloped struct {
	pipeline.Sink
	text []byte // reused
}

// Write implements [pipeline.Sink].
func (e *enveloped) Write(ctx context.Context, b *pipeline.Batch) error {
	from := &transform.Origin{Job: b.Job, DataType: b.DataType, Page: b.Page}
	var err error
	if e.text, err = transform.Lines(e.text[:0], b.Text, from, transform.Envelope); err != nil {
		return err
	}
	wrapped := *b
	wrapped.Text = e.text
	return e.Sink.Write(ctx, &wrapped)
}
