package walk_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/transport"
)

// churn is what happens to a list between two answers: up to so many insertions and deletions, in front or
// anywhere, and now and then many pages at once in front.
type churn struct {
	inserts, deletes int
	inFront          bool
	burst            int
}

// A shifting list answers by offset, and changes before each answer until it has given so many.
type shifting struct {
	mu      sync.Mutex
	random  *rand.Rand
	churn   churn
	limit   int
	rows    []int
	stayed  map[int]bool
	newest  int
	answers int
	lasts   int
	faults  bool
	// mostly tells whether at most one item in ten changed between any two answers.
	mostly bool
}

func newShifting(random *rand.Rand, n, limit int) *shifting {
	l := &shifting{random: random, limit: limit, stayed: map[int]bool{}, mostly: true}
	for i := range n {
		l.rows = append(l.rows, i+1)
		l.stayed[i+1] = true
	}
	l.newest = n
	l.lasts = 60
	l.faults = random.IntN(2) == 0
	rates := []int{0, 1, 3, 6, 30}
	l.churn = churn{inFront: random.IntN(2) == 0}
	switch random.IntN(4) {
	case 0:
		l.churn.inserts = rates[random.IntN(len(rates))]
	case 1:
		l.churn.deletes = rates[random.IntN(len(rates))]
	case 2:
		l.churn.inserts = rates[random.IntN(len(rates))]
		l.churn.deletes = rates[random.IntN(len(rates))]
	case 3:
		l.churn.burst = 15 * limit
	}
	return l
}

// place is where something happens.
func (l *shifting) place(n int) int {
	if l.churn.inFront || n == 0 {
		return 0
	}
	return l.random.IntN(n)
}

func (l *shifting) insert() {
	l.newest++
	l.rows = slices.Insert(l.rows, l.place(len(l.rows)+1), l.newest)
}

func (l *shifting) delete() {
	at := l.place(len(l.rows))
	delete(l.stayed, l.rows[at])
	l.rows = slices.Delete(l.rows, at, at+1)
}

// change is what happens between two answers.
func (l *shifting) change() {
	before, changed := len(l.rows), 0
	for range l.random.IntN(l.churn.inserts + 1) {
		l.insert()
		changed++
	}
	for range min(l.random.IntN(l.churn.deletes+1), len(l.rows)) {
		l.delete()
		changed++
	}
	if l.churn.burst > 0 && l.random.IntN(20) == 0 {
		for range l.churn.burst {
			l.insert()
			changed++
		}
	}
	l.mostly = l.mostly && 10*changed <= before
}

func (l *shifting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	wait, rest := l.random.IntN(100), l.random.IntN(100)
	isDown := l.faults && l.random.IntN(15) == 0
	l.mu.Unlock()
	time.Sleep(time.Duration(wait) * time.Millisecond)
	if isDown {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	l.mu.Lock()
	if l.answers > 0 && l.answers < l.lasts {
		l.change()
	}
	l.answers++
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	offset = min(offset, len(l.rows))
	page := slices.Clone(l.rows[offset:min(offset+l.limit, len(l.rows))])
	l.mu.Unlock()
	time.Sleep(time.Duration(rest) * time.Millisecond)
	var items []string
	for _, id := range page {
		items = append(items, fmt.Sprintf(`{"id":%d}`, id))
	}
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

// verdicts keeps the worst that was said, and how the walk ended.
type verdicts struct {
	mu    sync.Mutex
	worst report.Verdict
	said  string
	seams report.SeamCounts
	sent  int
}

func (v *verdicts) Observe(e pipeline.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := e.(type) {
	case pipeline.RequestSent:
		v.sent++
	case pipeline.SeamJudged:
		v.seams.Repaired += e.Seams.Repaired
		v.seams.Checked += e.Seams.Checked
	case pipeline.Warned:
		if e.Verdict > 0 {
			v.said += e.Text + "\n"
		}
		v.worst = max(v.worst, e.Verdict)
	case pipeline.WalkEnded:
		v.worst = max(v.worst, e.Stop.Verdict)
		v.said += string(e.Stop.Reason)
	}
}

// wrong says what is wrong with what came out; empty: nothing.
func (l *shifting) wrong(lines []string) string {
	count := map[int]int{}
	for _, line := range lines {
		var id int
		_, _ = fmt.Sscanf(line, `{"id":%d}`, &id)
		count[id]++
		if count[id] > 1 {
			return fmt.Sprintf("%d came twice", id)
		}
	}
	for id := range l.stayed {
		if count[id] == 0 {
			return fmt.Sprintf("%d is lost", id)
		}
	}
	return ""
}

// TestAListThatShiftsIsReadWholeWhereItsPagesOverlap drains random lists in virtual time, with N in flight, latencies
// and faults: each item that was there all the time comes once, and what is whole is hardly ever doubted. The
// environment's OVERLAP_RUNS says how many: 100,000 take half an hour.
func TestAListThatShiftsIsReadWholeWhereItsPagesOverlap(t *testing.T) {
	var runs, gaveUp, doubted, few, fewDoubted, repaired int
	for seed := range cases.Number("OVERLAP_RUNS", cases.Raced(60, 100, 5_000)) {
		random := rand.New(rand.NewPCG(uint64(seed), 33))
		overlap := 1 + random.IntN(20)
		limit := overlap + 1 + random.IntN(min(200, 40+random.IntN(200)))
		n := []int{1, 4, 16}[seed%3]
		// A first page that is short by a round number would be doubted for that.
		l := newShifting(random, limit+random.IntN(12*(limit-overlap)), limit)
		text := fmt.Sprintf(tree, limit, fmt.Sprintf(`, "overlap": %d`, overlap), `{"endpoint": "x"}`)
		var said verdicts
		var lines []string
		var failed error
		synctest.Test(t, func(t *testing.T) {
			o := options{Network: transport.Options{Observer: &said}, Concurrency: n}
			src := compiled(t, text, o, l)
			if seed%60 < 3 {
				src.WriteDown()
			}
			failed = src.Extract(t.Context(), func(b *pipeline.Batch) error {
				lines = append(lines, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
				b.Release()
				return nil
			})
		})
		runs++
		if failed != nil {
			// More came in front between any two answers than a page has: it cannot be told from keys that
			// differ in each answer.
			gaveUp++
			isOutrun := l.churn.inFront && l.churn.inserts > limit-overlap
			if !isOutrun {
				t.Fatalf("seed %d: %v, %+v", seed, failed, l.churn)
			}
			continue
		}
		if wrong := l.wrong(lines); wrong != "" {
			t.Fatalf(
				"seed %d: N=%d, limit %d, overlap %d, %+v: %s; %s",
				seed,
				n,
				limit,
				overlap,
				l.churn,
				wrong,
				said.said,
			)
		}
		repaired += said.seams.Repaired
		isDoubted := said.worst > 0
		if isDoubted {
			doubted++
			if doubted < 6 {
				t.Logf(
					"seed %d: N=%d, limit %d, overlap %d, %+v, mostly %t: %s",
					seed,
					n,
					limit,
					overlap,
					l.churn,
					l.mostly,
					said.said,
				)
			}
		}
		if l.mostly {
			few++
		}
		if l.mostly && isDoubted {
			fewDoubted++
		}
	}
	t.Logf(
		"%d runs, %d gave up aloud, %d seams repaired, %d doubted although whole; of %d of which at most one "+
			"item in ten changed, %d",
		runs,
		gaveUp,
		repaired,
		doubted,
		few,
		fewDoubted,
	)
	if 50*fewDoubted > few {
		t.Errorf("%d of %d whole runs are doubted", fewDoubted, few)
	}
}
