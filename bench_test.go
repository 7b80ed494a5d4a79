package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/bench/workload"
)

// BenchmarkRun is a whole run, from the command line to the last byte. The server
// costs nothing: it is a connection that has its answers ready.
func BenchmarkRun(b *testing.B) {
	const items = 200 * workload.PageSize
	answers := prepared(items)
	config := filepath.Join(b.TempDir(), "config.json")
	text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": %d}},
 "config": {"jobs": [{"endpoint": "items", "dataField": "items"}]}}`, workload.PageSize)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		flags []string
	}{
		{"ndjson", nil},
		{"csv", []string{"--format", "csv", "--columns", strings.Join(workload.Columns(), ",")}},
		{"csv of unknown columns", []string{"--format", "csv"}},
		{"gzip", []string{"--compress", "gzip"}},
		{"zstd", []string{"--compress", "zstd"}},
		{"16 in flight", []string{"--concurrency", "16"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			args := append([]string{"sluice", "run", config, "--log-level", "warn"}, c.flags...)
			b.SetBytes(items / workload.PageSize * int64(len(answers(0))))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				var stderr bytes.Buffer
				w := &world{
					stdin: strings.NewReader(""), stdout: io.Discard, stderr: &stderr, getenv: func(string) string { return "" }, now: time.Now,
					dial: func(context.Context, string, string) (net.Conn, error) { return newReady(answers), nil },
				}
				if status := run(b.Context(), w, args); status != 0 {
					b.Fatalf("status %d: %s", status, &stderr)
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(b.N)/items, "allocs/item")
		})
	}
}

// distinct is how many pages differ; they come again and again.
const distinct = 10

// prepared are whole HTTP answers: of so many items, page after page.
func prepared(items int) func(offset int) []byte {
	all := workload.New(distinct * workload.PageSize)
	answer := func(first, last int) []byte {
		body := all.Page(first, last)
		return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	var answers [distinct][]byte
	for i := range answers {
		answers[i] = answer(i*workload.PageSize, (i+1)*workload.PageSize)
	}
	empty := answer(0, 0)
	return func(offset int) []byte {
		if offset >= items {
			return empty
		}
		return answers[offset/workload.PageSize%distinct]
	}
}

// ready is a connection to a server that has its answers ready: the number of the
// page stands behind offset= in the request.
type ready struct {
	net.Conn // of nothing else is any use made
	answers  func(offset int) []byte
	asked    chan []byte
	rest     []byte
	closed   chan struct{}
}

func newReady(answers func(offset int) []byte) *ready {
	return &ready{answers: answers, asked: make(chan []byte, 1), closed: make(chan struct{})}
}

func (r *ready) Write(request []byte) (int, error) {
	_, offset, found := bytes.Cut(request, []byte("offset="))
	digits, _, _ := bytes.Cut(offset, []byte{' '})
	n, err := strconv.Atoi(string(digits))
	if !found || err != nil {
		return 0, fmt.Errorf("not a request of one piece: %s", request)
	}
	r.asked <- r.answers(n)
	return len(request), nil
}

func (r *ready) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		select {
		case r.rest = <-r.asked:
		case <-r.closed:
			return 0, errors.New("closed")
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *ready) Close() error {
	close(r.closed) // net/http does it once
	return nil
}

func (r *ready) SetDeadline(time.Time) error { return nil }
