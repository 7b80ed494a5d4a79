package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

func (r *reading) ndjson() error {
	root, p := plan(r.spec), r.page
	number, err := r.items(root)
	// What the lines so far had where the items are looked for.
	selected := cmp.Or(p.Selected, 'n')
	// Of the line before.
	var last jsontext.Kind
	for ; err == nil; selected = max(selected, p.Selected) {
		kind := r.dec.PeekKind()
		text := r.dec.UnreadBuffer()
		blanks := text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))]
		breaks := bytes.Count(blanks, []byte("\n"))
		number += breaks
		if _, err = r.next(); kind == 0 {
			if r.atEnd(err) && last == '0' && len(blanks) == 0 {
				err = cutNumber()
				break
			}
			if !r.atEnd(err) {
				break
			}
			p.Wanted, p.Beside.Notable, p.Selected = p.Wanted[:cap(p.Wanted)], nil, selected
			return nil
		}
		if breaks == 0 && r.dec.InputOffset() > 0 {
			err = judgement(
				"invalid JSON: more text after the value, where each line has one at byte %d",
				r.body.at(),
			)
			break
		}
		if selected == 'n' {
			selected = 0
		}
		last = kind
		err = r.line(kind, nil, false, root)
	}
	return inLine(number, err)
}

// items reads lines as long as each has one whole item, leaves the rest to the decoder, and returns its first number.
func (r *reading) items(root *node) (number int, err error) {
	if !r.spec.Detect {
		return 1, nil
	}
	for number = 1; err == nil; number++ {
		line, end := r.in.ReadSlice('\n')
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		valid, compact := item.Valid(text)
		unended := end == io.EOF && len(text) == len(line)
		if unended && valid && item.Kind(text) == '0' {
			return number, cutNumber()
		}
		if end != nil && end != io.EOF || !valid && (end != nil || len(text) > 0) {
			r.dec.Reset(io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.in), lenient...)
			return number, nil //nolint:nilerr // the decoder meets the end again
		}
		r.body.begin += int64(len(text))
		if len(text) > 0 {
			err = r.line(0, text, compact, root)
		}
		r.body.begin += int64(len(line) - len(text))
	}
	return number - 1, err
}

// cutNumber is the error about a last line that is a number and has no line break: more digits may have followed.
func cutNumber() error {
	return fmt.Errorf(
		"the body was cut short: its last line is a number without a line break, which may have had more digits: %w",
		io.ErrUnexpectedEOF,
	)
}

// line reads the value of a line, which is raw or, if that is nil, comes next and is of a kind.
func (r *reading) line(kind jsontext.Kind, raw []byte, compact bool, root *node) (err error) {
	p := r.page
	p.Wanted, p.Beside.Notable, p.Selected = p.Wanted[:cap(p.Wanted)], p.Beside.Notable[:0], 0
	clear(p.Wanted)
	if !r.spec.Detect {
		err = r.value(kind, root)
	} else if p.Selected = '['; raw != nil {
		err = r.item(raw, compact, root)
	} else if raw, err = r.dec.ReadValue(); err != nil {
		err = r.broken(err)
	} else {
		err = r.item(raw, false, root)
	}
	if err == nil && r.fault != nil {
		err = r.fault
	}
	if err == nil && r.spec.Line != nil {
		p.prefer()
		err = r.spec.Line(p)
	}
	_, _ = r.hash.Write([]byte{'\n'})
	return err
}

// inLine says which line an error is about; nil stays nil.
func inLine(number int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", number, err)
}
