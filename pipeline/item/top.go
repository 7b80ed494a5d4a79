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
}

// begin is told that an object is checked; of nil it returns nil, as where none is looked for.
func (t *Top) begin() *Top {
	if t == nil {
		return nil
	}
	t.Value = nil
	t.Known = t.Name != nil
	if !t.Known {
		return nil
	}
	return t
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
}
