package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/api"
)

const follows = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"id": "all", "endpoint": "all", "children": [
 {"id": "below", "endpoint": "all/{id}", "placeholders": {"id": "id"}, "params": {"since": {"function": "last", "args": ["at", 0]}}}]}]}}`

// knownParents is a state of a job below with n parents that its fifth run had.
func knownParents(n int) []byte {
	text := []byte(`{"jobs":{"below":{"previousStart":1,"parents":{"salt":"s","runs":5,"seen":{"5":{`)
	for i := range n {
		hash := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i))
		text = fmt.Appendf(text, `"%s":{"at":7},`, base64.RawURLEncoding.EncodeToString(hash))
	}
	return append(bytes.TrimSuffix(text, []byte(",")), `}}}}}}`...)
}

// Of more parents than have a place those of the last run stay, and one warning tells it.
func TestAStateHasAHundredThousandParentsAtMost(t *testing.T) {
	const most = 100_000
	for name, known := range map[string]int{"full": most, "almost full": most - 2} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			state, summary := filepath.Join(dir, "state.json"), filepath.Join(dir, "report.json")
			if err := os.WriteFile(state, knownParents(known), 0o600); err != nil {
				t.Fatal(err)
			}
			network := api.NewNetwork()
			stop, err := network.Serve("api.test", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/all" {
					fmt.Fprint(w, `[{"id":"ann"},{"id":"bob"}]`)
					return
				}
				fmt.Fprint(w, `[{"at":8}]`)
			}))
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			var stdout, stderr bytes.Buffer
			w := &world{Stdin: strings.NewReader(follows), Stdout: &stdout, Stderr: &stderr,
				Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
			args := []string{"sluice", "run", "-", "--state", state, "--summary", summary}
			if status := invoke(t.Context(), w, args); status != statusOK {
				t.Fatalf("status %d: %s", status, &stderr)
			}
			var after struct {
				Jobs map[string]struct {
					Parents struct{ Seen map[string]map[string]any }
				}
			}
			text, err := os.ReadFile(state)
			if err == nil {
				err = json.Unmarshal(text, &after)
			}
			seen := after.Jobs["below"].Parents.Seen
			if err != nil || len(seen["6"]) != 2 || len(seen["5"]) != most-2 {
				t.Errorf("%d of this run, %d of the one before, %v", len(seen["6"]), len(seen["5"]), err)
			}
			const warning = "last: there are more parents than --state has room for, 100000 for each job"
			report, err := os.ReadFile(summary)
			want := 0
			if known == most {
				want = 1
			}
			told, reported := strings.Count(stderr.String(), warning), strings.Count(string(report), warning)
			if err != nil || told != want || reported != want {
				t.Errorf("told %d times, reported %d times, want %d: %v", told, reported, want, err)
			}
		})
	}
}
