package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
	"sluice/fixtures/cases"
)

// A history is an API whose items change, show a little later than their time says, and
// have times in many zones. It fails now and then.
type history struct {
	random  *rand.Rand
	mu      sync.Mutex // of all that follows: a killed run leaves requests behind
	items   map[int]change
	now     func() time.Time
	kill    context.CancelFunc
	calm    bool // nothing goes wrong
	partial bool // the run at hand is told that there is more
	away    int  // the group that is not listed tonight; less than 0: all are
}

// groups are how many parents the items have, where they stand below some.
const groups = 4

// A change is a version of an item.
type change struct {
	id, version int
	at, shows   time.Time
	text        string
}

// latest is how much later a change shows than it says; runs step back further.
const latest = 9 * time.Minute

func (h *history) change() {
	for range h.random.IntN(8) {
		age := []time.Duration{20 * time.Hour, latest}[h.random.IntN(2)] // what is young may show only after the run
		c := change{id: h.random.IntN(20), at: h.now().Add(-time.Duration(h.random.Int64N(int64(age))))}
		before, ok := h.items[c.id]
		if ok && !c.at.After(before.at) {
			continue
		}
		zone := time.FixedZone("", (h.random.IntN(27)-12)*3600)
		c.version, c.shows = before.version+1, c.at.Add(time.Duration(h.random.Int64N(int64(latest))))
		c.text = fmt.Sprintf(`{"id":%d,"version":%d,"at":%q}`, c.id, c.version, c.at.In(zone).Format([]string{time.RFC3339, time.RFC3339Nano}[h.random.IntN(2)]))
		h.items[c.id] = c
	}
}

func (h *history) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.calm {
		switch h.random.IntN(40) {
		case 0:
			h.kill()
		case 1:
			w.WriteHeader(http.StatusNotFound)
			return
		case 2, 3, 4:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case 5, 6:
			w.Header().Set("Content-Length", "1000") // cut
			_, _ = w.Write([]byte(`{"d":[`))
			return
		}
	}
	q := r.URL.Query()
	offset, _ := strconv.Atoi(q.Get("offset"))
	if r.URL.Path == "/groups" {
		var all []string
		for id := range groups {
			if id != h.away {
				all = append(all, fmt.Sprintf(`{"id":%d}`, id))
			}
		}
		page := all[min(offset, len(all)):min(offset+3, len(all))]
		_, _ = fmt.Fprintf(w, "[%s]", strings.Join(page, ","))
		return
	}
	group, errGroup := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/groups/"))
	from, err := time.Parse(time.RFC3339, q.Get("from"))
	to, errTo := time.Parse(time.RFC3339, q.Get("to"))
	if err != nil || q.Has("to") && errTo != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	all := []string{}
	for id := range 20 {
		c, ok := h.items[id]
		isElsewhere := errGroup == nil && id%groups != group
		if isElsewhere {
			continue
		}
		if ok && !c.at.Before(from) && !c.shows.After(h.now()) && (errTo != nil || c.at.Before(to)) {
			all = append(all, c.text)
		}
	}
	page := all[min(offset, len(all)):min(offset+3, len(all))]
	_, _ = fmt.Fprintf(w, `{"d":[%s],"has_more":%t}`, strings.Join(page, ","), h.partial)
}

// TestNoChangeIsMissedByAMonthOfNights runs random histories: what was published holds
// the newest version of each item, and the state is never beyond what was published, nor
// moved by a run that was not complete.
func TestNoChangeIsMissedByAMonthOfNights(t *testing.T) {
	const since = `{"function": "last", "args": ["at", "1999-01-01T00:00:00Z", "-10 minutes"]}`
	const config = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 3}}, "config": {"jobs": [%s]}}`
	const member = `{"id": "j", "endpoint": "e", "dataField": "d", %s}`
	const below = `{"endpoint": "groups", "dataType": "t", "children": [{"id": "j", "dataType": "t", "endpoint": "groups/{id}", "placeholders": {"id": "id"}, "dataField": "d", %s}]}`
	const last = `"params": {"from": ` + since + `}`
	const windows = `"windows": {"from": ` + since + `, "step": "90 days"}, "params": {"from": {"window": "from"}, "to": {"window": "to"}}`
	for name, job := range map[string]string{
		"last":                fmt.Sprintf(member, last),
		"windows":             fmt.Sprintf(member, windows),
		"last below items":    fmt.Sprintf(below, last),
		"windows below items": fmt.Sprintf(below, windows),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(cases.Few(1, 4)) {
				synctest.Test(t, func(t *testing.T) { month(t, seed, fmt.Sprintf(config, job)) })
			}
		})
	}
}

func month(t *testing.T, seed uint64, config string) {
	dir := t.TempDir()
	h := &history{random: rand.New(rand.NewPCG(seed, 1)), items: map[int]change{}, now: time.Now}
	var network api.Network
	stop, err := network.Serve("api.test:80", h)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	stateFile, published, newest := filepath.Join(dir, "state.json"), map[string]bool{}, time.Time{}
	moved, stayed := 0, 0
	for night := range 31 {
		time.Sleep(24 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		h.mu.Lock()
		h.kill, h.calm, h.partial = cancel, night == 30, night < 30 && h.random.IntN(6) == 0
		calm := h.calm
		h.away = -1
		if !calm {
			h.away = h.random.IntN(2*groups) - groups
		}
		if !calm { // the last night finds what had time to show
			h.change()
		}
		h.mu.Unlock()
		unmoved := stateOf(stateFile)
		before := lastOf(t, stateFile)
		out, summary := filepath.Join(dir, strconv.Itoa(night)+".ndjson"), filepath.Join(dir, "report.json")
		var stdout, stderr bytes.Buffer
		w := &world{Stdin: strings.NewReader(config), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
		status := invoke(ctx, w, []string{"sluice", "run", "-", "--state", stateFile, "-o", out, "--summary", summary})
		cancel()
		text, err := os.ReadFile(out)
		if (err == nil) != (status == statusOK) || calm && status != statusOK {
			t.Fatalf("seed %d, night %d: status %d, output: %v\n%s", seed, night, status, err, stderr.String())
		}
		for line := range strings.Lines(string(text)) {
			var item struct{ At time.Time }
			if err := json.Unmarshal([]byte(line), &item); err != nil {
				t.Fatal(err)
			}
			text, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), "}"), `,"parent_id"`)
			published[text+"}"] = true
			if item.At.After(newest) {
				newest = item.At
			}
		}
		var report struct{ Verdict string }
		if text, err = os.ReadFile(summary); err == nil {
			err = json.Unmarshal(text, &report)
		}
		after := lastOf(t, stateFile)
		complete := status == statusOK && report.Verdict == "complete"
		hasMoved := unmoved != nil && !bytes.Equal(stateOf(stateFile), unmoved)
		if hasMoved && !complete {
			t.Fatalf("seed %d, night %d: status %d, and the state has moved to %s", seed, night, status, stateOf(stateFile))
		}
		if err != nil || after.After(newest) || after.Before(before) || !complete && !after.Equal(before) {
			t.Fatalf("seed %d, night %d: status %d, the state goes from %s to %s, and the newest item is of %s\n%s", seed, night, status, before, after, newest, stderr.String())
		}
		if after.After(before) {
			moved++
		} else if !complete {
			stayed++
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.items {
		if !published[c.text] {
			t.Fatalf("seed %d: %s was never published", seed, c.text)
		}
	}
	if moved == 0 || stayed == 0 {
		t.Fatalf("seed %d: the state moved %d times, and stayed %d times", seed, moved, stayed)
	}
}

// stateOf is the text of the state; nil: there is none yet.
func stateOf(file string) []byte {
	text, _ := os.ReadFile(file)
	return text
}

// lastOf is the greatest that the state keeps of the job; the zero time without.
func lastOf(t *testing.T, file string) time.Time {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return time.Time{}
	}
	var s struct {
		Jobs map[string]struct {
			Last    map[string]time.Time
			Parents struct {
				Seen map[string]map[string]map[string]time.Time
			}
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	last := s.Jobs["j"].Last["at"]
	for _, run := range s.Jobs["j"].Parents.Seen {
		for _, values := range run {
			if values["at"].After(last) {
				last = values["at"]
			}
		}
	}
	return last
}
