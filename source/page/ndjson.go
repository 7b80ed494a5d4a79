package page

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// lines splits a body at its line breaks.
type lines struct {
	*bufio.Scanner
	offset int64 // where the line at hand ends, line break included
	number int
}

func (l *lines) InputOffset() int64 { return l.offset }

// split is a [bufio.SplitFunc]: as bufio.ScanLines, but the line break stays.
func (l *lines) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 && atEOF {
		end = len(data)
	}
	if end == 0 {
		return 0, nil, nil
	}
	l.number++
	l.offset += int64(end)
	return end, data[:end], nil
}

// ndjson reads a body that has one JSON value a line.
func (r *reading) ndjson() error {
	if r.window == nil {
		r.window = make([]byte, window)
	}
	in := &lines{Scanner: bufio.NewScanner(&r.body)}
	in.Buffer(r.window, int(r.body.limit)+2*separators)
	in.Split(in.split)
	r.body.reader = in
	root, p := plan(r.spec), r.page
	selected := jsontext.Kind('n') // what the lines so far had where the items are looked for
	for in.Scan() {
		text := bytes.Trim(in.Bytes(), " \t\r\n")
		if len(text) == 0 {
			continue
		}
		if selected == 'n' {
			selected = 0
		}
		p.Wanted, p.Around, p.Selected = p.Wanted[:cap(p.Wanted)], p.Around[:0], 0
		clear(p.Wanted)
		err := r.line(text, root, in)
		if err == nil && r.fault != nil {
			err = r.fault
		}
		if err == nil && r.spec.Line != nil {
			p.prefer()
			err = r.spec.Line(p)
		}
		if err != nil {
			return inLine(in.number, err)
		}
		selected = max(selected, p.Selected)
	}
	p.Wanted, p.Around, p.Selected = p.Wanted[:cap(p.Wanted)], nil, selected
	r.hashItems()
	return r.endOfLines(cmp.Or(in.Err(), io.EOF))
}

// line reads one line.
func (r *reading) line(text []byte, root *node, in *lines) error {
	if !item.Valid(text) {
		return r.brokenLine(text, in)
	}
	if r.spec.Detect {
		r.page.Selected = '['
		return r.item(nil, text, root)
	}
	r.dec.Reset(bytes.NewBuffer(text), lenient...)
	kind, err := r.next()
	if err != nil {
		return err
	}
	return r.value(kind, root)
}

// brokenLine says why a line is no JSON. The last one may have been cut.
func (r *reading) brokenLine(text []byte, in *lines) error {
	r.dec.Reset(bytes.NewBuffer(text), lenient...)
	r.body.first, r.body.asked = text[0], -1 // nothing of the line is missing
	_, err := r.dec.ReadValue()
	switch {
	case err == nil:
		err = &Error{Reason: "invalid JSON: more text after the value, where each line has one", Offset: r.dec.InputOffset()}
	case errors.Is(err, io.ErrUnexpectedEOF) && !bytes.HasSuffix(in.Bytes(), []byte("\n")):
		return fmt.Errorf("the body was cut short: its last line ends within a value: %w", io.ErrUnexpectedEOF)
	default:
		err = r.broken(err)
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Offset >= 0 {
		e.Offset += in.offset - int64(len(in.Bytes()))
	}
	return err
}

// inLine says which line an error is about; nil stays nil.
func inLine(number int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", number, err)
}
