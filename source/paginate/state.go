package paginate

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// State is where a walk stands between two pages. It is plain data, which can be
// kept to go on from there.
type State struct {
	Count
	// Started is the time of the walk's first request.
	Started time.Time
	// Asked is what the next page to be judged is asked for with.
	Asked *Request
	// Own is what the method remembers.
	Own Memory
	// Bounds is what the stop conditions remember.
	Bounds Bounds
	// Progress is how long nothing has come.
	Progress Progress
	// Seen is what the answers have said.
	Seen evidence.Walk
	// Shape is how the pages were built.
	Shape Shape
	// Verdict is the worst that a warning meant so far.
	Verdict report.Verdict
}

// Count is what a walk has counted so far.
type Count struct {
	// Pages are those that were judged; of a stride all up to the last judged one.
	Pages int
	// Items and Bytes, as compact JSON, are those of these pages.
	Items, Bytes int64
	// OtherPages are those of Pages that belong to other shards, OtherItems of Items
	// what these hold if they are full.
	OtherPages int
	OtherItems int64
}

// Shape is how the pages of a walk were built, by which who reads them tells errors from
// items.
type Shape struct {
	// Containers: lines of NDJSON were objects or arrays.
	Containers bool
	// Arrays: items were those of an array.
	Arrays bool
	// Member is the one that had items without dataField; empty: there was none.
	Member string
	// Around are hashes of the names of members that pages with items had around them.
	Around []uint64
}

// Memory is what a method remembers of a walk.
type Memory struct {
	// Limit is set by First: how many items a page should hold; 0: unknown.
	Limit int64
	// Skipped is set by First: how many items stand before the first that is asked
	// for.
	Skipped int64
	// Later is set by First: the first page that is asked for is not that of the list.
	Later bool
	// Number is the last offset or page number.
	Number int64
	// Cursor is the JSON text of the value that is sent next.
	Cursor string

	// LastPage is the address that a header Link has of the last page, empty if none
	// can be counted to. At the end it is a page that was to come.
	LastPage string
	// LinkMissing: LastPage was to come, and there was no link to it.
	LinkMissing bool
	// Uncounted: counting has led to another address than the API's.
	Uncounted bool
}

// Bounds is what the stop conditions remember of a walk.
type Bounds struct {
	// LimitField is the JSON text of what limitStop.field or .header led to last.
	LimitField string
	// Shrunk: it was less than before.
	Shrunk bool
	// Flagged: some page had the member of nextPageFlag.
	Flagged bool
}

// enter counts a page that is no repetition.
func (s *State) enter(f *Facts, this evidence.Fingerprint) {
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(s.Pages, &f.Answer, this)
}

// hash is the same for requests that are the same.
func (r *Request) hash() uint64 {
	h := xxhash.New()
	add := func(parts ...string) {
		for _, part := range parts {
			_, _ = h.WriteString(part)
			// Where a part ends: no JSON text and no address has a zero byte.
			_, _ = h.Write([]byte{0})
		}
	}
	add(string(r.Method), r.Endpoint, strconv.FormatBool(r.Given))
	for _, p := range r.Params {
		add(p.Name, string(p.Value), p.Raw)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		add(name)
		add(r.Header[name]...)
	}
	return h.Sum64()
}
