package page

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
)

func (r *reading) table() error {
	rows := csv.NewReader(r.in)
	rows.Comma, rows.ReuseRecord = rune(r.spec.Format.delimiter[0]), true
	r.body.reader = rows
	if err := r.noTable(); err != nil {
		return err
	}
	r.page.Selected = '['
	var names [][]byte // of the columns, quoted for JSON, each with its colon
	var text []byte    // of a row
	for {
		row, err := rows.Read()
		if err != nil {
			return r.endOfLines(err)
		}
		if line, _ := rows.FieldPos(0); names == nil {
			names, err = r.columns(row)
			err = inLine(line, err)
		} else {
			for i, value := range row {
				text = r.quote(append(append(text, "{,"[min(i, 1)]), names[i]...), value)
			}
			err = inLine(line, r.item(append(text, '}'), true, nil))
			text = text[:0]
		}
		if err != nil {
			return err
		}
	}
}

// noTable says why the answer is none.
func (r *reading) noTable() error {
	begin, _ := r.in.Peek(512) // what is wrong, the first row shows
	if bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff")) {
		return judgement("the table is written in UTF-16: ask the API for UTF-8")
	}
	if start := bytes.TrimLeft(begin, " \t\r\n"); len(start) > 0 && bytes.IndexByte([]byte("{[<"), start[0]) >= 0 {
		first := start[0]                                   // reading on overwrites it
		text, _ := io.ReadAll(io.LimitReader(r.in, window)) // beyond what is shown, since its end may be within a secret
		return judgement("the answer is no table: it begins with %q: %s", first, pipeline.Shorten(r.redacted(string(text)), longest))
	}
	return nil
}

func (r *reading) columns(row []string) (names [][]byte, err error) {
	for i, name := range row {
		quoted := append(r.quote(nil, name), ':')
		if name == "" {
			return nil, judgement("the column %d has no name", i+1)
		}
		if slices.ContainsFunc(names, func(have []byte) bool { return bytes.Equal(have, quoted) }) {
			return nil, judgement("the column %d has the name %q, as one before it has", i+1, r.clean(name))
		}
		names = append(names, quoted)
	}
	return names, nil
}

// quote appends a text as a JSON string, and counts the bytes that are no UTF-8.
func (r *reading) quote(dst []byte, text string) []byte {
	begin := len(dst)
	dst, err := jsontext.AppendQuote(dst, text)
	if err != nil {
		r.page.Replaced += bytes.Count(dst[begin:], []byte("\uFFFD")) - strings.Count(text, "\uFFFD")
	}
	return dst
}

// endOfLines is nil if err is how a good body has ended.
func (r *reading) endOfLines(err error) error {
	cause := r.interrupted()
	var bad *csv.ParseError
	switch {
	case cause != nil:
		return cause
	case errors.As(err, &bad):
		return inLine(bad.StartLine, judgement("%v", bad.Err))
	case err == io.EOF: //nolint:errorlint // wrapped, it is a failure
		return nil
	}
	return err
}
