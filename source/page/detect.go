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

	// Of the member at hand, quoted.
	name []byte

	// How often the first names were there, by their hashes.
	names map[uint64]int

	// Names of the first arrays.
	arrays []string

	// The first members that are scalars, while there is no array.
	scalars []item.Found

	// Kinds of the first elements of the array that was read last; 0: there is none.
	elements [envelopeElements + 1]byte
}

// What an envelope that is an array has: an object that describes the items, and their array or null.
const (
	envelope         = "0"
	envelopeItems    = "1"
	envelopeElements = 2
)

// enveloped tells whether the items are those of an envelope that is an array.
func (s *Spec) enveloped() bool { return len(s.Select) == 1 && s.Select[0] == envelopeItems }

// element enters an element of an array of items.
func (d *detection) element(index int, raw []byte) { d.elements[index] = item.Kind(raw) }

// mayBeEnvelope tells whether the elements may be an object that describes the items, and these.
func (d *detection) mayBeEnvelope() bool {
	kinds := string(d.elements[:])
	return kinds == "{[\x00" || kinds == "{n\x00"
}

// scalar remembers the text of the member at hand.
func (d *detection) scalar(text []byte) {
	mayBeAsked := len(d.arrays) == 0 && len(d.scalars) < notableMost
	isShort := len(text) <= longestScalar
	mayBeItem := isShort && !isNoItem(text)
	if mayBeAsked && mayBeItem {
		found := item.Found{Path: item.Path{item.Unquote(d.name)}, Value: bytes.Clone(text)}
		d.scalars = append(d.scalars, found)
	}
}

// selects is told the kind of the member's value, and tells whether that is the items' array.
func (d *detection) selects(kind jsontext.Kind) bool {
	name := item.Unquote(d.name)
	hash := xxhash.Sum64String(name)
	if d.names == nil {
		d.names = map[uint64]int{}
	}
	if len(d.names) < namesRemembered || d.names[hash] > 0 {
		d.names[hash]++
	}
	if kind != '[' || len(d.arrays) > arraysNamed {
		return false
	}
	d.arrays = append(d.arrays, name)
	return len(d.arrays) == 1
}

// fault says why the array cannot be known, if so; clean makes names fit to be shown, and detect tells that the
// array was looked for.
func (d *detection) fault(clean func(string) string, detect bool) *Error {
	isList := detect && !d.object
	if isList && d.mayBeEnvelope() {
		e := judgement("the response is an object and an array in an array")
		e.Remedy = `: if the items are those of the inner one, write "dataField": "1"; if both are items, "."`
		return e
	}
	if len(d.arrays) == 0 {
		return nil
	}
	isOnce := d.names[xxhash.Sum64String(d.arrays[0])] < 2
	if len(d.arrays) == 1 && isOnce {
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

// noticeArray remembers where an array with elements is, which may be meant: one in no other array. It is nil
// if it is not remembered.
func (r *reading) noticeArray() *Array {
	if len(r.places) == arraysMet {
		return nil
	}
	for depth := range r.dec.StackDepth() - 1 {
		if in, _ := r.dec.StackIndex(depth + 1); in == '[' {
			return nil
		}
	}
	place := r.dec.StackPointer()
	if place == "" {
		return nil
	}
	at := slices.Index(r.places, place)
	if at < 0 {
		at = len(r.places)
		r.places = append(r.places, place)
		r.page.Beside.Arrays = append(r.page.Beside.Arrays, Array{Path: r.dotted(place)})
	}
	return &r.page.Beside.Arrays[at]
}

// has enters how many elements an array has, which may be nil.
func (a *Array) has(elements int) {
	if a != nil {
		a.Items = max(a.Items, elements)
	}
}
