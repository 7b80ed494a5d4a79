package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ways are those to end a body whose length was not announced, over a connection that is closed then.
var ways = map[string]func(body string) string{
	"HTTP/1.0": func(body string) string {
		return "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body
	},
	"closed": func(body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body
	},
	"chunked": func(body string) string {
		chunk := ""
		if body != "" {
			chunk = fmt.Sprintf("%x\r\n%s\r\n", len(body), body)
		}
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" +
			chunk + "0\r\n\r\n"
	},
}

// over answers each connection on the loopback with a text.
func over(t *testing.T, answer string) (address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			request, err := http.ReadRequest(bufio.NewReader(conn))
			if err == nil {
				_, _ = io.Copy(io.Discard, request.Body)
				_, _ = io.WriteString(conn, answer)
			}
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestAPageWithoutALengthThatIsCutAtAnyByteNeverCountsAsWhole(t *testing.T) {
	pages := map[string]string{
		"an array":             `[{"id":1,"a":"\u00e9\n"},{"id":22,"b":[true,null,-1.5e3]},"é",{}]`,
		"a member":             `{"next":null,"data":{"items":[{"id":1},{"id":2}]},"total":2}`,
		"with space before it": " \r\n[{\"id\":1}]",
	}
	const jobs = `{"endpoint": "a"}`
	for name, page := range pages {
		job := jobs
		if name == "a member" {
			job = `{"endpoint": "a", "dataField": "data.items"}`
		}
		for way, answer := range ways {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				for n := range len(page) + 1 {
					status, stdout, stderr := drainOnce(t, over(t, answer(page[:n])), job)
					isWhole := n == len(page)
					switch {
					case isWhole && (status != statusOK || stdout == ""):
						t.Errorf("the whole page: status %d, %q\n%s", status, stdout, stderr)
					case !isWhole && (status != statusTemporary || stdout != ""):
						t.Errorf("cut after %d bytes: status %d, %q\n%s", n, status, stdout, stderr)
					}
				}
			})
		}
	}
}

// drainOnce runs one job against an API at a host, with one attempt.
func drainOnce(t *testing.T, host, job string) (status int, stdout, stderr string) {
	t.Helper()
	text := `{"api": {"baseUrl": "http://` + host + `/", "retryConfig": {"maxRetries": 0}}, "config": {"jobs": [` + job + `]}}`
	file := filepath.Join(t.TempDir(), "api.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now,
		Getenv: func(string) string { return "" },
	}
	status = invoke(t.Context(), w, []string{"sluice", "run", file})
	return status, out.String(), errs.String()
}

func TestALastRowWithoutItsEndIsDoubtedWhereNothingSaysHowLongTheAnswerIs(t *testing.T) {
	const job = `{"endpoint": "a", "format": "csv"}`
	for way, answer := range ways {
		for _, table := range []string{"id,a\n1,x\n", "id,a\r\n1,x\r", "id,a\n1,x", "id,a"} {
			_, _, stderr := drainOnce(t, over(t, answer(table)), job)
			isDoubted := strings.Contains(stderr, "the last line has no line break")
			isEnded := strings.TrimRight(table, "\r\n") != table
			if want := !isEnded && way != "chunked"; isDoubted != want {
				t.Errorf("%s, %q: doubted: %t\n%s", way, table, isDoubted, stderr)
			}
		}
	}
}
