// Package markup reads a document of XML as JSON text: the elements that a path of names leads to one by one, as an
// array, and behind them what stands around them. The mapping is in docs/xml.md.
package markup

import "io"

// Limits of what is held in memory.
const (
	// Bytes of JSON of what stands around the items.
	besideLimit = 8 << 20
	// From how many on not every element is kept of which there are many.
	besideEnough = 1 << 20
)

// A Reader reads a document as JSON text. Its zero value is good after Reset.
type Reader struct {
	s     scanner
	names nameTable

	// Of the elements that the path leads through: the document itself, and each but the last, which are the items.
	steps []step
	way   []string

	// How many of way are open.
	depth int

	// The element at hand, an item or one beside the way.
	element builder
	isItem  bool
	began   int64

	// Of the attributes of the start tag at hand.
	attributes []*qualifiedName

	// Text beside elements of the way.
	text []byte

	// JSON that was not read yet.
	queue []byte
	limit int
	items int
	ended bool
	err   error

	// Of a document in another encoding: bytes that were read of it.
	raw *counted
}

// A step is an element that the path leads through, or several as if they were one.
type step struct {
	builder

	// It is there.
	is bool

	// Of the next one, or of the items, when it came.
	next *qualifiedName
}

// Reset begins to read a document that src gives, with the items where way leads to; empty: the whole document is one. No
// item is longer than the limit, in bytes. IsUTF8: a mark said so, which was taken off.
func (r *Reader) Reset(src io.Reader, isUTF8 bool, way []string, options *Options, limit int) error {
	r.err = nil
	raw := &counted{src: src}
	decoded, isOther, err := decode(raw, isUTF8)
	if err != nil {
		return err
	}
	r.raw = nil
	if isOther {
		r.raw = raw
	}
	r.s.reset(decoded, limit)
	r.names.reset(options)
	r.way = way
	for len(r.steps) < max(len(way), 1) {
		r.steps = append(r.steps, step{})
	}
	for i := range r.steps {
		r.steps[i].is, r.steps[i].next = false, nil
		r.steps[i].reset(besideLimit, besideEnough)
		r.steps[i].begin(nil)
	}
	r.steps[0].is = true
	r.element.reset(limit, 0)
	r.depth, r.items, r.limit, r.ended = 0, 0, limit, false
	r.queue, r.text = nil, r.text[:0]
	return r.s.head(isOther)
}

// InputOffset is how many bytes of the document were read.
func (r *Reader) InputOffset() int64 {
	if r.raw != nil {
		return r.raw.n
	}
	return r.s.offset()
}

// Err is the error that the document has ended with; nil: it has none so far.
func (r *Reader) Err() error { return r.err }

// Read implements io.Reader: the document as JSON text.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.queue) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if r.ended {
			return 0, io.EOF
		}
		r.err = r.advance()
	}
	n := copy(p, r.queue)
	r.queue = r.queue[n:]
	return n, nil
}

// advance reads up to the end of an item, or of the document, and queues it.
func (r *Reader) advance() error {
	for len(r.queue) == 0 && !r.ended {
		read := r.onWay
		if len(r.element.frames) > 0 {
			read = r.within
		}
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// within reads a piece of the element at hand.
func (r *Reader) within() error {
	b := &r.element
	if err := b.content(&r.s); err != nil {
		return r.tooLong(err)
	}
	if r.isItem && r.s.offset()-r.began > int64(r.limit) {
		return ErrTooLong
	}
	t, isEmpty, err := r.s.next()
	if err != nil {
		return err
	}
	if t == startTag {
		n, err := r.named(isEmpty)
		if err == nil {
			err = b.child(&r.s, n)
		}
		if err == nil {
			err = r.opened(b)
		}
		if err != nil || !isEmpty {
			return r.tooLong(err)
		}
	} else {
		r.names.end(len(r.s.starts) + 1)
	}
	return r.closed()
}

// named is the name of the element at hand, whose names are resolved with what it declares.
func (r *Reader) named(isEmpty bool) (*qualifiedName, error) {
	s := &r.s
	depth := len(s.starts)
	if isEmpty {
		depth++
	}
	if len(s.attributes) > 0 {
		if err := r.names.declare(s, depth); err != nil {
			return nil, err
		}
	}
	n, err := r.names.element(s, s.name)
	if err != nil {
		return nil, err
	}
	r.attributes = r.attributes[:0]
	for _, a := range s.attributes {
		var n *qualifiedName
		if !isDeclaration(a.name) {
			n, err = r.names.attribute(s, a.name)
		}
		if err != nil {
			return nil, err
		}
		r.attributes = append(r.attributes, n)
	}
	if err := r.once(); err != nil {
		return nil, err
	}
	if isEmpty {
		r.names.end(depth)
	}
	return n, nil
}

// once says which attribute stands twice in the element at hand; nil: none does.
func (r *Reader) once() error {
	const few = 16
	if len(r.attributes) > few {
		met := map[int32]*qualifiedName{}
		for _, n := range r.attributes {
			if n == nil {
				continue
			}
			if other := met[n.id]; other != nil {
				return r.s.clash(other, n)
			}
			met[n.id] = n
		}
		return nil
	}
	for i, n := range r.attributes {
		for _, other := range r.attributes[:i] {
			if n != nil && other != nil && n.id == other.id {
				return r.s.clash(other, n)
			}
		}
	}
	return nil
}

// opened adds the attributes of the element at hand to the one that was opened last.
func (r *Reader) opened(b *builder) error {
	for i, n := range r.attributes {
		raw := r.s.attributes[i].value
		switch {
		case n == nil:
		case n.space == spaceOfInstance && isNil(r.s.attributes[i].name):
			null, err := r.null(raw)
			if err != nil {
				return err
			}
			b.top().null = null
		default:
			if err := b.attribute(&r.s, n, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// isNil tells whether an attribute, of the namespace of instances, says that its element is null.
func isNil(raw []byte) bool {
	const local = "nil"
	return len(raw) > len(local) && string(raw[len(raw)-len(local)-1:]) == ":"+local
}

// null is the value of such an attribute.
func (r *Reader) null(raw []byte) (bool, error) {
	switch string(raw) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, r.s.bad("nil is neither true nor false")
}

// closed ends the element that was opened last.
func (r *Reader) closed() error {
	b := &r.element
	if err := b.end(&r.s); err != nil {
		return r.tooLong(err)
	}
	if len(b.out) > b.limit {
		return r.tooLong(ErrTooLong)
	}
	if len(b.frames) > 0 {
		return nil
	}
	if !r.isItem {
		in := &r.steps[r.depth]
		in.out = append(in.out, b.out...)
		in.leaveOut(in.top())
		return r.enough(in)
	}
	if len(r.way) == 0 {
		b.out = append(b.out, '}')
	}
	r.items++
	r.queue = b.out
	return nil
}

// tooLong makes of an error about an element that is too long one that says whether it is an item; others stay.
func (r *Reader) tooLong(err error) error {
	//nolint:errorlint // it is not wrapped
	if r.isItem || err != ErrTooLong {
		return err
	}
	return r.s.bad("what stands beside the items is longer than %d MiB", besideLimit>>20)
}

// enough says that too much stands beside the items; nil: it does not.
func (r *Reader) enough(in *step) error {
	if len(in.out) > besideLimit {
		return r.s.bad("what stands beside the items is longer than %d MiB", besideLimit>>20)
	}
	return nil
}

// before appends what stands before an item.
func (r *Reader) before(dst []byte, n *qualifiedName) []byte {
	if len(r.way) == 0 {
		return append(append(dst, '{'), n.json...)
	}
	if r.items > 0 {
		return append(dst, ',')
	}
	for _, name := range r.way {
		dst = append(quote(append(dst, '{'), name), ':')
	}
	return append(dst, '[')
}

// onWay reads a piece of an element that the path leads through, or of the document.
func (r *Reader) onWay() error {
	s := &r.s
	text, blank, err := s.text(r.text[:0], besideLimit)
	r.text = text[:0]
	if err != nil {
		return err
	}
	in := &r.steps[r.depth]
	if !blank {
		if r.depth == 0 {
			return s.bad("text outside the outermost element")
		}
		in.out = append(append(append(in.out, '"'), text...), '"')
		if err := in.beside(s, in.top(), len(in.out)-len(text)-2); err != nil {
			return err
		}
		if err := r.enough(in); err != nil {
			return err
		}
	}
	t, isEmpty, err := s.next()
	switch {
	case err != nil:
		return err
	case t == noTag:
		return r.finish()
	case t == endTag:
		r.depth--
		r.names.end(len(s.starts) + 1)
		return nil
	}
	n, err := r.named(isEmpty)
	if err != nil {
		return err
	}
	if r.depth < len(r.way) && n.text == r.way[r.depth] {
		return r.step(n, isEmpty)
	}
	return r.aside(n, isEmpty)
}

// step takes an element that the path leads to from the one that is open.
func (r *Reader) step(n *qualifiedName, isEmpty bool) error {
	in := &r.steps[r.depth]
	if in.next != nil && in.next != n {
		return r.s.clash(in.next, n)
	}
	in.next = n
	in.top().parent = true
	if r.depth == len(r.way)-1 {
		return r.begin(n, true, isEmpty)
	}
	r.depth++
	next := &r.steps[r.depth]
	next.is = true
	if err := r.opened(&next.builder); err != nil {
		return err
	}
	if isEmpty {
		r.depth--
	}
	return r.enough(next)
}

// aside takes an element that is beside the way, or the document itself if it is the item.
func (r *Reader) aside(n *qualifiedName, isEmpty bool) error {
	if len(r.way) == 0 {
		return r.begin(n, true, isEmpty)
	}
	in := &r.steps[r.depth]
	in.top().parent = true
	if err := in.lead(&r.s, in.top(), n); err != nil {
		return err
	}
	return r.begin(n, false, isEmpty)
}

// begin opens the element at hand.
func (r *Reader) begin(n *qualifiedName, isItem, isEmpty bool) error {
	r.isItem = isItem
	r.began = r.s.offset()
	if isItem {
		r.element.reset(r.limit, 0)
		r.element.out = r.before(r.element.out, n)
	} else {
		r.element.reset(besideLimit, besideEnough)
	}
	r.element.begin(n)
	if err := r.opened(&r.element); err != nil {
		return err
	}
	if isEmpty {
		return r.closed()
	}
	return nil
}
