package job_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"sluice/source/job"
)

// named are the values of the placeholders of a parent.
func named(names ...string) (all []jsontext.Value) {
	for _, name := range names {
		all = append(all, jsontext.Value(fmt.Sprintf("%q", name)))
	}
	return all
}

// saw enters a value at the path at below a parent; "" is none.
func saw(t *testing.T, p *job.Parents, parent, value string) {
	t.Helper()
	g := job.Follow("at")
	if err := g.Add([]byte(value)); err != nil {
		t.Fatal(err)
	}
	if err := p.Saw(named(parent), []job.Greatest{g}); err != nil {
		t.Fatal(err)
	}
}

// after is what is known after a run that has seen these values below their parents.
func after(t *testing.T, p *job.Parents, values map[string]string) *job.Parents {
	t.Helper()
	found := job.NewParents("salt")
	if p != nil {
		p = read(t, p)
		found = p.Anew()
	}
	for parent, value := range values {
		saw(t, found, parent, value)
	}
	next, more := p.After(found)
	if more {
		t.Error("there is no place for a few")
	}
	return read(t, next)
}

// read writes parents down and reads them again.
func read(t *testing.T, p *job.Parents) *job.Parents {
	t.Helper()
	text, err := json.Marshal(p)
	again := &job.Parents{}
	if err == nil {
		err = json.Unmarshal(text, again)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if repeated, _ := json.Marshal(again); string(repeated) != string(text) {
		t.Errorf("%s is written as %s when it was read", text, repeated)
	}
	return again
}

// lastOf is what is known of a parent at the path at; "" is nothing.
func lastOf(p *job.Parents, parent string) string { return string(p.Last(named(parent))["at"]) }

func TestAParentKeepsTheGreatestValueOfItsOwnItems(t *testing.T) {
	found := job.NewParents("salt")
	saw(t, found, "ann", `"2026-01-02"`)
	saw(t, found, "ann", `"2026-01-01T23:00:00Z"`)
	saw(t, found, "bob", `"2025-01-01"`)
	saw(t, found, "eve", `null`)
	all := read(t, found)
	if all.Len() != 2 || lastOf(all, "ann") != `"2026-01-02"` || lastOf(all, "bob") != `"2025-01-01"` {
		t.Errorf("%d parents, ann has %s, bob has %s", all.Len(), lastOf(all, "ann"), lastOf(all, "bob"))
	}
	number := job.Follow("at")
	if err := number.Add([]byte("7")); err != nil {
		t.Fatal(err)
	}
	if err := found.Saw(named("ann"), []job.Greatest{number}); err == nil {
		t.Error("a number and a date were compared")
	}
	if err := found.Saw(named("bob", "ann"), []job.Greatest{number}); err != nil {
		t.Errorf("another parent has a number: %v", err)
	}
	long := job.Follow("at")
	if err := long.Add(fmt.Appendf(nil, "%q", strings.Repeat("x", 300))); err != nil {
		t.Fatal(err)
	}
	if err := found.Saw(named("eve"), []job.Greatest{long}); err == nil {
		t.Error("a long text was kept")
	}
}

func TestNobodySeesWhoAParentIs(t *testing.T) {
	texts := map[string]bool{}
	for _, salt := range []string{job.NewSalt(), job.NewSalt(), "scope"} {
		p := job.NewParents(salt)
		saw(t, p, "ann", "1")
		text, err := json.Marshal(p)
		if err != nil || strings.Contains(string(text), "ann") {
			t.Errorf("%s, %v", text, err)
		}
		_, hash, _ := strings.Cut(string(text), `"0":`)
		texts[hash] = true
	}
	if len(texts) != 3 {
		t.Errorf("two salts make the same hash: %v", texts)
	}
	known := job.NewParents("salt")
	saw(t, known, "ann", "1")
	for scope, want := range map[string]string{"": "1", "second": ""} {
		if got := lastOf(known.In(scope), "ann"); got != want {
			t.Errorf("in %q it is %q, want %q", scope, got, want)
		}
	}
}

func TestAParentGoesThatThirtyCompleteRunsHaveNotSeen(t *testing.T) {
	state := after(t, nil, map[string]string{"ann": "1", "bob": "2"})
	for range 29 {
		state = after(t, state, map[string]string{"eve": "3"})
	}
	if lastOf(state, "ann") != "1" {
		t.Error("ann went too early")
	}
	back := after(t, state, map[string]string{"ann": "1"})
	for range 29 {
		back = after(t, back, nil)
	}
	if lastOf(back, "ann") != "1" || lastOf(back, "eve") != "" {
		t.Error("ann was seen, eve was not")
	}
	state = after(t, state, map[string]string{"eve": "2"})
	got := []string{lastOf(state, "ann"), lastOf(state, "bob"), lastOf(state, "eve")}
	if diff := cmp.Diff([]string{"", "", "2"}, got); diff != "" {
		t.Error(diff)
	}
}

// A run that was killed after its state was written continues, and enters the same again.
func TestARunCountsOnceHoweverOftenItIsEntered(t *testing.T) {
	state := after(t, nil, map[string]string{"ann": "1", "bob": "2"})
	found := state.Anew()
	saw(t, found, "ann", "3")
	once, _ := read(t, state).After(found)
	want, _ := json.Marshal(once)
	twice, _ := read(t, once).After(read(t, found))
	got, err := json.Marshal(twice)
	if string(got) != string(want) || err != nil {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
}

func TestAnotherSaltBeginsAnew(t *testing.T) {
	state := after(t, nil, map[string]string{"ann": "1"})
	other := job.NewParents("other")
	saw(t, other, "bob", "2")
	next, _ := state.After(other)
	if next.Len() != 1 || lastOf(next, "bob") != "2" {
		t.Errorf("%d parents, bob has %q", next.Len(), lastOf(next, "bob"))
	}
}

// Whatever the order in which parents come, and the part of the run that sees them, the
// same have a place.
func TestNoMoreParentsThanHaveAPlaceAreKept(t *testing.T) {
	const many = job.MostParents + job.MostParents/2
	old := job.NewParents("salt")
	for i := range 10 {
		saw(t, old, fmt.Sprint("old", i), "1")
	}
	state, _ := (*job.Parents)(nil).After(old)
	var texts []string
	for parts := 1; parts <= 3; parts += 2 {
		all := make([]*job.Parents, parts)
		for i := range all {
			all[i] = state.Anew()
		}
		for _, i := range rand.New(rand.NewPCG(uint64(parts), 1)).Perm(many) {
			saw(t, all[i%parts], fmt.Sprint(i), fmt.Sprint(i+1))
		}
		for _, other := range all[1:] {
			if err := all[0].Merge(other); err != nil {
				t.Fatal(err)
			}
		}
		next, more := read(t, state).After(all[0])
		if !more || next.Len() != job.MostParents {
			t.Errorf("%d parents, more: %t", next.Len(), more)
		}
		if got := lastOf(next, "old1"); got != "" {
			t.Errorf("a parent that was not seen took the place of one that was: %s", got)
		}
		text, err := json.Marshal(next)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("in three parts other parents have a place than in one")
	}
}

func TestWhatIsNoTextOfParentsIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"salt":"s","seen":{"0":{"ann":{}}}}`:                             "no hash of",
		`{"salt":"s","runs":1,"seen":{"2":{}}}`:                            "",
		`{"salt":"s","runs":1,"seen":{"2":{"AAAAAAAAAAAAAAAAAAAAAA":{}}}}`: "in \"2\", which is no",
		`{"salt":"s","seen":{"0":{"AAAAAAAAAAAAAAAAAAAAAA":7}}}`:           "no hash of",
		`{"salt":7}`: "cannot unmarshal",
	} {
		err := json.Unmarshal([]byte(text), &job.Parents{})
		isGood := err == nil && want == ""
		if !isGood && (err == nil || !strings.Contains(err.Error(), want) || want == "") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// BenchmarkParentsInMemory has two nights of parents, of which no more than [job.MostParents] are kept: what the first one has
// found, what the second one has beside what it began with, and the state that follows.
func BenchmarkParentsInMemory(b *testing.B) {
	for _, parents := range []int{job.MostParents, 10 * job.MostParents} {
		b.Run(fmt.Sprint(parents), func(b *testing.B) {
			for b.Loop() {
				benchmarkParents(b, parents)
			}
		})
	}
}

func benchmarkParents(b *testing.B, parents int) {
	night := func(began *job.Parents, value string) *job.Parents {
		found := began.Anew()
		g := job.Follow("updated_at")
		_ = g.Add([]byte(value))
		for i := range parents {
			_ = found.Saw([]jsontext.Value{fmt.Appendf(nil, "%d", i)}, []job.Greatest{g})
		}
		return found
	}
	empty := heap()
	text, one := func() ([]byte, int64) {
		first := night(job.NewParents("salt"), `"2026-03-01T11:30:00+01:00"`)
		one := heap()
		kept, _ := (*job.Parents)(nil).After(first)
		text, _ := json.Marshal(kept)
		return text, one
	}()
	state := &job.Parents{}
	_ = json.Unmarshal(text, state)
	began := heap()
	second := night(state, `"2026-03-02T11:30:00+01:00"`)
	two := heap()
	next, _ := state.After(second)
	after := heap()
	text, _ = json.Marshal(next)
	b.ReportMetric(float64(one-empty)/job.MostParents, "first-B/kept")
	b.ReportMetric(float64(began-empty)/job.MostParents, "known-B/kept")
	b.ReportMetric(float64(two-empty)/job.MostParents, "second-B/kept")
	b.ReportMetric(float64(after-empty)/job.MostParents, "end-B/kept")
	b.ReportMetric(float64(len(text))/job.MostParents, "stored-B/kept")
	runtime.KeepAlive(state)
	runtime.KeepAlive(second)
	runtime.KeepAlive(next)
}

// heap is how many bytes live.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
