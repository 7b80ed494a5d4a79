package transport_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"sluice/pipeline"
)

func TestWhatHasNeverTakenAConnectionIsAskedThreeTimes(t *testing.T) {
	question := "after 3 attempts: it has accepted no connection since the run began: is the port right?"
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for name, c := range map[string]struct {
		// Tells of each dial whether it is refused; else it leads to a server.
		refuses func(dial int) bool
		retries int
		dials   int
		says    string
	}{
		"refused from the first": {func(int) bool { return true }, 10, 3, "connection refused " + question},
		"fewer are wanted": {func(int) bool { return true }, 1, 2, "connection refused after 2 " +
			"attempts: it has accepted no connection"},
		"something listens later":   {func(dial int) bool { return dial < 3 }, 10, 3, ""},
		"something listened before": {func(dial int) bool { return dial > 1 }, 10, 12, "connection refused after 11 attempts"},
	} {
		t.Run(name, func(t *testing.T) {
			o := retries(c.retries)
			plain, dials := newListener(), 0
			o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				if dials++; c.refuses(dials) {
					return nil, refused
				}
				return plain.dial(ctx)
			}
			bubble(t, o, answers(200), func(w *world) {
				plain = newListener()
				server := &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Connection", "close")
				})}
				var serving sync.WaitGroup
				serving.Go(func() { _ = server.Serve(plain) })
				w.t.Cleanup(func() {
					w.client.Close()
					_ = server.Close()
					serving.Wait()
				})
				_, err := w.do(ask("http://api.test:81/x"), nil)
				if err == nil {
					_, err = w.do(ask("http://api.test:81/x"), nil)
				}
				if c.says == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				contains(t, err, c.says)
				if !pipeline.IsTemporary(err) || dials != c.dials {
					t.Errorf("%d connections, want %d; %v", dials, c.dials, err)
				}
			})
		})
	}
}
