package page

import (
	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// value reads the value that next has announced as kind. n is its place, nil if
// nothing of it matters.
func (r *reading) value(kind jsontext.Kind, n *node) error {
	if n != nil && n.selected {
		return r.selection(kind, n)
	}
	read := r.array
	switch kind {
	case '{':
		read = r.object
	case '[':
	default:
		text, err := r.token(kind)
		if err == nil {
			r.found(n, text)
		}
		return err
	}
	r.begin(n)
	err := read(n)
	r.end(n)
	return err
}

// object reads an object; the outermost one is where arrays are detected.
func (r *reading) object(n *node) error {
	detect := r.spec.Detect && r.dec.StackDepth() == 0
	r.detected.object = r.detected.object || detect
	if _, err := r.token('{'); err != nil {
		return err
	}
	entered := false
	for {
		kind, err := r.next()
		if err != nil {
			return err
		}
		name, err := r.token(kind)
		if err != nil || kind == '}' {
			return err
		}
		place := n.member(name)
		if place != nil {
			r.forget(place)
			if place.leads && entered {
				r.fault = repeated(r.clean(item.Unquote(name)))
				place = nil
			} else {
				entered = place.leads
			}
		}
		if detect {
			r.detected.setName(name)
		}
		if kind, err = r.next(); err != nil {
			return err
		}
		if detect && r.detected.selects(kind) {
			err = r.selection(kind, place)
		} else {
			err = r.value(kind, place)
		}
		if err != nil {
			return err
		}
	}
}

// array reads an array that does not hold the items.
func (r *reading) array(n *node) error {
	r.noticeArray('[')
	if _, err := r.token('['); err != nil {
		return err
	}
	for i := 0; ; i++ {
		kind, err := r.next()
		if err != nil {
			return err
		}
		if kind == ']' {
			_, err := r.token(kind)
			return err
		}
		if err := r.value(kind, n.element(i)); err != nil {
			return err
		}
	}
}

// selection reads the value that holds the items: an array of them, or one.
// n may be nil.
func (r *reading) selection(kind jsontext.Kind, n *node) error {
	r.selected = true
	if kind == '[' {
		r.begin(n)
		err := r.items(n)
		r.end(n)
		return err
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	if none(raw) {
		text, err := r.scalar(raw)
		if err == nil {
			r.found(n, text)
		}
		return err
	}
	r.flush()
	if err := r.item(raw, n); err != nil {
		return err
	}
	r.hashItems()
	return nil
}

// items reads the array of items.
func (r *reading) items(n *node) error {
	if _, err := r.token('['); err != nil {
		return err
	}
	r.flush()
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		raw, err := r.dec.ReadValue()
		if err != nil {
			return r.broken(err)
		}
		if i > 0 {
			r.count([]byte{','})
		}
		if err := r.item(raw, n.element(i)); err != nil {
			return err
		}
	}
	r.hashItems()
	_, err := r.token(']')
	return err
}

// item takes one item in.
func (r *reading) item(raw []byte, n *node) error {
	if int64(len(raw)) > r.body.limit {
		return r.tooLong(raw)
	}
	p := r.page
	need := len(raw) + 8 // what Compact wants, and the line break
	if p.full(need) {
		r.hashItems()
		r.hashed = 0
		if err := p.seal(); err != nil {
			return err
		}
	}
	b := p.room(need)
	begin := len(b.Text)
	text, replaced := item.Compact(b.Text, raw)
	b.Text = append(text, '\n')
	b.Items++
	text = b.Text[begin : len(b.Text)-1 : len(b.Text)-1]

	p.Items++
	p.Replaced += replaced
	r.last = begin
	if p.Items == 1 {
		p.First = xxhash.Sum64(text)
	}
	r.count(text)
	r.found(n, text)
	if r.spec.Each != nil {
		return r.spec.Each(text)
	}
	return nil
}

// none tells whether a value that is no array stands for no items: null, false,
// zero and "" do; an object does not, even if it is empty.
func none(raw []byte) bool {
	switch item.Kind(raw) {
	case '{', 't':
		return false
	case '"':
		return len(raw) == len(`""`)
	}
	return !item.True(raw)
}

// begin captures an object or array, if it is wanted; end must follow.
func (r *reading) begin(n *node) {
	if n != nil && len(n.wants) > 0 {
		r.captures = append(r.captures, nil)
	}
}

// end keeps what was captured since begin.
func (r *reading) end(n *node) {
	if n == nil || len(n.wants) == 0 {
		return
	}
	last := len(r.captures) - 1
	value := keep(r.captures[last])
	r.captures = r.captures[:last]
	for _, w := range n.wants {
		r.page.Wanted[w] = value
	}
}

// found keeps what is wanted of the compact text of a whole value.
func (r *reading) found(n *node, text []byte) {
	if n == nil {
		return
	}
	for _, w := range n.wants {
		r.page.Wanted[w] = keep(text)
	}
	for _, b := range n.below {
		if value := item.Lookup(text, item.Path{b.step}); value != nil {
			r.found(b, value)
		}
	}
}

// forget drops what was found at n and below: its key is repeated, and the last
// one counts.
func (r *reading) forget(n *node) {
	for _, w := range n.wants {
		r.page.Wanted[w] = nil
	}
	for _, b := range n.below {
		r.forget(b)
	}
}
