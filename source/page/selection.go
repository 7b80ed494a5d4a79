package page

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// selection reads the value that holds the items: an array of them, or one; n may be nil.
func (r *bodyReading) selection(kind jsontext.Kind, n *node) error {
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
func (r *bodyReading) noItem(raw []byte, n *node) (text []byte, err error) {
	text, err = r.scalar(raw)
	if err == nil {
		r.found(n, text)
	}
	return text, err
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
func (r *bodyReading) isStray(kind jsontext.Kind) bool {
	if kind == '{' || r.spec.Scalar {
		return false
	}
	steps := r.spec.Select
	isElement := len(steps) > 0 && steps[len(steps)-1] == Every
	return !isElement
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

// judgeAlone says what a scalar in the place of the items is: an item if the response has nothing else.
func (r *bodyReading) judgeAlone() {
	if r.alone == nil {
		return
	}
	if len(r.page.Beside.Members) > 0 {
		r.stray(r.spec.Field, r.alone)
		return
	}
	r.page.Alone = r.clean(string(r.alone))
}

// stray says that a scalar is no item; path leads to it.
func (r *bodyReading) stray(path string, text []byte) {
	if r.fault != nil {
		return
	}
	name := r.clean(path)
	switch {
	case path == "." && r.spec.Format.Lines():
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
func (r *bodyReading) noMap(kind jsontext.Kind) {
	if r.spec.Members != "" {
		r.fault = judgement("the response has %s at %s, where members of dataField wants an object: "+
			"write the path alone", item.Noun(byte(kind)), r.clean(r.spec.Field))
	}
}

// all reads the array of items, or the object whose members are the items.
func (r *bodyReading) all(kind jsontext.Kind, n *node) error {
	if _, err := r.token(kind); err != nil {
		return err
	}
	// The brackets stand two apart.
	end := kind + 2
	begin, mayScan := r.dec.InputOffset(), kind == '[' && r.spec.Bare == nil
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
func (r *bodyReading) element(kind jsontext.Kind, i int, n *node) error {
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
func (r *bodyReading) entry(quoted []byte, n *node) (raw []byte, place *node, err error) {
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
		r.fault = judgement("the item %s has a member %q itself: give members of dataField another name",
			r.clean(string(name)), r.spec.Members)
	}
	return slices.Concat(begin, []byte{','}, value[1:])
}
