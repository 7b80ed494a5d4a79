package sink

import "sluice/pipeline"

// A format is one of --format.
type format struct {
	ext   string
	table bool // it has columns, and a stream of it holds one data type
	make  func(o *Options, f plannedFile, shared *scratch, warn func(text string)) encoder
}

// An encoder turns the batches of one output into the bytes of its format.
type encoder interface {
	// encode returns what is to be written for b now, whole lines, good until
	// the next call of any encoder. What it keeps for later it keeps on disk.
	encode(b *pipeline.Batch) ([]byte, error)

	// finish writes what is still to come, and enters into entry what the format
	// has to say.
	finish(entry *pipeline.OutputReport, write func(text []byte) error) error

	// close gives up what is kept. It may be called more than once.
	close() error
}

var formats = map[string]format{
	"ndjson": {ext: "ndjson", make: func(*Options, plannedFile, *scratch, func(string)) encoder { return ndjson{} }},
	"csv":    {ext: "csv", table: true, make: newCSV},
}

// ndjson is what batches are made of already.
type ndjson struct{}

func (ndjson) encode(b *pipeline.Batch) ([]byte, error)                { return b.Text, nil }
func (ndjson) finish(*pipeline.OutputReport, func([]byte) error) error { return nil }
func (ndjson) close() error                                            { return nil }
