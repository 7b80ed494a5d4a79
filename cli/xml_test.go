//go:build unix

package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sluice/fixtures/cases"
)

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
			for n := 0; n <= len(whole); n += cases.Few(31, 1) {
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
