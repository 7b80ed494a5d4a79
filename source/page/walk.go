package page

import (
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// value reads the value that next has announced as kind; n is its place, nil if it does not matter.
func (r *reading) value(kind jsontext.Kind, n *node) error {
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
func (r *reading) object(n *node) error {
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
func (r *reading) memberValue(n, place *node, name []byte, detect bool) error {
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
	return err
}

// opening stands for an object or an array.
var opening = []byte("{")

// says enters what a member around the items says, whose name is r.name.
func (r *reading) says(around int, value []byte) {
	if r.spec.Says != nil {
		r.page.Beside.Members[around].Says = r.spec.Says(r.name, value)
	}
}

// mayBeNotable tells whether a member of the object at n stands beside the way to the items, and may be kept.
func (r *reading) mayBeNotable(n, place *node) bool {
	if !n.on() || place.on() {
		return false
	}
	return r.spec.Notable != nil && len(r.page.Beside.Notable) < notableMost
}

// wantsName tells whether the path of a member of the object at n is to be kept.
func (r *reading) wantsName(n *node) bool {
	if !r.spec.Names || len(r.page.Beside.Names) >= namesMost {
		return false
	}
	return n.on() || n.hasBelow()
}

// What is kept of the members around the items, and of the names that lead to them.
const (
	notableMost = 64
	namesMost   = 200
)

// keepNotable reads the value of a notable member, and keeps it beside the items.
func (r *reading) keepNotable(kind jsontext.Kind, n *node, name string) error {
	path := r.pathBeside(name)
	value, err := r.capture(func() error { return r.value(kind, n) })
	found := item.Found{Path: path, Value: slices.Clone(value)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return err
}

// withRoom gives a list its first room at once, which is enough for most pages.
func withRoom[T any](list []T) []T {
	const usual = 8
	if list == nil {
		return make([]T, 0, usual)
	}
	return list
}

// tellingKinds are those of the values that may be telling.
var tellingKinds = []jsontext.Kind{'"', '[', '{', '0', 't'}

// mayBeTelling tells whether a value of the kind may be kept beside the items for what it is. Half of the room
// is left for what is kept by name.
func (r *reading) mayBeTelling(kind jsontext.Kind) bool {
	hasRoom := len(r.page.Beside.Notable) < notableMost/2
	isKind := slices.Contains(tellingKinds, kind)
	return hasRoom && isKind && r.spec.Telling != nil
}

// keepTelling reads the value of the member that r.name names, and keeps it beside the items if it is telling.
func (r *reading) keepTelling(kind jsontext.Kind, n *node) (err error) {
	var text []byte
	isLong := kind == '[' || kind == '{'
	if isLong {
		text, err = r.capture(func() error { return r.value(kind, n) })
	} else {
		text, err = r.token(kind)
		if err == nil {
			r.found(n, text)
		}
	}
	isWhole := err == nil && len(text) <= keptWhole
	if !isWhole || !r.spec.Telling(text) {
		return err
	}
	found := item.Found{Path: r.pathBeside(item.Unquote(r.name)), Value: slices.Clone(text)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return nil
}

// pathBeside leads to the member at hand, which stands beside the way to the items.
func (r *reading) pathBeside(name string) item.Path {
	path := slices.Concat(r.spec.Select[:r.dec.StackDepth()-1], item.Path{name})
	if r.spec.enveloped() {
		path[0] = envelope
	}
	return path
}

func (r *reading) array(n *node) error {
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
func (r *reading) noElements(n *node) {
	if r.page.Selected != 0 || !n.on() {
		return
	}
	if n.each().on() {
		r.page.Selected = '['
	}
}

// selection reads the value that holds the items: an array of them, or one; n may be nil.
func (r *reading) selection(kind jsontext.Kind, n *node) error {
	many := slices.Contains(r.spec.Select, Every)
	if r.page.Selected != 0 && !many {
		r.fault = judgement("the response has %q both as the name of a member and as a path: "+
			"set delimiter in dataField to say which one leads to the items", r.clean(r.spec.Field))
		n = nil
	}
	isMap := kind == '{' && r.spec.Members != ""
	r.page.Selected = kind
	// There may be many items.
	if isMap || many {
		r.page.Selected = '['
	}
	if isMap || kind == '[' {
		return r.captured(n, func(n *node) error { return r.all(kind, n) })
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
	if r.spec.Format.lines() && r.dec.StackDepth() == 0 {
		raw, isCut = r.mayBeCut(raw)
	}
	isStray := r.isStray(kind) && !isCut
	if isNone {
		return r.noItem(raw, isNone, n)
	}
	if isStray && r.mayBeAll() {
		r.alone = slices.Clone(raw)
		return r.item(raw, n)
	}
	if isStray {
		return r.noItem(raw, isNone, n)
	}
	return r.item(raw, n)
}

// mayBeAll tells whether the value that was read last may be all that the response has: members of objects
// lead to it.
func (r *reading) mayBeAll() bool {
	depth := r.dec.StackDepth()
	if depth == 0 || r.spec.Format.lines() {
		return false
	}
	for i := 1; i <= depth; i++ {
		if kind, _ := r.dec.StackIndex(i); kind != '{' {
			return false
		}
	}
	return true
}

// judgeAlone says what a scalar in the place of the items is: an item if the response has nothing else.
func (r *reading) judgeAlone() {
	if r.alone == nil {
		return
	}
	if len(r.page.Beside.Members) > 0 {
		r.stray(r.spec.Field, r.alone)
		return
	}
	r.page.Alone = r.clean(string(r.alone))
}

// noItem takes a scalar in the place of the items that is none of them, which is a fault unless it says
// nothing.
func (r *reading) noItem(raw []byte, isNone bool, n *node) error {
	text, err := r.scalar(raw)
	if err != nil {
		return err
	}
	r.found(n, text)
	if !isNone {
		r.stray(r.spec.Field, text)
	}
	return nil
}

// isNoItem tells whether a value in the place of the items is none: null, false, zero or "".
func isNoItem(raw []byte) bool {
	if item.Kind(raw) == '{' || string(raw) == `"0"` {
		return false
	}
	return !item.True(raw)
}

// isStray tells whether a value of that kind, which stands alone in the place of
// the items, is no item, but such as the text of an error.
func (r *reading) isStray(kind jsontext.Kind) bool {
	if kind == '{' || r.spec.Scalar {
		return false
	}
	steps := r.spec.Select
	isElement := len(steps) > 0 && steps[len(steps)-1] == Every
	return !isElement
}

// stray says that a scalar is no item; path leads to it.
func (r *reading) stray(path string, text []byte) {
	if r.fault != nil {
		return
	}
	name := r.clean(path)
	switch {
	case path == "." && r.spec.Format.lines():
		name = "the line"
	case path == ".":
		name = "the answer"
	}
	r.fault = stray(name, r.clean(string(text)), r.clean(path))
}

// stray is the error about a scalar in the place of the items, to which path leads.
func stray(name, scalar, path string) *Error {
	e := judgement("%s is %s, where items should be", name, scalar)
	e.Remedy = `: if it is an item, write "dataField": ` + scalarField(path)
	return e
}

// scalarField is the dataField that makes an item of a scalar at a path.
func scalarField(path string) string {
	return fmt.Sprintf(`{"path": %s, "scalar": true}`, item.Quote(path))
}

// noMap says that what is there is no object whose members are items, if it should be.
func (r *reading) noMap(kind jsontext.Kind) {
	if r.spec.Members != "" {
		r.fault = judgement("the response has %s at %s, where members of dataField wants an object: "+
			"write the path alone", item.Noun(byte(kind)), r.clean(r.spec.Field))
	}
}

// all reads the array of items, or the object whose members are the items.
func (r *reading) all(kind jsontext.Kind, n *node) error {
	if _, err := r.token(kind); err != nil {
		return err
	}
	// The brackets stand two apart.
	end := kind + 2
	begin, mayScan := r.dec.InputOffset(), kind == '['
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
func (r *reading) element(kind jsontext.Kind, i int, n *node) error {
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
	if i < len(r.detected.elements) {
		r.detected.element(i, raw)
	}
	return r.item(raw, place)
}

// entry reads the value of a member of the object at n, and makes an item of it and its name, which is quoted.
func (r *reading) entry(quoted []byte, n *node) (raw []byte, place *node, err error) {
	name, _ := item.Compact(nil, quoted)
	value, err := r.dec.ReadValue()
	if err != nil {
		return nil, nil, err
	}
	return r.keyed(name, value), n.member(name), nil
}

// item adds an item that the decoder has read.
func (r *reading) item(raw []byte, n *node) error {
	r.spec.Top.Forget()
	return r.add(raw, false, n)
}

// add adds an item to the page, which is compact if Compact would leave it as it is.
func (r *reading) add(raw []byte, compact bool, n *node) error {
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
		r.spec.Top.Compacted(replaced)
	}
	b.Text = append(b.Text, '\n')
	b.Items++
	end := len(b.Text) - 1
	text := b.Text[begin:end:end]

	r.tail.last = text
	r.countItem(text)
	p.Replaced += replaced
	r.found(n, text)
	if r.spec.Each == nil {
		return nil
	}
	err = r.spec.Each(text)
	//nolint:errorlint // it is not wrapped
	if err == ErrNotOurs {
		p.NotOurs++
		b.Text = b.Text[:begin]
		b.Items--
		return nil
	}
	return err
}

// keyed makes an item of a member: its quoted name and its value.
func (r *reading) keyed(name, value []byte) []byte {
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
		r.fault = judgement("the item %s has a member %q itself: give members of dataField another name",
			r.clean(string(name)), r.spec.Members)
	}
	return slices.Concat(begin, []byte{','}, value[1:])
}

// captured reads an object or array by read, and keeps it if it is wanted.
func (r *reading) captured(n *node, read func(*node) error) error {
	if n == nil || len(n.wants) == 0 {
		return read(n)
	}
	text, err := r.capture(func() error { return read(n) })
	r.keep(n, text)
	return err
}

// capture returns the compact text of what is read, of a long one the beginning. It is valid until more is
// captured.
func (r *reading) capture(read func() error) (text []byte, err error) {
	last := len(r.captures)
	r.captures = slices.Grow(r.captures, 1)[:last+1]
	r.captures[last] = r.captures[last][:0]
	err = read()
	text = r.captures[last]
	r.captures = r.captures[:last]
	return text, err
}

// keep enters a value as what is wanted at n, or what stands for one that is too long.
func (r *reading) keep(n *node, text []byte) {
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
func (r *reading) found(n *node, text []byte) {
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
func (r *reading) forget(n *node) {
	for _, w := range n.wants {
		r.page.Wanted[w] = nil
	}
	for _, b := range n.below {
		r.forget(b)
	}
}
