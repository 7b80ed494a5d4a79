package walk_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
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
	"sluice/source/transport"
	"sluice/source/walk"
)

// remote is a random server: what it holds, how long it takes and what goes
// wrong follow from seed and path alone.
type remote struct {
	seed  int
	limit int
	drift bool // collections grow and shrink while they are read

	mu     sync.Mutex
	asked  []string       // paths with their query, in order of arrival
	failed map[string]int // how often a request was answered with 503
	given  map[string]int // how many items each answer had, by path and offset
}

// draw is a number below n that seed and text decide.
func (r *remote) draw(n int, text string) int {
	h := fnv.New64a()
	fmt.Fprint(h, r.seed, text)
	return int(h.Sum64() % uint64(n))
}

// size is how many items a collection has.
func (r *remote) size(path string) int {
	if strings.Count(path, "/") == 1 {
		return r.draw(5*r.limit, path)
	}
	return r.draw(3*r.limit, path)
}

// collection is what a request is for: a path, and the hour of a window.
func collection(uri string) string {
	path, query, _ := strings.Cut(uri, "?")
	values, _ := url.ParseQuery(query)
	if hour := values.Get("hour"); hour != "" {
		path += "@" + hour
	}
	return path
}

// idOf is that of an item of a collection: those of windows have others.
func idOf(path string, i int) int {
	_, text, _ := strings.Cut(path, "@")
	hour, _ := strconv.Atoi(text)
	return i + 100*hour
}

func (r *remote) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	r.asked = append(r.asked, q.RequestURI)
	down := r.draw(7, "down"+q.RequestURI) == 0 && r.failed[q.RequestURI] < 2
	if down {
		r.failed[q.RequestURI]++
	}
	r.mu.Unlock()
	time.Sleep(time.Duration(r.draw(100, "wait"+q.RequestURI)) * time.Millisecond)

	offset, _ := strconv.Atoi(q.URL.Query().Get("offset"))
	path := collection(q.RequestURI)
	size := r.size(path)
	if r.drift {
		r.mu.Lock()
		size += r.draw(2*r.limit+1, fmt.Sprint("drift", path, len(r.asked)/5)) - r.limit
		r.mu.Unlock()
	}
	beyond := !r.drift && offset > 0 && offset > size/r.limit*r.limit
	switch {
	case beyond && r.draw(3, "gone"+path) == 0:
		http.Error(w, "there is no such page", http.StatusNotFound)
		return
	case down:
		w.Header().Set("Retry-After", strconv.Itoa(r.draw(3, path)))
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var items []string
	for i := offset; i < min(offset+r.limit, size); i++ {
		items = append(items, fmt.Sprintf(`{"id":%d,"of":%q}`, idOf(path, i), path))
	}
	r.mu.Lock()
	r.given[fmt.Sprint(path, offset)] = len(items)
	r.mu.Unlock()
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

const tree = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": %d%s}},
 "config": {"jobs": [%s]}}`

func TestTheOutputIsTheSameForEveryConcurrencyAndFromWalksWrittenDown(t *testing.T) {
	for seed := range cases.Few(3, 15) {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			var sequential int
			for _, n := range []int{1, 4, 16, 64} {
				r := &remote{seed: seed, limit: 1 + seed%4, failed: map[string]int{}, given: map[string]int{}}
				stop, option := 0, ""
				switch seed % 3 {
				case 0:
					stop, option = 2, `, "forceStop": {"pages": 2}`
				case 1:
					stop, option = 2, fmt.Sprintf(`, "limitStop": {"count": %d}`, r.limit+1) // the second page reaches it, or is short
				}
				var jobs []string
				for _, root := range []string{"x", "y", "z"} {
					jobs = append(jobs, branch(root))
				}
				text := fmt.Sprintf(tree, r.limit, option, strings.Join(jobs, ","))
				lines, want := expect(r, stop, r.page)
				var got []string
				var load inFlight
				synctest.Test(t, func(t *testing.T) { got = extract(t, text, n, r, &load) })
				if diff := cmp.Diff(lines, got); diff != "" {
					t.Fatalf("N=%d: items (-want +got):\n%s", n, diff)
				}
				asked := distinct(r.asked)
				if n == 1 {
					if diff := cmp.Diff(want, asked); diff != "" {
						t.Fatalf("requests (-want +got):\n%s", diff)
					}
					sequential = len(asked)
				}
				if extra := len(asked) - sequential; extra > r.walksWithFullFirstPage(want)*(n-1) {
					t.Errorf("N=%d: %d requests more than needed", n, extra)
				}
				if load.most > n {
					t.Errorf("N=%d: %d requests were in flight", n, load.most)
				}
			}
		})
	}
}

// Where collections grow and shrink while they are read, no two runs are the same. The
// output is that of one page after the other all the same, as each was answered: a
// page that was read ahead is used once, at its place, or not at all.
func TestTheOutputIsWhatThePagesHeldWhereverTheyDrift(t *testing.T) {
	for seed := range cases.Few(2, 12) {
		for _, n := range []int{1, 4, 16, 64} {
			r := &remote{seed: seed, limit: 1 + seed%4, drift: true, failed: map[string]int{}, given: map[string]int{}}
			text := fmt.Sprintf(tree, r.limit, "", strings.Join([]string{branch("x"), branch("y"), branch("z")}, ","))
			var got []string
			synctest.Test(t, func(t *testing.T) { got = extract(t, text, n, r, &inFlight{}) })
			lines, _ := expect(r, 0, func(path string, offset int) int { return r.given[fmt.Sprint(path, offset)] })
			if diff := cmp.Diff(lines, got); diff != "" {
				t.Fatalf("seed %d, N=%d: items (-want +got):\n%s", seed, n, diff)
			}
		}
	}
}

// branch is a job with children and grandchildren over the random server. Of y the
// children have windows, of which item n has one for every two hours up to n.
func branch(root string) string {
	windows := ""
	if root == "y" {
		windows = `, "windows": {"from": "2000-01-01", "to": {"function": "concat", "args": ["2000-01-01 +", {"placeholder": "id"}, " hours"]},
      "step": "2 hours", "format": "G"}, "params": {"hour": {"window": "from"}, "a": {"placeholder": "id"}}`
	}
	return fmt.Sprintf(`{"endpoint": "%[1]s", "dataType": "t", "children": [
  {"endpoint": "%[1]s/{id}/b", "dataType": "t", "placeholders": {"id": "id"}%[2]s, "children": [
    {"endpoint": "%[1]s/{2:a}/b/{b}/c", "dataType": "t", "placeholders": {"2:a": "id", "b": {"path": "id", "function": "concat", "args": [{"placeholder": "value"}]}},
     "recursionFilter": "id < 2 | id >= 4"}]}]}`, root, windows)
}

// windowsOf are the parameters of the windows of an item's child.
func windowsOf(root string, item int) []string {
	if root != "/y" {
		return []string{""}
	}
	var all []string
	for hour := 0; hour < item; hour += 2 {
		all = append(all, fmt.Sprintf("hour=%d&a=%d&", hour, item))
	}
	return all
}

// page is how many items a page has.
func (r *remote) page(path string, offset int) int { return max(0, min(r.limit, r.size(path)-offset)) }

// expect returns what a run over branches must give and, in order, ask for, where
// each page has so many items.
func expect(r *remote, stop int, items func(path string, offset int) int) (lines, requests []string) {
	walk := func(path, params, added string, below func(id int)) {
		for page := 0; ; page++ {
			offset := page * r.limit
			uri := fmt.Sprintf("%s?%slimit=%d&offset=%d", path, params, r.limit, offset)
			requests = append(requests, uri)
			of := collection(uri)
			end := offset + items(of, offset)
			for i := offset; i < end; i++ {
				lines = append(lines, fmt.Sprintf(`{"id":%d,"of":%q%s}`, idOf(of, i), of, added))
			}
			for i := offset; i < end; i++ {
				below(idOf(of, i))
			}
			if end-offset < r.limit || stop > 0 && page+1 >= stop {
				return
			}
		}
	}
	for _, root := range []string{"/x", "/y", "/z"} {
		walk(root, "", "", func(a int) {
			for _, window := range windowsOf(root, a) {
				walk(fmt.Sprintf("%s/%d/b", root, a), window, fmt.Sprintf(`,"parent_id":%d`, a), func(b int) {
					if b < 2 || b >= 4 {
						walk(fmt.Sprintf("%s/%d/b/%d/c", root, a, b), "", fmt.Sprintf(`,"parent_id_u0":%d,"parent_id_u1":%d,"parent_id":"%d"`, a, a, b), func(int) {})
					}
				})
			}
		})
	}
	return lines, requests
}

// walksWithFullFirstPage counts the walks that may read ahead.
func (r *remote) walksWithFullFirstPage(requests []string) int {
	n := 0
	for _, q := range requests {
		if strings.HasSuffix(q, "offset=0") && r.size(collection(q)) >= r.limit {
			n++
		}
	}
	return n
}

// distinct leaves out what was asked for again.
func distinct(requests []string) []string {
	var all []string
	for _, q := range requests {
		if !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return all
}

// inFlight counts the requests that are under way.
type inFlight struct {
	mu        sync.Mutex
	now, most int
}

func (f *inFlight) Observe(e pipeline.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch e.(type) {
	case pipeline.RequestSent:
		f.now++
		f.most = max(f.most, f.now)
	case pipeline.ResponseDone:
		f.now--
	}
}

// extract runs the configuration with n requests in flight, and returns the lines
// that came out. Between two pages every walk is written down and read back: it is
// plain data.
func extract(t *testing.T, text string, n int, h http.Handler, o pipeline.Observer) []string {
	t.Helper()
	src := compiled(t, text, options{Network: transport.Options{Observer: o}, Concurrency: n}, h)
	written := src.WriteDown()
	var lines []string
	err := src.Extract(context.Background(), func(b *pipeline.Batch) error {
		lines = append(lines, strings.Split(strings.TrimSuffix(string(b.Text), "\n"), "\n")...)
		b.Release()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if *written == 0 {
		t.Error("no walk was written down between two pages")
	}
	return lines
}

// A compiled job is not changed by a run: a second run of it asks for the same and gives
// the same.
func TestASecondRunOfTheSameJobsIsLikeTheFirst(t *testing.T) {
	text := fmt.Sprintf(tree, 3, "", strings.Join([]string{branch("x"), branch("y")}, ","))
	synctest.Test(t, func(t *testing.T) {
		r := &remote{limit: 3, failed: map[string]int{}, given: map[string]int{}}
		first := compiled(t, text, options{Concurrency: 4}, r)
		second := walk.New(*first.Options())
		var lines [2][]string
		for i, run := range []*walk.Run{first.Run, second} {
			err := run.Extract(t.Context(), func(b *pipeline.Batch) error {
				lines[i] = append(lines[i], string(b.Text))
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(lines[0], lines[1]); diff != "" || len(lines[0]) == 0 {
			t.Errorf("batches (-first +second):\n%s", diff)
		}
	})
}

func TestAScalarInThePlaceOfItemsIsAnErrorInAWalkThatWasWrittenDown(t *testing.T) {
	for job, pages := range map[string][2]string{
		`{"endpoint": "x"}`:                     {`{"result":[{"id":1}]}`, `{"result":"slow down"}`},
		`{"endpoint": "x", "format": "ndjson"}`: {`{"id":1}`, `"slow down"`},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			fmt.Fprintln(w, pages[offset])
		})
		synctest.Test(t, func(t *testing.T) {
			src := compiled(t, fmt.Sprintf(tree, 1, "", job), options{}, h)
			src.WriteDown()
			err := src.Extract(t.Context(), func(b *pipeline.Batch) error {
				b.Release()
				return nil
			})
			if !strings.Contains(fmt.Sprint(err), "is \"slow down\", where items should be") {
				t.Errorf("%s: %v", job, err)
			}
		})
	}
}
