package cli

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"sluice/fixtures/bench/workload"
	"sluice/fixtures/cases"
)

// Each parent has a value in the state; the second night reads, follows and writes all of them.
func TestWhatLastKeepsGrowsLittleWithEachParent(t *testing.T) {
	if !cases.All() {
		t.Skip("takes long: make whole runs it")
	}
	if raceEnabled {
		t.Skip("the race detector needs memory of its own")
	}
	server := httptest.NewServer(new(workload.Workload).Handler())
	defer server.Close()
	dir := t.TempDir()
	api := fmt.Sprintf(`"baseUrl": %q, "pagination": {"method": "offset", "limit": 1000}`, server.URL)
	// A busy machine collects garbage late, so that the bounds are twice what was measured on a quiet one. A table with
	// pointers took five times as much. docs/speed.md has the figures of a quiet machine.
	fewest := 0 // MiB with 1,000 parents: the program itself
	for _, c := range []struct{ parents, kept, growth int }{
		{1_000, 1_000, 4},
		{10_000, 10_000, 8},
		{101_000, 100_000, 28},
	} {
		state := filepath.Join(dir, fmt.Sprint(c.parents))
		jobs := fmt.Sprintf(`{"endpoint": "accounts/%d", "trustEnd": true, "children": [{"id": "changes", "endpoint": "accounts/{id}/changes",
 "placeholders": {"id": "id"}, "params": {"since": {"function": "last", "args": ["updated_at", %q]}}}]}`, c.parents, workload.Since)
		for night := 1; night <= 2; night++ {
			mib, lines := runMeasured(t, api, jobs, "--state", state, "--log-level", "error")
			if lines != 2*c.parents {
				t.Errorf("%d parents: %d lines", c.parents, lines)
			}
			if fewest == 0 {
				fewest = mib
			}
			if grown := mib - fewest; grown > c.growth {
				t.Errorf("%d parents, night %d: %d MiB more than for 1,000, want at most %d", c.parents, night, grown, c.growth)
			}
			t.Logf("%d parents, night %d: %d MiB resident", c.parents, night, mib)
		}
		text, err := os.ReadFile(state)
		var there struct {
			Jobs map[string]struct {
				Parents struct{ Seen map[string]map[string]any }
			}
		}
		if err == nil {
			err = json.Unmarshal(text, &there)
		}
		if got := len(there.Jobs["changes"].Parents.Seen["2"]); err != nil || got != c.kept {
			t.Errorf("%d of %d parents are in the state, want %d: %v", got, c.parents, c.kept, err)
		}
	}
}
