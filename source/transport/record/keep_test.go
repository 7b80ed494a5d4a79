package record_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline/report"
	"sluice/source/transport/record"
)

// A troubled store lets a hook decide about each put, which is numbered from 1.
type troubled struct {
	*memory
	hook func(number int) error

	mu     sync.Mutex
	number int
}

// errStored is that of a put which has stored, and whose answer is lost.
var errStored = errors.New("the answer is lost")

func (s *troubled) Put(ctx context.Context, name string, text []byte) error {
	s.mu.Lock()
	s.number++
	number := s.number
	s.mu.Unlock()
	err := s.hook(number)
	if err != nil && !errors.Is(err, errStored) {
		return err
	}
	return errors.Join(s.memory.Put(ctx, name, text), err)
}

// size is that of all segments, in bytes.
func (m *memory) size() (size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, text := range m.files {
		size += len(text)
	}
	return size
}

// refusing begins a run at a store, and tells how its journal failed, and how often it tried again.
func refusing(t *testing.T, s record.Storage) (j *record.Journal, told *error, again *int) {
	t.Helper()
	told, again = new(error), new(int)
	j, err := record.OpenJournal(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	j.Run = []byte(`"run"`)
	j.Every, j.Sum = time.Minute, func() map[string]report.Costs { return nil }
	j.Fail = func(err error) { *told = err }
	j.Again = func(error, time.Duration) { *again++ }
	j.Begin()
	return j, told, again
}

// pages are those that a later process finds, of so many.
func pages(t *testing.T, m *memory, most int) (all []int) {
	t.Helper()
	j, err := record.OpenJournal(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for n := range most {
		a, err := j.Find(&record.KeptAnswer{Page: fmt.Sprint(n)})
		if err != nil {
			t.Fatal(err)
		}
		if a != nil {
			all = append(all, n)
		}
	}
	return all
}

// noise is a body of so many MiB that is not compressed.
func noise(t *testing.T, page, size int) *record.KeptAnswer {
	t.Helper()
	text := make([]byte, size<<20)
	_, _ = rand.NewChaCha8([32]byte{byte(page)}).Read(text)
	return answer(t, fmt.Sprint(page), string(text))
}

func TestWhoKeepsAnAnswerDoesNotWaitForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{files: map[string][]byte{}}
		s := &troubled{memory: m, hook: func(int) error { time.Sleep(8 * time.Second); return nil }}
		j, told, _ := refusing(t, s)
		began := time.Now()
		const most = 40
		for n := range most {
			j.Keep(noise(t, n, 1))
			if err := j.Room(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := j.Find(&record.KeptAnswer{Page: "unknown"}); err != nil {
				t.Fatal(err)
			}
		}
		if time.Since(began) != 0 || m.count(t) != 1 {
			t.Errorf("it took %v, and there are %d", time.Since(began), m.count(t))
		}
		if err := j.Seal(t.Context()); err != nil || *told != nil {
			t.Errorf("%v, told %v", err, *told)
		}
		if got := pages(t, m, most); len(got) != most {
			t.Errorf("when it is sealed only %v are there", got)
		}
		for name, text := range m.files {
			if len(text) > 18<<20 {
				t.Errorf("%s has %d bytes", name, len(text))
			}
		}
	})
}

func TestAStoreThatRefusesForAMinuteLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{files: map[string][]byte{}}
		var until time.Time
		s := &troubled{memory: m, hook: func(int) error {
			if time.Now().Before(until) {
				return errors.New("503 Slow Down")
			}
			return nil
		}}
		j, told, again := refusing(t, s)
		until = time.Now().Add(time.Minute)
		const most = 30
		for n := range most {
			j.Keep(answer(t, fmt.Sprint(n), "text"))
			time.Sleep(3 * time.Second)
		}
		if err := j.Close(); err != nil || *told != nil || *again == 0 {
			t.Errorf("%v, told %v, tried again %d times", err, *told, *again)
		}
		if got := pages(t, m, most); len(got) != most {
			t.Errorf("only %v are there", got)
		}
	})
}

// Who waits for a store that refuses for ever goes on when it is given up.
func TestAStoreThatRefusesForEverIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, lasting := &memory{files: map[string][]byte{}}, errors.New("no such bucket")
		var refuses error
		j, told, _ := refusing(t, &troubled{memory: m, hook: func(int) error { return refuses }})
		j.Warn = func(string) {}
		refuses = lasting
		for n := range 70 {
			j.Keep(noise(t, n, 1))
		}
		err := j.Room(t.Context())
		synctest.Wait()
		if err != nil || !errors.Is(*told, lasting) {
			t.Errorf("%v, told %v", err, *told)
		}
		if err := errors.Join(j.Seal(t.Context()), j.Close()); err != nil || len(m.files) != 1 || !*j.Begun {
			t.Errorf("%v, and there are %d", err, len(m.files))
		}
	})
}

func TestWhoeverEndsARunDoesNotWaitForItsSeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{files: map[string][]byte{}}
		var refuses error
		j, _, _ := refusing(t, &troubled{memory: m, hook: func(int) error { return refuses }})
		refuses = errors.New("503 Slow Down")
		ctx, cancel := context.WithCancelCause(t.Context())
		signal := errors.New("interrupted")
		time.AfterFunc(time.Second, func() { cancel(signal) })
		if err := j.Seal(ctx); !errors.Is(err, signal) {
			t.Error(err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestARunThatFailedWaitsForTheJournalForTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{files: map[string][]byte{}}
		var refuses error
		j, told, _ := refusing(t, &troubled{memory: m, hook: func(int) error { return refuses }})
		refuses = errors.New("503 Slow Down")
		j.Keep(answer(t, "1", "one"))
		began := time.Now()
		if err := j.Close(); err != nil || *told == nil || time.Since(began) > 10*time.Second {
			t.Errorf("%v, told %v, after %v", err, *told, time.Since(began))
		}
	})
}

func TestNoMoreThanABoundWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, warnings := &memory{files: map[string][]byte{}}, []string(nil)
		s := &troubled{memory: m, hook: func(int) error { time.Sleep(8 * time.Second); return nil }}
		j, told, _ := refusing(t, s)
		j.Warn = func(text string) { warnings = append(warnings, text) }
		const most, bound = 160, 64
		for n := range most {
			if err := j.Room(t.Context()); err != nil {
				t.Fatal(err)
			}
			j.Keep(noise(t, n, 1))
			if waits := n + 1 - m.size()>>20; waits > bound+1 {
				t.Errorf("%d MiB wait", waits)
			}
			if n < bound && len(warnings) > 0 {
				t.Errorf("%d MiB do not fit", n)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := j.Room(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("who waits does not hear of the end: %v", err)
		}
		want := "answers come faster than they can be written there: no new request is sent while more than 64 MiB are unwritten"
		if got := strings.Join(warnings, "; "); got != want {
			t.Error(got)
		}
		if err := j.Seal(t.Context()); err != nil || *told != nil || len(pages(t, m, most)) != most {
			t.Errorf("%v, there are %v", err, pages(t, m, most))
		}
	})
}

// The answer of a put is lost: what stands there is this process's own, or another's.
func TestASegmentThatStandsAlreadyHasAnOwner(t *testing.T) {
	const second = "00000002.journal"
	for name, c := range map[string]struct {
		// stands is there when the put is tried again.
		stands func(m *memory)
		want   error
	}{
		// Somebody stores it, and gives it up.
		"not yet":           {stands: func(m *memory) { m.files[second] = nil }},
		"its own":           {stands: func(*memory) {}},
		"that of another":   {func(m *memory) { m.files[second] = []byte("another") }, record.ErrContinued},
		"cannot be read":    {func(m *memory) { m.unread = true }, record.ErrContinued},
		"is swept by other": {func(m *memory) { clear(m.files); m.files["00000009.journal"] = nil }, record.ErrContinued},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &memory{files: map[string][]byte{}}
			s := &troubled{memory: m}
			s.hook = func(number int) error {
				switch number {
				case 2:
					return errStored
				case 3:
					c.stands(m)
				case 4:
					if m.files[second] == nil {
						delete(m.files, second)
					}
				}
				return nil
			}
			j, told, _ := refusing(t, s)
			j.Keep(answer(t, "1", "one"))
			if err := j.Seal(t.Context()); !errors.Is(err, c.want) || !errors.Is(*told, c.want) {
				t.Errorf("%s: %v, told %v", name, err, *told)
			}
			if c.want == nil &&
				!slices.Equal(
					slices.Sorted(maps.Keys(m.files)),
					[]string{"00000001.journal", second, "00000003.journal"},
				) {
				t.Errorf("%s: there are %v", name, slices.Sorted(maps.Keys(m.files)))
			}
		})
	}
}

func TestAnUploadIsNotedBeforeTheAnswersThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{files: map[string][]byte{}}
		s := &troubled{memory: m, hook: func(int) error { time.Sleep(8 * time.Second); return nil }}
		j, told, _ := refusing(t, s)
		for n := range 60 {
			j.Keep(noise(t, n, 1))
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := j.Note(ctx, record.BegunUpload{Name: "a", ID: "1"}); !errors.Is(err, context.Canceled) {
			t.Errorf("who gives up an upload waits: %v", err)
		}
		if err := j.Note(t.Context(), record.BegunUpload{Name: "b", ID: "2"}); err != nil {
			t.Error(err)
		}
		if got := pages(t, m, 60); len(got) == 0 || len(got) == 60 {
			t.Errorf("%d answers are there", len(got))
		}
		next, err := record.OpenJournal(t.Context(), m)
		if err != nil || len(next.Uploads) != 2 {
			t.Errorf("%v, %+v", err, next)
		}
		if err := j.Close(); err != nil || *told != nil {
			t.Errorf("%v, told %v", err, *told)
		}
	})
}
