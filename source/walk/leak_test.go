package walk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
	"sluice/pipeline"
	"sluice/source/transport"
)

// Of a run nothing is left, however it ends. That no goroutine is, the bubble
// finds out by itself.
func TestNothingIsLeftOfARunWith64InFlight(t *testing.T) {
	for _, c := range []struct {
		name string
		ends func(w http.ResponseWriter, offset int, cancel func(error)) bool // of its own making
		want string
	}{
		{"success", func(http.ResponseWriter, int, func(error)) bool { return false }, ""},
		{"failure", func(w http.ResponseWriter, offset int, _ func(error)) bool {
			if offset == 400 {
				http.Error(w, "no", http.StatusForbidden)
			}
			return offset == 400
		}, "403 Forbidden"},
		{"cancellation", func(_ http.ResponseWriter, offset int, cancel func(error)) bool {
			if offset == 400 {
				cancel(errors.New("enough"))
			}
			return false
		}, "enough"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				left, err := drain(ctx, t, folder, func(w http.ResponseWriter, offset int) bool { return c.ends(w, offset, cancel) })
				if got := fmt.Sprint(err); !strings.Contains(got, c.want) || (err == nil) != (c.want == "") {
					t.Errorf("error %v", err)
				}
				if left != 0 {
					t.Errorf("%d connections are open", left)
				}
			})
			if left := leftIn(t, folder); len(left) > 0 {
				t.Errorf("temporary files are left: %q", left)
			}
		})
	}
}

// drain runs a configuration whose pages are large enough for temporary files,
// and returns how many connections are open afterwards.
func drain(ctx context.Context, t *testing.T, folder string, ends func(w http.ResponseWriter, offset int) bool) (left int64, err error) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 2}},
 "config": {"jobs": [{"endpoint": "a", "children": [{"endpoint": "a/{id}", "placeholders": {"id": "id"}}]}, {"endpoint": "b"}]}}`
	network := api.NewNetwork()
	large := `,"text":"` + strings.Repeat("x", 5<<20) + `"}]`
	stop, err := network.Serve("api.test", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.FormValue("offset"))
		time.Sleep(time.Duration(offset%7) * time.Millisecond)
		if offset == 400 {
			time.Sleep(time.Second) // what is read ahead of it is there before
		}
		switch {
		case r.URL.Path == "/b" && ends(w, offset):
		case strings.Count(r.URL.Path, "/") == 2 || offset >= 600:
			fmt.Fprint(w, `[{"id":0}]`)
		case r.URL.Path == "/b" && (offset == 200 || offset == 404): // the latter is read ahead of what ends the run
			fmt.Fprintf(w, `[{"id":%d},{"id":%d`, offset, offset+1)
			_, _ = io.WriteString(w, large)
		default:
			fmt.Fprintf(w, `[{"id":%d},{"id":%d}]`, offset, offset+1)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var open atomic.Int64
	o := options{Concurrency: 64, TempDir: folder, Network: transport.Options{Dial: func(ctx context.Context, n, address string) (net.Conn, error) {
		conn, err := network.Dial(ctx, n, address)
		if err == nil {
			open.Add(1)
			conn = &counted{Conn: conn, open: &open}
		}
		return conn, err
	}}}
	src := prepare(t, text, o)
	err = src.Extract(ctx, func(b *pipeline.Batch) error {
		b.Release()
		return context.Cause(ctx)
	})
	synctest.Wait() // the server does not end its connections by itself
	return open.Load(), err
}

// A counted connection tells when it is closed.
type counted struct {
	net.Conn
	open   *atomic.Int64
	closed atomic.Bool
}

func (c *counted) Close() error {
	if !c.closed.Swap(true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

// leftIn lists what is in a folder, and what this process has open there
// although it has no name any more.
func leftIn(t *testing.T, folder string) []string {
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" {
		return left
	}
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(all) == 0 {
		t.Fatalf("open files are not to be seen: %v", err)
	}
	for _, fd := range all {
		if name, err := os.Readlink(fd); err == nil && strings.HasPrefix(name, folder) {
			left = append(left, name)
		}
	}
	return left
}
