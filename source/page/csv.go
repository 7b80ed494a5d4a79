package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/source/config"
)

// table reads a body that is a table. encoding/csv is not used: it makes \n of \r\n
// within quotes, and holds a field of any length.
type table struct {
	*reading
	delimiter byte
	names     [][]byte // of the columns, quoted for JSON, each with its colon
	text      []byte   // of the row at hand, as an object
	field     []byte   // without its quotes
}

// newCSV decodes the options of the format csv.
func newCSV(o *config.Object, p *config.Problems) func(*reading) error {
	delimiter := o.Text("delimiter", ",", "What stands between two values of a row: one character of ASCII.", ",", ";", "\t", "|")
	if len(delimiter) != 1 || delimiter[0] >= utf8.RuneSelf || bytes.IndexByte([]byte("\"\r\n"), delimiter[0]) >= 0 {
		p.Errorf(o.Node().Member("delimiter"), "must be one character of ASCII, and neither a quote nor a line break")
		return nil
	}
	return func(r *reading) error {
		t := &table{reading: r, delimiter: delimiter[0]}
		return t.read()
	}
}

func (t *table) read() error {
	t.page.Selected = '['
	for {
		row, err := t.lines.next()
		if err != nil {
			t.hashItems()
			return t.atEndOfLines(err)
		}
		if slices.Contains([]string{"\n", "\r\n", "\r"}, string(row)) {
			continue
		}
		number := t.lines.number
		if t.names == nil {
			err = t.header(row)
		} else if err = t.row(row); err == nil {
			err = t.item(nil, t.text, nil)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// header reads the row that names the columns.
func (t *table) header(row []byte) error {
	if start := bytes.TrimLeft(row, " \t"); bytes.IndexByte([]byte("{[<"), start[0]) >= 0 {
		for t.lines.filled < window && t.lines.fill() == nil { // else it may end within a secret
			continue
		}
		return judgement("the answer is no table: it begins with %s: %s", character(start[0]), pipeline.Shorten(t.redacted(string(t.lines.window[:t.lines.filled])), longest))
	}
	if bytes.HasPrefix(row, []byte("\xff\xfe")) || bytes.HasPrefix(row, []byte("\xfe\xff")) {
		return judgement("the table is written in UTF-16: ask the API for UTF-8")
	}
	return t.fields(row, func(i int, name []byte) error {
		quoted := append(t.quote(nil, name), ':')
		switch {
		case len(name) == 0:
			return judgement("the column %d has no name", i+1)
		case slices.ContainsFunc(t.names, func(have []byte) bool { return bytes.Equal(have, quoted) }):
			return judgement("the column %d has the name %q, as one before it has", i+1, t.clean(string(name)))
		}
		t.names = append(t.names, quoted)
		return nil
	})
}

// row makes an object of a row.
func (t *table) row(row []byte) error {
	t.text = append(t.text[:0], '{')
	n := 0
	err := t.fields(row, func(i int, value []byte) error {
		if n++; n > len(t.names) {
			return nil
		}
		if i > 0 {
			t.text = append(t.text, ',')
		}
		t.text = t.quote(append(t.text, t.names[i]...), value)
		return nil
	})
	if err == nil && n != len(t.names) {
		err = judgement("the row has %d values, where the first row names %d columns", n, len(t.names))
	}
	t.text = append(t.text, '}')
	return err
}

// fields gives the values of the row that begins with a line, which may have more.
func (t *table) fields(row []byte, each func(i int, value []byte) error) error {
	for i, at := 0, 0; ; i++ {
		var value []byte
		if at < len(row) && row[at] == '"' {
			var err error
			if row, at, err = t.quoted(row, at+1); err != nil {
				return err
			}
			value = t.field
		} else {
			value = bytes.TrimRight(row[at:], "\n")
			if n := bytes.IndexByte(value, t.delimiter); n >= 0 {
				value = value[:n]
			} else {
				value = bytes.TrimSuffix(value, []byte("\r"))
			}
			if bytes.IndexByte(value, '"') >= 0 {
				return judgement("a quote in the value %d, which does not begin with one", i+1)
			}
			at += len(value)
		}
		if err := each(i, value); err != nil {
			return err
		}
		switch rest := string(row[at:min(at+2, len(row))]); {
		case rest != "" && rest[0] == t.delimiter:
			at++
		case rest == "", rest == "\r", rest == "\n", rest == "\r\n":
			return nil
		default:
			return judgement("text after the quotes of the value %d", i+1)
		}
	}
}

// quoted reads the value in quotes that begins at a place into t.field. It returns the
// row, with more lines if there are line breaks within the quotes, and where it goes on.
func (t *table) quoted(row []byte, at int) ([]byte, int, error) {
	for t.field = t.field[:0]; ; {
		n := bytes.IndexByte(row[at:], '"')
		switch {
		case n < 0:
			t.field = append(t.field, row[at:]...)
			at = len(row)
			var err error
			if row, err = t.lines.more(); err != nil {
				if err = t.atEndOfLines(err); err == nil {
					err = fmt.Errorf("the body was cut short: it ends within quotes: %w", io.ErrUnexpectedEOF)
				}
				return nil, 0, err
			}
		case at+n+1 < len(row) && row[at+n+1] == '"':
			t.field = append(t.field, row[at:at+n+1]...)
			at += n + 2
		default:
			t.field = append(t.field, row[at:at+n]...)
			return row, at + n + 1, nil
		}
	}
}

// quote appends a text as a JSON string, and counts the bytes that are no UTF-8.
func (t *table) quote(dst, text []byte) []byte {
	begin := len(dst)
	dst, err := jsontext.AppendQuote(dst, text)
	if err != nil {
		t.page.Replaced += bytes.Count(dst[begin:], []byte("\uFFFD")) - bytes.Count(text, []byte("\uFFFD"))
	}
	return dst
}
