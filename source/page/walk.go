package page

import (
	"bytes"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// value reads the value that next has announced as kind; n is its place, nil if it does not matter.
func (r *bodyReading) value(kind jsontext.Kind, n *wantedNode) error {
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
		// Without elements, an element of XML is an empty text.
		isAround := n.on() && r.dec.StackDepth() == len(r.spec.Select)-1
		r.page.Beside.Hollow = r.page.Beside.Hollow || isAround && string(text) == `""`
		r.found(n, text)
	}
	return err
}

// object reads an object; the outermost one is where arrays are detected.
func (r *bodyReading) object(n *wantedNode) error {
	detect := r.spec.Detect && r.dec.StackDepth() == 0
	r.detected.object = r.detected.object || detect
	if _, err := r.token('{'); err != nil {
		return err
	}
	var entered, every *wantedNode
	if r.spec.Objects && n.each().on() {
		every = n.each()
	}
	isAround := n.on() && r.dec.StackDepth() == len(r.spec.Select)
	isAbove := r.spec.With != nil && n.on()
	if isAbove {
		r.enter()
	}
	for isAny := false; ; {
		kind, err := r.next()
		if err != nil {
			return err
		}
		if !isAny && isAround && kind == '}' {
			r.page.Beside.Hollow = true
		}
		if isAbove && kind == '}' {
			if err := r.leave(); err != nil {
				return err
			}
		}
		name, err := r.token(kind)
		if err != nil || kind == '}' {
			if every != nil && !isAny {
				r.noElements(n)
			}
			return err
		}
		isAny = true
		place := n.member(name)
		if place != nil {
			r.forget(place)
		} else {
			place = every
		}
		if place.on() && place == entered && place != every {
			r.fault = repeated(r.clean(item.Unquote(name)))
			place = nil
		}
		if place.on() {
			entered = place
		}
		if isAbove && !place.on() && r.spec.With.reads(name) {
			err = r.readWith(name, func() error { return r.memberValue(n, place, name, detect) })
		} else {
			err = r.memberValue(n, place, name, detect)
		}
		if err != nil {
			return err
		}
	}
}

// memberValue reads the value of a member of the object at n. The value is at place; n and place may be nil.
func (r *bodyReading) memberValue(n, place *wantedNode, name []byte, detect bool) error {
	// What is read next overwrites the text of the name.
	notable, mayBe := "", r.mayBeNotable(n, place)
	if mayBe && r.spec.Notable(name) {
		notable = item.Unquote(name)
	}
	isOnWay := n.on() && !place.on()
	isAround := isOnWay && len(r.page.Beside.Members) < notableMost
	if mayBe || detect || isAround {
		r.name = append(r.name[:0], name...)
	}
	around := len(r.page.Beside.Members)
	if isAround {
		member := HashedMember{Name: xxhash.Sum64(name)}
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

func (r *bodyReading) array(n *wantedNode) error {
	if _, err := r.token('['); err != nil {
		return err
	}
	noticed := notNoticed
	for i := 0; ; i++ {
		kind, err := r.next()
		if err == nil && kind == ']' {
			if i == 0 {
				r.noElements(n)
			}
			if noticed != notNoticed {
				r.page.Beside.Arrays[noticed].has(i)
			}
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
func (r *bodyReading) noElements(n *wantedNode) {
	if r.page.Selected != 0 || !n.on() {
		return
	}
	if n.each().on() {
		r.page.Selected = '['
	}
}

// item adds an item that the decoder has read.
func (r *bodyReading) item(raw []byte, n *wantedNode) error {
	r.top.Forget()
	text, made := r.led(raw)
	err := r.add(text, made, n)
	if !made || err != nil {
		return err
	}
	return r.grown(len(r.lead), "the members that dataField.with names")
}

// add adds an item to the page, which is compact if Compact would leave it as it is.
func (r *bodyReading) add(raw []byte, compact bool, n *wantedNode) error {
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
func (r *bodyReading) captured(n *wantedNode, read func(*wantedNode) error) error {
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
func (r *bodyReading) keep(n *wantedNode, text []byte) {
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
func (r *bodyReading) found(n *wantedNode, text []byte) {
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
func (r *bodyReading) forget(n *wantedNode) {
	for _, w := range n.wants {
		r.page.Wanted[w] = nil
	}
	for _, b := range n.below {
		r.forget(b)
	}
}

// notNoticed is where an array stands that is not remembered.
const notNoticed = -1

// noticeArray remembers where an array with elements is, which may be meant: one in no other array, or in an element through
// which Select leads. It returns where it stands among the others, or [notNoticed].
func (r *bodyReading) noticeArray() int {
	if len(r.places) == arraysMet {
		return notNoticed
	}
	innermost := 0
	for depth := range r.dec.StackDepth() - 1 {
		if in, _ := r.dec.StackIndex(depth + 1); in == '[' {
			innermost = depth + 1
		}
	}
	if innermost > len(r.spec.Select) {
		return notNoticed
	}
	place := r.dec.StackPointer()
	if place == "" || !leadsAlong(place, r.spec.Select[:innermost]) {
		return notNoticed
	}
	at := slices.Index(r.places, place)
	if at < 0 {
		at = len(r.places)
		r.places = append(r.places, place)
		r.page.Beside.Arrays = append(r.page.Beside.Arrays, Array{Path: r.dotted(place)})
	}
	return at
}

// leadsAlong tells whether a place is at or below the path.
func leadsAlong(place jsontext.Pointer, path item.Path) bool {
	depth := 0
	for step := range place.Tokens() {
		if depth == len(path) {
			break
		}
		if step != path[depth] {
			return false
		}
		depth++
	}
	return depth == len(path)
}

// keepNotable reads the value of a notable member, and keeps it beside the items.
func (r *bodyReading) keepNotable(kind jsontext.Kind, n *wantedNode, name string) error {
	path := r.pathBeside(name)
	value, err := r.capture(func() error { return r.value(kind, n) })
	found := item.Found{Path: path, Value: slices.Clone(value)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return err
}

// keepTelling reads the value of the member that r.name names, and keeps it beside the items if it is telling.
func (r *bodyReading) keepTelling(kind jsontext.Kind, n *wantedNode) (err error) {
	var text []byte
	if kind == '[' || kind == '{' {
		text, err = r.capture(func() error { return r.value(kind, n) })
	} else {
		text, err = r.token(kind)
		if err == nil {
			r.found(n, text)
		}
	}
	if err != nil || len(text) > keptWhole || !r.spec.Telling(text) {
		return err
	}
	found := item.Found{Path: r.pathBeside(item.Unquote(r.name)), Value: slices.Clone(text)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return nil
}

// mayBeNotable tells whether a member of the object at n stands beside the way to the items, and may be kept.
func (r *bodyReading) mayBeNotable(n, place *wantedNode) bool {
	if !n.on() || place.on() {
		return false
	}
	return r.spec.Notable != nil && len(r.page.Beside.Notable) < notableMost
}

// wantsName tells whether the path of a member of the object at n is to be kept.
func (r *bodyReading) wantsName(n *wantedNode) bool {
	if !r.spec.Names || len(r.page.Beside.Names) >= namesMost {
		return false
	}
	return n.on() || n.hasBelow()
}

// tellingKinds are those of the values that may be telling.
var tellingKinds = []jsontext.Kind{'"', '[', '{', '0', 't'}

// mayBeTelling tells whether a value of the kind may be kept beside the items for what it is. Half of the room
// is left for what is kept by name.
func (r *bodyReading) mayBeTelling(kind jsontext.Kind) bool {
	hasRoom := len(r.page.Beside.Notable) < notableMost/2
	isKind := slices.Contains(tellingKinds, kind)
	return hasRoom && isKind && r.spec.Telling != nil
}

// pathBeside leads to the member at hand, which stands beside the way to the items.
func (r *bodyReading) pathBeside(name string) item.Path {
	path := slices.Concat(r.spec.Select[:r.dec.StackDepth()-1], item.Path{name})
	if r.spec.enveloped() {
		path[0] = envelope
	}
	return path
}

// says enters what a member around the items says, whose name is r.name.
func (r *bodyReading) says(around int, value []byte) {
	if r.spec.Says != nil {
		r.page.Beside.Members[around].Says = r.spec.Says(r.name, value)
	}
}

// opening stands for an object or an array.
var opening = []byte("{")

// json reads one document, which the body is the very text of.
func (r *bodyReading) json() error {
	if err := r.wide(); err != nil {
		return err
	}
	r.verbatim = true
	return r.response()
}

// response reads the one value that the decoder gets, or nothing.
func (r *bodyReading) response() error {
	kind, err := r.next()
	if r.atEnd(err) {
		r.page.Selected = 'n'
		return r.cut(false)
	}
	if err != nil {
		return err
	}
	r.page.Root = kind
	read := r.value
	if r.spec.Detect && kind == '[' {
		read = r.selection
	}
	if err := read(kind, r.spec.plan()); err != nil {
		return err
	}
	isNone := kind == 'n' || kind == '[' && r.page.Selected == 0 && r.page.Bytes == int64(len("[]"))
	switch {
	case isNone:
		r.page.Selected = 'n'
	case kind == '[', kind == '{':
	default:
		r.noContainer(kind)
	}
	rest := r.dec.UnreadBuffer()
	moreLines := len(bytes.TrimLeft(rest, "\r\n")) < len(rest)
	// Only the end of the body shows that nothing comes after.
	if r.dec.PeekKind() == 0 {
		if _, err := r.dec.ReadToken(); r.atEnd(err) {
			return nil
		}
		if cause := r.interrupted(); cause != nil {
			return cause
		}
	}
	e := judgement("invalid JSON: more text after the end of the document at byte %d", r.body.at())
	if moreLines {
		e.Format = `"ndjson"`
		e.Remedy = ": if each line is a JSON value, set the job's format to " + e.Format
	}
	return e
}

// noContainer says that no array of items can be found in the response.
func (r *bodyReading) noContainer(kind jsontext.Kind) {
	if r.spec.Detect {
		r.fault = judgement("the response is %s, neither an array nor an object", item.Noun(byte(kind)))
		r.fault.Remedy = `; if that is an item, write "dataField": ` + scalarField(".")
	}
}
