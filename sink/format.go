package sink

import (
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// An outputFormat is one of --format.
type outputFormat struct {
	ext string

	// The media type.
	contentType string

	// For messages.
	noun string

	// Items are written as they come, which is next to no work.
	copies bool

	// It counts the members of the items, for the report.
	counts bool

	// It has columns, and a stream of it holds one data type.
	table bool

	make func(o *Options, out *openOutput, shared *scratch) encoder
}

// formats are all values of --format.
var formats = map[string]outputFormat{
	DefaultFormat: {
		ext: ".ndjson", contentType: "application/x-ndjson", noun: "NDJSON", copies: true, counts: true, make: newNDJSON,
	},
	"csv": {
		ext: ".csv", contentType: "text/csv", noun: "CSV", table: true, make: newCSV,
	},
}

// What is written if neither a flag nor a name says anything else.
const (
	DefaultFormat      = "ndjson"
	DefaultCompression = "none"
)

// A compression is one of --compress.
type compression struct {
	ext string

	// The media type.
	contentType string

	// nil: none.
	make func() (compressingWriter, error)
}

// compressions are all values of --compress.
var compressions = map[string]compression{
	DefaultCompression: {},
	"gzip": {
		ext: ".gz", contentType: "application/gzip",
		// As fast as level 1, and smaller.
		make: func() (compressingWriter, error) { return gzip.NewWriterLevel(nil, 3) },
	},
	"zstd": {
		ext: ".zst", contentType: "application/zstd",
		// A window of 1 MiB keeps an open stream small.
		make: func() (compressingWriter, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
				zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
		},
	},
}

// foreign are endings of names that promise a format which is not written here.
var foreign = []string{
	".7z", ".avro", ".br", ".bz2", ".lz4", ".orc", ".parquet", ".tsv", ".xlsx", ".xml", ".xz", ".yaml", ".zip",
}

// Formats lists what --format may be, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// tables are the formats that have columns, in order.
func tables() []string {
	return slices.DeleteFunc(Formats(), func(name string) bool { return !formats[name].table })
}

// ContentTypes are the media types of what is written, by the end of its name.
func ContentTypes() map[string]string {
	all := map[string]string{}
	for _, f := range formats {
		all[strings.TrimPrefix(f.ext, ".")] = f.contentType
	}
	for _, c := range compressions {
		if c.ext != "" {
			all[strings.TrimPrefix(c.ext, ".")] = c.contentType
		}
	}
	return all
}

// endings lists for people how the names of what can be written end.
func endings() string {
	var all, packed []string
	for _, name := range Formats() {
		all = append(all, formats[name].ext)
	}
	for _, name := range Compressions() {
		if ext := compressions[name].ext; ext != "" {
			packed = append(packed, ext)
		}
	}
	return strings.Join(all, ", ") + ", and " + strings.Join(packed, ", ") + " after them"
}

// Compressions lists what --compress may be, in order.
func Compressions() []string { return slices.Sorted(maps.Keys(compressions)) }
