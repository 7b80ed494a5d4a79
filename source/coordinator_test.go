package source_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
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
func run(t *testing.T, text string, o source.Options, h http.Handler, emit func(*pipeline.Batch) error) error {
	t.Helper()
	return runIn(t.Context(), t, text, o, h, emit)
}

func runIn(ctx context.Context, t *testing.T, text string, o source.Options, h http.Handler, emit func(*pipeline.Batch) error) error {
	t.Helper()
	return compiled(t, text, o, h).Extract(ctx, emit)
}

// compiled returns the source of a configuration whose http://api.test/ is h, until
// the bubble ends.
func compiled(t *testing.T, text string, o source.Options, h http.Handler) *source.Source {
	t.Helper()
	network := api.NewNetwork()
	stop, err := network.Serve("api.test", h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	var p config.Problems
	o.Secrets = &secret.Set{}
	o.Dial = network.Dial
	src := source.New([]*config.Document{config.Decode(config.Parse("test", []byte(text), &p), o.Secrets, &p)}, o, &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return src
}

func TestInFlightAndHeldAreAtMostTwiceN(t *testing.T) {
	jobs := []string{`{"endpoint": "first", "children": [{"endpoint": "first/{id}", "placeholders": {"id": "id"}}]}`}
	for i := range 40 {
		jobs = append(jobs, fmt.Sprintf(`{"endpoint": "other/%d"}`, i))
	}
	text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [%s]}}`, strings.Join(jobs, ","))
	for _, n := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			asked, emitted, most := 0, 0, 0
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked++
				most = max(most, asked-emitted)
				mu.Unlock()
				if strings.HasPrefix(r.URL.Path, "/first") {
					time.Sleep(10 * time.Second)
				}
				fmt.Fprint(w, `[{"id":1},{"id":2},{"id":3}]`)
			})
			err := run(t, text, source.Options{Concurrency: n}, h, func(b *pipeline.Batch) error {
				time.Sleep(time.Second)
				mu.Lock()
				emitted++ // each page is one batch
				mu.Unlock()
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if emitted != 44 || most > 2*n {
				t.Errorf("N=%d: %d pages emitted, %d in flight or held", n, emitted, most)
			}
		})
	}
}

func TestBehindAFailureNothingIsAskedForAnyMoreAndBeforeItEverything(t *testing.T) {
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
		err := run(t, text, source.Options{Concurrency: 4}, h, func(b *pipeline.Batch) error {
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
		if err := run(t, text, source.Options{Concurrency: 16}, h, func(b *pipeline.Batch) error {
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
		err := run(t, text, source.Options{}, h, func(b *pipeline.Batch) error { b.Release(); return nil })
		if err == nil || !strings.Contains(err.Error(), "/a/0/0: 404 Not Found") {
			t.Fatalf("error %v", err)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 16 {
			t.Errorf("%d MiB were allocated for the first of a million jobs", made)
		}
	})
}
