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

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/transport"
)

// falling is a list whose newest items come first, more or less, and a job that goes until what is known.
type falling struct {
	values               []int
	limit, before, slack int
	cut, children        bool
	// written is how a value stands in an item.
	written func(value int) string

	mu     sync.Mutex
	asked  []string
	asking func()
}

// newFalling draws one: in order, out of order by no more than the slack, or by more.
func newFalling(random *rand.Rand) *falling {
	l := &falling{
		limit:    1 + random.IntN(4),
		cut:      random.IntN(2) == 0,
		children: random.IntN(4) == 0,
	}
	kinds := []func(int) string{
		strconv.Itoa,
		func(value int) string { return strconv.Quote(strconv.Itoa(value)) },
		func(value int) string {
			zone := time.FixedZone("", value%5*3600)
			return strconv.Quote(time.Unix(1_790_000_000+int64(value), 0).In(zone).Format(time.RFC3339))
		},
		func(value int) string { return fmt.Sprintf(`"v%06d"`, value) },
	}
	kind := random.IntN(len(kinds))
	l.written = kinds[kind]
	if kind < 3 {
		l.slack = random.IntN(8)
	}
	value := 1000
	for range random.IntN(10 * l.limit) {
		value -= random.IntN(4)
		l.values = append(l.values, value+random.IntN(l.slack+1))
	}
	for range random.IntN(3) * random.IntN(2) {
		if len(l.values) > 0 {
			l.values[random.IntN(len(l.values))] += random.IntN(30)
		}
	}
	l.before = 1000 - random.IntN(16)
	return l
}

func (l *falling) text() string {
	job := fmt.Sprintf(`{"endpoint": "list", "until": {"field": "of.at", "before": %s, "cut": %t`, l.written(l.before), l.cut)
	if l.slack > 0 {
		job += fmt.Sprintf(`, "slack": %d`, l.slack)
	}
	job += "}"
	if l.children {
		job += `, "children": [{"endpoint": "below/{id}", "dataType": "below", "placeholders": {"id": "id"}}]`
	}
	return fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "pagenum", "limit": %d}}, "config": {"jobs": [%s}]}}`, l.limit, job)
}

func (l *falling) item(i int) string {
	return fmt.Sprintf(`{"id":%d,"of":{"at":%s}}`, i, l.written(l.values[i]))
}

func (l *falling) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked = append(l.asked, r.URL.Path+"?"+r.FormValue("page"))
	l.mu.Unlock()
	if l.asking != nil {
		l.asking()
	}
	page, _ := strconv.Atoi(r.FormValue("page"))
	var items []string
	if id, isBelow := strings.CutPrefix(r.URL.Path, "/below/"); isBelow {
		if page == 1 {
			items = append(items, fmt.Sprintf(`{"of":%s}`, id))
		}
	} else {
		for i := (page - 1) * l.limit; i < min(page*l.limit, len(l.values)); i++ {
			items = append(items, l.item(i))
		}
	}
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

// inOrder tells whether no item is newer by more than the slack than one before it.
func (l *falling) inOrder(values []int) bool {
	for i, value := range values {
		for _, before := range values[:i] {
			if value > before+l.slack {
				return false
			}
		}
	}
	return true
}

// An expected run is what a plain reading of the rule gives.
type expected struct {
	pages int
	// read are how many items are.
	read    int
	lines   []string
	byUntil bool
	verdict report.Verdict
}

func (l *falling) expect() (e expected) {
	beyond := 0
	for {
		e.pages++
		begin := e.read
		e.read = min(e.pages*l.limit, len(l.values))
		page := l.values[begin:e.read]
		var below []string
		for i, value := range page {
			if l.cut && value < l.before {
				continue
			}
			e.lines = append(e.lines, l.item(begin+i))
			below = append(below, fmt.Sprintf(`{"of":%d,"parent_id":%[1]d}`, begin+i))
		}
		if l.children {
			e.lines = append(e.lines, below...)
		}
		if len(page) == 0 {
			return e
		}
		isOver := page[len(page)-1]+l.slack < l.before
		switch {
		case !isOver:
			beyond = 0
		case beyond > 0 && slices.Max(page) >= l.before:
			beyond = 1
		default:
			beyond++
		}
		isBroken := !l.inOrder(l.values[:e.read])
		if isOver && (!isBroken || beyond == 3) {
			e.byUntil = true
			if isBroken {
				e.verdict = report.Unverified
			}
			return e
		}
		if len(page) < l.limit {
			return e
		}
	}
}

// check says of what a run must never be called complete; unknown tells that it lacks newer items, but nothing that was read shows
// it.
func (l *falling) check(e *expected) (wrong string, unknown bool) {
	isMissing := slices.ContainsFunc(l.values[e.read:], func(value int) bool { return value >= l.before })
	switch {
	case l.inOrder(l.values) && e.verdict != report.Complete:
		return "the list is in order, and the run is not complete", false
	case e.verdict != report.Complete || !isMissing:
		return "", false
	case l.inOrder(l.values):
		return "the list is in order, and newer items are missing", false
	case !l.inOrder(l.values[:e.read]):
		return "the order is broken in what was read, newer items are missing, and the run is complete", false
	}
	return "", true
}

// killedAndContinued runs the job with a journal, and again from what that had at one of the requests.
func (l *falling) killedAndContinued(t *testing.T, random *rand.Rand, n int) (lines []string) {
	s := &store{files: map[string][]byte{}, hook: func() error { return nil }}
	var killed []map[string][]byte
	var mu sync.Mutex
	l.asking = func() {
		// So that several segments are written.
		time.Sleep(7 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		killed = append(killed, s.now())
	}
	var failed error
	drain := func(s *store) []string {
		var lines []string
		j := s.opened(t, &failed)
		err := run(t, l.text(), options{Concurrency: n, Journal: j}, l, func(b *pipeline.Batch) error {
			lines = append(lines, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
			b.Release()
			return nil
		})
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		return lines
	}
	first := drain(s)
	synctest.Wait()
	l.asking = nil
	// A request that was given up may still be answered.
	mu.Lock()
	files := killed[random.IntN(len(killed))]
	mu.Unlock()
	there := &store{files: files, hook: func() error { return nil }}
	second := drain(there)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("items (-alone +continued):\n%s", diff)
	}
	return second
}

// Lists with ties, in order and out of it by less and by more than the slack: a run is never complete that lacks an item as new as
// the bound, as far as what was read shows it, and whatever is in flight, divided or continued gives the same bytes. WHOLE=1 draws
// 10,000. A list whose order is broken only behind the end is complete all the same: nothing that was read shows that.
func TestARunUntilWhatIsKnownIsNeverCompleteWithoutANewerItem(t *testing.T) {
	var byUntil, broken, unknown int
	total := cases.Few(100, 10_000)
	for seed := range total {
		random := rand.New(rand.NewPCG(uint64(seed), 21))
		l := newFalling(random)
		want := l.expect()
		wrong, isUnknown := l.check(&want)
		if wrong != "" {
			t.Fatalf("seed %d: %s: before %d, slack %d, limit %d: %v", seed, wrong, l.before, l.slack, l.limit, l.values)
		}
		if want.byUntil {
			byUntil++
		}
		if want.verdict != report.Complete {
			broken++
		}
		if isUnknown {
			unknown++
		}
		n := []int{1, 8}[seed%2]
		said := &verdicts{}
		var got []string
		synctest.Test(t, func(t *testing.T) {
			src := compiled(t, l.text(), options{Network: transport.Options{Observer: said}, Concurrency: n}, l)
			src.WriteDown()
			err := src.Extract(t.Context(), func(b *pipeline.Batch) error {
				got = append(got, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		about := fmt.Sprintf("seed %d, N=%d: before %d, slack %d, limit %d: %v", seed, n, l.before, l.slack, l.limit, l.values)
		if diff := cmp.Diff(want.lines, got); diff != "" {
			t.Fatalf("%s: items (-want +got):\n%s", about, diff)
		}
		if said.worst != want.verdict || strings.Contains(said.said, "until") != want.byUntil {
			t.Fatalf("%s: %v, want %v, ended by until: %t: %s", about, said.worst, want.verdict, want.byUntil, said.said)
		}
		isOfList := func(asked string) bool { return strings.HasPrefix(asked, "/list") }
		pages := len(slices.DeleteFunc(slices.Clone(l.asked), func(asked string) bool { return !isOfList(asked) }))
		if pages < want.pages || n == 1 && pages != want.pages {
			t.Fatalf("%s: %d pages were asked for, want %d", about, pages, want.pages)
		}
		sorted := slices.Sorted(slices.Values(want.lines))
		switch seed % 5 {
		case 3:
			all := divided(t, l.text(), 1+random.IntN(4), n, l)
			if diff := cmp.Diff(sorted, all.lines, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s: shards: items (-want +got):\n%s", about, diff)
			}
			if all.err != nil || all.report.Jobs[0].Verdict != want.verdict {
				t.Fatalf("%s: shards: %v, want %v: %q, %v", about, all.report.Jobs[0].Verdict, want.verdict, all.report.Jobs[0].Warnings, all.err)
			}
		case 4:
			synctest.Test(t, func(t *testing.T) {
				if diff := cmp.Diff(want.lines, l.killedAndContinued(t, random, n)); diff != "" {
					t.Fatalf("%s: continued: items (-want +got):\n%s", about, diff)
				}
			})
		}
	}
	t.Logf("%d of %d lists ended by until, %d of them unverified; %d lacked newer items behind an end that nothing shows to be none",
		byUntil, total, broken, unknown)
	if byUntil < total/3 || broken < total/50 {
		t.Error("too few of the lists say anything")
	}
}
