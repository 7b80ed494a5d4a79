package record_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/source/transport/record"
)

// memory holds segments.
type memory struct {
	mu    sync.Mutex
	files map[string][]byte
	fails error // of each put
}

func (m *memory) Put(_ context.Context, name string, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, there := m.files[name]; there {
		return fs.ErrExist
	}
	if m.fails == nil {
		m.files[name] = text
	}
	return m.fails
}

func (m *memory) Head(_ context.Context, name string, _ int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[name], nil
}

func (m *memory) List(context.Context, string) (map[string]time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]time.Time{}
	for name := range m.files {
		all[name] = time.Time{}
	}
	return all, nil
}

func (m *memory) Remove(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// count is how many segments there are once nothing moves.
func (m *memory) count(t *testing.T) int {
	synctest.Wait()
	all, err := m.List(t.Context(), "")
	if err != nil {
		t.Error(err)
	}
	return len(all)
}

func (*memory) Close() error { return nil }

// begin opens the journal and begins a run; what fails goes to told.
func begin(t testing.TB, m *memory, run string, told *error) *record.Journal {
	t.Helper()
	j, err := record.OpenJournal(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	j.Every, j.Sum = time.Minute, func() map[string]pipeline.Counts { return map[string]pipeline.Counts{"a": {Requests: 7}} }
	j.Fail = func(err error) { *told = err }
	j.Run = []byte(run)
	j.Begin()
	return j
}

// answer is one with a body.
func answer(t testing.TB, page, body string) *record.Answer {
	t.Helper()
	a := &record.Answer{Page: page, Status: 200, Header: http.Header{"Link": {"x"}}, URL: "http://h/", Items: 2, At: time.Unix(5, 0)}
	if _, err := io.ReadAll(a.Tee(strings.NewReader(body))); err != nil {
		t.Fatal(err)
	}
	a.Pack()
	return a
}

// finds checks what the journal has of a page; an empty body is none.
func finds(t *testing.T, j *record.Journal, page, body string) {
	t.Helper()
	a, err := j.Find(&record.Answer{Page: page})
	if err != nil || (a == nil) != (body == "") {
		t.Fatalf("%s: %v, %v", page, a, err)
	}
	if a == nil {
		return
	}
	in, err := a.Reader()
	text, _ := io.ReadAll(in)
	if err != nil || string(text) != body || a.Header.Get("Link") != "x" || a.Status != 200 {
		t.Errorf("%s: %q, %v, %v", page, text, a, err)
	}
}

func TestAJournalIsCutWhenItsTimeHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, told := &memory{files: map[string][]byte{}}, error(nil)
		j := begin(t, m, `"run"`, &told)
		j.Keep(answer(t, "1", "one"))
		latin := answer(t, "3", "three")
		latin.Header["Link"] = []string{"/caf\xe9"} // which JSON would change
		j.Keep(latin)
		time.Sleep(59 * time.Second)
		if n := m.count(t); n != 1 {
			t.Errorf("before, there are %d", n)
		}
		time.Sleep(2 * time.Second)
		if n := m.count(t); n != 2 || told != nil {
			t.Errorf("after, there are %d, %v", n, told)
		}
		j.Keep(answer(t, "2", "two"))
		next := begin(t, m, `"run"`, &told) // the first process is there all the same
		finds(t, next, "1", "one")
		finds(t, next, "2", "")
		finds(t, next, "3", "")
		if next.Pages != 1 || next.Items != 2 || next.Totals["a"].Requests != 7 || !next.Last.Equal(time.Unix(5, 0)) {
			t.Errorf("got %+v", next)
		}
		time.Sleep(time.Minute)
		if synctest.Wait(); !errors.Is(told, record.ErrContinued) || !errors.Is(j.Seal(), record.ErrContinued) {
			t.Errorf("the first process is told %v", told)
		}
	})
}

func TestOnlyTheLastProcessPublishes(t *testing.T) {
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	first := begin(t, m, `"run"`, &told)
	second := begin(t, m, `"run"`, &told)
	if err := errors.Join(second.Seal(), second.Done([]byte("{}"), false)); err != nil || len(m.files) != 1 {
		t.Errorf("%v, and there are %v", err, m.files)
	}
	before := maps.Clone(m.files)
	if err := first.Seal(); !errors.Is(err, record.ErrContinued) || !pipeline.IsTemporary(err) || len(m.files) != len(before) {
		t.Errorf("%v, and there are %v", err, m.files)
	}
	j, err := record.OpenJournal(t.Context(), m)
	if err != nil || string(j.Run) != `"run"` || string(j.Report) != "{}" {
		t.Errorf("%v, %+v", err, j)
	}
}

func TestAJournalThatCannotBeWrittenIsToldOnceAndTheRunGoesOn(t *testing.T) {
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	j := begin(t, m, `"run"`, &told)
	m.fails = errors.New("the disk is full")
	j.Keep(answer(t, "1", "one"))
	clear(m.files) // swept meanwhile
	if err := errors.Join(j.Seal(), j.Done(nil, false), j.Close()); err != nil || !errors.Is(told, m.fails) || !*j.Begun {
		t.Errorf("%v, told %v", err, told)
	}
}

// The segment in testdata was written by the first version that had journals.
func TestASegmentOfTheFirstVersionIsRead(t *testing.T) {
	const name = "00000002.journal"
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		m, told := &memory{files: map[string][]byte{}}, error(nil)
		j := begin(t, m, `"run"`, &told)
		j.Keep(answer(t, "0.0.1#1", strings.Repeat("a body ", 99)))
		if err := errors.Join(j.Close(), os.WriteFile(file, m.files[name], 0o600), told); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	begin(t, m, `"run"`, &told)
	m.files[name] = text
	finds(t, begin(t, m, `"run"`, &told), "0.0.1#1", strings.Repeat("a body ", 99))
	delete(m.files, "00000001.journal") // expired: nobody knows whose answers these are
	delete(m.files, "00000003.journal")
	finds(t, begin(t, m, `"tomorrow"`, &told), "0.0.1#1", "")
	for damaged, want := range map[string]string{
		strings.Replace(string(text), "journal 1", "journal 2", 1): `begins with "sluice journal 2": this version of sluice reads "sluice journal 1"`,
		string(text[:len(text)-9]):                                 "is damaged",
		"":                                                         `begins with ""`,
	} {
		_, err := record.OpenJournal(t.Context(), &memory{files: map[string][]byte{name: []byte(damaged)}})
		if err == nil || !strings.Contains(err.Error(), name+" "+want) {
			t.Errorf("%.30q: %v", damaged, err)
		}
	}
}

// BenchmarkKeep measures what a journal takes of a processor for each MB of answers.
func BenchmarkKeep(b *testing.B) {
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	j := begin(b, m, `"run"`, &told)
	body := strings.Repeat(`{"id":12345,"name":"somebody","city":"somewhere else"},`, 20_000)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		j.Keep(answer(b, "1", body))
	}
}
