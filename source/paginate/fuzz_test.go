package paginate_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/paginate"
	"sluice/source/request"
)

// collection is an API with items 0 to n-1.
type collection struct {
	n, limit, cap int // limit: page size where a request has none; cap: what the API gives at most
	given         []int
}

// page answers with the items from offset on.
func (c *collection) page(offset, limit int) string {
	var ids []string
	for i := max(offset, 0); i < c.n && len(ids) < min(limit, c.cap); i++ {
		ids = append(ids, strconv.Itoa(i))
		c.given = append(c.given, i)
	}
	return `{"at":` + strconv.Itoa(offset) + `,"d":[` + strings.Join(ids, ",") + `]}`
}

func number(p request.Params, name string, or int) int {
	text, ok := item.Text(p.Get(name))
	n, err := strconv.Atoi(text)
	if !ok || err != nil {
		return or
	}
	return n
}

// FuzzOffsetWalk walks over a collection: every walk ends, and with an API that
// honours the limit each item came once, in order.
func FuzzOffsetWalk(f *testing.F) {
	f.Add(uint16(10), uint8(3), int64(0), int64(0), uint8(255), true, false)
	f.Add(uint16(10), uint8(5), int64(2), int64(4), uint8(255), false, true)
	f.Add(uint16(100), uint8(50), int64(0), int64(0), uint8(10), true, false)
	f.Add(uint16(7), uint8(1), int64(9223372036854775807), int64(9223372036854775807), uint8(1), true, true)
	f.Add(uint16(0), uint8(1), int64(-4), int64(-1), uint8(1), false, false)
	f.Fuzz(func(t *testing.T, n uint16, limit uint8, own, offset int64, most uint8, firstPage, fromJob bool) {
		if limit == 0 || most == 0 {
			t.Skip("the configuration would be refused: there is no page size")
		}
		effective := int64(limit)
		job := ""
		if own != 0 {
			job = fmt.Sprintf(`"limit":%d,`, own)
			if own > 0 {
				effective = own
			}
		}
		first := int64(0)
		if fromJob {
			first = offset
		}
		api := &collection{n: int(n) % 2000, limit: int(min(effective, 1<<30)), cap: int(most)}
		honours := effective <= int64(most) || int64(api.n)-max(first, 0) <= int64(most)
		paging := mustCompile(t, fmt.Sprintf(`{"method":"offset","limit":%d,"firstPageParams":%t,"offsetFromJob":%t}`, limit, firstPage, fromJob), "")
		tr := walk(t, paging, paginate.Job{Params: params(fmt.Sprintf(`{%s"offset":%d}`, job, offset))}, true, func(page int, r *paginate.Request) answer {
			if page > api.n+2 {
				t.Fatalf("page %d of %d items was asked for", page, api.n)
			}
			at := number(r.Params, "offset", 0)
			if page > 1 && at < 0 {
				t.Fatalf("the offset ran over: %d", at)
			}
			size := number(r.Params, "limit", api.limit)
			if size <= 0 { // the job's own, on a first page without paging parameters
				size = api.limit
			}
			return answer{body: api.page(at, size)}
		})
		switch {
		case tr.err != nil:
			if !fromJob || offset >= 0 && offset <= 1<<62 && effective <= 1<<61 {
				t.Fatal(tr.err)
			}
		case honours:
			checkOnce(t, api, int(min(first, int64(api.n))), tr)
		case tr.stop.Verdict == report.Complete && len(api.given) < api.n-int(min(first, int64(api.n))) && len(tr.warnings) == 0 && suspicious(len(api.given)):
			t.Fatalf("%d of %d items came, and there is no warning", len(api.given), api.n)
		}
	})
}

// checkOnce checks that all items from first on came, once and in order.
func checkOnce(t *testing.T, c *collection, first int, tr trace) {
	t.Helper()
	for i, id := range c.given {
		if id != first+i {
			t.Fatalf("item %d came as number %d, after item %d", id, i, first)
		}
	}
	if want := c.n - first; tr.items != want || len(c.given) != want || tr.stop.Reason != report.StopUnderflow {
		t.Fatalf("%d of %d items came, ended by %s", tr.items, want, tr.stop.Reason)
	}
}

// suspicious tells whether so many items look like a cap.
func suspicious(items int) bool { return slices.Contains([]int{10, 20, 30, 75, 100, 200, 250}, items) }

// FuzzLinkedWalk follows links that form any graph: whatever they are, the walk
// ends, and no two pages in a row are the same.
func FuzzLinkedWalk(f *testing.F) {
	f.Add([]byte{1, 2, 3, 255}, true, uint64(0))
	f.Add([]byte{1, 2, 0}, false, uint64(7))
	f.Add([]byte{0}, true, uint64(0))
	f.Add([]byte{1, 1}, true, uint64(1))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 4}, true, uint64(0xa0))
	f.Fuzz(func(t *testing.T, links []byte, clock bool, empty uint64) {
		if len(links) == 0 || len(links) > 64 {
			t.Skip("the graph is empty, or larger than this test wants")
		}
		paging := mustCompile(t, `{"method":"response.url"}`, "")
		at := 0
		tr := walk(t, paging, paginate.Job{}, true, func(page int, r *paginate.Request) answer {
			if page > 8*len(links)+8 {
				t.Fatalf("page %d of a graph of %d pages was asked for", page, len(links))
			}
			if r.Given {
				at, _ = strconv.Atoi(r.Endpoint)
			}
			next := ""
			if int(links[at]) < len(links) {
				next = strconv.Itoa(int(links[at]))
				if next == "0" {
					next = "00" // "0" is an end like null
				}
			}
			now := 0
			if clock {
				now = page
			}
			items := fmt.Sprintf("[%d]", at)
			if empty&(1<<at) != 0 {
				items = "[]"
			}
			return answer{body: fmt.Sprintf(`{"now":%d,"next_page":%q,"d":%s}`, now, next, items)}
		})
		ends := []report.StopReason{report.StopNoNextPage, report.StopRepeatedPage, report.StopNothingNew}
		if tr.err == nil && !slices.Contains(ends, tr.stop.Reason) {
			t.Errorf("ended by %q", tr.stop.Reason)
		}
	})
}
