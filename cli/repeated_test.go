package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline/report"
)

// What one process says of an API that repeats items, or ignores the page that it is asked for, shards say together.
func TestShardsSayWhatOneProcessSays(t *testing.T) {
	var mu sync.Mutex
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked++
		age := asked
		mu.Unlock()
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		var items []string
		for n := offset; n < min(offset+10, 95); n++ {
			item := fmt.Sprintf(`{"id":%d}`, n+1)
			switch r.URL.Path {
			case "/repeats":
				item = fmt.Sprintf(`{"id":%d}`, n%90+1)
			case "/ignores":
				item = fmt.Sprintf(`{"id":%d,"age":%d}`, n%10+1, age)
			case "/marked":
				item = fmt.Sprintf(`{"gid":%d,"age":%d}`, n%10+1, age)
			case "/same":
				item = fmt.Sprintf(`{"id":%d}`, n-offset+1)
			}
			items = append(items, item)
		}
		fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
	}))
	defer server.Close()
	// Each shard is a process, which takes as long to start as the rest.
	counts := []int{1, 3}
	if cases.All() {
		counts = []int{1, 2, 5}
	}
	for path, c := range map[string]struct {
		verdict report.Verdict
		says    string
		// Shards have the same items several times by then: nothing is published.
		refused bool
	}{
		"good":    {},
		"repeats": {verdict: report.Unverified, says: "5 items came twice"},
		"ignores": {verdict: report.Unverified, says: "have the items of the page before, by their id, with other texts"},
		"marked":  {verdict: report.Unverified, says: "have the items of the page before, by their gid, with other texts"},
		"same":    {verdict: report.Unverified, says: "the page is the same as the one before it", refused: true},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "config.json")
		text := fmt.Sprintf(`{"api": {"baseUrl": %q, "pagination": {"method": "offset", "limit": 10}}, "config": {"jobs": [{"endpoint": %q}]}}`, server.URL+"/", path)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, shards := range counts {
			out, summary := filepath.Join(dir, fmt.Sprint(shards))+"/", filepath.Join(dir, fmt.Sprint(shards, ".json"))
			run := func(args ...string) {
				told, err := exec.Command("sluice", args...).CombinedOutput()
				if isRefused := c.refused && args[0] == "publish" && shards > 1; (err != nil) != isRefused {
					t.Errorf("%v: %v\n%s", args, err, told)
				}
			}
			for i := range shards {
				run("run", file, "-o", out, "--run-id", "1", "--shard", fmt.Sprintf("%d/%d", i, shards))
			}
			run("publish", out, "--run-id", "1", "--shards", fmt.Sprint(shards), "--summary", summary)
			var r report.Report
			told, err := os.ReadFile(summary)
			if err == nil {
				err = json.Unmarshal(told, &r)
			}
			if err != nil || r.Verdict != c.verdict || !strings.Contains(r.Reason, c.says) {
				t.Errorf("%s, %d shards: %v, %q, %v", path, shards, r.Verdict, r.Reason, err)
			}
		}
	}
}
