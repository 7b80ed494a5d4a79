package walk_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/transport/record"
)

// A store holds the segments of a journal. A hook is asked before each is stored, but the first.
type store struct {
	mu    sync.Mutex
	files map[string][]byte
	hook  func() error
}

func (s *store) Put(_ context.Context, name string, text []byte) error {
	if name > "00000001.journal" {
		if err := s.hook(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[name] != nil {
		return fs.ErrExist
	}
	s.files[name] = text
	return nil
}

func (s *store) Head(_ context.Context, name string, _ int64) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name], nil
}

func (s *store) List(context.Context, string) (map[string]time.Time, error) {
	all := map[string]time.Time{}
	for name := range s.now() {
		all[name] = time.Time{}
	}
	return all, nil
}

func (s *store) Remove(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
	return nil
}

func (s *store) Close() error { return nil }

// now is what a process would find that begins now.
func (s *store) now() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.files)
}

// opened is the journal of a run at a store, begun or continued; what fails goes to failed.
func (s *store) opened(t *testing.T, failed *error) *record.Journal {
	t.Helper()
	j, err := record.OpenJournal(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if j.Run != nil {
		j.Attempts = append(j.Attempts, report.Continuation{Pages: j.Pages})
	}
	j.Run = []byte(`"run"`)
	j.Every, j.Sum = 10*time.Second, func() map[string]report.Costs { return nil }
	j.Fail = func(err error) { *failed = err }
	j.Warn = func(text string) { t.Error(text) }
	j.Again = func(error, time.Duration) {}
	j.Begin()
	return j
}

// A list serves pages of one item each, and says which it was asked for.
type list struct {
	// bytes are those of an item.
	pages, bytes int
	asking       func(page int)
	mu           sync.Mutex
	asked        []int
}

func (l *list) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("page"))
	l.mu.Lock()
	l.asked = append(l.asked, page)
	l.mu.Unlock()
	if l.asking != nil {
		l.asking(page)
	}
	time.Sleep(100 * time.Millisecond)
	if page > l.pages {
		fmt.Fprint(w, "[]")
		return
	}
	noise := make([]byte, l.bytes*3/4)
	_, _ = rand.NewChaCha8([32]byte{byte(page)}).Read(noise)
	fmt.Fprintf(w, `[{"id":%d,"text":%q}]`, page, base64.StdEncoding.EncodeToString(noise))
}

const listed = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "pagenum", "limit": 1}}, "config": {"jobs": [{"endpoint": "items"}]}}`

// kept drains a list with a journal, and returns the items.
func (l *list) kept(t *testing.T, n int, j *record.Journal) string {
	t.Helper()
	var got strings.Builder
	err := run(t, listed, options{Concurrency: n, Journal: j}, l, func(b *pipeline.Batch) error {
		got.Write(b.Text)
		b.Release()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got.String()
}

// No segment is stored before the last page has been asked for: who waits for the store waits for ever.
func TestTheWalksDoNotWaitForTheJournal(t *testing.T) {
	refusal := errors.New("503 Slow Down")
	const pages = 20
	for name, c := range map[string]struct {
		// hook holds or refuses a segment; all is closed when all pages have been asked for.
		hook  func(all <-chan struct{}) error
		bytes int
		fails error
	}{
		// All pages are more than a segment.
		"holds each for 8 s": {bytes: 1 << 20, hook: func(all <-chan struct{}) error {
			<-all
			time.Sleep(8 * time.Second)
			return nil
		}},
		"refuses": {hook: func(all <-chan struct{}) error {
			select {
			case <-all:
				return nil
			default:
				return refusal
			}
		}},
		"refuses for ever": {hook: func(<-chan struct{}) error { return refusal }, fails: refusal},
	} {
		var want string
		synctest.Test(t, func(t *testing.T) { want = (&list{pages: pages, bytes: c.bytes}).kept(t, 1, nil) })
		for _, n := range []int{1, 4} {
			synctest.Test(t, func(t *testing.T) {
				all, once := make(chan struct{}), sync.Once{}
				s := &store{files: map[string][]byte{}, hook: func() error { return c.hook(all) }}
				l := &list{pages: pages, bytes: c.bytes, asking: func(page int) {
					if page > pages {
						once.Do(func() { close(all) })
					}
				}}
				var failed error
				j := s.opened(t, &failed)
				if got := l.kept(t, n, j); got != want {
					t.Errorf("%s, %d in flight: other bytes", name, n)
				}
				// Before anything is published.
				err := j.Seal(t.Context())
				if err != nil || !errors.Is(failed, c.fails) {
					t.Errorf("%s, %d in flight: %v, told %v", name, n, err, failed)
				}
				next := s.opened(t, &failed)
				if c.fails == nil && next.Pages != pages+1 {
					t.Errorf("%s, %d in flight: %d pages are kept", name, n, next.Pages)
				}
			})
		}
	}
}

// Whenever a process is killed whose journal takes 8 s for a segment: what is there is not asked for again, and the
// items are the same.
func TestARunContinuesFromWhatASlowJournalHas(t *testing.T) {
	const pages = 50
	for _, n := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			s := &store{
				files: map[string][]byte{},
				hook:  func() error { time.Sleep(8 * time.Second); return nil },
			}
			var mu sync.Mutex
			var killed []map[string][]byte
			first := &list{pages: pages, asking: func(page int) {
				// So that it takes longer than some segments.
				time.Sleep(time.Duration(1+page%3) * time.Second)
				mu.Lock()
				defer mu.Unlock()
				killed = append(killed, s.now())
			}}
			var failed error
			j := s.opened(t, &failed)
			want := first.kept(t, n, j)
			if err := j.Close(); err != nil || failed != nil {
				t.Errorf("%v, told %v", err, failed)
			}
			synctest.Wait()
			most := 0
			for _, files := range append(killed, s.now()) {
				there := &store{files: files, hook: func() error { return nil }}
				j := there.opened(t, &failed)
				most = max(most, j.Pages)
				second := &list{pages: pages}
				kept := j.Pages
				if got := second.kept(t, n, j); got != want {
					t.Errorf("%d in flight, %d pages kept: other bytes", n, kept)
				}
				// What was guessed in vain is asked for until now.
				synctest.Wait()
				asked := slices.Compact(slices.Sorted(slices.Values(second.asked)))
				if len(asked) != len(second.asked) || len(asked) > pages+1-kept+n {
					t.Errorf("%d in flight, %d pages kept: asked for %v", n, kept, second.asked)
				}
				if err := j.Seal(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if most != pages+1 {
				t.Errorf("at most %d pages were kept", most)
			}
		})
	}
}
