package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

const (
	// Memory must not grow with what is not selected.
	namesRemembered = 4096 // members before the array that are compared with its name
	arraysMet       = 3    // arrays that are remembered since they may be meant
	arraysNamed     = 10   // arrays that an error names
)

// detection finds the one array among the members of the response (docs/decisions.md,
// section 5, rule 3).
type detection struct {
	object bool     // the response is an object
	name   []byte   // of the member at hand, quoted
	before []uint64 // hashes of the names before the first array
	arrays []string // names of the arrays
	more   int      // arrays that are not in arrays
	twice  bool     // another member has the name of the first array
}

// selects is told the kind of the member's value, and tells whether that is the
// array with the items.
func (d *detection) selects(kind jsontext.Kind) bool {
	switch {
	case kind != '[' && len(d.arrays) > 0:
		d.twice = d.twice || item.NameIs(d.name, d.arrays[0])
	case kind != '[':
		if len(d.before) < namesRemembered {
			d.before = append(d.before, xxhash.Sum64String(item.Unquote(d.name)))
		}
	case len(d.arrays) >= arraysNamed:
		d.more++
	default:
		d.arrays = append(d.arrays, item.Unquote(d.name))
		d.twice = d.twice || slices.Contains(d.before, xxhash.Sum64String(d.arrays[0]))
		return len(d.arrays) == 1
	}
	return false
}

// field is what the warning about an empty page names.
func (d *detection) field() string {
	if len(d.arrays) == 0 {
		return "."
	}
	return d.arrays[0]
}

// fault says why the array with the items cannot be known, if so. clean makes
// names fit to be shown.
func (d *detection) fault(clean func(string) string) *Error {
	if len(d.arrays) == 0 {
		return nil
	}
	names := slices.Compact(slices.Sorted(slices.Values(d.arrays)))
	if len(names) == 1 {
		if d.twice || len(d.arrays) > 1 {
			return repeated(clean(d.arrays[0]))
		}
		return nil
	}
	for i, name := range names {
		names[i] = strconv.Quote(clean(name))
	}
	list := strings.Join(names, ", ")
	if d.more > 0 {
		list += fmt.Sprintf(" and %d more", d.more)
	}
	return judgement("the response has several arrays (%s): set dataField to the one that holds the items", list)
}

// repeated is the error about a member that is on the way to the items twice.
func repeated(name string) *Error {
	return judgement("the response has the member %q more than once, and it leads to the items: which one is meant cannot be known", name)
}

// noticeArray remembers where an array is that has elements and may be the one that is
// meant: one in another array is not.
func (r *reading) noticeArray() {
	if len(r.arrays) == arraysMet {
		return
	}
	for depth := range r.dec.StackDepth() - 1 {
		if in, _ := r.dec.StackIndex(depth + 1); in == '[' {
			return
		}
	}
	if place := r.dotted(r.dec.StackPointer()); place != "" {
		r.arrays = append(r.arrays, place)
	}
}
