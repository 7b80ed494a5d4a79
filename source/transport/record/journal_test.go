package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/transport/record"
)

// memory holds segments.
type memory struct {
	mu    sync.Mutex
	files map[string][]byte
	fails error // of each put

	// unread: no file can be read.
	unread bool
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
	if m.unread {
		return nil, errors.New("it cannot be read")
	}
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
	if string(j.Run) == run {
		j.Attempts = append(j.Attempts, report.Continuation{Pages: j.Pages})
	}
	j.Every, j.Sum = time.Minute, func() map[string]report.Costs { return map[string]report.Costs{"a": {Requests: 7}} }
	j.Fail = func(err error) { *told = err }
	j.Again = func(error, time.Duration) {}
	j.Run = []byte(run)
	j.Begin()
	return j
}

// answer is one with a body.
func answer(t testing.TB, page, body string) *record.KeptAnswer {
	t.Helper()
	a := &record.KeptAnswer{Page: page, Status: 200, Header: http.Header{"Link": {"x"}}, URL: "http://h/", Items: 2, At: time.Unix(5, 0)}
	if _, err := io.ReadAll(a.Tee(strings.NewReader(body))); err != nil {
		t.Fatal(err)
	}
	a.Pack()
	return a
}

// finds checks what the journal has of a page; an empty body is none.
func finds(t *testing.T, j *record.Journal, page, body string) {
	t.Helper()
	a, err := j.Find(&record.KeptAnswer{Page: page})
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
		for _, step := range []struct {
			after time.Duration
			files int
		}{{999 * time.Millisecond, 1}, {time.Millisecond, 2}, {59 * time.Second, 2}, {time.Second, 3}} {
			time.Sleep(step.after)
			if n := m.count(t); n != step.files || told != nil {
				t.Errorf("%v later there are %d, want %d, %v", step.after, n, step.files, told)
			}
			if step.files == 2 && step.after < time.Second {
				j.Keep(answer(t, "0", "nought"))
			}
		}
		j.Keep(answer(t, "2", "two"))
		next := begin(t, m, `"run"`, &told) // the first process is there all the same
		finds(t, next, "1", "one")
		finds(t, next, "2", "")
		finds(t, next, "3", "")
		if next.Pages != 2 || next.Items != 4 || next.Totals["a"].Requests != 7 || !next.Last.Equal(time.Unix(5, 0)) {
			t.Errorf("got %+v", next)
		}
		time.Sleep(time.Minute)
		if synctest.Wait(); !errors.Is(told, record.ErrContinued) || !errors.Is(j.Seal(t.Context()), record.ErrContinued) {
			t.Errorf("the first process is told %v", told)
		}
	})
}

func TestOnlyTheLastProcessPublishes(t *testing.T) {
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	first := begin(t, m, `"run"`, &told)
	second := begin(t, m, `"run"`, &told)
	if err := errors.Join(second.Seal(t.Context()), second.Done([]byte("{}"), false)); err != nil || len(m.files) != 1 {
		t.Errorf("%v, and there are %v", err, m.files)
	}
	before := maps.Clone(m.files)
	if err := first.Seal(t.Context()); !errors.Is(err, record.ErrContinued) || !pipeline.IsTemporary(err) || len(m.files) != len(before) {
		t.Errorf("%v, and there are %v", err, m.files)
	}
	j, err := record.OpenJournal(t.Context(), m)
	if err != nil || string(j.Run) != `"run"` || string(j.Report) != "{}" {
		t.Errorf("%v, %+v", err, j)
	}
}

func TestAProcessFindsOutThatItHasLostTheRun(t *testing.T) {
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	unbegun, err := record.OpenJournal(t.Context(), m)
	first := begin(t, m, `"run"`, &told)
	if err != nil || unbegun.Lost() || first.Lost() {
		t.Errorf("it is lost before another comes, %v", err)
	}
	// Of this very process, whose answer was lost.
	const own = "00000002.journal"
	if err := first.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := m.files[own]
	second := begin(t, m, `"run"`, &told)
	if !first.Lost() || second.Lost() {
		t.Errorf("the first: %v, the second: %v", first.Lost(), second.Lost())
	}
	if err := second.Done([]byte("{}"), false); err != nil || !first.Lost() {
		t.Errorf("once all is visible: %v, %v", first.Lost(), err)
	}
	clear(m.files)
	alone := begin(t, m, `"run"`, &told)
	m.files[own] = text
	if alone.Lost() {
		t.Error("its own segment is that of another")
	}
}

func TestAJournalThatCannotBeWrittenIsToldOnceAndTheRunGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, told := &memory{files: map[string][]byte{}}, error(nil)
		j := begin(t, m, `"run"`, &told)
		m.fails = errors.New("the disk is full")
		j.Keep(answer(t, "1", "one"))
		clear(m.files) // swept meanwhile
		if err := errors.Join(j.Seal(t.Context()), j.Done(nil, false), j.Close()); err != nil || !errors.Is(told, m.fails) || !*j.Begun {
			t.Errorf("%v, told %v", err, told)
		}
	})
}

// The segment in testdata was written by the version of the format that is read now.
func TestAnEarlierSegmentIsRead(t *testing.T) {
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
	finds(t, begin(t, m, `"tomorrow"`, &told), "0.0.1#1", "")
}

// kept is a journal of a run that has continued once, of two answers, with those that it has.
func kept(t *testing.T) (files map[string][]byte, pages map[string]string) {
	t.Helper()
	pages = map[string]string{"1": strings.Repeat("one ", 50), "2": "two"}
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	for _, page := range []string{"1", "2"} {
		j := begin(t, m, `"run"`, &told)
		j.Keep(answer(t, page, pages[page]))
		if err := errors.Join(j.Close(), told); err != nil {
			t.Fatal(err)
		}
	}
	return m.files, pages
}

// reads opens a journal and looks for all pages: each is there as it was, or asked for again with a warning, or the
// journal is refused. It returns what was said.
func reads(t *testing.T, files map[string][]byte, pages map[string]string) (warnings string, refused error) {
	t.Helper()
	j, err := record.OpenJournal(t.Context(), &memory{files: maps.Clone(files)})
	if err != nil {
		return "", err
	}
	if j.Run == nil {
		t.Error("nobody knows whose it is")
		return "", nil
	}
	j.Every, j.Sum, j.Fail = time.Minute, func() map[string]report.Costs { return nil }, func(err error) { t.Error(err) }
	j.Warn = func(text string) { warnings += text + "\n" }
	j.Attempts = append(j.Attempts, report.Continuation{})
	j.Begin()
	missing := 0
	for page, body := range pages {
		a, err := j.Find(&record.KeptAnswer{Page: page})
		if err != nil {
			t.Error(err)
		}
		if a == nil {
			missing++
			continue
		}
		finds(t, j, page, body)
	}
	if (missing > 0) != (warnings != "") || j.Pages != len(pages)-missing {
		t.Errorf("%d pages are missing, %d are said to be there, and the warnings are %q", missing, j.Pages, warnings)
	}
	return warnings, nil
}

// Whatever byte of a journal is another one, and wherever one of its files ends: no answer is read that was not given.
func TestADamagedJournalNeverGivesAnotherAnswer(t *testing.T) {
	files, pages := kept(t)
	warned, refused := 0, 0
	try := func(name string, text []byte) {
		damaged := maps.Clone(files)
		damaged[name] = text
		warnings, err := reads(t, damaged, pages)
		if said := warnings + fmt.Sprint(err); !strings.Contains(said, name) {
			t.Errorf("nothing is said of %s: %s", name, said)
		}
		if err == nil {
			warned++
		} else {
			refused++
		}
	}
	for name, text := range files {
		for at := range text {
			for _, bits := range []byte{1, 0x20, 0xff} {
				other := bytes.Clone(text)
				other[at] ^= bits
				try(name, other)
			}
			try(name, text[:at])
		}
	}
	if warnings, err := reads(t, files, pages); warnings != "" || err != nil {
		t.Errorf("undamaged: %q, %v", warnings, err)
	}
	if warned == 0 || refused == 0 {
		t.Errorf("%d were read in part, %d refused", warned, refused)
	}
}

func TestWhatIsNoSegmentIsRefused(t *testing.T) {
	files, pages := kept(t)
	const first, second = "00000001.journal", "00000002.journal"
	sum := func(head string) string {
		const magic = "sluice journal 2\n"
		return fmt.Sprintf("%s%d %08x\n%s", magic, len(head), crc32.Checksum([]byte(head), crc32.MakeTable(crc32.Castagnoli)), head)
	}
	for text, want := range map[string]string{
		"":                                `begins with "": this version of sluice reads "sluice journal 2"; if it is removed, what it has is asked for again`,
		"sluice journal 1\n{}\n":          `begins with "sluice journal 1": this`,
		"sluice journal 2\n":              "is damaged: its second line",
		"sluice journal 2\n-1 00000000\n": "is damaged: its second line",
		"sluice journal 2\n9999999999999 00000000\n{}": "is damaged: it ends within its head",
		sum("[]"):                      "is damaged: its head is not one of a journal",
		string(files[second]) + "\x00": "is damaged: it has more bytes than its head says",
	} {
		damaged := maps.Clone(files)
		damaged[second] = []byte(text)
		if _, err := reads(t, damaged, pages); err == nil || !strings.HasPrefix(err.Error(), second+" "+want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	damaged := maps.Clone(files)
	damaged[second] = make([]byte, 128<<20+1)
	if _, err := reads(t, damaged, pages); err == nil || !strings.Contains(err.Error(), "is no file of a journal, since it is too large") {
		t.Errorf("a large one: %v", err)
	}
	damaged = maps.Clone(files)
	damaged[first] = nil
	if _, err := reads(t, damaged, pages); err == nil || !strings.HasSuffix(err.Error(), "; if it is removed, the run begins anew") {
		t.Errorf("the first: %v", err)
	}
}

func TestANumberThatNoneCanFollowIsRefused(t *testing.T) {
	files, pages := kept(t)
	const last = "99999999.journal"
	files[last] = files["00000002.journal"]
	_, err := reads(t, files, pages)
	const want = last + " has a number after which none is left; if it is removed, what it has is asked for again"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}

// forbidden is a journal of which no segment may be read.
type forbidden struct{ *memory }

func (forbidden) Head(_ context.Context, name string, _ int64) ([]byte, error) {
	return nil, fmt.Errorf("%s: %w", name, fs.ErrPermission)
}

func TestASegmentThatMayNotBeReadIsRefused(t *testing.T) {
	files, _ := kept(t)
	_, err := record.OpenJournal(t.Context(), forbidden{&memory{files: files}})
	const want = "; let this user read it; if it is removed, the run begins anew"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Error(err)
	}
}

// A file that is not of this journal gives it no answers, whatever it claims.
func TestAForeignSegmentGivesNoAnswers(t *testing.T) {
	files, pages := kept(t)
	m, told := &memory{files: map[string][]byte{}}, error(nil)
	other := begin(t, m, `"another run"`, &told)
	other.Keep(answer(t, "1", "one of another run"))
	if err := errors.Join(other.Close(), told); err != nil {
		t.Fatal(err)
	}
	mixed := maps.Clone(files)
	mixed["00000002.journal"] = m.files["00000002.journal"]
	if warnings, err := reads(t, mixed, pages); warnings != "00000002.journal is of another run, and is not used\n" || err != nil {
		t.Errorf("%q, %v", warnings, err)
	}

	// A body that says it has 4 GiB.
	bomb := &record.KeptAnswer{Page: "1", Body: []byte{0xff, 0xff, 0xff, 0xff, 0x0f}}
	m = &memory{files: map[string][]byte{}}
	j := begin(t, m, `"run"`, &told)
	j.Keep(bomb)
	if err := errors.Join(j.Close(), told); err != nil {
		t.Fatal(err)
	}
	if warnings, err := reads(t, m.files, map[string]string{"1": "x"}); !strings.Contains(warnings, "1 of its 1 answers") || err != nil {
		t.Errorf("%q, %v", warnings, err)
	}
}

func TestAFileThatIsDamagedLaterIsAskedForAgain(t *testing.T) {
	files, _ := kept(t)
	m, warnings := &memory{files: files}, ""
	for n := range 6 { // which leave the cache
		m.files[fmt.Sprintf("%08d.journal", 20+n)] = m.files["00000001.journal"]
	}
	j, err := record.OpenJournal(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	j.Warn = func(text string) { warnings += text }
	m.files["00000002.journal"] = nil
	if a, err := j.Find(&record.KeptAnswer{Page: "1"}); a != nil || err != nil || !strings.HasPrefix(warnings, "00000002.journal has been damaged since") {
		t.Errorf("%v, %v, %q", a, err, warnings)
	}
	finds(t, j, "2", "two")
}

// partial lists only some names, and says that these are not all.
type partial struct{ *memory }

func (partial) List(context.Context, string) (map[string]time.Time, error) {
	return map[string]time.Time{"00000002.journal": {}}, errors.New("the rest cannot be read")
}

func TestAFolderThatIsReadInPartIsNoEmptyJournal(t *testing.T) {
	files, _ := kept(t)
	if _, err := record.OpenJournal(t.Context(), partial{&memory{files: files}}); err == nil {
		t.Error("it is read")
	}
}

// stubborn keeps a file whatever is done.
type stubborn struct {
	*memory
	name string
}

func (s stubborn) Remove(ctx context.Context, name string) error {
	if name == s.name {
		return errors.New("it stays")
	}
	return s.memory.Remove(ctx, name)
}

func TestAnInterruptedRemovalIsFinished(t *testing.T) {
	files, _ := kept(t)
	names := slices.Sorted(maps.Keys(files))

	// Of a run that has ended, by whoever asks for it again.
	m := &memory{files: maps.Clone(files)}
	j, err := record.OpenJournal(t.Context(), stubborn{m, names[1]})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Done([]byte("{}"), false); err == nil {
		t.Error("the removal is not interrupted")
	}
	if j, err = record.OpenJournal(t.Context(), m); err != nil || j.Report == nil || len(m.files) != len(names) {
		t.Fatalf("%v, and there are %d", err, len(m.files))
	}
	if err := j.Tidy(); err != nil || len(m.files) != 1 {
		t.Errorf("%v, and there are %d", err, len(m.files))
	}

	// Of a run that was swept: the beginning of its second process does not make a run of the rest.
	m = &memory{files: maps.Clone(files)}
	if err := record.Remove(t.Context(), stubborn{m, names[1]}, names); err == nil {
		t.Error("the removal is not interrupted")
	}
	told := error(nil)
	j = begin(t, m, `"tomorrow"`, &told)
	finds(t, j, "2", "")
	if len(m.files) != 1 || told != nil {
		t.Errorf("there are %d, %v", len(m.files), told)
	}

	// Of a shard.
	for run, want := range map[string]int{`"run"`: 0, `"tomorrow"`: len(names)} {
		m = &memory{files: maps.Clone(files)}
		err := record.Clear(t.Context(), m, func(there []byte) bool { return string(there) == run })
		if err != nil || len(m.files) != want {
			t.Errorf("%s: %v, and there are %d", run, err, len(m.files))
		}
	}
}

// What could not be kept for a while does not refuse the next run.
func TestAJournalThatFailedIsEndedAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, told := &memory{files: map[string][]byte{}}, error(nil)
		j := begin(t, m, `"run"`, &told)
		m.fails = errors.New("the disk is full")
		if err := j.Seal(t.Context()); err != nil || !errors.Is(told, m.fails) {
			t.Errorf("%v, told %v", err, told)
		}
		m.fails = nil
		if err := errors.Join(j.Done([]byte("{}"), false), j.Close()); err != nil || len(m.files) != 1 {
			t.Errorf("%v, and there are %d", err, len(m.files))
		}
		if j, err := record.OpenJournal(t.Context(), m); err != nil || j.Report == nil {
			t.Errorf("%v", err)
		}
	})
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
