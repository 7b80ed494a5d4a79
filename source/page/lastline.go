package page

import (
	"bytes"
	"slices"

	"sluice/pipeline/item"
)

// A lastLineCheck looks at whether the last of several lines is like those before it.
// An API that fails in the middle of its answer can say so only there: ClickHouse writes {"exception": …}. Only lines that begin with another member
// than the first one are looked at.
type lastLineCheck struct {
	// The first line, compact; nil: there is nothing to compare with.
	first []byte

	// Of its members; nil: they were not wanted so far.
	names map[string]bool

	// How it begins as it came, its first name included.
	begin []byte

	// The item that was read last, until the next one overwrites it.
	last []byte

	lines int

	// The last line is an object none of whose names the first line has, nor the one before it.
	isOdd bool

	// How many were so.
	odd int
}

const (
	// Names of a line that are compared.
	namesCompared = 256

	// Odd lines after which they are nothing odd.
	oddMost = 8
)

// see takes a line, before it is the last item.
func (t *lastLineCheck) see(line []byte, compact bool) {
	t.lines++
	switch {
	case t.lines == 1:
		t.begins(line)
	case t.first == nil:
	case bytes.HasPrefix(line, t.begin):
		t.isOdd = false
	case t.lines > 2:
		t.isOdd = t.isUnlike(line, compact)
		if t.isOdd {
			t.odd++
		}
		if t.odd > oddMost {
			t.first, t.isOdd = nil, false
		}
	}
}

// begins takes the first line, unless it is long.
func (t *lastLineCheck) begins(line []byte) {
	name := bytes.IndexByte(line, '"')
	isObject := item.Kind(line) == '{' && name > 0
	if !isObject || len(line) > keptWhole {
		return
	}
	t.first, _ = item.Compact(nil, line)
	t.begin = slices.Clone(line[:name+item.Size(line[name:])])
}

// isUnlike tells whether a line shares no name with the first one and the one before it.
func (t *lastLineCheck) isUnlike(line []byte, compact bool) bool {
	if item.Kind(line) != '{' || len(line) > keptWhole {
		return false
	}
	if !compact {
		line, _ = item.Compact(nil, line)
	}
	if t.names == nil {
		t.names = map[string]bool{}
		for name := range item.Members(t.first) {
			t.names[string(name)] = true
		}
	}
	names := 0
	for name := range item.Members(line) {
		names++
		if t.names[string(name)] || names > namesCompared {
			return false
		}
	}
	return names > 0 && len(t.names) > 1 && !isLike(t.last, line)
}

// isLike tells whether an object shares a name with another one, or has too few to tell.
func isLike(object, other []byte) bool {
	names := 0
	for name := range item.Members(object) {
		names++
		for another := range item.Members(other) {
			if bytes.Equal(name, another) {
				return true
			}
		}
	}
	return names < 2
}
