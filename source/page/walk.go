package page

import (
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// value reads the value that next has announced as kind; n is its place, nil if it does not matter.
func (r *bodyReading) value(kind jsontext.Kind, n *node) error {
	if n != nil && n.selected {
		return r.selection(kind, n)
	}
	switch kind {
	case '{':
		return r.captured(n, r.object)
	case '[':
		return r.captured(n, r.array)
	}
	text, err := r.token(kind)
	if err == nil {
		r.found(n, text)
	}
	return err
}

// object reads an object; the outermost one is where arrays are detected.
func (r *bodyReading) object(n *node) error {
	detect := r.spec.Detect && r.dec.StackDepth() == 0
	r.detected.object = r.detected.object || detect
	if _, err := r.token('{'); err != nil {
		return err
	}
	var entered *node
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
		}
		if place.on() && place == entered {
			r.fault = repeated(r.clean(item.Unquote(name)))
			place = nil
		}
		if place.on() {
			entered = place
		}
		if err := r.memberValue(n, place, name, detect); err != nil {
			return err
		}
	}
}

// memberValue reads the value of a member of the object at n. The value is at place; n and place may be nil.
func (r *bodyReading) memberValue(n, place *node, name []byte, detect bool) error {
	// What is read next overwrites the text of the name.
	notable, mayBe := "", r.mayBeNotable(n, place)
	if mayBe && r.spec.Notable(name) {
		notable = item.Unquote(name)
	}
	isOnWay := n.on() && !place.on()
	isAround := isOnWay && len(r.page.Beside.Members) < notableMost
	isWanted := mayBe || detect
	if isWanted || isAround {
		r.name = append(r.name[:0], name...)
	}
	around := len(r.page.Beside.Members)
	if isAround {
		member := Member{Name: xxhash.Sum64(name)}
		r.page.Beside.Members = append(withRoom(r.page.Beside.Members), member)
	}
	if r.wantsName(n) {
		r.page.Beside.Names = append(r.page.Beside.Names, r.dotted(r.dec.StackPointer()))
	}
	kind, err := r.next()
	if err != nil {
		return err
	}
	isContainer := kind == '{' || kind == '['
	if isAround && isContainer {
		r.says(around, opening)
	}
	from := r.page.Bytes
	switch {
	case detect && r.detected.selects(r.name, kind):
		return r.selection(kind, place)
	case notable != "":
		err = r.keepNotable(kind, place, notable)
	case mayBe && r.mayBeTelling(kind):
		err = r.keepTelling(kind, place)
	default:
		err = r.value(kind, place)
	}
	isScalar := !isContainer && err == nil
	if detect && isScalar {
		r.detected.scalar(r.name, r.text)
	}
	if isAround && isScalar {
		r.page.Beside.Members[around].Value = xxhash.Sum64(r.text)
		r.says(around, r.text)
	}
	if isAround && isContainer {
		r.page.Beside.Members[around].Hollow = r.page.Bytes-from == int64(len("[]"))
	}
	return err
}

func (r *bodyReading) array(n *node) error {
	if _, err := r.token('['); err != nil {
		return err
	}
	var noticed *Array
	for i := 0; ; i++ {
		kind, err := r.next()
		if err == nil && kind == ']' {
			if i == 0 {
				r.noElements(n)
			}
			noticed.has(i)
			_, err := r.token(kind)
			return err
		}
		if i == 0 {
			noticed = r.noticeArray()
		}
		if err == nil {
			err = r.value(kind, n.element(i))
		}
		if err != nil {
			return err
		}
	}
}

// noElements says of an empty array that its items are not missing, if each of its elements would lead to some.
func (r *bodyReading) noElements(n *node) {
	if r.page.Selected != 0 || !n.on() {
		return
	}
	if n.each().on() {
		r.page.Selected = '['
	}
}

// item adds an item that the decoder has read.
func (r *bodyReading) item(raw []byte, n *node) error {
	r.top.Forget()
	return r.add(raw, false, n)
}

// add adds an item to the page, which is compact if Compact would leave it as it is.
func (r *bodyReading) add(raw []byte, compact bool, n *node) error {
	if int64(len(raw)) > r.body.limit {
		return r.tooLong(raw)
	}
	// What Compact wants, and the line break.
	const extra = 8
	p := r.page
	b, err := p.store.room(len(raw) + extra)
	if err != nil {
		return err
	}
	begin := len(b.Text)
	replaced := 0
	if compact {
		b.Text = append(b.Text, raw...)
	} else {
		b.Text, replaced = item.Compact(b.Text, raw)
		r.top.Compacted(replaced)
	}
	b.Text = append(b.Text, '\n')
	b.Items++
	end := len(b.Text) - 1
	text := b.Text[begin:end:end]

	r.tail.last = text
	r.countItem(text)
	p.Replaced += replaced
	r.found(n, text)
	err = r.each(text)
	//nolint:errorlint // it is not wrapped
	if err == ErrLeftOut {
		p.LeftOut++
		b.Text = b.Text[:begin]
		b.Items--
		return nil
	}
	p.store.count(text)
	return err
}

// each shows an item to who wants to see it.
func (r *bodyReading) each(text []byte) error {
	if r.spec.Each == nil {
		return nil
	}
	return r.spec.Each(text)
}

// captured reads an object or array by read, and keeps it if it is wanted.
func (r *bodyReading) captured(n *node, read func(*node) error) error {
	if n == nil || len(n.wants) == 0 {
		return read(n)
	}
	text, err := r.capture(func() error { return read(n) })
	r.keep(n, text)
	return err
}

// capture returns the compact text of what is read, of a long one the beginning. It is valid until more is
// captured.
func (r *bodyReading) capture(read func() error) (text []byte, err error) {
	last := len(r.captures)
	r.captures = slices.Grow(r.captures, 1)[:last+1]
	r.captures[last] = r.captures[last][:0]
	err = read()
	text = r.captures[last]
	r.captures = r.captures[:last]
	return text, err
}

// keep enters a value as what is wanted at n, or what stands for one that is too long.
func (r *bodyReading) keep(n *node, text []byte) {
	var value jsontext.Value
	switch {
	case len(text) > keptWhole && text[0] == '{':
		value = jsontext.Value(`{"":null}`)
	case len(text) > keptWhole && text[0] == '[':
		value = jsontext.Value(`[null]`)
	default:
		value = slices.Clone(jsontext.Value(text))
	}
	for _, w := range n.wants {
		r.page.Wanted[w] = value
	}
}

// found keeps what is wanted of the compact text of a whole value.
func (r *bodyReading) found(n *node, text []byte) {
	if n == nil {
		return
	}
	if len(n.wants) > 0 {
		r.keep(n, text)
	}
	if len(n.below) == 0 {
		return
	}
	look := item.Looker(text, len(n.below))
	for _, b := range n.below {
		if value := look(item.Path{b.step}); value != nil {
			r.found(b, value)
		}
	}
}

// forget drops what was found at n and below: of a repeated key the last one counts.
func (r *bodyReading) forget(n *node) {
	for _, w := range n.wants {
		r.page.Wanted[w] = nil
	}
	for _, b := range n.below {
		r.forget(b)
	}
}
