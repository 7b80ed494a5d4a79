package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/cases"
)

// onePage answers every request with one array of about size bytes.
func onePage(size int) http.Handler {
	item := `{"id":9007199254740993,"name":"Zoë","text":"` + strings.Repeat("x", 400) + `","list":[1.0,1e400,null]},` + "\n"
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "[")
		for n := 0; n < size; n += len(item) {
			if _, err := io.WriteString(w, item); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, "{}]")
	})
}

// runMeasured runs the program as a process, with api as the members of that
// section, and returns the most memory that was resident, in MiB, and the lines
// that it wrote.
func runMeasured(t *testing.T, api, jobs string, flags ...string) (mib, lines int) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	config := fmt.Sprintf(`{"api": {%s}, "config": {"jobs": [%s]}}`, api, jobs)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sluice", append([]string{"run", file, "--log-level", "warn"}, flags...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.Stderr = os.Stderr
	var counter lineCounter
	cmd.Stdout = &counter
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	err := watch(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid), &mib, done)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	return mib, counter.lines
}

// watch reads the most memory that was resident, in MiB, until the process is
// done. What the system tells afterwards is no use: it counts the memory of the
// parent from which the process was forked.
func watch(status string, mib *int, done <-chan error) error {
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(2 * time.Millisecond):
		}
		text, err := os.ReadFile(status)
		if err != nil {
			continue // it has just ended
		}
		_, peak, _ := strings.Cut(string(text), "VmHWM:")
		var kib int
		if _, err := fmt.Sscan(peak, &kib); err == nil {
			*mib = max(*mib, kib>>10)
		}
	}
}

type lineCounter struct{ lines int }

func (c *lineCounter) Write(b []byte) (int, error) {
	c.lines += bytes.Count(b, []byte{'\n'})
	return len(b), nil
}

func TestAPageOf100MBGoesThroughIn48MiB(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector needs memory of its own")
	}
	server := httptest.NewServer(onePage(100 << 20))
	defer server.Close()
	mib, lines := runMeasured(t, fmt.Sprintf(`"baseUrl": %q`, server.URL), `{"endpoint": "items"}`)
	if lines < 200_000 {
		t.Errorf("%d lines", lines)
	}
	if mib > 48 {
		t.Errorf("%d MiB were resident, want at most 48", mib)
	}
	t.Logf("%d MiB resident, %d lines", mib, lines)
}

// manyParents answers 1,000 pages of 1,000 items, and one item below each.
func manyParents() http.Handler {
	const pages, perPage = 1000, 1000
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/items" {
			_, _ = io.WriteString(w, `[{"child":true}]`)
			return
		}
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		var b strings.Builder
		b.WriteString("[")
		for i := 0; i < perPage && page <= pages; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":%d,"group":%d,"name":"an item that has some text in it"}`, page*perPage+i, i)
		}
		b.WriteString("]")
		_, _ = io.WriteString(w, b.String())
	})
}

func TestChildrenOfAMillionItemsStayWithinTheBoundOfMemory(t *testing.T) {
	if !cases.All() {
		t.Skip("takes long: make whole runs it")
	}
	server := httptest.NewServer(manyParents())
	defer server.Close()
	api := fmt.Sprintf(`"baseUrl": %q, "pagination": {"method": "pagenum", "limit": 1000}`, server.URL)
	jobs := `{"endpoint": "items", "children": [{"endpoint": "items/{id}", "dataField": ".", "recursionFilter": "group==7", "placeholders": {"id": "id"}}]}`
	mib, lines := runMeasured(t, api, jobs, "--concurrency", "4", "--log-level", "error")
	if lines != 1_001_000 {
		t.Errorf("%d lines", lines)
	}
	if bound := 32 + (2*4+1)*1; mib > bound { // a page is well below 1 MiB
		t.Errorf("%d MiB were resident, want at most %d", mib, bound)
	}
	t.Logf("%d MiB resident", mib)
}
