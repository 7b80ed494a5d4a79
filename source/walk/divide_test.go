package walk_test

import (
	"context"
	"encoding/json"
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

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// sharded is what the shards of a run gave together.
type sharded struct {
	lines    []string // sorted
	requests int
	reports  []*report.Report
	report   *report.Report // of all
	err      error          // of judging the walks
}

// divided runs each shard of a configuration, one after the other, with n requests in
// flight, and judges their walks.
func divided(t *testing.T, text string, shards, n int, h http.Handler) (all sharded) {
	t.Helper()
	var mu sync.Mutex
	counting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all.requests++
		mu.Unlock()
		h.ServeHTTP(w, r)
	})
	for i := range shards {
		synctest.Test(t, func(t *testing.T) {
			events := &pipeline.Observers{}
			src := compiled(t, text, options{Concurrency: n, Shard: i, Shards: shards, Network: transport.Options{Observer: events}}, counting)
			reporter := pipeline.NewReporter(report.Report{Jobs: src.jobs(), Shard: &report.ShardReport{Form: report.ShardForm}})
			*events = append(*events, reporter)
			src.WriteDown()
			items := 0
			err := src.Extract(context.Background(), func(b *pipeline.Batch) error {
				items += b.Items
				all.lines = append(all.lines, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatalf("shard %d of %d: %v", i, shards, err)
			}
			r := reporter.Succeeded(time.Now())
			sum := 0
			for _, j := range r.Jobs {
				sum += int(j.Items)
			}
			if sum != items {
				t.Errorf("shard %d of %d gave %d items, and counted %d", i, shards, items, sum)
			}
			all.reports = append(all.reports, r)
		})
	}
	slices.Sort(all.lines)
	judge := func(job *report.SharedJob, ended func(report.Stop), warn func(report.Remark)) (report.Grounds, error) {
		return verdict.JudgeShards(job, false, ended, warn)
	}
	all.report, all.err = report.Merge(all.reports, judge, func(string, report.Remark, time.Time) {})
	return all
}

func TestShardsTogetherGiveEachItemOfARunAloneOnce(t *testing.T) {
	for seed := range cases.Few(2, 12) {
		limit, option := 1+seed%4, []string{"", `, "forceStop": {"pages": 2}`, fmt.Sprintf(`, "limitStop": {"count": %d}`, 2+seed%4), ""}[seed%4]
		jobs := []string{branch("x"), branch("y")}
		for _, root := range []string{"p", "q", "r"} {
			jobs = append(jobs, fmt.Sprintf(`{"endpoint": %q, "dataType": "t"}`, root))
		}
		text := fmt.Sprintf(tree, limit, option, strings.Join(jobs, ","))
		server := func() *remote {
			return &remote{seed: seed, limit: limit, failed: map[string]int{}, given: map[string]int{}}
		}
		s := server()
		alone := divided(t, text, 1, 1, s)
		pages := s.strides()
		for _, shards := range []int{2, 5, 20} {
			for _, n := range []int{1, 4} {
				s := server()
				got := divided(t, text, shards, n, s)
				if got.err != nil {
					t.Fatal(got.err)
				}
				if diff := cmp.Diff(alone.lines, got.lines); diff != "" {
					t.Errorf("seed %d, %d shards, N=%d: items (-alone +together):\n%s", seed, shards, n, diff)
				}
				for i, j := range got.report.Jobs {
					if was := alone.report.Jobs[i]; j.Verdict != was.Verdict || j.StopReason != was.StopReason {
						t.Errorf("seed %d, %d shards, N=%d: job %s: %v by %s where it was %v by %s: %q", seed, shards, n, j.ID, j.Verdict, j.StopReason, was.Verdict, was.StopReason, j.Warnings)
					}
					if diff := cmp.Diff(alone.report.Jobs[i].Grounds, j.Grounds); diff != "" {
						t.Errorf("seed %d, %d shards, N=%d: job %s: grounds (-alone +together):\n%s", seed, shards, n, j.ID, diff)
					}
				}
				for path, asked := range s.strides() {
					if most := pages[path] + shards*n; asked > most {
						t.Errorf("seed %d, %d shards, N=%d: %d pages of %s were asked for, and %d are there", seed, shards, n, asked, path, pages[path])
					}
				}
			}
		}
	}
}

// strides counts the pages that were asked for of each walk without children.
func (r *remote) strides() map[string]int {
	all := map[string]int{}
	for _, q := range distinct(r.asked) {
		if path, _, _ := strings.Cut(q, "?"); slices.Contains([]string{"/p", "/q", "/r"}, path) {
			all[path]++
		}
	}
	return all
}

// The walk has pages of 2 items; page says what each answer holds.
func TestTheEndsOfAllShardsAreJudgedTogether(t *testing.T) {
	full := func(page int) string { return fmt.Sprintf(`[{"id":"%da"},{"id":"%[1]db"}]`, page) }
	upTo := func(last int, after string) func(int) string {
		return func(page int) string {
			if page > last {
				return after
			}
			return full(page)
		}
	}
	for name, c := range map[string]struct {
		page    func(page int) string
		option  string
		verdict report.Verdict
		says    string // in a warning, or in the error
		fails   bool
	}{
		"an empty page ends it": {page: upTo(7, "[]")},
		"a short page ends it": {page: func(page int) string {
			if page == 7 {
				return `[{"id":"7a"}]`
			}
			return upTo(7, "[]")(page)
		}},
		"a short page in the middle": {page: func(page int) string {
			if page == 3 {
				return `[{"id":"3a"}]`
			}
			return upTo(7, "[]")(page)
		}, verdict: report.Incomplete, says: " has items too, although page 3 had ended the paging: items are missing"},
		"a 404 after a short page": {page: func(page int) string {
			if page == 7 {
				return `[{"id":"7a"}]`
			}
			return upTo(7, "404")(page)
		}},
		"a 404 in the middle": {page: func(page int) string {
			if page == 4 {
				return "404"
			}
			return upTo(7, "[]")(page)
		}, verdict: report.Incomplete, says: "page 4 could not be fetched, and no shard found the end before it: GET http://api.test/p?limit=2&offset=6: 404 Not Found"},
		"a 404 after full pages only":     {page: upTo(7, "404"), verdict: report.Incomplete, says: "page 8 could not be fetched"},
		"the last page again":             {page: upTo(7, full(7)), fails: true, says: "pages 7 and 8 have the same items"},
		"paging parameters are ignored":   {page: func(int) string { return full(1) }, fails: true, says: "pages 1 and 2 have the same items"},
		"a total that is reached":         {page: upTo(7, "[]"), option: `, "limitStop": {"header": "X-Total"}`},
		"a total that is not reached":     {page: upTo(5, "[]"), option: `, "limitStop": {"header": "X-Total"}`, verdict: report.Incomplete, says: "10 items came where the response says 14"},
		"a total that is less at the end": {page: upTo(7, "shrunk"), option: `, "limitStop": {"header": "X-Total"}`},
		"an error beside no items beyond": {page: func(page int) string {
			if page == 7 {
				return `[{"id":"7a"}]`
			}
			return upTo(7, `{"error":"no such page","items":[]}`)(page)
		}},
		"a number of items":           {page: upTo(7, "[]"), option: `, "limitStop": {"count": 9}`, verdict: report.Unverified},
		"a number of items is beyond": {page: upTo(3, "[]"), option: `, "limitStop": {"count": 9}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
				if strings.Contains(c.option, "X-Total") {
					w.Header().Set("X-Total", "14")
				}
				switch text := c.page(offset/2 + 1); text {
				case "404":
					http.NotFound(w, r)
				case "shrunk":
					w.Header().Set("X-Total", "0")
					fmt.Fprint(w, "[]")
				default:
					fmt.Fprint(w, text)
				}
			})
			for _, shards := range []int{2, 5, 20} {
				got := divided(t, fmt.Sprintf(tree, 2, c.option, `{"endpoint": "p"}`), shards, 1, h)
				j := got.report.Jobs[0]
				said := strings.Join(j.Warnings, "; ")
				if got.err != nil {
					said = got.err.Error()
				}
				if (got.err != nil) != c.fails || !c.fails && j.Verdict != c.verdict || !strings.Contains(said, c.says) || c.says == "" && said != "" && c.verdict == report.Complete {
					t.Errorf("%d shards: %v by %s, %s", shards, j.Verdict, j.StopReason, said)
				}
			}
		})
	}
}

// Items that come again are doubted in the same words whatever the number of shards.
func TestShardsDoubtItemsAsOneProcessDoes(t *testing.T) {
	pages := func(item func(n int) string) func(int) []string {
		return func(page int) []string {
			if page > 7 {
				return nil
			}
			return []string{item(2*page - 1), item(2 * page)}
		}
	}
	id := func(n int) string { return fmt.Sprintf(`{"id":%d}`, n) }
	const twice = " items came twice: the list changed while it was read"
	for name, c := range map[string]struct {
		page func(page int) []string
		job  string
		// nil: it says none.
		total func(page int) int
		// Empty: nothing is doubted.
		says string
	}{
		"each once":            {page: pages(id)},
		"two pages overlap":    {page: pages(func(n int) string { return id(n - n/5 + n/10) }), says: "1 item came twice"},
		"all pages overlap":    {page: pages(func(n int) string { return id(1 + n/2) }), says: "6" + twice},
		"far from each other":  {page: pages(func(n int) string { return id(1 + n%11) }), says: "3" + twice},
		"texts without a key":  {page: pages(func(n int) string { return fmt.Sprint(n - (n+3)/8) }), says: "page 3 begins with the item that the page before it ended with"},
		"no key that is known": {page: pages(func(n int) string { return fmt.Sprintf(`{"a":%d}`, n%11) })},
		"one that is named": {
			page: pages(func(n int) string { return fmt.Sprintf(`{"a":%d}`, n%11) }), job: `, "unique": "a"`, says: "3" + twice,
		},
		"no key is wanted": {page: pages(func(n int) string { return id(1 + n/2) }), job: `, "unique": false`},
		"a key twice on a page": {
			page: pages(func(n int) string { return fmt.Sprintf(`{"id":%d,"line":%d}`, (n+1)/2, n) }),
		},
		"the same keys, other texts": {
			page: pages(func(n int) string { return fmt.Sprintf(`{"id":%d,"age":%d}`, 1+n%2, n) }),
			says: "pages have the items of the page before, by their id, with other texts: the API may ignore the paging parameters",
		},
		"a total that becomes less": {
			page: pages(id), total: func(page int) int { return 15 - page/5 },
			says: "total fell from ",
		},
		"more than there are": {
			page: pages(id), total: func(int) int { return 12 }, says: " items came where the answer says 12 at total: some may have come twice",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
				page := offset/2 + 1
				total := ""
				if c.total != nil {
					total = fmt.Sprintf(`"total":%d,`, c.total(page))
				}
				fmt.Fprintf(w, `{%s"items":[%s]}`, total, strings.Join(c.page(page), ","))
			})
			text := fmt.Sprintf(tree, 2, "", `{"endpoint": "p", "dataField": "items"`+c.job+`}`)
			for _, shards := range []int{1, 2, 5, 20} {
				got := divided(t, text, shards, 1, h)
				j := got.report.Jobs[0]
				want := report.Unverified
				if c.says == "" {
					want = report.Complete
				}
				if got.err != nil || j.Verdict != want || !strings.Contains(j.Reason, c.says) {
					t.Errorf("%d shards: %v, %q, %v", shards, j.Verdict, j.Reason, got.err)
				}
			}
		})
	}
}

// Lists of ten pages in which some items stand twice, with and without ids.
func TestTheVerdictOfRepeatedItemsDoesNotDependOnTheShards(t *testing.T) {
	text := fmt.Sprintf(tree, 3, "", `{"endpoint": "p"}`)
	for seed := range uint64(cases.Few(10, 100)) {
		random := rand.New(rand.NewPCG(seed, 1))
		form := []string{`{"id":%d}`, `{"a":%d}`, `{"id":"%d"}`}[seed%3]
		var items []string
		for n := range 29 {
			if random.IntN(20) == 0 {
				n = random.IntN(n + 1)
			}
			items = append(items, fmt.Sprintf(form, n+1))
		}
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			page := items[min(offset, len(items)):min(offset+3, len(items))]
			fmt.Fprintf(w, "[%s]", strings.Join(page, ","))
		})
		alone := divided(t, text, 1, 1, h).report.Jobs[0]
		for _, shards := range []int{2, 3, 5, 20} {
			got := divided(t, text, shards, 1, h)
			if j := got.report.Jobs[0]; got.err != nil || j.Verdict != alone.Verdict || j.Reason != alone.Reason {
				t.Errorf("seed %d, %d shards: %v, %q, %v\nalone: %v, %q\n%s", seed, shards, j.Verdict, j.Reason, got.err, alone.Verdict, alone.Reason, items)
			}
		}
	}
}

func TestATotalThatAnEmptyPageDoubtsIsToldOnce(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		total, items := 9, fmt.Sprintf(`{"id":%d},{"id":%d}`, offset+1, offset+2)
		if offset >= 10 {
			total, items = 8, ""
		}
		fmt.Fprintf(w, `{"total":%d,"items":[%s]}`, total, items)
	})
	text := fmt.Sprintf(tree, 2, "", `{"endpoint": "p", "dataField": "items"}`)
	const want = "total fell from 9 to 8 while the pages were read"
	for shards := 1; shards <= 3; shards++ {
		j := divided(t, text, shards, 1, h).report.Jobs[0]
		if len(j.Warnings) != 1 || !strings.HasPrefix(j.Warnings[0], want) {
			t.Errorf("%d shards: %q", shards, j.Warnings)
		}
	}
}

func TestWhatShardsTellHasNoSecret(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 2}},
 "config": {"#key": "hush-hush", "jobs": [{"endpoint": "p", "dataField": "hush-hush.items", "unique": "hush-hush"}]}}`
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		items := fmt.Sprintf(`{"hush-hush":"%da"},{"hush-hush":"%[1]db"}`, offset)
		if offset > 6 {
			items = ""
		}
		fmt.Fprintf(w, `{"hush-hush":{"total":8,"items":[%s]}}`, items)
	})
	told, err := json.Marshal(divided(t, text, 2, 1, h).reports)
	if err != nil {
		t.Fatal(err)
	}
	isTold := strings.Contains(string(told), `"at":"[secret]`) && strings.Contains(string(told), `"key":"[secret]"`)
	if !isTold || strings.Contains(string(told), "hush-hush") {
		t.Errorf("%s", told)
	}
}

func TestACollectionThatChangesBetweenShardsIsUnverified(t *testing.T) {
	asked := 0
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x" {
			fmt.Fprint(w, "[]")
			return
		}
		asked++
		fmt.Fprintf(w, `[{"id":%d,"seen":%d}]`, max(asked, 2), asked) // the second shard still sees the same
	})
	text := fmt.Sprintf(tree, 2, "", `{"endpoint": "x", "children": [{"endpoint": "x/{id}", "dataType": "t", "placeholders": {"id": "id"}}]}`)
	for shards, want := range map[int]report.Verdict{2: report.Complete, 3: report.Unverified} {
		asked = 0
		got := divided(t, text, shards, 1, h)
		if j := got.report.Jobs[0]; got.err != nil || j.Verdict != want || len(j.Warnings) != int(want) {
			t.Errorf("%d shards: %v %q, %v", shards, j.Verdict, j.Warnings, got.err)
		}
	}
}

func TestATotalOfWhatIsLeftFallsByThePagesOfAllShards(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		var items []string
		for i := offset; i < min(offset+2, 24); i++ {
			items = append(items, fmt.Sprintf(`{"id":%d}`, i+1))
		}
		fmt.Fprintf(w, `{"total":%d,"items":[%s]}`, max(0, 24-offset), strings.Join(items, ","))
	})
	text := fmt.Sprintf(tree, 2, "", `{"endpoint": "p", "dataField": "items"}`)
	for _, shards := range []int{1, 2, 3, 5} {
		got := divided(t, text, shards, 1, h)
		if j := got.report.Jobs[0]; got.err != nil || j.Verdict != report.Complete {
			t.Errorf("%d shards: %v, %q, %v", shards, j.Verdict, j.Warnings, got.err)
		}
	}
}
