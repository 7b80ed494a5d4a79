package walk_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sluice/fixtures/cases"
	"sluice/pipeline/report"
)

// sparse is a remote that says of some collections by an error that nothing is there.
type sparse struct{ *remote }

// denies is the status of a collection that is not there; 0: it is.
func (s sparse) denies(path string) int {
	isBelow := strings.Count(path, "/") > 1
	if isBelow && s.draw(3, "denies"+path) == 0 {
		return []int{http.StatusForbidden, http.StatusNotFound}[s.draw(2, "status"+path)]
	}
	return 0
}

func (s sparse) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if status := s.denies(collection(q.RequestURI)); status != 0 {
		http.Error(w, `{"code":"none"}`, status)
		return
	}
	s.remote.ServeHTTP(w, q)
}

// chosen is a branch whose jobs leave items and whole collections out.
func chosen(root string) string {
	const empty = `"emptyOn": ["$status==403", "$status==404&code==none"]`
	return fmt.Sprintf(`{"endpoint": "%[1]s", "dataType": "t", "where": "id!=1", "children": [
  {"endpoint": "%[1]s/{id}/b", "dataType": "t", "where": "id<2|id>3", %[2]s,
   "windows": {"from": "2026-01-01", "to": "2026-01-01 02:00:00", "step": "1 hour", "format": "G"}, "params": {"hour": {"window": "from"}},
   "placeholders": {"id": "id"}, "children": [
    {"endpoint": "%[1]s/{2:a}/b/{b}/c", "dataType": "t", "where": "id>0", %[2]s, "placeholders": {"2:a": "id", "b": "id"}}]}]}`, root, empty)
}

// left is what a run of chosen branches gives.
type left struct {
	lines []string
	jobs  []counts
}

type counts struct {
	Items, Filtered int64
	Empty           int
}

// expectChosen is what each of the branches gives, in order, and what their jobs count.
func (s sparse) expectChosen(roots ...string) (all left) {
	wheres := []func(id int) bool{
		func(id int) bool { return id != 1 },
		func(id int) bool { return id < 2 || id > 3 },
		func(id int) bool { return id > 0 },
	}
	for _, root := range roots {
		jobs := make([]counts, len(wheres))
		var walk func(depth int, path string, ids []int)
		walk = func(depth int, path string, ids []int) {
			if s.denies(path) != 0 {
				jobs[depth].Empty++
				return
			}
			added := ""
			switch depth {
			case 1:
				added = fmt.Sprintf(`,"parent_id":%d`, ids[0])
			case 2:
				added = fmt.Sprintf(`,"parent_id_u0":%d,"parent_id_u1":%d,"parent_id":%d`, ids[0], ids[0], ids[1])
			}
			for offset := 0; offset <= s.size(path); offset += s.limit {
				var below []int
				for i := offset; i < min(offset+s.limit, s.size(path)); i++ {
					id := idOf(path, i)
					if !wheres[depth](id) {
						jobs[depth].Filtered++
						continue
					}
					jobs[depth].Items++
					all.lines = append(all.lines, fmt.Sprintf(`{"id":%d,"of":%q%s}`, id, path, added))
					below = append(below, id)
				}
				for _, id := range below {
					switch depth {
					case 0:
						for hour := range 2 {
							walk(1, fmt.Sprintf("/%s/%d/b@%d", root, id, hour), []int{id})
						}
					case 1:
						walk(2, fmt.Sprintf("/%s/%d/b/%d/c", root, ids[0], id), []int{ids[0], id})
					}
				}
			}
		}
		walk(0, "/"+root, nil)
		all.jobs = append(all.jobs, jobs...)
	}
	return all
}

func countsOf(r *report.Report) (all []counts) {
	for _, j := range r.Jobs {
		all = append(all, counts{j.Items, j.Filtered, j.Empty})
	}
	return all
}

func TestWhatIsLeftOutIsTheSameForEveryConcurrencyAndNumberOfShards(t *testing.T) {
	for seed := range cases.Few(2, 20) {
		server := func() sparse {
			return sparse{&remote{seed: seed, limit: 1 + seed%4, failed: map[string]int{}, given: map[string]int{}}}
		}
		text := fmt.Sprintf(tree, 1+seed%4, "", chosen("x")+","+chosen("y"))
		want := server().expectChosen("x", "y")
		for _, n := range []int{1, 4, 64} {
			var got []string
			synctest.Test(t, func(t *testing.T) { got = extract(t, text, n, server(), &inFlight{}) })
			if diff := cmp.Diff(want.lines, got); diff != "" {
				t.Fatalf("seed %d, N=%d: items (-want +got):\n%s", seed, n, diff)
			}
		}
		slices.Sort(want.lines)
		alone := divided(t, text, 1, 1, server())
		for _, shards := range []int{1, 3, 8} {
			got := divided(t, text, shards, 4, server())
			if diff := cmp.Diff(want.lines, got.lines); diff != "" {
				t.Fatalf("seed %d, %d shards: items (-want +got):\n%s", seed, shards, diff)
			}
			if diff := cmp.Diff(want.jobs, countsOf(got.report)); diff != "" {
				t.Errorf("seed %d, %d shards: counts (-want +got):\n%s", seed, shards, diff)
			}
			for i, j := range got.report.Jobs {
				was := alone.report.Jobs[i]
				if j.Verdict != was.Verdict || j.Reason != was.Reason {
					t.Errorf("seed %d, %d shards: job %s: %v (%s) where it was %v (%s)", seed, shards, j.ID, j.Verdict, j.Reason, was.Verdict, was.Reason)
				}
			}
		}
	}
}

// A condition on the status alone that held for each of several walks says more of the credentials.
func TestWalksThatAreAllDeniedAreUnverifiedHoweverTheyAreDivided(t *testing.T) {
	for name, c := range map[string]struct {
		emptyOn string
		walks   int
		want    report.Verdict
	}{
		"each by its status":    {`["$status==403"]`, 3, report.Unverified},
		"one is no sign":        {`["$status==403"]`, 1, report.Complete},
		"each by what it says":  {`["$status==403", "$status==403&code==none"]`, 3, report.Complete},
		"by more than a status": {`["$status==403&$header.x-nothing==yes"]`, 3, report.Complete},
		"what does not hold":    {`["$status==403", "$status==403&code==other"]`, 3, report.Unverified},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				fmt.Fprint(w, []string{`[{"id":1}]`, `[{"id":1},{"id":2},{"id":3}]`}[c.walks/2])
				return
			}
			w.Header().Set("X-Nothing", "yes")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"code":"none"}`)
		})
		text := fmt.Sprintf(tree, 5, "", fmt.Sprintf(`{"endpoint": "x", "dataType": "t", "children": [
  {"endpoint": "x/{id}", "dataType": "t", "emptyOn": %s, "placeholders": {"id": "id"}}]}`, c.emptyOn))
		for _, shards := range []int{1, 2, 5} {
			got := divided(t, text, shards, 2, h).report.Jobs[1]
			if got.Verdict != c.want || got.Empty != c.walks {
				t.Errorf("%s, %d shards: %v, %d empty: %q", name, shards, got.Verdict, got.Empty, got.Warnings)
			}
		}
	}
}
