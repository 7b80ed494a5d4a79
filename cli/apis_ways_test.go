//go:build unix

package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	docs "sluice/docs/apis"
	"sluice/fixtures/apis"
	"sluice/fixtures/cases"
)

// drained is what stands in the files of a folder, the lines of each data type.
func drained(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, file := range files {
		dataType, _, _ := strings.Cut(filepath.Base(file), ".")
		dataType, _, _ = strings.Cut(dataType, "-")
		for line := range strings.Lines(readText(t, file)) {
			all[dataType] = append(all[dataType], strings.TrimSuffix(line, "\n"))
		}
	}
	return all
}

// isAll compares what was drained with what a mock has; of shards the order is not that of the list.
func isAll(t *testing.T, m *apis.Mock, dir string, isOrdered bool) {
	t.Helper()
	got := drained(t, dir)
	for dataType, want := range m.Items {
		lines, want := got[dataType], slices.Clone(want)
		if !isOrdered {
			slices.Sort(lines)
			slices.Sort(want)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s: %d items of %s, want %d", m.Name, len(lines), dataType, len(want))
		}
	}
}

// undivided are APIs whose lists cannot be divided among shards, and why.
var undivided = map[string]string{
	"magento":  "behind its last page it gives that page again",
	"telegram": "it forgets the updates that were asked beyond",
	"kraken":   "its budget is one request a second",
	"toggl":    "its budget is one request a second",
}

// What the documented APIs ask for goes through whatever a run is put through: it is cut off after each number of
// requests and continued, divided among shards, recorded and replayed without a network.
func TestDocumentedAPIsAreContinuedDividedAndReplayed(t *testing.T) {
	for i, m := range apis.All() {
		text, _ := docs.Config(m.Name)
		isXML := strings.Contains(text, `"xml"`)
		if !isXML && !cases.All() {
			continue
		}
		// A mock may remember what it was asked for.
		t.Run(m.Name+"/continued", func(t *testing.T) {
			t.Parallel()
			continueMock(t, apis.All()[i], text)
		})
		t.Run(m.Name+"/replayed", func(t *testing.T) {
			t.Parallel()
			replayMock(t, apis.All()[i], text)
		})
		if undivided[m.Name] != "" || keepsTokens(text) {
			continue
		}
		for _, shards := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/%d shards", m.Name, shards), func(t *testing.T) {
				t.Parallel()
				divideMock(t, apis.All()[i], text, shards)
			})
		}
	}
}

// divideMock runs the shards of a run one after the other, and publishes them.
func divideMock(t *testing.T, m *apis.Mock, text string, shards int) {
	dir := filepath.Join(t.TempDir(), "out") + "/"
	for i := range shards {
		args := []string{"run", "-o", dir, "--run-id", "a", "--shard", fmt.Sprintf("%d/%d", i, shards), "--concurrency", fmt.Sprint(1 + 7*i%14)}
		if status, shown := runMock(t, m, m.Handler, text, args...); status != 0 {
			t.Fatalf("status %d\n%s", status, shown)
		}
	}
	published, err := publishAll(dir, shards)
	if err != nil {
		t.Fatalf("%v\n%s", err, published)
	}
	isAll(t, m, dir, false)
}

// replayMock records a run, and replays it where nobody answers.
func replayMock(t *testing.T, m *apis.Mock, text string) {
	dir := t.TempDir()
	out, again, recording := filepath.Join(dir, "out")+"/", filepath.Join(dir, "again")+"/", filepath.Join(dir, "recording")
	run := []string{"run", "-o", out, "--strict", "--record", recording, "--concurrency", "8"}
	status, shown := runMock(t, m, m.Handler, text, append(run, tokensOf(text, dir)...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, shown)
	}
	nobody := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("a request for %s", r.URL) })
	status, shown = runMock(t, m, nobody, text, "run", "-o", again, "--strict", "--replay", recording)
	if status != 0 {
		t.Fatalf("replayed: status %d\n%s", status, shown)
	}
	isAll(t, m, out, true)
	isAll(t, m, again, true)
}

// tokensOf are the flags that keep the tokens of a configuration in a folder.
func tokensOf(text, dir string) []string {
	if !keepsTokens(text) {
		return nil
	}
	return []string{"--tokens", filepath.Join(dir, "tokens.json")}
}

// publishAll makes the shards of a run visible.
func publishAll(dir string, shards int) (shown string, err error) {
	var out strings.Builder
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: time.Now,
		Getenv: func(string) string { return "" },
	}
	args := []string{"sluice", "publish", dir, "--run-id", "a", "--shards", fmt.Sprint(shards), "--strict"}
	if status := invoke(context.Background(), w, args); status != 0 {
		err = fmt.Errorf("publish: status %d", status)
	}
	return out.String(), err
}

// continueMock lets the API refuse for good after each number of requests, and continues that run with the next one, until
// one comes through.
func continueMock(t *testing.T, m *apis.Mock, text string) {
	dir := t.TempDir()
	out, journal := filepath.Join(dir, "out")+"/", filepath.Join(dir, "journal")+"/"
	for most := int64(1); ; most++ {
		var served atomic.Int64
		dying := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if served.Add(1) > most {
				w.WriteHeader(http.StatusGone)
				return
			}
			m.Handler.ServeHTTP(w, r)
		})
		command := []string{"run", "-o", out, "--strict", "--run-id", "a", "--checkpoint", journal, "--concurrency", fmt.Sprint(1 + most%2*7)}
		status, shown := runMock(t, m, dying, text, append(command, tokensOf(text, dir)...)...)
		if status == 0 {
			break
		}
		if files, _ := filepath.Glob(out + "*"); len(files) > 0 {
			t.Fatalf("after %d requests %q are visible\n%s", most, files, shown)
		}
		if most > 100 {
			t.Fatalf("it never ends: status %d\n%s", status, shown)
		}
	}
	isAll(t, m, out, true)
}
