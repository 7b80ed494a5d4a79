package job_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/fixtures/cases"
	"sluice/pipeline/item"
	"sluice/source/job"
)

// A parentsModel is what is known of parents, by name: the rules of job.Parents, said once more without a thought for memory.
type parentsModel struct {
	runs int
	seen map[string]modelOfParent
}

type modelOfParent struct {
	run    int
	values map[string]int
}

// see enters values of a parent, as the last run that it had.
func (m *parentsModel) see(parent string, run int, values map[string]int) {
	known := m.seen[parent].values
	all := maps.Clone(values)
	for path, value := range known {
		all[path] = max(value, all[path])
	}
	if len(all) > 0 {
		m.seen[parent] = modelOfParent{run, all}
	}
}

// after is what is known after a run.
func (m *parentsModel) after(found map[string]modelOfParent) {
	m.runs++
	for parent, is := range found {
		values := maps.Clone(m.seen[parent].values)
		if values == nil {
			values = map[string]int{}
		}
		maps.Copy(values, is.values)
		m.seen[parent] = modelOfParent{m.runs, values}
	}
	maps.DeleteFunc(m.seen, func(_ string, is modelOfParent) bool { return m.runs-is.run >= 30 })
}

// written is what stands in a state, by run, without hashes.
func (m *parentsModel) written() map[string][]string {
	all := map[string][]string{}
	for _, is := range m.seen {
		run := fmt.Sprint(is.run)
		text, _ := json.Marshal(is.values)
		all[run] = append(all[run], string(text))
	}
	return sorted(all)
}

func sorted(all map[string][]string) map[string][]string {
	for _, values := range all {
		slices.Sort(values)
	}
	return all
}

// writtenOf is the same of what was written down.
func writtenOf(t *testing.T, text []byte) map[string][]string {
	t.Helper()
	var there struct {
		Seen map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &there); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for run, parents := range there.Seen {
		for _, values := range parents {
			all[run] = append(all[run], string(values))
		}
	}
	return sorted(all)
}

// streamed is what a reader makes of a text of parents, piece by piece, beside what a run has found.
func streamed(t *testing.T, text []byte, found *job.Parents) *job.Parents {
	t.Helper()
	var there struct {
		Salt string
		Runs int
		Seen json.RawMessage
	}
	err := json.Unmarshal(text, &there)
	empty := strings.Replace(string(text), string(there.Seen), "{}", 1)
	p := &job.Parents{}
	if err == nil {
		err = json.Unmarshal([]byte(empty), p)
	}
	reader := job.NewParentsReader(found)
	for run, parents := range item.Members(there.Seen) {
		for name, values := range item.Members(parents) {
			if err == nil {
				err = reader.Add(item.Unquote(run), item.Unquote(name), values)
			}
		}
	}
	if err != nil || !reader.Into(p) {
		t.Fatalf("%s is not read: %v", text, err)
	}
	return p
}

// TestParentsAreThoseOfTheModel draws nights: parents that come, go, stand twice, and follow other paths than the night before, in
// one part or several.
func TestParentsAreThoseOfTheModel(t *testing.T) {
	for seed := range uint64(cases.Few(40, 1000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		model := &parentsModel{seen: map[string]modelOfParent{}}
		var state *job.Parents
		for night := range 5 + r.IntN(45) {
			begun := state
			if begun == nil {
				begun = job.NewParents("salt")
			}
			parts := make([]*job.Parents, 1+r.IntN(3))
			for i := range parts {
				parts[i] = begun.Anew()
			}
			own := &parentsModel{seen: map[string]modelOfParent{}}
			for range r.IntN(12) {
				parent, values := fmt.Sprint("p", r.IntN(15)), map[string]int{}
				var greatest []job.Greatest
				for _, path := range []string{"at", "n", "<&>", "x\"y"}[:1+r.IntN(4)] {
					g := job.Follow(path)
					if r.IntN(4) > 0 {
						values[path] = 1 + r.IntN(2000)
						_ = g.Add(fmt.Append(nil, values[path]))
					}
					greatest = append(greatest, g)
				}
				own.see(parent, 0, values)
				if err := parts[r.IntN(len(parts))].Saw(named(parent), greatest); err != nil {
					t.Fatal(err)
				}
			}
			found := parts[0]
			for _, other := range parts[1:] {
				if r.IntN(2) > 0 {
					other = read(t, other)
				}
				if err := found.Merge(other); err != nil {
					t.Fatal(err)
				}
			}
			// What the run has begun with: kept in memory, read from a text, or read beside what it has found.
			before := state
			if state != nil {
				text, _ := json.Marshal(state)
				switch r.IntN(3) {
				case 0:
					before = read(t, state)
				case 1:
					before = streamed(t, text, found)
				}
			}
			state, _ = before.After(found)
			model.after(own.seen)
			text, err := json.Marshal(state)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(model.written(), writtenOf(t, text)); diff != "" {
				t.Fatalf("seed %d, night %d (-want +got):\n%s", seed, night, diff)
			}
			if state.Len() != len(model.seen) {
				t.Fatalf("seed %d, night %d: %d parents, want %d", seed, night, state.Len(), len(model.seen))
			}
			if r.IntN(2) > 0 {
				state = read(t, state)
			}
		}
	}
}
