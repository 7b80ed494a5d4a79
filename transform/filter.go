package transform

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// MemberTexts makes JSON text of the values at some paths of an item (responseFilter): it has what is done with one
// value, and with those in it that paths lead through. It is safe for concurrent use.
type MemberTexts struct {
	// Of the member whose value it is.
	name string

	// It is for the elements of an array instead.
	element bool

	inner []*MemberTexts

	// Those of inner that are for members, where inner has many.
	named map[string]*MemberTexts

	// A path ends here.
	whole bool

	// Scalars become strings too.
	scalars bool
}

// NewFilter compiles paths whose steps are separated by delimiter, "." if it is empty. A step is the name of a
// member; each [] after it stands for all elements of the array there. Paths are applied one after the other:
// what lies below an earlier one is text by then. Without scalars only arrays and objects become strings.
func NewFilter(paths []string, delimiter string, scalars bool) *MemberTexts {
	f := &MemberTexts{scalars: scalars}
	for _, path := range paths {
		f.add(item.ParsePath(path, cmp.Or(delimiter, ".")))
	}
	return f
}

// add follows path, and creates the filters on it that do not exist yet.
func (f *MemberTexts) add(path item.Path) {
	for _, step := range path {
		name := step
		for strings.HasSuffix(name, "[]") {
			name = strings.TrimSuffix(name, "[]")
		}
		f = f.enter(item.Quote(name))
		for range (len(step) - len(name)) / len("[]") {
			f = f.enter(nil)
		}
	}
	f.whole = true
}

// enter returns the filter of a member, or of the elements, and creates it if it does not exist yet.
func (f *MemberTexts) enter(quoted []byte) *MemberTexts {
	in := f.in(quoted)
	if in == nil {
		in = &MemberTexts{name: item.Unquote(quoted), element: quoted == nil, scalars: f.scalars}
		// If f is whole, an earlier path has made a string of the value, so nothing lies below it.
		if !f.whole {
			f.inner = append(f.inner, in)
			f.index(in)
		}
	}
	return in
}

// index enters the filter that was added last into the index by name, which exists if there are many.
func (f *MemberTexts) index(last *MemberTexts) {
	fresh := []*MemberTexts{last}
	if len(f.inner) <= few {
		return
	}
	if f.named == nil {
		f.named = map[string]*MemberTexts{}
		fresh = f.inner
	}
	for _, in := range fresh {
		if !in.element {
			f.named[in.name] = in
		}
	}
}

// Append appends value with the strings. Paths that lead nowhere are ignored. A nil filter changes nothing.
func (f *MemberTexts) Append(dst, value []byte) []byte {
	kind := item.Kind(value)
	scalar := kind != '{' && kind != '['
	switch {
	case f == nil:
		return append(dst, value...)
	case scalar && !f.encodesScalars():
		return append(dst, value...)
	case !f.whole:
		return f.inside(dst, kind, value)
	case !scalar && len(f.inner) > 0:
		value = f.inside(nil, kind, value)
	}
	// The error only tells of U+FFFD.
	dst, _ = jsontext.AppendQuote(dst, value)
	return dst
}

// encodesScalars tells whether a scalar here becomes a string too.
func (f *MemberTexts) encodesScalars() bool { return f.whole && f.scalars }

// inside appends an object or array with the strings that are below it.
func (f *MemberTexts) inside(dst []byte, kind byte, value []byte) []byte {
	dst = append(dst, kind)
	for name, v := range item.Members(value) {
		dst = append(dst, name...)
		dst = append(dst, ':')
		dst = f.in(name).Append(dst, v)
		dst = append(dst, ',')
	}
	for element := range item.Elements(value) {
		dst = f.in(nil).Append(dst, element)
		dst = append(dst, ',')
	}
	// In ASCII, } is two after {, and ] is two after [.
	return append(bytes.TrimSuffix(dst, []byte{','}), kind+2)
}

// in returns the filter of the member of that quoted name, or, of nil, that of the elements; nil if there is
// none.
func (f *MemberTexts) in(quoted []byte) *MemberTexts {
	if f.named != nil && quoted != nil {
		return f.named[item.Unquote(quoted)]
	}
	for _, inner := range f.inner {
		if inner.is(quoted) {
			return inner
		}
	}
	return nil
}

// is tells whether the filter is for the member of that quoted name, or, of nil, for elements.
func (f *MemberTexts) is(quoted []byte) bool {
	if quoted == nil || f.element {
		return quoted == nil && f.element
	}
	return item.NameIs(quoted, f.name)
}
