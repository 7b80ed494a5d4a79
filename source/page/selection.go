package page

import (
	"bytes"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// selection reads the value that holds the items: an array of them, or one; n may be nil.
func (r *bodyReading) selection(kind jsontext.Kind, n *wantedNode) error {
	many := slices.Contains(r.spec.Select, Every)
	if r.page.Selected != 0 && !many {
		r.fault = judgement("the response has %q both as the name of a member and as a path: "+
			"set delimiter in dataField to say which one leads to the items", r.clean(r.spec.Field))
		n = nil
	}
	if r.spec.Bare != nil {
		return r.bare(kind, n)
	}
	isMap := kind == '{' && r.spec.Members != ""
	r.page.Selected = kind
	// There may be many items.
	if isMap || many {
		r.page.Selected = '['
	}
	isContainer := kind == '[' || kind == '{'
	if isContainer && r.mustWait() {
		return r.hold(kind, n)
	}
	if isMap || kind == '[' {
		return r.captured(n, func(n *wantedNode) error { return r.all(kind, n) })
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	isNone := isNoItem(raw)
	if !isNone {
		r.noMap(kind)
	}
	isCut := false
	if r.spec.Format.Lines() && r.dec.StackDepth() == 0 {
		raw, isCut = r.mayBeCut(raw)
	}
	isStray := r.isStray(kind) && !isCut
	switch {
	case isNone:
		_, err = r.noItem(raw, n)
		return err
	case isStray && r.mayBeAll():
		r.alone = slices.Clone(raw)
	case isStray:
		text, err := r.noItem(raw, n)
		if err == nil {
			r.stray(r.spec.Field, text)
		}
		return err
	}
	return r.item(raw, n)
}

// noItem takes a scalar in the place of the items that is none of them.
func (r *bodyReading) noItem(raw []byte, n *wantedNode) (text []byte, err error) {
	text, err = r.scalar(raw)
	if err == nil {
		r.found(n, text)
	}
	return text, err
}

// mayBeAll tells whether the value that was read last may be all that the response has: members of objects
// lead to it.
func (r *bodyReading) mayBeAll() bool {
	depth := r.dec.StackDepth()
	if depth == 0 || r.spec.Format.Lines() {
		return false
	}
	for i := 1; i <= depth; i++ {
		if kind, _ := r.dec.StackIndex(i); kind != '{' {
			return false
		}
	}
	return true
}

// noMap says that what is there is no object whose members are items, if it should be.
func (r *bodyReading) noMap(kind jsontext.Kind) {
	if r.spec.Members != "" {
		r.fault = judgement("the response has %s at %s, where dataField.members wants an object: "+
			"write the path alone", item.Noun(byte(kind)), r.clean(r.spec.Field))
	}
}

// all reads the array of items, or the object whose members are the items.
func (r *bodyReading) all(kind jsontext.Kind, n *wantedNode) error {
	if _, err := r.token(kind); err != nil {
		return err
	}
	// The brackets stand two apart.
	end := kind + 2
	begin, mayScan := r.dec.InputOffset(), kind == '[' && r.spec.Bare == nil && r.spec.With == nil
	i := 0
	for r.dec.PeekKind() != end {
		if mayScan && r.scans(begin, i) {
			mayScan = false
			count, err := r.scan(i, n)
			if err != nil {
				return err
			}
			i = count
			continue
		}
		if err := r.element(kind, i, n); err != nil {
			return err
		}
		i++
	}
	_, err := r.token(end)
	return err
}

// element reads the i-th element of the array at n, or member of the object there.
func (r *bodyReading) element(kind jsontext.Kind, i int, n *wantedNode) error {
	raw, err := r.dec.ReadValue()
	place := n.element(i)
	if err == nil && kind == '{' {
		raw, place, err = r.entry(raw, n)
	}
	if err != nil {
		return r.broken(err)
	}
	if i > 0 {
		r.count([]byte{','})
	} else if kind == '[' {
		r.noMap(kind)
	}
	if r.spec.Bare != nil {
		return r.bareRow(raw, i, place)
	}
	if i < len(r.detected.elements) {
		r.detected.element(i, raw)
	}
	return r.item(raw, place)
}

// entry reads the value of a member of the object at n, and makes an item of it and its name, which is quoted.
func (r *bodyReading) entry(quoted []byte, n *wantedNode) (raw []byte, place *wantedNode, err error) {
	name, _ := item.Compact(nil, quoted)
	value, err := r.dec.ReadValue()
	if err != nil {
		return nil, nil, err
	}
	return r.keyed(name, value), n.member(name), nil
}

// keyed makes an item of a member: its quoted name and its value.
func (r *bodyReading) keyed(name, value []byte) []byte {
	value, replaced := item.Compact(nil, value)
	r.page.Replaced += replaced
	begin := item.AppendQuote([]byte{'{'}, r.spec.Members)
	begin = append(begin, ':')
	begin = append(begin, name...)
	switch {
	case value[0] != '{':
		return slices.Concat(begin, []byte(`,"value":`), value, []byte{'}'})
	case string(value) == "{}":
		return append(begin, '}')
	case item.Lookup(value, item.Path{r.spec.Members}) != nil:
		r.fault = judgement("the item %s has a member %q itself: give dataField.members another name",
			r.clean(string(name)), r.spec.Members)
	}
	return slices.Concat(begin, []byte{','}, value[1:])
}

// scanAfter is how many bytes of items the decoder reads before the scan takes over: below, a page is not worth
// it.
const scanAfter = 4 << 10

// scansAfter is asked for with each item.
func (d *Decoder) scansAfter() int64 {
	if d.scanned != 0 {
		return d.scanned
	}
	return scanAfter
}

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
func (r *bodyReading) scan(i int, n *wantedNode) (count int, err error) {
	depth := item.MaxDepth - r.dec.StackDepth()
	// The decoder's buffer is not the reader's to keep.
	r.rest = append(r.rest[:0], r.dec.UnreadBuffer()...)
	r.body.begin = r.body.at()
	r.body.reader = nowhere{}
	r.readAhead(io.MultiReader(bytes.NewReader(r.rest), &r.body))
	for {
		// What is buffered can be peeked at.
		text, _ := r.in.Peek(r.in.Buffered())
		used, err := r.scanWindow(text, depth, &i, n)
		if err != nil {
			return i, err
		}
		_, _ = r.in.Discard(used)
		left := bytes.TrimLeft(text[used:], " \t\r\n")
		if len(left) > 0 && left[0] == ']' {
			return i, r.giveBack(1)
		}
		if !r.more() {
			return i, r.giveBack(i)
		}
	}
}

// scanWindow reads the elements that lie whole in text, counts them in i, and returns how much of it they are.
func (r *bodyReading) scanWindow(text []byte, depth int, i *int, n *wantedNode) (used int, err error) {
	for {
		begin, end, compact, ok := item.Element(text[used:], depth, r.top)
		if !ok || int64(end-begin) > r.body.limit {
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

// isStray tells whether a value of that kind, which stands alone in the place of
// the items, is no item, but such as the text of an error.
func (r *bodyReading) isStray(kind jsontext.Kind) bool {
	if kind == '{' || r.spec.Scalar {
		return false
	}
	steps := r.spec.Select
	return len(steps) == 0 || steps[len(steps)-1] != Every
}
