package item

import "bytes"

// A Top is a member that objects may have at their top. Who checks an object looks for it on the way.
type Top struct {
	// Quoted with the fewest escapes; nil: none is looked for.
	Name []byte

	// Known tells whether the object at hand was looked through, and so whether Value says something.
	Known bool

	// Of the first member of that name, a part of the object; nil: there is none.
	Value []byte

	// Told of all members; nil: that is not wanted.
	Columns *Columns
}

// begin is told that an object is checked; of nil it returns nil, as where none is looked for.
func (t *Top) begin() *Top {
	if t == nil {
		return nil
	}
	t.Value = nil
	t.Known = t.Name != nil
	t.Columns.begin()
	if !t.Known && t.Columns == nil {
		return nil
	}
	return t
}

// end is told that the value is valid; t may be nil.
func (t *Top) end() {
	if t != nil {
		t.Columns.know(true)
	}
}

// take is told of a member of the object, and tells whether it is the first of that name.
func (t *Top) take(quoted, value []byte) bool {
	if !t.is(quoted) {
		return false
	}
	t.Value = value
	return true
}

// is tells whether a quoted name is the one. Of names with other escapes that is not known.
func (t *Top) is(quoted []byte) bool {
	if bytes.Equal(quoted, t.Name) {
		return true
	}
	if bytes.IndexByte(quoted, '\\') >= 0 {
		t.Known = false
	}
	return false
}

// Forget is for an object that nobody looked through; t may be nil.
func (t *Top) Forget() {
	if t != nil {
		t.Known = false
		t.Columns.know(false)
	}
}

// Compacted is for an object that [Compact] changed, and in which it mended so many bytes: a text or a number
// is still what it was if these are none. t may be nil.
func (t *Top) Compacted(mended int) {
	if t == nil {
		return
	}
	kind := Kind(t.Value)
	isChanged := mended > 0 || kind == '{' || kind == '['
	t.Known = t.Known && !isChanged
	if mended > 0 {
		// A name may be another one.
		t.Columns.know(false)
	}
}
