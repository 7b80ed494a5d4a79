// Package pipeline is the root of the import graph: what a source gives, what a sink takes, what happens in
// between, and what is told about it. It knows neither HTTP nor formats, and imports nothing of ours but the
// report, and what is counted of items.
package pipeline

import (
	"context"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
)

// A Source fetches items. [Run] calls Extract once.
type Source interface {
	// Outputs lists what the run will fill, also what stays empty. It does not change.
	Outputs() []Output

	// Extract emits every item in order, and returns nil only if nothing is missing that the source knows of.
	// After the first error of emit, which takes the batch over, it must begin no request and return that
	// error.
	Extract(ctx context.Context, emit func(*Batch) error) error
}

// An Outline is what is known of a job before it begins.
type Outline struct {
	// Its id.
	Job string

	// The id of the job above it; empty: it is below none.
	Parent string

	// How many documents of the configuration have it.
	Documents int
}

// A Sink stores items. They are invisible until Commit, except on a stream, such as stdout.
type Sink interface {
	// Probe finds out whether the destination will take the data, with the permission that Commit will need.
	Probe(ctx context.Context) error

	// Write takes the items of b, in order. It must not keep b or its text.
	Write(ctx context.Context, b *Batch) error

	// Commit seals all outputs (encoded, flushed, uploaded), calls sealed with them, once, and publishes them,
	// the report that sealed returned last, as manifest. After an error, also of sealed, the manifest is not
	// visible, and the Outputs of the report are those that are.
	Commit(ctx context.Context, sealed func([]report.OutputReport) (*report.Report, error)) error

	// Close gives up and removes what is not committed; its error says what is left all the same. It may be
	// repeated.
	Close() error
}

// A Batch is a run of consecutive items of one page. Whoever holds it owns it until it is handed on: a source
// by emit, [Run] lends it to Sink.Write and calls Release.
type Batch struct {
	// Id of the job.
	Job string

	// Data type of the job: which output the items belong to.
	DataType string

	// The page within its walk, from 1.
	Page int

	// The batch has the first items of its page.
	First bool

	// Items lines, each one item of compact JSON and a '\n'.
	Text []byte

	// Lines in Text; 0 only for the one batch of an empty page.
	Items int

	// The members of its items are counted in the Columns of this batch, or of another one of the page.
	Counted bool

	// nil: the batch counts no members.
	Columns *item.Columns

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
	// As the configuration has it.
	DataType string

	// DataType as part of a file name, see [FileName].
	Name string

	// Ids of the jobs whose items it gets, in order.
	Jobs []string
}

// FileName returns dataType as part of a file name: every run of characters outside A-Z a-z 0-9 - is one _.
func FileName(dataType string) string {
	words := strings.FieldsFunc(dataType, func(c rune) bool { return !inFileName(c) })
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words, "_")
}

// inFileName tells whether a character stays as it is.
func inFileName(c rune) bool {
	switch {
	case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		return true
	}
	return c == '-'
}
