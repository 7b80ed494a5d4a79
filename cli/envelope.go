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
	e.text = transform.Lines(e.text[:0], b.Text, transform.Envelope(b.Job, b.DataType, b.Page))
	wrapped := *b
	wrapped.Text = e.text
	return e.Sink.Write(ctx, &wrapped)
}
