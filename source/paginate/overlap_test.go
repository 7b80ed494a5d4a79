package paginate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/request"
)

// A step is what happens to a list before the answer to a request: an insertion before a place, or a deletion.
type step struct {
	before   int
	isInsert bool
	at       int
}

// A moving list changes by steps. Items are numbers; those of the start are 1 to n.
type moving struct {
	rows   []int
	gone   map[int]bool
	newest int
}

func newMoving(n int) *moving {
	l := &moving{gone: map[int]bool{}, newest: 1000}
	for i := range n {
		l.rows = append(l.rows, i+1)
	}
	return l
}

func (l *moving) change(s step) {
	if s.isInsert {
		l.newest++
		l.rows = slices.Insert(l.rows, min(s.at, len(l.rows)), l.newest)
		return
	}
	if len(l.rows) > 0 {
		at := min(s.at, len(l.rows)-1)
		l.gone[l.rows[at]] = true
		l.rows = slices.Delete(l.rows, at, at+1)
	}
}

// A drained list is what came of it.
type drained struct {
	items    []int
	requests int
	stop     report.Stop
	err      error
	warnings string
}

// mostRequests is more than any of these lists needs.
const mostRequests = 400

// drainMoving walks over a list whose pages overlap, which changes before each answer.
func drainMoving(paging *paginate.Paging, l *moving, before func(request int)) (d drained) {
	s := &paginate.State{Started: began}
	j := paginate.Job{Method: request.Get, Endpoint: "e"}
	var limit int
	if _, d.err = paging.First(s, &j); d.err != nil {
		return d
	}
	limit = int(s.Own.Limit)
	for ; d.requests < mostRequests; d.requests++ {
		before(d.requests)
		offset := min(int(s.Own.Number), len(l.rows))
		page := slices.Clone(l.rows[offset:min(offset+limit, len(l.rows))])
		out, err := paging.Judge(s, &j, factsOf(page))
		if err != nil {
			d.err = err
			return d
		}
		if out.Warning != "" {
			d.warnings += out.Warning + "\n"
		}
		if out.Emit {
			for i, item := range page {
				if !out.Seam.Drop[i] {
					d.items = append(d.items, item)
				}
			}
		}
		if out.Stop != nil {
			d.stop = *out.Stop
			d.requests++
			return d
		}
	}
	d.err = fmt.Errorf("no end")
	return d
}

// factsOf are those of a page of numbers.
func factsOf(page []int) *paginate.Facts {
	f := &paginate.Facts{Root: true}
	f.Items, f.Array = len(page), true
	for _, n := range page {
		key := evidence.Hash([]byte(fmt.Sprint(n)))
		f.Each.Texts = append(f.Each.Texts, key)
		f.Texts = f.Texts*31 + key
	}
	f.Hash = f.Texts
	f.Keys = evidence.Keys{{Name: "id", Hashes: f.Each.Texts}}
	return f
}

// wrong says what is wrong with what came of a list of n items at the start; empty: nothing.
func (d *drained) wrong(l *moving, n int) string {
	count := map[int]int{}
	for _, item := range d.items {
		count[item]++
		if count[item] > 1 {
			return fmt.Sprintf("%d came twice", item)
		}
	}
	for item := 1; item <= n; item++ {
		if count[item] == 0 && !l.gone[item] {
			return fmt.Sprintf("%d is lost", item)
		}
	}
	return ""
}

// schedules yields all plans of up to so many changes before one of the requests from the second on.
func schedules(n, changes, requests int, yield func([]step)) {
	var what []step
	for before := 1; before < requests; before++ {
		for at := 0; at <= n; at++ {
			what = append(what, step{before, true, at})
		}
		for at := range n {
			what = append(what, step{before, false, at})
		}
	}
	var plan []step
	var add func(left int)
	add = func(left int) {
		yield(plan)
		if left == 0 {
			return
		}
		for _, s := range what {
			isLater := len(plan) == 0 || s.before >= plan[len(plan)-1].before
			if isLater {
				plan = append(plan, s)
				add(left - 1)
				plan = plan[:len(plan)-1]
			}
		}
	}
	add(changes)
}

// TestNoScheduleOfAFewChangesLosesOrRepeatsAnItem plays every schedule of up to three changes over short lists.
func TestNoScheduleOfAFewChangesLosesOrRepeatsAnItem(t *testing.T) {
	runs, doubted := 0, 0
	every := cases.Few(997, 1)
	for n := 5; n <= 7; n++ {
		for limit := 2; limit <= n; limit++ {
			for overlap := 1; overlap < limit; overlap++ {
				text := fmt.Sprintf(`{"method":"offset","limit":%d,"overlap":%d}`, limit, overlap)
				paging := mustCompile(t, text, "")
				requests := (n-overlap)/(limit-overlap) + 2
				at := 0
				schedules(n, 3, min(requests, 6), func(plan []step) {
					at++
					if at%every != 0 {
						return
					}
					l := newMoving(n)
					d := drainMoving(paging, l, func(request int) {
						for _, s := range plan {
							if s.before == request {
								l.change(s)
							}
						}
					})
					runs++
					isComplete := d.stop.Verdict == report.Complete
					if !isComplete {
						doubted++
					}
					if wrong := d.wrong(l, n); d.err != nil || wrong != "" {
						t.Fatalf("list %d, %s, %v: %s, error %v, %+v", n, text, plan, wrong, d.err, d)
					}
					if !isComplete && t.Name() != "" && doubted < 4 {
						t.Logf("list %d, %s, %v: %s", n, text, plan, strings.TrimSpace(d.warnings))
					}
				})
			}
		}
	}
	t.Logf("%d runs, %d doubted although whole", runs, doubted)
	if doubted > 0 {
		t.Errorf("%d of %d whole runs are doubted", doubted, runs)
	}
}
