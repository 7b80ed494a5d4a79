package sink

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/transform"
)

// A csvEncoder writes a table. With --columns its rows stream, else the items wait in a
// spool until all columns are known.
type csvEncoder struct {
	table

	// nil: the columns are known.
	spool *spool

	// Of skipped, those that are entered.
	told int64
}

func newCSV(o *Options, out *openOutput, shared *scratch) encoder {
	if shared.rows == nil {
		shared.rows = s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(blockSize))
	}
	e := &csvEncoder{table: table{
		scratch: shared, names: o.Columns, known: map[string]int{}, taken: map[string]bool{},
		warn: func(text string) { o.Warn(out.job, text) },
	}}
	if o.Columns == nil {
		e.visit = e.meet
		e.spool = &spool{dataType: out.dataType}
		return e
	}
	e.visit = e.cell
	e.wanted = map[string]int{}
	for i, name := range o.Columns {
		e.wanted[name] = i
	}
	return e
}

// probe implements [prober].
func (e *csvEncoder) probe() error {
	if e.spool == nil {
		return nil
	}
	return e.spool.create()
}

func (e *csvEncoder) encode(b *pipeline.Batch) ([]byte, error) {
	e.reset()
	if e.spool == nil {
		e.begin()
	}
	for line := range bytes.Lines(b.Text) {
		if err := e.add(line); err != nil {
			return nil, err
		}
	}
	if e.spool != nil {
		return nil, e.spool.write(e.rows, b.Text)
	}
	return e.out, nil
}

// begin writes the header, if the part has none yet.
func (e *csvEncoder) begin() {
	if e.values != nil {
		return
	}
	e.values = make([][]byte, len(e.names))
	for i, name := range e.names {
		e.values[i] = []byte(name)
	}
	e.put(e.values, func(dst, name []byte) []byte { return append(dst, name...) })
	clear(e.values)
}

// add writes the row of an item, once the columns are known.
func (e *csvEncoder) add(item []byte) error {
	if err := e.row(item); err != nil || e.values == nil {
		return err
	}
	e.put(e.values, transform.Text)
	clear(e.values)
	return nil
}

func (e *csvEncoder) finish(entry *report.OutputReport, last bool, write func([]byte) error) error {
	if e.spool != nil {
		return e.finishSpool(entry, write)
	}
	entry.Columns = report.Header(e.names)
	entry.LeftOut = e.left
	entry.LeftOutValues = e.skipped - e.told
	e.told = e.skipped
	if e.values == nil {
		e.reset()
		e.begin()
		return write(e.out)
	}
	e.values = nil
	if last {
		e.warnOfColumns()
	}
	return nil
}

// warnOfColumns tells of columns that no item has, and of members that --columns leaves out.
func (e *csvEncoder) warnOfColumns() {
	if never := e.never(); len(never) > 0 {
		e.warn(fmt.Sprintf("--columns names %s, which no item has", listed(never)))
	}
	if e.skipped > 0 {
		e.warn(fmt.Sprintf("--columns leaves out %s (values: %d)", listed(e.left), e.skipped))
	}
}

// listed is as many of the names as people read. None is cut, since a part of one that holds a secret would show.
func listed(names []string) string {
	const longest = 300
	var all []string
	length := 0
	for _, name := range names {
		length += len(name)
		if length > longest {
			break
		}
		all = append(all, name)
	}
	text := strings.Join(all, ", ")
	switch more := len(names) - len(all); {
	case more == 0:
		return text
	case len(all) == 0:
		return fmt.Sprintf("%d members with long names", more)
	default:
		return fmt.Sprintf("%s and %d more", text, more)
	}
}

// never are the columns that no item has had.
func (e *csvEncoder) never() (names []string) {
	had := make([]bool, len(e.names))
	for _, place := range e.place {
		if place != leftOut {
			had[place] = true
		}
	}
	for i, name := range e.names {
		if !had[i] {
			names = append(names, name)
		}
	}
	return names
}

// finishSpool writes the items of the spool, of which nothing is written yet.
func (e *csvEncoder) finishSpool(entry *report.OutputReport, write func([]byte) error) error {
	defer e.close()
	if entry.Items == 0 {
		return nil
	}
	// All items are {}.
	if len(e.names) == 0 {
		e.names = []string{transform.Scalar}
	}
	entry.Columns = report.Header(e.names)
	items, err := e.spool.read()
	if err != nil {
		return err
	}
	e.visit = e.cell
	e.reset()
	e.begin()
	for items.Scan() {
		if err := e.add(items.Bytes()); err != nil {
			return err
		}
		// Whole rows: a stream must not be torn.
		if len(e.out) >= flushSize {
			if err := write(e.out); err != nil {
				return err
			}
			e.reset()
		}
	}
	if err := items.Err(); err != nil {
		return e.spool.explain(err)
	}
	return write(e.out)
}

func (e *csvEncoder) close() { e.spool.close() }
