package page

import (
	"bufio"
	"bytes"
)

// A rowReader reads a table after RFC 4180, one value at a time, and holds no more of it. Lines end with LF, CRLF or
// CR.
type rowReader struct {
	in *bufio.Reader

	// Bytes at which a value without quotes ends.
	special [256]bool

	// The one at hand, where it does not lie in one piece in the buffer of in.
	value []byte

	// Of the buffer, not read yet.
	text []byte

	// Bytes of the body up to the end of text.
	taken int64

	// Where the row at hand begins.
	begin int64

	// Of the byte that comes next.
	line int

	// Line in which the row at hand begins.
	row int

	// Line in which the quote opened that is not closed yet; 0: there is none.
	opened int

	// The row before ended with CR, of which a line feed may be a part.
	afterCR bool
}

func newRowReader(in *bufio.Reader, delimiter byte) *rowReader {
	t := &rowReader{in: in, line: 1}
	for _, c := range []byte{delimiter, '"', '\r', '\n'} {
		t.special[c] = true
	}
	return t
}

// InputOffset is where the row at hand begins: all of it counts as one value.
func (t *rowReader) InputOffset() int64 { return t.begin }

// at is where in the body reading is.
func (t *rowReader) at() int64 { return t.taken - int64(len(t.text)) }

// upcoming is text that comes next, one byte at least.
func (t *rowReader) upcoming() ([]byte, error) {
	if len(t.text) > 0 {
		return t.text, nil
	}
	return t.more()
}

func (t *rowReader) more() (text []byte, err error) {
	if _, err := t.in.Peek(1); err != nil {
		return nil, err
	}
	t.text, err = t.in.Peek(t.in.Buffered())
	n, _ := t.in.Discard(len(t.text))
	t.taken += int64(n)
	return t.text, err
}

// skip goes over text that is upcoming, which stays valid until more is wanted.
func (t *rowReader) skip(n int) { t.text = t.text[n:] }

// next goes to the next row. Behind the last one it returns io.EOF.
func (t *rowReader) next() error {
	text, err := t.upcoming()
	if t.afterCR && err == nil && text[0] == '\n' {
		t.skip(1)
		_, err = t.upcoming()
	}
	t.afterCR = false
	t.begin = t.at()
	t.row = t.line
	return err
}

// blank tells whether the row that was read was nothing but a line break.
func (t *rowReader) blank() bool { return t.at()-t.begin == 1 && t.line > t.row }

// cell reads the next value of the row, valid until more is read, and tells whether it is the last one.
func (t *rowReader) cell() (value []byte, last bool, err error) {
	text, err := t.upcoming()
	if isEOF(err) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	if text[0] != '"' {
		return t.plain(text)
	}
	t.opened = t.line
	t.skip(1)
	value, last, err = t.quoted()
	if err == nil {
		t.opened = 0
	}
	return value, last, err
}

// plain reads a value without quotes, which begins with text.
func (t *rowReader) plain(text []byte) (value []byte, last bool, err error) {
	t.value = t.value[:0]
	for {
		n := 0
		for n < len(text) && !t.special[text[n]] {
			n++
		}
		if n < len(text) {
			value = text[:n]
			if len(t.value) > 0 {
				t.value = append(t.value, value...)
				value = t.value
			}
			t.skip(n)
			last, err = t.end(text[n], "a quote within a value that has none around it")
			return value, last, err
		}
		t.value = append(t.value, text...)
		t.skip(n)
		text, err = t.upcoming()
		if isEOF(err) {
			return t.value, true, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
}

// end goes over the byte behind a value, and tells whether it ends the row. What it may not be, otherwise says.
func (t *rowReader) end(c byte, otherwise string) (last bool, err error) {
	if !t.special[c] || c == '"' {
		return false, judgement("%s", otherwise)
	}
	t.skip(1)
	last = c == '\n' || c == '\r'
	if last {
		t.line++
	}
	t.afterCR = c == '\r'
	return last, nil
}

// quoted reads a value behind the quote that opens it.
func (t *rowReader) quoted() (value []byte, last bool, err error) {
	t.value = t.value[:0]
	for {
		text, err := t.upcoming()
		if err != nil {
			return nil, false, err
		}
		n := bytes.IndexByte(text, '"')
		if n < 0 {
			t.value = append(t.value, text...)
			t.skip(len(text))
			continue
		}
		value = text[:n]
		t.skip(n + 1)
		endShows := n+1 < len(text) && text[n+1] != '"'
		whole := endShows && len(t.value) == 0
		if !whole {
			t.value = append(t.value, value...)
			value = t.value
		}
		text, err = t.upcoming()
		if isEOF(err) {
			return t.unix(value), true, nil
		}
		if err != nil {
			return nil, false, err
		}
		if text[0] != '"' {
			value = t.unix(value)
			last, err = t.end(text[0], "text behind the quote that closes a value")
			return value, last, err
		}
		t.value = append(t.value, '"')
		t.skip(1)
	}
}

// unix writes LF for CRLF in a value, whose lines it counts.
func (t *rowReader) unix(value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 {
		return value
	}
	t.line += bytes.Count(value, []byte{'\n'})
	out := value[:0]
	for line := range bytes.SplitAfterSeq(value, []byte("\r\n")) {
		text, cut := bytes.CutSuffix(line, []byte("\r\n"))
		out = append(out, text...)
		if cut {
			out = append(out, '\n')
		}
	}
	return out
}
