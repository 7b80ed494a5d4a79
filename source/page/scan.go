package page

import (
	"bytes"
	"io"
	"slices"

	"sluice/pipeline/item"
)

// Most of a long page are its items. They are read by a scan of our own, which finds the end of an item, judges
// it, and tells whether it is compact, in one look. It takes over from the decoder behind the first items of an
// array, and gives back to it, once: at the end of the array, or before the first item that does not lie whole in
// the window, or is no JSON. So every message about what is wrong is the decoder's.

// scanAfter is how many bytes of items the decoder reads before the scan takes over: below, a page is not worth
// it.
const scanAfter = 4 << 10

// scans tells whether the scan may take over within an array of items that begins at a byte of the body and is
// read up to the i-th element: in JSON, in no other array, and behind those that detection looks at.
func (r *bodyReading) scans(begin int64, i int) bool {
	isLong := r.dec.InputOffset()-begin > r.page.store.decoder.scansAfter()
	if !isLong || i < len(r.detected.elements) {
		return false
	}
	if !r.verbatim {
		return false
	}
	for depth := range r.dec.StackDepth() - 1 {
		if in, _ := r.dec.StackIndex(depth + 1); in == '[' {
			return false
		}
	}
	return true
}

// scan reads elements of an array of items behind its i-th, and returns how many there are then. The decoder
// goes on there.
func (r *bodyReading) scan(i int, n *node) (count int, err error) {
	depth := item.MaxDepth - r.dec.StackDepth()
	// The decoder's buffer is not the reader's to keep.
	r.rest = append(r.rest[:0], r.dec.UnreadBuffer()...)
	r.body.begin = r.body.at()
	r.body.reader = nowhere{}
	r.in.Reset(io.MultiReader(bytes.NewReader(r.rest), &r.body))
	for {
		// What is buffered can be peeked at.
		text, _ := r.in.Peek(r.in.Buffered())
		used, err := r.scanWindow(text, depth, &i, n)
		if err != nil {
			return i, err
		}
		_, _ = r.in.Discard(used)
		left := bytes.TrimLeft(text[used:], " \t\r\n")
		isEnd := len(left) > 0 && left[0] == ']'
		if isEnd {
			return i, r.giveBack(1)
		}
		if !r.more() {
			return i, r.giveBack(i)
		}
	}
}

// scanWindow reads the elements that lie whole in text, counts them in i, and returns how much of it they are.
func (r *bodyReading) scanWindow(text []byte, depth int, i *int, n *node) (used int, err error) {
	for {
		begin, end, compact, ok := item.Element(text[used:], depth, r.top)
		isTooLong := int64(end-begin) > r.body.limit
		if !ok || isTooLong {
			return used, nil
		}
		raw := text[used+begin : used+end]
		r.body.begin += int64(end)
		used += end
		r.count([]byte{','})
		if err := r.add(raw, compact, n.element(*i)); err != nil {
			return used, err
		}
		*i++
	}
}

// more has more text in the window than it has, if there is room for it, and more to come: twice as much, so that
// what is left of an item is not looked at too often.
func (r *bodyReading) more() bool {
	have := r.in.Buffered()
	if have == r.in.Size() {
		return false
	}
	// The reader gives its error again.
	text, _ := r.in.Peek(min(max(2*have, 1), r.in.Size()))
	return len(text) > have
}

// giveBack lets the decoder go on in the array, behind so many elements.
func (r *bodyReading) giveBack(elements int) error {
	var head []byte
	tokens := 1 + elements
	// Its own index comes last.
	path := slices.Collect(r.dec.StackPointer().Tokens())
	for _, name := range path[:len(path)-1] {
		head = item.AppendQuote(append(head, '{'), name)
		head = append(head, ':')
		tokens += 2
	}
	head = append(head, '[')
	const element = "null,"
	length := int64(len(head)) + int64(elements*len(element)) - 1
	r.body.begin -= length
	r.body.reader = r.dec
	skeleton := io.LimitReader(&endless{text: element}, length-int64(len(head)))
	r.dec.Reset(io.MultiReader(bytes.NewReader(head), skeleton, r.in), lenient...)
	for range tokens {
		if _, err := r.dec.ReadToken(); err != nil {
			return r.broken(err)
		}
	}
	return nil
}

// nowhere stands for a decoder that reads nothing.
type nowhere struct{}

func (nowhere) InputOffset() int64 { return 0 }

// endless reads as a text without end.
type endless struct {
	text string
	at   int
}

// Read implements io.Reader.
func (r *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		r.at = (r.at + copied) % len(r.text)
		n += copied
	}
	return n, nil
}
