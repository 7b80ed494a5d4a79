package sink

import (
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

// A format is one of --format.
type format struct {
	ext string

	// It has columns, and a stream of it holds one data type.
	table bool

	make func(o *Options, out *output, shared *scratch) encoder
}

// formats are all values of --format.
var formats = map[string]format{
	"ndjson": {
		ext:  ".ndjson",
		make: newNDJSON,
	},
	"csv": {
		ext: ".csv", table: true, make: newCSV,
	},
}

// A compression is one of --compress.
type compression struct {
	ext string

	// nil: none.
	make func() (archive, error)
}

// compressions are all values of --compress.
var compressions = map[string]compression{
	"none": {},
	"gzip": {
		ext: ".gz",
		// As fast as level 1, and smaller.
		make: func() (archive, error) { return gzip.NewWriterLevel(nil, 3) },
	},
	"zstd": {
		ext: ".zst",
		// A window of 1 MiB keeps an open stream small.
		make: func() (archive, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
				zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
		},
	},
}

// foreign are endings of names that promise a format which is not written here.
var foreign = []string{
	".7z", ".avro", ".br", ".bz2", ".lz4", ".orc", ".parquet", ".tsv", ".xlsx", ".xml", ".xz", ".yaml", ".zip",
}

// An archive is what gzip and zstd have in common. Without Close its stream has no proper end.
type archive interface {
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

// Formats lists what --format may be, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Compressions lists what --compress may be, in order.
func Compressions() []string { return slices.Sorted(maps.Keys(compressions)) }
