package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/bench/workload"
)

// BenchmarkRun is a whole run, from the command line to the last byte. The server
// costs nothing: it is a connection that has its answers ready.
func BenchmarkRun(b *testing.B) {
	columns := strings.Join(workload.Columns(), ",")
	for _, c := range []struct {
		name     string
		pageSize int
		flags    []string
	}{
		{"ndjson", workload.PageSize, nil},
		{"csv", workload.PageSize, []string{"--format", "csv", "--columns", columns}},
		{"csv of unknown columns", workload.PageSize, []string{"--format", "csv"}},
		{"gzip", workload.PageSize, []string{"--compress", "gzip"}},
		{"zstd", workload.PageSize, []string{"--compress", "zstd"}},
		{"16 in flight", workload.PageSize, []string{"--concurrency", "16"}},
		{"pages of one item", 1, nil},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkRun(b, c.pageSize, c.flags) })
	}
}

func benchmarkRun(b *testing.B, pageSize int, flags []string) {
	const pages = 200
	answers := prepared(pages, pageSize)
	args := append(drainArgs(b, pageSize), flags...)
	b.SetBytes(pages * int64(len(answers(0))))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		lines := drain(b, answers, args)
		want := pages * pageSize
		if slices.Contains(flags, "csv") {
			want += want + 1 // each item has a text of two lines, and the table has a header
		}
		if !slices.Contains(flags, "--compress") && lines != want {
			b.Fatalf("%d lines came out, want %d", lines, want)
		}
	}
	runtime.ReadMemStats(&after)
	allocations := float64(after.Mallocs-before.Mallocs) / float64(b.N)
	b.ReportMetric(allocations/pages, "allocs/page")
	b.ReportMetric(allocations/float64(pages*pageSize), "allocs/item")
}

// drainArgs are the arguments of a run that drains pages of that size.
func drainArgs(t testing.TB, pageSize int) []string {
	config := filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": %d}},
 "config": {"jobs": [{"endpoint": "items", "dataField": "items"}]}}`, pageSize)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"sluice", "run", config, "--log-level", "warn"}
}

// drain is one run. It returns how many lines came out.
func drain(t testing.TB, answers func(offset int) []byte, args []string) int {
	var stdout lineCounter
	var stderr bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now,
		Dial: func(context.Context, string, string) (net.Conn, error) { return newReady(answers), nil },
	}
	if status := invoke(t.Context(), w, args); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	return stdout.lines
}

// prepared are whole HTTP answers: so many pages, and an empty one.
func prepared(pages, pageSize int) func(offset int) []byte {
	all := workload.New(pages * pageSize)
	answer := func(first, last int) []byte {
		body := all.Page(first, last)
		return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	answers := make([][]byte, pages)
	for i := range answers {
		answers[i] = answer(i*pageSize, (i+1)*pageSize)
	}
	empty := answer(0, 0)
	return func(offset int) []byte {
		if offset >= pages*pageSize {
			return empty
		}
		return answers[offset/pageSize]
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
