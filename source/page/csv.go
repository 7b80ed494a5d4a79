package page

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// decodeDelimiter decodes what stands between the values of a table.
func (f *Format) decodeDelimiter(o *config.ObjectDecoder, p *config.Problems) {
	f.delimiter = o.Text("delimiter", ",",
		"What stands between two values of a row: one character of ASCII.",
		",", ";", "\t", "|")
	if !isDelimiter(f.delimiter) {
		p.Errorf(o.Node().Member("delimiter"),
			"must be one character of ASCII, and neither a quote nor a line break")
	}
}

// isDelimiter tells whether a text may stand between the values of a table.
func isDelimiter(text string) bool {
	if len(text) != 1 || text[0] >= 0x80 {
		return false
	}
	return !strings.ContainsAny(text, "\"\r\n\x00")
}

// mayBeTable tells whether the first line of a text that is no JSON has what may be a delimiter, and is no
// markup.
func mayBeTable(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return text[0] != '<' && bytes.ContainsAny(line, ",;\t")
}

// table reads rows, each of which is an item.
func (r *bodyReading) table() error {
	t := newRowReader(r.in, r.spec.Format.delimiter[0])
	r.body.reader = t
	if err := r.noTable(); err != nil {
		return err
	}
	r.page.Selected = '['
	var names *columnPrefixes
	var text []byte
	for {
		err := t.next()
		if err == nil && names == nil {
			names, err = r.firstRow(t)
			r.page.Columns = names.count()
			r.headed(names)
		} else if err == nil {
			text, err = r.nextRow(t, names, text[:0])
		}
		if err != nil {
			return r.endOfRows(t, err)
		}
	}
}

// noTable says why the answer is none.
func (r *bodyReading) noTable() error {
	// An error is met again with the first row.
	begin, _ := r.in.Peek(512)
	if isWideTable(begin) {
		return judgement("the table is written in UTF-16 or UTF-32: ask the API for UTF-8")
	}
	start := bytes.TrimLeft(begin, " \t\r\n")
	if len(start) == 0 || bytes.IndexByte([]byte("{[<"), start[0]) < 0 {
		return nil
	}
	return judgement("the answer is not a table: it begins with %q", start[0])
}

// isWideTable tells whether a table is written in UTF-16 or UTF-32: by the mark of its byte order, or since its
// first row has a byte 0, which no name of a column holds.
func isWideTable(begin []byte) bool {
	if bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff")) {
		return true
	}
	row := begin
	if end := bytes.IndexAny(begin, "\r\n"); end >= 0 {
		row = begin[:end]
	}
	return bytes.IndexByte(row, 0) >= 0
}

// firstRow reads the row of names; nil is a blank line.
func (r *bodyReading) firstRow(t *rowReader) (*columnPrefixes, error) {
	c := &columnPrefixes{}
	for last := false; !last; {
		name, end, err := t.cell()
		if err != nil {
			return nil, err
		}
		if end && t.blank() {
			return nil, nil
		}
		last = end
		if len(name) == 0 {
			return nil, judgement("the column %d has no name", len(c.ends)+1)
		}
		c.text = r.quote(c.open(), name)
		c.close()
		// Each item has these names, and for each an empty value at least.
		if int64(len(c.text)+len(`""`)*len(c.ends)) > r.body.limit {
			return nil, r.tooLongRow()
		}
	}
	if again := c.again(); again > 0 {
		name := item.Unquote(c.name(again))
		return nil, judgement("the column %d has the name %q, as one before it has", again+1, r.clean(name))
	}
	return c, nil
}

// nextRow makes an item of a row, by way of text, which it returns. In a table of one column a blank line has an
// empty value; in others it is skipped.
func (r *bodyReading) nextRow(t *rowReader, names *columnPrefixes, text []byte) ([]byte, error) {
	n := 0
	for last := false; !last; n++ {
		value, end, err := t.cell()
		if err != nil {
			return nil, err
		}
		last = end
		if n >= len(names.ends) {
			continue
		}
		text = r.quote(append(text, names.before(n)...), value)
		if int64(len(text)) > r.body.limit {
			return nil, r.tooLongRow()
		}
	}
	switch {
	case n == len(names.ends):
		text = append(text, '}')
		if int64(len(text)) > r.body.limit {
			return nil, r.tooLongRow()
		}
		return text, r.addRow(text, names)
	case t.blank():
		return text, nil
	}
	return nil, judgement("wrong number of fields: %d, where the header has %d", n, len(names.ends))
}

// quote appends a text as a JSON string, and counts the bytes that are no UTF-8. Of a long text it appends no
// more than shows that it is too long.
func (r *bodyReading) quote(dst, text []byte) []byte {
	if len(text) <= window {
		return r.quotePart(dst, text)
	}
	dst = slices.Grow(dst, len(text)+len(`""`))
	dst = append(dst, '"')
	for len(text) > 0 && int64(len(dst)) <= r.body.limit {
		n := partLength(text)
		// The quotes around a part go: the opening one stands in the place of a byte that is put back.
		at := len(dst) - 1
		before := dst[at]
		dst = r.quotePart(dst[:at], text[:n])
		dst[at] = before
		dst = dst[:len(dst)-1]
		text = text[n:]
	}
	return append(dst, '"')
}

// partLength is the length of the first part of a text, which ends within no character.
func partLength(text []byte) int {
	if len(text) <= window {
		return len(text)
	}
	n := window
	for n > window-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// quotePart appends a text that is not long as a JSON string.
func (r *bodyReading) quotePart(dst, text []byte) []byte {
	begin := len(dst)
	dst, err := jsontext.AppendQuote(dst, text)
	if err != nil {
		replacement := []byte("\uFFFD")
		r.page.Replaced += bytes.Count(dst[begin:], replacement) - bytes.Count(text, replacement)
	}
	return dst
}

// endOfRows is nil if err is how a good table has ended. What is wrong with one it says with the line.
func (r *bodyReading) endOfRows(t *rowReader, err error) error {
	line := cmp.Or(t.opened, t.row)
	cause := r.interrupted()
	tooLong, ok := errors.AsType[*Error](cause)
	switch {
	case ok && t.opened > 0:
		tooLong.Remedy = ": the quote that opens in this line is not closed before"
		return inLine(line, tooLong)
	case ok:
		return inLine(line, tooLong)
	case cause != nil:
		return cause
	case isEOF(err) && t.opened > 0:
		return inLine(line, judgement("the quote that opens in this line is never closed"))
	case isEOF(err):
		r.page.Lines.Unended = r.body.lacksLineBreak()
		return nil
	}
	return inLine(line, err)
}
