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
func TestWhatLastKeepsBelowManyParentsIsSmall(t *testing.T) {
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
	for _, c := range []struct{ parents, kept, bound int }{
		{1_000, 1_000, 32},
		{10_000, 10_000, 34},
		{101_000, 100_000, 40},
	} {
		state := filepath.Join(dir, fmt.Sprint(c.parents))
		jobs := fmt.Sprintf(`{"endpoint": "accounts/%d", "trustEnd": true, "children": [{"id": "changes", "endpoint": "accounts/{id}/changes",
 "placeholders": {"id": "id"}, "params": {"since": {"function": "last", "args": ["updated_at", %q]}}}]}`, c.parents, workload.Since)
		for night := 1; night <= 2; night++ {
			mib, lines := runMeasured(t, api, jobs, "--state", state, "--log-level", "error")
			if lines != 2*c.parents {
				t.Errorf("%d parents: %d lines", c.parents, lines)
			}
			if mib > c.bound {
				t.Errorf("%d parents, night %d: %d MiB were resident, want at most %d", c.parents, night, mib, c.bound)
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
