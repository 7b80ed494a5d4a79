//go:build unix

package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

// inXML are the mocks whose answers are XML.
func inXML() (all []*apis.Mock) {
	for _, m := range apis.All() {
		if text, _ := docs.Config(m.Name); strings.Contains(text, `"xml"`) {
			all = append(all, m)
		}
	}
	return all
}

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

// Answers in XML go through whatever a run is put through: it is killed after each request and continued, divided among
// shards, recorded and replayed without a network.
func TestAnswersInXMLAreContinuedDividedAndReplayed(t *testing.T) {
	for _, m := range inXML() {
		text, _ := docs.Config(m.Name)
		t.Run(m.Name+"/continued", func(t *testing.T) { continueMock(t, m, text) })
		for _, shards := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/%d shards", m.Name, shards), func(t *testing.T) {
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
			})
		}
		t.Run(m.Name+"/replayed", func(t *testing.T) {
			dir := t.TempDir()
			out, again, recording := filepath.Join(dir, "out")+"/", filepath.Join(dir, "again")+"/", filepath.Join(dir, "recording")
			status, shown := runMock(t, m, m.Handler, text, "run", "-o", out, "--strict", "--record", recording, "--concurrency", "8")
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
		})
	}
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
		status, shown := runMock(t, m, dying, text, command...)
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

// feedOf answers every request with one document of about size bytes.
func feedOf(size int) http.Handler {
	item := `<entry><id>9007199254740993</id><title>Zoë &amp; others</title><text>` + strings.Repeat("x", 400) +
		`</text><author>A</author><author>B</author><link href="http://example.com/"/></entry>` + "\n"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What stands beside the items may be as long as they are.
		open, end := "<feed>", "<total>1</total></feed>"
		if r.URL.Path == "/beside" {
			open, end = "<feed><others>", "</others><list><entry>1</entry></list></feed>"
		}
		_, _ = io.WriteString(w, open)
		for n := 0; n < size; n += len(item) {
			if _, err := io.WriteString(w, item); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, end)
	})
}

func TestADocumentOf100MBGoesThroughIn48MiB(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector needs memory of its own")
	}
	size := 20 << 20
	if cases.All() {
		size = 100 << 20
	}
	server := httptest.NewServer(feedOf(size))
	defer server.Close()
	api := fmt.Sprintf(`"baseUrl": %q`, server.URL)
	for job, least := range map[string]int{
		`{"endpoint": "items", "format": "xml", "dataField": "feed.entry"}`:       size / 700,
		`{"endpoint": "beside", "format": "xml", "dataField": "feed.list.entry"}`: 1,
	} {
		mib, lines := runMeasured(t, api, job)
		if lines < least {
			t.Errorf("%s: %d lines", job, lines)
		}
		if mib > 48 {
			t.Errorf("%s: %d MiB were resident, want at most 48", job, mib)
		}
		t.Logf("%s: %d MiB resident, %d lines", job, mib, lines)
	}
}

// A document of 2 kB is cut at each of its bytes, with a length that was announced or not: no part of it is taken for all.
func TestADocumentThatIsCutAtAnyByteNeverCountsAsWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE feed SYSTEM \"feed.dtd\">\n<?style a?><!-- <feed/> -->\n<a:feed xmlns:a='urn:a'>")
	for i := 0; b.Len() < 1900; i++ {
		fmt.Fprintf(&b, "\n <a:entry n=\"%d\"><a:t>é &lt;&#x1F600; <![CDATA[</a:entry>]]></a:t><a:e/></a:entry>", i)
	}
	b.WriteString("<a:total>9</a:total>\n</a:feed>")
	whole := b.String()
	// The end of the outermost element is the end of what can be missing.
	whole += "\n<!-- end -->\n"
	end := len(whole) - len("\n<!-- end -->\n")
	const job = `{"endpoint": "a", "format": "xml", "dataField": "feed.entry"}`
	for way, answer := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			step := 7
			if cases.All() {
				step = 1
			}
			for n := 0; n <= len(whole); n += step {
				status, stdout, stderr := drainOnce(t, over(t, answer(whole[:n])), job)
				isPart := status == statusOK && n < end
				if isPart || status != statusOK && stdout != "" {
					t.Errorf("cut after %d bytes: status %d, %q\n%s", n, status, stdout, stderr)
				}
				if n < end && status != statusTemporary {
					t.Errorf("cut after %d bytes: status %d, so it is not asked for again\n%s", n, status, stderr)
				}
			}
			if status, stdout, stderr := drainOnce(t, over(t, answer(whole)), job); status != statusOK || stdout == "" {
				t.Errorf("the whole document: status %d, %q\n%s", status, stdout, stderr)
			}
		})
	}
}
