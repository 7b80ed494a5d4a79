// Package pipeline is the root of the import graph: what a source gives, what a
// sink takes, what happens in between, and what is told about it afterwards.
// It knows neither HTTP nor formats, and imports the standard library only.
package pipeline

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
