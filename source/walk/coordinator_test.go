package walk_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"sluice/fixtures/api"
	"sluice/pipeline"
	"sluice/source/transport"
)

// A journal is what a server was asked for, and when.
type journal struct {
	mu    sync.Mutex
	began time.Time
	asked []string
}

// answering serves what answer returns, and writes down what it was asked for.
func (j *journal) answering(answer func(w http.ResponseWriter, r *http.Request)) http.Handler {
	j.began = time.Now()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		j.mu.Lock()
		j.asked = append(j.asked, time.Since(j.began).String()+" "+r.RequestURI)
		j.mu.Unlock()
		answer(w, r)
	})
}

// of returns the requests for a path.
func (j *journal) of(path string) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(j.asked), func(a string) bool {
		_, uri, _ := strings.Cut(a, " ")
		before, _, _ := strings.Cut(uri, "?")
		return before != path
	})
}

// run extracts within a bubble, and returns the error that it ended with.
func run(t *testing.T, text string, o options, h http.Handler, emit func(*pipeline.Batch) error) error {
	t.Helper()
	return runIn(t.Context(), t, text, o, h, emit)
}

func runIn(ctx context.Context, t *testing.T, text string, o options, h http.Handler, emit func(*pipeline.Batch) error) error {
	t.Helper()
	return compiled(t, text, o, h).Extract(ctx, emit)
}

// compiled returns the source of a configuration whose http://api.test/ is h, until
// the bubble ends.
func compiled(t *testing.T, text string, o options, h http.Handler) made {
	t.Helper()
	network := api.NewNetwork()
	stop, err := network.Serve("api.test", h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	o.Network.Dial = network.Dial
	return prepare(t, text, o)
}

// The first of many walks takes 10 seconds. While the output waits for it, the
// others hold at most 3/4 of the places, and what is more than 2 N pages is in files;
// while it is the sink that takes its time, nothing beyond 2 N pages is read ahead.
func TestPagesReadAheadHaveTheirPlaces(t *testing.T) {
	jobs := []string{`{"endpoint": "first", "children": [{"endpoint": "first/{id}", "placeholders": {"id": "id"}}]}`}
	for i := range 80 {
		jobs = append(jobs, fmt.Sprintf(`{"endpoint": "other/%d"}`, i))
	}
	text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [%s]}}`, strings.Join(jobs, ","))
	for _, c := range []struct {
		n, wait, most, files int
		folder               string
	}{
		{n: 1, wait: 10, most: 1},
		{n: 2, wait: 10, most: 1 + 24, files: 1 + 24 - 4},
		{n: 2, wait: 10, most: 1 + 24, folder: "/missing"}, // until it is needed, which is once per run
		{n: 16, wait: 10, most: 1 + 48, files: 1 + 48 - 32},
		{n: 16, wait: 0, most: 1 + 24},
	} {
		folder := t.TempDir()
		files := 0
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var got strings.Builder
			asked, emitted, most := 0, 0, 0
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked++
				most = max(most, asked-emitted)
				mu.Unlock()
				if r.URL.Path == "/first" {
					time.Sleep(time.Duration(c.wait) * time.Second)
					files = len(leftIn(t, folder))
				} else if strings.HasPrefix(r.URL.Path, "/other") {
					time.Sleep(100 * time.Millisecond)
				}
				fmt.Fprintf(w, `[{"id":1,"of":%q}]`, r.URL.Path)
			})
			o := options{Concurrency: c.n, TempDir: folder + c.folder}
			err := run(t, text, o, h, func(b *pipeline.Batch) error {
				if c.wait == 0 {
					time.Sleep(time.Second)
				}
				mu.Lock()
				emitted++ // each page is one batch
				mu.Unlock()
				got.Write(b.Text)
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := `{"id":1,"of":"/first"}` + "\n" + `{"id":1,"of":"/first/1","parent_id":1}` + "\n"
			for i := range 80 {
				want += fmt.Sprintf(`{"id":1,"of":"/other/%d"}`+"\n", i)
			}
			if got.String() != want {
				t.Errorf("%+v: items\n%s", c, &got)
			}
			if most > c.most+1 { // one is being emitted
				t.Errorf("%+v: %d pages were in flight or held", c, most)
			}
		})
		if files != c.files && runtime.GOOS == "linux" {
			t.Errorf("%+v: %d pages were in files", c, files)
		}
	}
}

// A page that is 404 fails the run while the walk before it is read ahead: of that
// walk only what is certain to be needed is asked for from then on.
func TestNoPageIsGuessedAfterAFailure(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 1}}, "config": {"jobs": [{"endpoint": "long"}, {"endpoint": "bad"}]}}`
	synctest.Test(t, func(t *testing.T) {
		var j journal
		h := j.answering(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/bad":
				time.Sleep(1500 * time.Millisecond)
				http.NotFound(w, r)
				return
			case len(r.FormValue("offset")) == 1:
				time.Sleep(time.Second)
				fmt.Fprintf(w, `[%s]`, r.FormValue("offset"))
			default: // from the tenth page on
				fmt.Fprint(w, `[]`)
			}
		})
		items := 0
		err := run(t, text, options{Concurrency: 8}, h, func(b *pipeline.Batch) error {
			items += b.Items
			b.Release()
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "job bad: page 1: ") || items != 10 {
			t.Errorf("%d items, error %v", items, err)
		}
		if long := j.of("/long"); len(long) != 11 || time.Since(j.began) != 7*time.Second { // 1, then 2 to 5, then one by one
			t.Errorf("%s, asked for %q", time.Since(j.began), long)
		}
	})
}

// Where requests wait for the budget, a guess in vain makes one wait that is needed.
func TestFewPagesAreGuessedWithABudget(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 1}}, "config": {"jobs": [{"endpoint": "a"}]}}`
	for _, c := range []struct {
		name    string
		limiter *rate.Limiter
		refuse  int // so many of the first requests, with 429
		want    int // requests
	}{
		{"none", nil, 0, 17},
		{"stated", rate.NewLimiter(0.9, 1), 0, 10},
		{"learnt", nil, 3, 3 + 13},
	} {
		synctest.Test(t, func(t *testing.T) {
			var j journal
			h := j.answering(func(w http.ResponseWriter, r *http.Request) {
				offset, _ := strconv.Atoi(r.FormValue("offset"))
				if len(j.of("/a")) <= c.refuse {
					w.Header().Set("Retry-After", "1")
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				time.Sleep(time.Second + time.Duration(offset)*time.Millisecond)
				fmt.Fprint(w, "["+strings.Repeat(r.FormValue("offset"), min(1, max(0, 9-offset)))+"]")
			})
			if err := run(t, text, options{Concurrency: 8, Network: transport.Options{Limiter: c.limiter}}, h, func(b *pipeline.Batch) error { b.Release(); return nil }); err != nil {
				t.Fatal(err)
			}
			if asked := j.of("/a"); len(asked) != c.want {
				t.Errorf("%s: asked for %q", c.name, asked)
			}
		})
	}
}

func TestPagesBeforeAFailureAreAllAskedForAndNoneAfterIt(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [
 {"endpoint": "long", "children": [{"endpoint": "long/{id}", "placeholders": {"id": "id"}}]},
 {"endpoint": "bad"}, {"endpoint": "down"}, {"endpoint": "late"}, {"endpoint": "later"}]}}`
	synctest.Test(t, func(t *testing.T) {
		var j journal
		h := j.answering(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/long":
				time.Sleep(10 * time.Second)
			case "/bad":
				time.Sleep(2 * time.Second)
				http.Error(w, "there is no such thing", http.StatusNotFound)
				return
			case "/down":
				http.Error(w, "down", http.StatusInternalServerError)
				return
			case "/late":
				<-r.Context().Done()
				return
			}
			fmt.Fprintf(w, `[{"id":1,"of":%q}]`, r.URL.Path)
		})
		var got strings.Builder
		err := run(t, text, options{Concurrency: 4}, h, func(b *pipeline.Batch) error {
			got.Write(b.Text)
			b.Release()
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "job bad: page 1: GET http://api.test/bad: 404 Not Found") {
			t.Errorf("error %v", err)
		}
		if want := `{"id":1,"of":"/long"}` + "\n" + `{"id":1,"of":"/long/1","parent_id":1}` + "\n"; got.String() != want {
			t.Errorf("items\n%s\nwant\n%s", &got, want)
		}
		if down := j.of("/down"); len(down) != 2 { // at once and after a second
			t.Errorf("asked for what is down: %q", down)
		}
		if child := j.of("/long/1"); len(child) != 1 || !strings.HasPrefix(child[0], "10s ") {
			t.Errorf("asked for what the output needs: %q", child)
		}
		if later := j.of("/later"); len(later) != 0 {
			t.Errorf("asked for what comes behind: %q", later)
		}
		if took := time.Since(j.began); took != 10*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestAPageThatIsDroppedDoesNotLogIn(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 1},
 "authentication": {"type": "login", "expires": 0, "loginRequest": {"endpoint": "login"}, "apiRequest": {"headers": {"X-Token": {"response": "token"}}}}},
 "config": {"jobs": [{"endpoint": "a"}, {"endpoint": "b"}]}}`
	synctest.Test(t, func(t *testing.T) {
		var j journal
		h := j.answering(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			switch {
			case r.URL.Path == "/login":
				fmt.Fprint(w, `{"token":"secret"}`)
			case r.FormValue("offset") < "4":
				fmt.Fprintf(w, `[{"id":%s}]`, r.FormValue("offset"))
			default:
				fmt.Fprint(w, `[]`)
			}
		})
		items := 0
		if err := run(t, text, options{Concurrency: 16}, h, func(b *pipeline.Batch) error {
			items += b.Items
			b.Release()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		logins, requests := len(j.of("/login")), len(j.of("/a"))+len(j.of("/b"))
		if items != 8 || logins > requests+2 { // each of the two walks may end between the login of a page behind its end and that page
			t.Errorf("%d items, %d logins for %d requests: %q", items, logins, requests, j.asked)
		}
	})
}

func TestTheCombinationsOfArraysAreMadeAsTheyAreWanted(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [
 {"endpoint": "a", "children": [{"endpoint": "a/{x}/{y}", "placeholders": {"x": "list", "y": "list"}}]}]}}`
	list := "[0" + strings.Repeat(",1", 999) + "]"
	synctest.Test(t, func(t *testing.T) {
		var before, after runtime.MemStats
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/a" {
				runtime.ReadMemStats(&before)
				fmt.Fprintf(w, `[{"list":%s}]`, list)
				return
			}
			runtime.ReadMemStats(&after)
			http.NotFound(w, r)
		})
		err := run(t, text, options{}, h, func(b *pipeline.Batch) error { b.Release(); return nil })
		if err == nil || !strings.Contains(err.Error(), "/a/0/0: 404 Not Found") {
			t.Fatalf("error %v", err)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 16 {
			t.Errorf("%d MiB were allocated for the first of a million jobs", made)
		}
	})
}
