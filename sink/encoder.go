package sink

import (
	"io"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

// A compressingWriter is what gzip and zstd have in common. Without Close its stream has no proper end.
type compressingWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// An encoder turns the batches of one output into the bytes of its format.
type encoder interface {
	// encode returns what is to be written now, whole lines, good until the next call of any encoder.
	encode(b *pipeline.Batch) ([]byte, error)

	// finish ends a part: it writes what is still to come, and enters what the format has to say.
	finish(entry *report.OutputReport, last bool, write func(text []byte) error) error

	// close gives up what is kept. It may be called more than once.
	close()
}

// A prober is an encoder that needs room beside its output.
type prober interface {
	// probe finds out, before the first batch, whether there is some.
	probe() error
}
