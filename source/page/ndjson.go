package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

func newNDJSON(*config.Object, *config.Problems) func(*reading) error { return (*reading).ndjson }

// ndjson reads a body that has one JSON value a line.
func (r *reading) ndjson() error {
	root := plan(r.spec)
	selected := jsontext.Kind(0) // what the lines so far had where the items are looked for
	for {
		text, err := r.lines.next()
		if err != nil {
			r.page.Selected, r.page.Around, r.page.Wanted = selected, nil, r.page.Wanted[:cap(r.page.Wanted)]
			if r.lines.number == 0 {
				r.page.Selected = 'n'
			}
			r.hashItems()
			return r.atEndOfLines(err)
		}
		whole := text[len(text)-1] == '\n'
		if text = bytes.Trim(text, " \t\r\n"); len(text) == 0 {
			continue
		}
		if err = r.line(text, root, whole); err == nil && r.fault != nil {
			err = r.fault
		}
		if err == nil && r.spec.Line != nil {
			r.page.prefer()
			err = r.spec.Line(r.page)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", r.lines.number, err)
		}
		selected = max(selected, r.page.Selected)
	}
}

// line reads one line. One that is not whole has no line break.
func (r *reading) line(text []byte, root *node, whole bool) error {
	r.page.Wanted = r.page.Wanted[:cap(r.page.Wanted)]
	clear(r.page.Wanted)
	if !item.Valid(text) {
		return r.brokenLine(text, whole)
	}
	if r.spec.Detect {
		r.page.Selected = '['
		return r.item(nil, text, root)
	}
	r.page.Selected, r.page.Around = 0, r.page.Around[:0]
	r.dec.Reset(bytes.NewBuffer(text), lenient...)
	kind, err := r.next()
	if err != nil {
		return err
	}
	return r.value(kind, root)
}

// brokenLine says why a line is no JSON. One that the body ends within was cut.
func (r *reading) brokenLine(text []byte, whole bool) error {
	at := r.lines.InputOffset()
	r.dec.Reset(bytes.NewBuffer(text), lenient...)
	r.body.first, r.body.asked = text[0], -1 // nothing of the line is missing
	_, err := r.dec.ReadValue()
	if err == nil {
		return &Error{Reason: "invalid JSON: more text after the value, where each line has one", Offset: at + r.dec.InputOffset()}
	}
	if !whole && errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the body was cut short: its last line ends within a value: %w", io.ErrUnexpectedEOF)
	}
	err = r.broken(err)
	if e, ok := errors.AsType[*Error](err); ok && e.Offset >= 0 {
		e.Offset += at
	}
	return err
}

// atEndOfLines is nil if err is how [lines] say that a good body has ended.
func (r *reading) atEndOfLines(err error) error {
	if cause := r.interrupted(); cause != nil {
		return cause
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
