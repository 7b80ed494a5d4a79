package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// ndjson reads lines, each of which is an item, or, with dataField, a response of its own.
func (r *bodyReading) ndjson() error {
	if err := r.wide(); err != nil {
		return err
	}
	root := r.spec.plan()
	number, err := r.wholeLines(root)
	// What the lines so far had where the items are looked for.
	selected := cmp.Or(r.page.Selected, 'n')
	// Of the line before.
	var last jsontext.Kind
	for err == nil {
		kind := r.dec.PeekKind()
		text := r.dec.UnreadBuffer()
		blanks := text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))]
		breaks := bytes.Count(blanks, []byte("\n"))
		number += breaks
		_, ended := r.next()
		if kind == 0 {
			mayBeCut := last == '0' && len(blanks) == 0
			return inLine(number, r.endOfLines(ended, mayBeCut, selected))
		}
		if breaks == 0 && r.dec.InputOffset() > 0 {
			const more = "invalid JSON: more text after the value, where each line has one at byte %d"
			return inLine(number, judgement(more, r.body.at()))
		}
		if selected == 'n' {
			selected = 0
		}
		last = kind
		err = r.line(kind, root)
		selected = max(selected, r.page.Selected)
	}
	return inLine(number, err)
}

// endOfLines ends the page after its last line, which may be a number that was cut. err says how the body has
// ended.
func (r *bodyReading) endOfLines(err error, mayBeCut bool, selected jsontext.Kind) error {
	if !r.atEnd(err) {
		return err
	}
	if mayBeCut {
		return cutNumber()
	}
	r.page.Lines.Unended = r.body.lacksLineBreak()
	r.page.Wanted = r.page.Wanted[:cap(r.page.Wanted)]
	r.page.Beside.Notable = nil
	r.page.Selected = selected
	r.page.Lines.Odd = r.oddLine()
	return nil
}

// wholeLines reads lines as long as each has one whole item, leaves the rest to the decoder, and returns its
// first number.
func (r *bodyReading) wholeLines(root *wantedNode) (number int, err error) {
	if !r.spec.Detect {
		return 1, nil
	}
	for number = 1; err == nil; number++ {
		line, end := r.in.ReadSlice('\n')
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		valid, compact := item.Valid(text, r.top)
		if end == io.EOF && len(text) == len(line) && valid && item.Kind(text) == '0' {
			return number, cutNumber()
		}
		failed := end != nil && end != io.EOF
		blank := end == nil && len(text) == 0
		isWhole := valid || blank
		if failed || !isWhole {
			r.dec.Reset(io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.in), lenient...)
			// The decoder meets the end again.
			return number, nil
		}
		r.body.begin += int64(len(text))
		if len(text) > 0 {
			r.beginLine()
			err = r.endLine(r.itemLine(text, compact, r.isStrayLine(text), root))
		}
		r.body.begin += int64(len(line) - len(text))
	}
	return number - 1, err
}

// cutNumber is the error about a last line that is a number and has no line break: more digits may have
// followed.
func cutNumber() error {
	return fmt.Errorf("the body was cut short: its last line is a number without a line break, "+
		"which may have had more digits: %w", io.ErrUnexpectedEOF)
}

// line reads a line, whose value comes next and is of a kind.
func (r *bodyReading) line(kind jsontext.Kind, root *wantedNode) error {
	r.beginLine()
	if !r.spec.Detect {
		return r.endLine(r.value(kind, root))
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	raw, isCut := r.mayBeCut(raw)
	isFault := r.isStrayLine(raw) && !isCut
	r.top.Forget()
	return r.endLine(r.itemLine(raw, false, isFault, root))
}

// itemLine takes a line as an item, unless it is a fault.
func (r *bodyReading) itemLine(raw []byte, compact, isFault bool, root *wantedNode) error {
	r.page.Selected = '['
	if isFault {
		r.stray(".", raw)
		return nil
	}
	r.tail.see(raw, compact)
	return r.add(raw, compact, root)
}

// isStrayLine tells whether a line is a scalar after lines that were none.
func (r *bodyReading) isStrayLine(raw []byte) bool {
	lines := &r.page.Lines
	kind := item.Kind(raw)
	if kind == '{' || kind == '[' {
		lines.Containers = true
		return false
	}
	if isNoItem(raw) {
		return false
	}
	if lines.Scalar == "" {
		lines.Scalar = r.clean(string(raw))
	}
	return lines.Containers
}

// mayBeCut tells whether the line that was read last is a number at the end of the body, which endOfLines
// refuses. It returns the line again, since the decoder overwrites it.
func (r *bodyReading) mayBeCut(raw []byte) (line []byte, is bool) {
	if item.Kind(raw) != '0' {
		return raw, false
	}
	line = slices.Clone(raw)
	isLast := r.dec.PeekKind() == 0
	return line, isLast && len(r.dec.UnreadBuffer()) == 0
}

// beginLine forgets what the line before had.
func (r *bodyReading) beginLine() {
	p := r.page
	p.Wanted = p.Wanted[:cap(p.Wanted)]
	clear(p.Wanted)
	p.Beside.Notable = p.Beside.Notable[:0]
	p.Selected = 0
}

// endLine judges a line, whose value was read with err.
func (r *bodyReading) endLine(err error) error {
	if err != nil {
		return err
	}
	if r.fault != nil {
		r.page.prefer()
		r.fault.Wanted = r.page.Wanted
		return r.fault
	}
	_, _ = r.hash.Write([]byte{'\n'})
	if r.spec.Line == nil {
		return nil
	}
	r.page.prefer()
	return r.spec.Line(r.page)
}

// oddLine is the last line if it is unlike those before it, fit to be shown.
func (r *bodyReading) oddLine() OddLine {
	if !r.tail.isOdd {
		return OddLine{}
	}
	odd := OddLine{Text: r.clean(string(r.tail.last))}
	for name := range item.Members(r.tail.last) {
		odd.Name = r.clean(item.Unquote(name))
		break
	}
	return odd
}
