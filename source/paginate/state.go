package paginate

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
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
	// Overlap is what is remembered where pages overlap.
	Overlap Overlap
	// Bounds is what the stop conditions remember.
	Bounds Bounds
	// Changed is the JSON text of the latest time of change of the items, where the walk is ordered by it.
	Changed string
	// Progress is how long nothing has come.
	Progress Progress
	// Seen is what the answers have said.
	Seen evidence.Walk
	// Shape is how the pages were built.
	Shape Shape
	// Facts are those of its answers, or Part where shards share them.
	Facts verdict.Walk
	Part  verdict.Part
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
	// Header is the names in the header of the first page that had one, by their hash.
	Header uint64
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
	// Exact: as many items came as it says, and it is not the number of one page.
	Exact bool
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
	sum := hashes(1)
	sum.add(string(r.Method))
	sum.add(r.Endpoint)
	sum.add(strconv.FormatBool(r.Given))
	for i := range r.Params {
		p := &r.Params[i]
		sum.add(p.Name + string(p.In))
		sum = sum.with(xxhash.Sum64(p.Value))
		sum.add(p.Raw)
	}
	if len(r.Header) == 0 {
		return uint64(sum)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		sum.add(name)
		for _, value := range r.Header[name] {
			sum.add(value)
		}
	}
	return uint64(sum)
}

// hashes are one of several texts in their order.
type hashes uint64

func (h *hashes) add(text string) { *h = h.with(xxhash.Sum64String(text)) }

func (h hashes) with(one uint64) hashes { return hashes(item.Mixed(uint64(h), one)) }
