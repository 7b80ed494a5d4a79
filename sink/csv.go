package sink

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
	"sluice/transform"
)

// newCSV returns the encoder of a table: with --columns its rows stream, else
// they wait on disk until all columns are known.
func newCSV(o *Options, out *output, shared *scratch) encoder {
	if shared.lines == nil {
		shared.lines = csv.NewWriter(shared)
		shared.rows = s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(blockSize))
	}
	t := newTable(shared, o.Columns, out.warn)
	if o.Columns != nil {
		e := &csvStream{table: t, record: make([]string, len(o.Columns)), met: make([]bool, len(o.Columns))}
		e.visit = e.cell
		return e
	}
	e := &csvRows{table: t, spool: spool{dataType: out.dataType}}
	e.visit = e.cell
	return e
}

// keptSize is how large a shared buffer may stay; a huge item makes more for once.
const keptSize = 4 << 20

// scratch are the buffers that all encoders share: one works at a time.
type scratch struct {
	lines *csv.Writer // writes to out
	out   []byte
	text  []byte // of the cells of one row
	cells []cell
	path  []byte
	rows  *s2.Writer // to the files of spools
}

// A cell is a part of the text of its row.
type cell struct{ place, from, to int }

// Write implements io.Writer for lines.
func (s *scratch) Write(p []byte) (int, error) {
	s.out = append(s.out, p...)
	return len(p), nil
}

func (s *scratch) reset() {
	if cap(s.out) > keptSize {
		s.out = nil
	}
	if cap(s.text) > keptSize {
		s.text = nil
	}
	s.out = s.out[:0]
}

// put appends the row to out as a record, after Flush. Of a repeated member the
// last one counts. record is empty before and after.
func (s *scratch) put(record []string) {
	text := string(s.text) // the one allocation of a row
	for _, c := range s.cells {
		record[c.place] = text[c.from:c.to]
	}
	s.line(record)
	for _, c := range s.cells {
		record[c.place] = ""
	}
}

// line appends a record to out, after Flush. An only field that is empty is
// quoted, since a blank line is no record to most readers.
func (s *scratch) line(record []string) {
	if len(record) == 1 && record[0] == "" {
		s.lines.Flush()
		s.out = append(s.out, '"', '"', '\n')
		return
	}
	_ = s.lines.Write(record) // a buffer takes everything
}

// A csvStream knows its columns.
type csvStream struct {
	table
	record []string
	met    []bool // which columns an item has had
	begun  bool   // the header of the part is out
	told   int64  // of skipped, those that are entered
}

func (e *csvStream) encode(b *pipeline.Batch) ([]byte, error) {
	e.reset()
	e.begin()
	for line := range bytes.Lines(b.Text) {
		if err := e.row(line); err != nil {
			return nil, err
		}
		e.put(e.record)
		for _, c := range e.cells {
			e.met[c.place] = true
		}
	}
	e.lines.Flush()
	return e.out, nil
}

func (e *csvStream) begin() {
	if !e.begun {
		e.line(e.names)
		e.begun = true
	}
}

func (e *csvStream) finish(entry *pipeline.OutputReport, last bool, write func([]byte) error) error {
	entry.Columns, entry.LeftOut, entry.LeftOutValues, e.told = e.names, e.left, e.skipped-e.told, e.skipped
	if !e.begun {
		e.reset()
		e.begin()
		e.lines.Flush()
		return write(e.out)
	}
	if e.begun = false; !last {
		return nil
	}
	var never []string
	for i, met := range e.met {
		if !met {
			never = append(never, e.names[i])
		}
	}
	if len(never) > 0 {
		e.warn(fmt.Sprintf("--columns names %s, which no item has", several(never)))
	}
	if e.skipped > 0 {
		e.warn(fmt.Sprintf("--columns leaves out %s (values: %d)", several(e.left), e.skipped))
	}
	return nil
}

func (e *csvStream) close() {}

// several names up to ten columns.
func several(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more columns", strings.Join(names[:most], ", "), len(names)-most)
}

// A csvRows keeps rows in a spool until it knows the columns. A row there is the
// number of its cells, then of each its place, its size and its text.
type csvRows struct {
	table
	spool spool
	items int64
}

func (e *csvRows) encode(b *pipeline.Batch) ([]byte, error) {
	e.reset()
	for line := range bytes.Lines(b.Text) {
		if err := e.row(line); err != nil {
			return nil, err
		}
		e.out = binary.AppendUvarint(e.out, uint64(len(e.cells)))
		for _, c := range e.cells {
			e.out = binary.AppendUvarint(e.out, uint64(c.place))
			e.out = binary.AppendUvarint(e.out, uint64(c.to-c.from))
			e.out = append(e.out, e.text[c.from:c.to]...)
		}
		e.items++
	}
	return nil, e.spool.write(e.rows, e.out)
}

func (e *csvRows) finish(entry *pipeline.OutputReport, _ bool, write func([]byte) error) error {
	defer e.close()
	if e.items == 0 {
		return nil
	}
	header := e.names
	if len(header) == 0 { // all items are {}
		header = []string{transform.Scalar}
	}
	entry.Columns = header
	rows, err := e.spool.read()
	if err != nil {
		return err
	}
	e.reset()
	e.line(header)
	record := make([]string, len(header))
	waiting := 0 // bytes, about
	for range e.items {
		if err := e.readRow(rows); err != nil {
			return e.spool.explain(err)
		}
		e.put(record)
		waiting += len(e.text) + len(record)
		if waiting < flushSize {
			continue
		}
		e.lines.Flush() // whole rows: a stream must not be torn
		if err := write(e.out); err != nil {
			return err
		}
		e.reset()
		waiting = 0
	}
	e.lines.Flush()
	return write(e.out)
}

// readRow reads a row into scratch.
func (e *csvRows) readRow(rows *s2.Reader) error {
	e.text, e.cells = e.text[:0], e.cells[:0]
	cells, err := binary.ReadUvarint(rows)
	for ; err == nil && cells > 0; cells-- {
		var place, size uint64
		if place, err = binary.ReadUvarint(rows); err != nil {
			break
		}
		if size, err = binary.ReadUvarint(rows); err != nil {
			break
		}
		from := len(e.text)
		e.text = append(e.text, make([]byte, size)...)
		_, err = io.ReadFull(rows, e.text[from:])
		e.cells = append(e.cells, cell{int(place), from, len(e.text)})
	}
	return err
}

func (e *csvRows) close() { e.spool.close() }
