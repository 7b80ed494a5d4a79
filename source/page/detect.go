package page

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// Memory must not grow with what is not selected.
const (
	// Members that are compared with the array by name.
	namesRemembered = 4096
	// Arrays that are remembered since they may be meant.
	arraysMet = 10
	// Arrays that an error names.
	arraysNamed = 10
	// Bytes of a scalar that may stand where items should be.
	longestScalar = 4 << 10
)

// detection finds the one array among the members of the response: several are an error.
type detection struct {
	// The response is an object.
	object bool

	// Hashes of the names before the first array, of the first ones.
	names []uint64

	// Of the first array: the hash of its name, and whether another member has it too.
	first    uint64
	repeated bool

	// Names of the first arrays.
	arrays []string

	// The first members that are scalars, while there is no array.
	scalars []item.Found

	// Kinds of the first elements of the array that was read last, one more than an envelope has; 0: there is none.
	elements [3]byte
}

// element enters an element of an array of items.
func (d *detection) element(index int, raw []byte) { d.elements[index] = item.Kind(raw) }

// mayBeEnvelope tells whether the elements may be an object that describes the items, and these.
func (d *detection) mayBeEnvelope() bool {
	kinds := string(d.elements[:])
	return kinds == "{[\x00" || kinds == "{n\x00"
}

// scalar remembers the text of a member of that quoted name.
func (d *detection) scalar(name, text []byte) {
	mayBeAsked := len(d.arrays) == 0 && len(d.scalars) < notableMost
	isShort := len(text) <= longestScalar
	if mayBeAsked && isShort && !isNoItem(text) {
		found := item.Found{Path: item.Path{item.Unquote(name)}, Value: bytes.Clone(text)}
		d.scalars = append(d.scalars, found)
	}
}

// selects is told a member's quoted name and the kind of its value, and tells whether that is the items' array.
func (d *detection) selects(name []byte, kind jsontext.Kind) bool {
	hash := hashOf(name)
	isFirst := len(d.arrays) == 0 && kind == '['
	switch {
	case isFirst:
		d.first = hash
		d.repeated = slices.Contains(d.names, hash)
	case len(d.arrays) > 0:
		d.repeated = d.repeated || hash == d.first
	case len(d.names) < namesRemembered:
		d.names = append(withRoom(d.names), hash)
	}
	if kind == '[' && len(d.arrays) <= arraysNamed {
		d.arrays = append(d.arrays, item.Unquote(name))
	}
	return isFirst
}

// hashOf is the hash of what a quoted name says.
func hashOf(quoted []byte) uint64 {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return xxhash.Sum64(quoted[1 : len(quoted)-1])
	}
	return xxhash.Sum64String(item.Unquote(quoted))
}

// fault says why the array cannot be known, if so; clean makes names fit to be shown, and detect tells that the
// array was looked for.
func (d *detection) fault(clean func(string) string, detect bool) *Error {
	if detect && !d.object && d.mayBeEnvelope() {
		e := judgement("the response is an object and an array in an array")
		e.Remedy = `: if the items are those of the inner one, write "dataField": "1"; if both are items, "."`
		return e
	}
	if len(d.arrays) == 0 {
		return nil
	}
	if len(d.arrays) == 1 && !d.repeated {
		return nil
	}
	names := slices.Compact(slices.Sorted(slices.Values(d.arrays)))
	if len(names) == 1 {
		return repeated(clean(names[0]))
	}
	for i, name := range names {
		names[i] = strconv.Quote(clean(name))
	}
	if len(names) > arraysNamed {
		names[arraysNamed] = "…"
	}
	return judgement("the response has several arrays (%s): set dataField to the one that holds the items",
		strings.Join(names, ", "))
}

// repeated is the error about a member that is on the way to the items twice.
func repeated(name string) *Error {
	return judgement("the response has the member %q more than once, and it leads to the items: "+
		"which one is meant cannot be known", name)
}

// isNoItem tells whether a value in the place of the items is none: null, false, zero or "".
func isNoItem(raw []byte) bool {
	if item.Kind(raw) == '{' || string(raw) == `"0"` {
		return false
	}
	return !item.True(raw)
}
