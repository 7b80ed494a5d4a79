package page

import (
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
	arraysMet = 3
	// Arrays that an error names.
	arraysNamed = 10
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

// fault says why the array cannot be known, if so; clean makes names fit to be shown.
func (d *detection) fault(clean func(string) string) *Error {
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

// noticeArray remembers where an array with elements is, which may be meant: one in no other array.
func (r *reading) noticeArray() {
	if len(r.page.Beside.Arrays) == arraysMet {
		return
	}
	for depth := range r.dec.StackDepth() - 1 {
		if in, _ := r.dec.StackIndex(depth + 1); in == '[' {
			return
		}
	}
	if place := r.dotted(r.dec.StackPointer()); place != "" {
		r.page.Beside.Arrays = append(r.page.Beside.Arrays, place)
	}
}
