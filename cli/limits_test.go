package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"sluice/fixtures/api"
	"sluice/fixtures/cases"
)

// again writes text to w until size bytes are out or nobody takes them any more.
func again(w io.Writer, text string, size int) {
	for n := 0; n < size; n += len(text) {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

// explode writes an array without end to w, compressed: after its begin the same
// megabyte again and again, which is compressed once.
func explode(w io.Writer, compressed func(io.Writer) io.WriteCloser) {
	frame := func(text string) string {
		var b bytes.Buffer
		z := compressed(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.String()
	}
	_, _ = io.WriteString(w, frame("[0"))
	again(w, frame(strings.Repeat(`,"`+letters+`"`, 16)), forEver)
}

const forEver = 1 << 40

var letters = strings.Repeat("a", 64<<10)

// hostile are answers that no client should take, to all requests but the login,
// or to the login.
var hostile = []struct {
	name   string
	answer http.HandlerFunc
	login  bool
	heavy  bool   // 64 MiB, value by value
	job    string // more members of the job
	status int
	stderr string // a regular expression
	took   time.Duration
}{
	{name: "nesting without end", status: statusFailed, stderr: `invalid JSON: nested too deeply, more than 10000 levels`,
		answer: func(w http.ResponseWriter, _ *http.Request) { again(w, strings.Repeat("[", 4096), forEver) }},
	{name: "an item without end", heavy: true, status: statusFailed, stderr: `a value of more than 64 MiB, the limit for one item, at byte 1 within "0"`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `["`)
			again(w, letters, forEver)
		}},
	{name: "a member without end", heavy: true, status: statusFailed, stderr: `a value of more than 64 MiB, the limit for one item, .* within "name"`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"name":"`)
			again(w, letters, forEver)
		}},
	{name: "white space without end", heavy: true, status: statusFailed, stderr: `a value of more than 64 MiB, the limit for one item,`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "[")
			again(w, strings.Repeat(" ", 64<<10), forEver)
		}},
	{name: "a gzip body that explodes", status: statusFailed, stderr: `\d+ bytes of the gzip body expand to more than 64 MiB, over 500 times as much: the rest is not read`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			explode(w, func(w io.Writer) io.WriteCloser { z, _ := gzip.NewWriterLevel(w, gzip.BestCompression); return z })
		}},
	{name: "a zstd body that explodes", heavy: true, status: statusFailed, stderr: `\d+ bytes of the zstd body expand to more than 64 MiB, over 500 times as much: the rest is not read`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "zstd")
			explode(w, func(w io.Writer) io.WriteCloser {
				z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
				return z
			})
		}},
	{name: "rows that explode", job: `, "dataField": {"path": ".", "rows": "header"}`, status: statusFailed,
		stderr: `job items: page 1: .*: \d+ bytes of the response expand to more than 64 MiB, over 500 times as much: the rest is not read: the names of the columns, which each item has, are 131076 bytes long`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `[["`+letters+letters+`"]`)
			again(w, ",[1]", 600*len(",[1]"))
			_, _ = io.WriteString(w, "]")
		}},
	{name: "a zstd body that wants memory", status: statusFailed, stderr: `the zstd body needs more than 64 MiB to be decoded: set the header Accept-Encoding to gzip`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "zstd")
			_, _ = io.WriteString(w, "\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00[]") // a window of a gigabyte
		}},
	{name: "a login response without end", login: true, status: statusFailed, stderr: `login: POST .*: the response is longer than 16 MiB`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"token":"`)
			again(w, letters, forEver)
		}},
	{name: "an error page without end", status: statusFailed, stderr: `400 Bad Request: a{500}…$`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			again(w, letters, forEver)
		}},
	{name: "an error page that never ends", status: statusFailed, stderr: `400 Bad Request: \(the 100 bytes that came of the body are not shown: they may end within a secret\)`, took: 5 * time.Second,
		answer: func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(make([]byte, 100))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
	{name: "headers without end", status: statusTemporary, stderr: `server response headers exceeded \d+ bytes; aborted after 2 attempts`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			again(conn, "X-More: "+letters[:2000]+"\r\n", forEver)
			_ = conn.Close()
		}},
	{name: "redirects in a circle", status: statusFailed, stderr: `more than 5 redirects: http://api.test/items → http://api.test/items`,
		answer: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/items", http.StatusFound) }},
	{name: "a year's wait", status: statusTemporary, stderr: `503 Service Unavailable: the API asks to wait until 2000-12-31T00:00:00Z, and a run waits for 1h0m0s at most: start it again then`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(http.StatusServiceUnavailable)
		}},
	{name: "a wait beyond all numbers", status: statusTemporary, stderr: `503 Service Unavailable: the API asks to wait until`,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")
			w.WriteHeader(http.StatusServiceUnavailable)
		}},
	{name: "silence", status: statusTemporary, stderr: `the body stalled at 1 bytes: no byte came within 10s after 2 attempts`, took: 22 * time.Second,
		answer: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "[")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
}

const hostileConfig = `{"api": {"baseUrl": "http://api.test/", "retryConfig": {"maxRetries": 1}, "http": {"requestTimeout": 10},
  "authentication": {"type": "login", "loginRequest": {"endpoint": "login", "method": "POST", "params": {"p": "open-sesame"}},
     "apiRequest": {"headers": {"X-Token": {"response": "token"}}}}},
 "config": {"jobs": [{"endpoint": "items"}]}}`

func TestAnAnswerThatNoClientShouldTakeEndsTheRun(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			if c.heavy && !cases.All() {
				t.Skip("takes long: make whole runs it")
			}
			synctest.Test(t, func(t *testing.T) {
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch isLogin := r.URL.Path == "/login"; {
					case isLogin == c.login:
						c.answer(w, r)
					case isLogin:
						_, _ = io.WriteString(w, `{"token":"abcd"}`)
					}
				})
				network := api.NewNetwork()
				stop, err := network.Serve("api.test", handler)
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
				var stdout, stderr bytes.Buffer
				document := strings.Replace(hostileConfig, `"items"`, `"items"`+c.job, 1)
				w := &world{Stdin: strings.NewReader(document), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
				began := time.Now()
				status := invoke(context.Background(), w, []string{"sluice", "run", "-", "--log-level", "error"})
				took := time.Since(began)
				if status != c.status || stdout.Len() > 0 || took > c.took+2*time.Second {
					t.Errorf("status %d after %s, stdout %q", status, took, stdout.String())
				}
				if text := strings.TrimSuffix(stderr.String(), "\n"); len(text) > 2000 || strings.Contains(text, "\n") || !regexp.MustCompile(c.stderr).MatchString(text) {
					t.Errorf("stderr: %.2500s", text)
				}
			})
		})
	}
}
