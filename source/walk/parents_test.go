package walk_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
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
	"sluice/source/job"
)

// growing is a random server whose collections grow each night. They are asked for from
// an item on. Some of its root items are away in a night.
type growing struct {
	seed, night int

	mu    sync.Mutex
	asked []string
}

func (g *growing) draw(n int, text string) int {
	h := fnv.New64a()
	fmt.Fprint(h, g.seed, text)
	return int(h.Sum64() % uint64(n))
}

// ids are those of the items of a collection from one on.
func (g *growing) ids(path string, since int) (all []int) {
	isRoot := strings.Count(path, "/") == 1
	size := g.draw(4, path)
	for night := range g.night {
		size += g.draw(3, fmt.Sprint(path, night))
	}
	for id := max(since, 0); id < size; id++ {
		isAway := isRoot && g.draw(4, fmt.Sprint("away", id, g.night)) == 0
		if !isAway {
			all = append(all, id)
		}
	}
	return all
}

// isDenied tells whether nobody may read a collection tonight.
func (g *growing) isDenied(path string) bool {
	isBelow := strings.Count(path, "/") == 3
	return isBelow && g.draw(5, fmt.Sprint("denied", path, g.night)) == 0
}

// pageOfGrowing is how many items a page has.
const pageOfGrowing = 2

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.asked = append(g.asked, r.RequestURI)
	g.mu.Unlock()
	time.Sleep(time.Duration(g.draw(100, r.RequestURI)) * time.Millisecond)
	if g.isDenied(r.URL.Path) {
		http.Error(w, "it is none of your business", http.StatusForbidden)
		return
	}
	since, _ := strconv.Atoi(r.URL.Query().Get("since"))
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	all := g.ids(r.URL.Path, since)
	var items []string
	for _, id := range all[min(offset, len(all)):min(offset+pageOfGrowing, len(all))] {
		items = append(items, fmt.Sprintf(`{"id":%d}`, id))
	}
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

// followed has a child and a grandchild whose walks each begin where the items of the
// parent ended the night before. What may not be read, and what is not emitted, moves
// nothing, or all the same.
const followed = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 2}},
 "config": {"jobs": [{"endpoint": "x", "dataType": "t", "children": [
  {"id": "b", "endpoint": "x/{id}/b", "dataType": "t", "placeholders": {"id": "id"}, "emptyOn": ["$status==403"],
   "params": {"since": {"function": "last", "args": ["id", -1]}}, "children": [
    {"id": "c", "endpoint": "x/{2:a}/b/{b}/c", "dataType": "t", "placeholders": {"2:a": "id", "b": "id"},
     "where": "id<2|id>2", "recursionFilter": "id < 1 | id > 1",
     "params": {"q": {"function": "concat", "args": ["from ", {"function": "last", "args": ["id", "-1"]}]},
      "since": {"function": "last", "args": ["id", -1]}}}]}]}]}}`

// expectGrowing is what a night must give and ask for, after nights that left known: the
// greatest id of each collection. It enters those of this night.
func expectGrowing(g *growing, known map[string]int) (lines, requests []string) {
	since := func(path string) int {
		if last, ok := known[path]; ok {
			return last
		}
		return -1
	}
	isChosen := func(path string, id int) bool { return id != 2 || !strings.HasSuffix(path, "/c") }
	walk := func(path, params, added string, from int, below func(id int)) {
		ids := g.ids(path, from)
		if g.isDenied(path) {
			ids = nil
		}
		for offset := 0; offset <= len(ids); offset += pageOfGrowing {
			requests = append(requests, fmt.Sprintf("%s?%slimit=2&offset=%d", path, params, offset))
			page := ids[offset:min(offset+pageOfGrowing, len(ids))]
			for _, id := range page {
				if !isChosen(path, id) {
					continue
				}
				lines = append(lines, fmt.Sprintf(`{"id":%d%s}`, id, added))
			}
			for _, id := range page {
				below(id)
			}
		}
		if len(ids) > 0 {
			known[path] = max(since(path), ids[len(ids)-1])
		}
	}
	walk("/x", "", "", 0, func(a int) {
		path := fmt.Sprintf("/x/%d/b", a)
		walk(path, fmt.Sprintf("since=%d&", since(path)), fmt.Sprintf(`,"parent_id":%d`, a), since(path), func(b int) {
			if b == 1 {
				return
			}
			path := fmt.Sprintf("/x/%d/b/%d/c", a, b)
			params := fmt.Sprintf("q=from+%d&since=%[1]d&", since(path))
			added := fmt.Sprintf(`,"parent_id_u0":%d,"parent_id_u1":%d,"parent_id":%d`, a, a, b)
			walk(path, params, added, since(path), func(int) {})
		})
	})
	return lines, requests
}

// aNight runs the configuration, or a part of it.
func aNight(t *testing.T, g *growing, o options) (lines []string, found map[string]*job.Parents) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		run := compiled(t, followed, o, g)
		run.WriteDown()
		err := run.Extract(t.Context(), func(b *pipeline.Batch) error {
			lines = append(lines, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
			b.Release()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found = run.Parents()
	})
	return lines, found
}

// written is what would stand in the state.
func written(t *testing.T, found map[string]*job.Parents) string {
	t.Helper()
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEachParentIsAskedForWhatIsNewThere runs some nights of random trees: alone with
// 1 to 64 requests in flight, and in three shards.
func TestEachParentIsAskedForWhatIsNewThere(t *testing.T) {
	for seed := range cases.Few(3, 12) {
		known := map[string]int{}
		memory := job.EarlierRuns{Lasts: job.Lasts{}, Parents: map[string]*job.Parents{}, Salt: "s"}
		for night := range 5 {
			g := &growing{seed: seed, night: night}
			lines, requests := expectGrowing(g, known)
			all, alone := map[string]*job.Parents{}, ""
			for _, n := range []int{1, 4, 16, 64} {
				g.asked = nil
				got, found := aNight(t, g, options{Concurrency: n, Memory: memory})
				if diff := cmp.Diff(lines, got); diff != "" {
					t.Fatalf("seed %d, night %d, N=%d: items (-want +got):\n%s", seed, night, n, diff)
				}
				if n == 1 {
					if diff := cmp.Diff(requests, g.asked); diff != "" {
						t.Fatalf("seed %d, night %d: requests (-want +got):\n%s", seed, night, diff)
					}
					all, alone = found, written(t, found)
				}
				if text := written(t, found); text != alone {
					t.Fatalf("seed %d, night %d, N=%d: found %s, and %s with 1", seed, night, n, text, alone)
				}
			}
			parts, together := []string(nil), map[string]*job.Parents{}
			for shard := range 3 {
				got, found := aNight(t, g, options{Concurrency: 1 + shard, Memory: memory, Shard: shard, Shards: 3})
				parts = append(parts, got...)
				for id, parents := range found {
					if together[id] == nil {
						together[id] = parents
					} else if err := together[id].Merge(parents); err != nil {
						t.Fatal(err)
					}
				}
			}
			slices.Sort(parts)
			slices.Sort(lines)
			if !slices.Equal(parts, lines) || written(t, together) != alone {
				t.Fatalf("seed %d, night %d: three shards have %d items, one process %d", seed, night, len(parts), len(lines))
			}
			for id, found := range all {
				memory.Parents[id], _ = memory.Parents[id].After(found)
			}
		}
	}
}
