package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sluice/pipeline/report"
)

// divided has collections by offset and by cursor, windows of time, and children.
const divided = `{"parameters": {"api": {"baseUrl": %q, "pagination": {"method": "multiple", "default": "offset", "scrollers": {
   "offset": {"method": "offset", "limit": 10}, "cursor": {"method": "response.param", "responseParam": "next", "queryParam": "offset"}}}},
 "config": {"jobs": [
  {"endpoint": "v1/pages", "dataType": "t", "dataField": "items"},
  {"endpoint": "v1/cursor", "dataType": "t", "dataField": "items", "scroller": "cursor"},
  {"endpoint": "v1/few", "dataType": "t", "dataField": "items", "params": {"w": {"window": "from"}}, "windows": {"from": "2026-01-01", "to": "2026-01-04", "step": "1 day", "format": "Y-m-d"}},
  {"endpoint": "v1/many", "dataType": "t", "dataField": "items", "params": {"w": {"window": "from"}}, "windows": {"from": "2026-01-01", "to": "2026-01-21", "step": "1 day", "format": "Y-m-d"}},
  {"endpoint": "v1/above", "dataType": "t", "dataField": "items", "children": [{"endpoint": "v1/above/{id}", "dataType": "t", "dataField": "items", "placeholders": {"id": "id"}}]}]}}}`

// The union of what eight processes bring is what one brings, and they ask for at most one
// page more of each walk that they divide.
func TestEightProcessesBringWhatOneBrings(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		q := r.URL.Query()
		offset, _ := strconv.Atoi(q.Get("offset"))
		size := map[string]int{"/pages": 437, "/cursor": 58, "/few": 33, "/many": 12, "/above": 45}[strings.TrimPrefix(r.URL.Path, "/v1")]
		if size == 0 {
			id, _ := strconv.Atoi(filepath.Base(r.URL.Path))
			size = id * 7 % 40
		}
		var items []string
		for i := offset; i < min(offset+10, size); i++ {
			items = append(items, fmt.Sprintf(`{"id":%d,"of":%q}`, i, r.URL.Path+q.Get("w")))
		}
		next := ""
		if offset+10 < size {
			next = strconv.Itoa(offset + 10)
		}
		if strings.HasSuffix(r.URL.Path, "/cursor") {
			next = fmt.Sprintf(`,"next":%q`, next)
		} else {
			next = ""
		}
		fmt.Fprintf(w, `{"items":[%s]%s}`, strings.Join(items, ","), next)
	}))
	defer server.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	text := fmt.Sprintf(divided, server.URL+"/")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		if text, err := exec.Command("sluice", args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, text)
		}
	}
	lines := func(glob string) (all []string) {
		files, _ := filepath.Glob(filepath.Join(dir, glob))
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, strings.SplitAfter(string(text), "\n")...)
		}
		all = slices.DeleteFunc(all, func(line string) bool { return line == "" })
		slices.Sort(all)
		return all
	}
	run("run", file, "-o", filepath.Join(dir, "alone")+"/", "--run-id", "1")
	alone := asked.Swap(0)
	var working sync.WaitGroup
	for i := range 8 {
		working.Go(func() {
			run("run", file, "-o", filepath.Join(dir, "shards")+"/", "--run-id", "1", "--shard", fmt.Sprint(i, "/8"), "--concurrency", strconv.Itoa(1+i%2))
		})
	}
	working.Wait()
	run("publish", filepath.Join(dir, "shards")+"/", "--run-id", "1", "--shards", "8", "--strict")
	if want, got := lines("alone/*.ndjson"), lines("shards/*.ndjson"); !slices.Equal(want, got) {
		t.Errorf("%d items alone, %d of all shards, and not the same", len(want), len(got))
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "shards", "_manifest.json"))
	var r report.Report
	if err == nil {
		err = json.Unmarshal(manifest, &r)
	}
	if err != nil || r.Verdict != report.Complete || len(r.Outputs) != 8 {
		t.Errorf("%v, %d outputs: %v", r.Verdict, len(r.Outputs), err)
	}
	if more := asked.Load() - alone; more > 4*8*2+7*5 { // four walks by pages, read ahead by half of the shards; /above is walked by all
		t.Errorf("%d requests more than the %d of one process", more, alone)
	}
}
