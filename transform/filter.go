package transform

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Filter makes strings of the values at some paths of an item (responseFilter of a
// job): a string holds the compact JSON text of what stood there. It is immutable and
// safe for concurrent use.
type Filter struct { // of a value, and of the values in it that paths lead through
	name    string    // of the member whose value it is
	members []*Filter // few: they are searched one by one
	each    *Filter   // for the elements of an array, or nil
	whole   bool      // a path ends here
	scalars bool      // scalars become strings too
}

// NewFilter compiles paths whose steps are separated by delimiter, "." if it is
// empty (responseFilterDelimiter). A step is the name of a member; each [] after
// a name stands for all elements of the array there, and nothing else enters an
// array. The delimiter alone is the whole item. Paths are applied one after the
// other: what lies below an earlier one is text by then. Without scalars only arrays
// and objects become strings.
func NewFilter(paths []string, delimiter string, scalars bool) *Filter {
	if delimiter == "" {
		delimiter = "."
	}
	f := &Filter{scalars: scalars}
	for _, path := range paths {
		f.add(item.ParsePath(path, delimiter))
	}
	return f
}

// add goes the way of path, and makes it where there is none yet.
func (f *Filter) add(path item.Path) {
	for _, step := range path {
		name := step
		for strings.HasSuffix(name, "[]") {
			name = strings.TrimSuffix(name, "[]")
		}
		f = f.member(name)
		for range (len(step) - len(name)) / len("[]") {
			f = f.elements()
		}
	}
	f.whole = true
}

func (f *Filter) member(name string) *Filter {
	if m := f.named(item.Quote(name)); m != nil {
		return m
	}
	m := &Filter{name: name, scalars: f.scalars}
	if !f.whole { // else nothing is below: an earlier path made text of it
		f.members = append(f.members, m)
	}
	return m
}

func (f *Filter) elements() *Filter {
	if f.each == nil && !f.whole {
		f.each = &Filter{scalars: f.scalars}
	}
	return cmp.Or(f.each, &Filter{})
}

// Append appends value, which is not changed, with the strings. Paths that lead
// nowhere are ignored, and all other bytes are kept. A repeated name is followed each time. A nil filter changes nothing.
func (f *Filter) Append(dst, value []byte) []byte {
	kind := item.Kind(value)
	scalar := kind != '{' && kind != '['
	switch {
	case f == nil || scalar && !(f.whole && f.scalars):
		return append(dst, value...)
	case !f.whole:
		return f.inside(dst, kind, value)
	case !scalar && (len(f.members) > 0 || f.each != nil):
		value = f.inside(nil, kind, value)
	}
	dst, _ = jsontext.AppendQuote(dst, value) // the error only tells of U+FFFD
	return dst
}

// inside appends an object or array with the strings that are below it.
func (f *Filter) inside(dst []byte, kind byte, value []byte) []byte {
	dst = append(dst, kind)
	for name, v := range item.Members(value) {
		dst = append(f.named(name).Append(append(append(dst, name...), ':'), v), ',')
	}
	for element := range item.Elements(value) {
		dst = append(f.each.Append(dst, element), ',')
	}
	return append(bytes.TrimSuffix(dst, []byte{','}), kind+2) // the closing brace or bracket
}

// named returns the member of that quoted name, or nil.
func (f *Filter) named(quoted []byte) *Filter {
	for _, m := range f.members {
		if item.NameIs(quoted, m.name) {
			return m
		}
	}
	return nil
}
