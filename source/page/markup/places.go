package markup

import (
	"bytes"
	"slices"
	"strings"
)

// IsName tells whether a text is a name of an element as paths have it: with one prefix at most.
func IsName(text string) bool {
	prefix, local, hasPrefix := strings.Cut(text, ":")
	return isName([]byte(prefix)) && (!hasPrefix || isName([]byte(local)))
}

// IsPrefix tells whether a text can be the prefix of names.
func IsPrefix(text string) bool { return isName([]byte(text)) }

// Begins tells whether a text may be a document of XML: by its first character that is not white space.
func Begins(text []byte) bool {
	return family(text) != "" || len(text) > 0 && text[0] == '<'
}

// IsHTML tells whether a text that begins as a document is HTML: by its first element or its document type.
func IsHTML(text []byte) bool {
	const most = 1 << 10
	begin := bytes.ToLower(text[:min(len(text), most)])
	return bytes.Contains(begin, []byte("<html")) || bytes.Contains(begin, []byte("<!doctype html"))
}

// An ItemsPlace is where the items of a document may be.
type ItemsPlace struct {
	Way []string

	// How many elements are there, as far as was looked.
	Count int
}

const (
	placesMost = 2
	// Different ways that are followed.
	waysMost = 1000
	// Elements within each other on a way.
	wayLongest = 16
)

// Places are the ways to what may be the items of a document, of which the beginning is known: the likeliest first.
func Places(begin []byte) []ItemsPlace {
	text, isOther, err := decode(bytes.NewReader(begin), bytes.HasPrefix(begin, []byte("\ufeff")))
	if err != nil {
		return nil
	}
	l := placeFinder{ways: map[string]*elementPath{}}
	l.s.reset(text, len(begin)+1)
	l.names.reset(&Options{})
	if l.s.head(isOther) != nil {
		return nil
	}
	for l.next() {
		continue
	}
	return l.places()
}

// A placeFinder looks in the beginning of a document for places where items may be.
type placeFinder struct {
	s     scanner
	names nameTable
	text  []byte
	open  []*elementPath
	ways  map[string]*elementPath
}

// An elementPath leads to elements of a document.
type elementPath struct {
	names []string
	in    *elementPath

	// Elements in all; in the element above at hand, and the most in one; bytes of what they have.
	count, here, most, bytes int

	// They have elements, or attributes.
	holds, parent bool
}

// next looks at another tag; false: there is none that can be read.
func (l *placeFinder) next() bool {
	text, _, err := l.s.text(l.text[:0], len(l.s.buf)+maxHead)
	l.text = text[:0]
	if err != nil {
		return false
	}
	for _, w := range l.open {
		w.bytes += len(text)
	}
	t, isEmpty, err := l.s.next()
	if err != nil || t == noTag {
		return false
	}
	if t == endTag {
		l.open = l.open[:len(l.open)-1]
		return true
	}
	_, local, hasPrefix := bytes.Cut(l.s.name, []byte(":"))
	if !hasPrefix {
		local = l.s.name
	}
	w := l.enter(string(local))
	if w == nil {
		return false
	}
	for _, a := range l.s.attributes {
		w.bytes += len(a.value)
		w.parent = true
	}
	if !isEmpty {
		l.open = append(l.open, w)
	}
	return true
}

// enter counts an element; nil: there are too many ways.
func (l *placeFinder) enter(name string) *elementPath {
	var in *elementPath
	var names []string
	if last := len(l.open) - 1; last >= 0 {
		in = l.open[last]
		in.parent, in.holds = true, true
		names = in.names
	}
	names = append(names[:len(names):len(names)], name)
	key := strings.Join(names, "\x00")
	w := l.ways[key]
	if w == nil {
		if len(l.ways) == waysMost || len(names) > wayLongest {
			return nil
		}
		w = &elementPath{names: names, in: in}
		l.ways[key] = w
	}
	for _, other := range l.ways {
		if other.in == w {
			other.here = 0
		}
	}
	w.count++
	w.here++
	w.most = max(w.most, w.here)
	return w
}

// places are the ways to elements of which there are several in one, and below no other such: those that have elements, and the longest first. If there
// are none, those to the deepest element that has others.
func (l *placeFinder) places() (all []ItemsPlace) {
	var found []*elementPath
	for _, w := range l.ways {
		if w.most > 1 && !w.isBelow() && w.parent {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		for _, w := range l.ways {
			if w.parent && w.in != nil && !w.isBelow() {
				found = append(found, w)
			}
		}
	}
	slices.SortFunc(found, func(a, b *elementPath) int {
		if a.holds != b.holds {
			return map[bool]int{true: -1, false: 1}[a.holds]
		}
		if a.bytes != b.bytes {
			return b.bytes - a.bytes
		}
		return strings.Compare(strings.Join(a.names, "."), strings.Join(b.names, "."))
	})
	for _, w := range found[:min(len(found), placesMost)] {
		all = append(all, ItemsPlace{w.names, w.count})
	}
	return all
}

// isBelow tells whether there are several of an element that the way leads through.
func (w *elementPath) isBelow() bool {
	for in := w.in; in != nil; in = in.in {
		if in.most > 1 {
			return true
		}
	}
	return false
}
