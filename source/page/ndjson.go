package page

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

func (r *reading) ndjson() error {
	root, p := plan(r.spec), r.page
	selected := jsontext.Kind('n') // what the lines so far had where the items are looked for
	for line := 1; ; {
		kind := r.dec.PeekKind()
		text := r.dec.UnreadBuffer()
		breaks := bytes.Count(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))], []byte("\n"))
		line += breaks
		if _, err := r.next(); kind == 0 {
			p.Wanted, p.Around, p.Selected = p.Wanted[:cap(p.Wanted)], nil, selected
			if r.atEnd(err) {
				return nil
			}
			return inLine(line, err)
		}
		if breaks == 0 && r.dec.InputOffset() > 0 {
			return inLine(line, judgement("invalid JSON: more text after the value, where each line has one at byte %d", r.dec.InputOffset()))
		}
		if selected == 'n' {
			selected = 0
		}
		if err := r.line(kind, root); err != nil {
			return inLine(line, err)
		}
		selected = max(selected, p.Selected)
		_, _ = r.hash.Write([]byte{'\n'})
	}
}

func (r *reading) line(kind jsontext.Kind, root *node) error {
	p := r.page
	p.Wanted, p.Around, p.Selected = p.Wanted[:cap(p.Wanted)], p.Around[:0], 0
	clear(p.Wanted)
	if r.spec.Detect {
		p.Selected = '['
		raw, err := r.dec.ReadValue()
		if err != nil {
			return r.broken(err)
		}
		if err := r.item(raw, root); err != nil {
			return err
		}
	} else if err := r.value(kind, root); err != nil {
		return err
	}
	if r.fault != nil {
		return r.fault
	}
	if r.spec.Line == nil {
		return nil
	}
	p.prefer()
	return r.spec.Line(p)
}

// inLine says which line an error is about; nil stays nil.
func inLine(number int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", number, err)
}
