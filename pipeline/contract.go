// Package pipeline is the root of the import graph: what a source gives, what a sink takes, what happens in between,
// and what is told about it afterwards. It knows neither HTTP nor formats, and imports the standard library only.
package pipeline

import (
	"context"
	"strings"
)

// A Source fetches items. [Run] calls Extract once.
type Source interface {
	// Outputs lists what the run will fill, also what stays empty. It is known
	// before the first request and does not change.
	Outputs() []Output

	// Extract emits every item in order, and returns nil only if nothing is missing that the source knows of. emit
	// takes the batch over; it blocks while the sink is slower, and after its first error Extract must begin no
	// request and return that error. Cancelling ctx ends Extract soon.
	Extract(ctx context.Context, emit func(*Batch) error) error
}

// A Sink stores items. What it stores is invisible until Commit, except on a
// stream that cannot be taken back, such as stdout.
type Sink interface {
	// Probe finds out, before the first request, whether the destination will
	// take the data, with the permission that Commit will need.
	Probe(ctx context.Context) error

	// Write takes the items of b, in order. It must not keep b or its text.
	Write(ctx context.Context, b *Batch) error

	// Commit seals all outputs (encoded, flushed, uploaded), then calls sealed with them, once; then it publishes
	// them one after the other, and the manifest, which is the report that sealed returned, last. After an error,
	// also of sealed, the manifest is not visible, and the Outputs of the report are those that are.
	Commit(ctx context.Context, sealed func([]OutputReport) (*Report, error)) error

	// Close gives up everything that is not committed and removes what is left of it; its error says what is there
	// all the same. It may be called more than once and after Commit.
	Close() error
}

// A Batch is a run of consecutive items of one page, as compact JSON text.
//
// Whoever holds a batch owns it until it is handed on: a source gives it away
// with emit, [Run] lends it to Sink.Write, which must not keep it, and then calls Release.
type Batch struct {
	Job      string // id of the job
	DataType string // data type of the job: which output the items belong to
	Page     int    // the page within its walk, from 1
	First    bool   // it begins its page
	Text     []byte // Items lines, each one item of compact JSON and a '\n'
	Items    int    // lines in Text; 0 only for the one batch of an empty page

	// Recycle, if set, takes the batch back when nobody needs it any more.
	Recycle func(*Batch)
}

// Release gives the batch back to its maker. It must not be used afterwards.
func (b *Batch) Release() {
	if b.Recycle != nil {
		b.Recycle(b)
	}
}

// An Output is one file, object or stream of a run: everything of one data type.
type Output struct {
	DataType string   // as the configuration has it
	Name     string   // DataType as part of a file name, see [FileName]
	Jobs     []string // ids of the jobs whose items it gets, in order
}

// FileName returns dataType as part of a file name: every character outside A-Z a-z 0-9 - becomes _, runs of _ become
// one, and those at the ends are removed. Where nothing is left it is "data".
func FileName(dataType string) string {
	words := strings.FieldsFunc(dataType, func(c rune) bool {
		return !('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-')
	})
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words, "_")
}
