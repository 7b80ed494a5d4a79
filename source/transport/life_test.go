package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/source/transport"
)

var errOver = errors.New("the run is over")

// endedAfterASecond sends a request to an address whose answer can be used only once, or not, and ends the run after a second.
func (w *world) endedAfterASecond(address string, goodOnce bool) (body string, took time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(w.t.Context())
	defer cancel(nil)
	time.AfterFunc(time.Second, func() { cancel(errOver) })
	r := ask(address)
	r.GoodOnce = goodOnce
	body, err = w.call(ctx, pipeline.Call{Job: "users"}, r, nil)
	return body, time.Since(w.began), err
}

func TestAnAnswerThatIsGoodOnceIsWaitedForWhenTheRunIsOver(t *testing.T) {
	slowly := func(header, body time.Duration) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			for _, wait := range []time.Duration{header, body} {
				select {
				case <-time.After(wait):
				case <-r.Context().Done():
					return
				}
				_, _ = io.WriteString(rw, "1")
				_ = http.NewResponseController(rw).Flush()
			}
		}
	}
	for name, c := range map[string]struct {
		address  string
		serve    http.HandlerFunc
		goodOnce bool
		took     time.Duration
		comes    bool
		told     int
	}{
		"the answer":            {"http://api.test/x", slowly(9*time.Second, 0), true, 9 * time.Second, true, 1},
		"the rest of it":        {"http://api.test/x", slowly(0, 9*time.Second), true, 9 * time.Second, true, 1},
		"of HTTP/2":             {"https://api.test/x", slowly(5*time.Second, 4*time.Second), true, 9 * time.Second, true, 1},
		"20 seconds at most":    {"http://api.test/x", slowly(time.Hour, 0), true, 21 * time.Second, false, 1},
		"one that comes before": {"http://api.test/x", slowly(0, 0), true, 0, true, 0},
		"any other answer":      {"http://api.test/x", slowly(9*time.Second, 0), false, time.Second, false, 0},
		"no second attempt":     {"http://api.test/x", answers(503), true, time.Second, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := retries(3)
			o.TLS, o.Version = certified(t), "auto"
			bubble(t, o, c.serve, func(w *world) {
				body, took, err := w.endedAfterASecond(c.address, c.goodOnce)
				if comes := err == nil && body == "11"; comes != c.comes || !comes && !errors.Is(err, errOver) || took != c.took {
					t.Errorf("%q, %v after %v", body, err, took)
				}
				if told := len(events[pipeline.Warned](w)); told != c.told {
					t.Errorf("%d warnings, want %d", told, c.told)
				}
			})
		})
	}
}

func TestWhatHasNoConnectionEndsWithTheRun(t *testing.T) {
	o := transport.Options{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}
	bubble(t, o, answers(200), func(w *world) {
		if _, took, err := w.endedAfterASecond("http://api.test/x", true); !errors.Is(err, errOver) || took != time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// Whenever the run ends: the server has seen nothing, or its answer comes.
func TestNothingIsSentWhoseAnswerNobodyTakes(t *testing.T) {
	server := newListener()
	for range 100 {
		var cancel context.CancelCauseFunc
		o := transport.Options{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := server.dial(ctx)
			go cancel(errOver)
			return conn, err
		}}
		bubble(t, o, answers(200), func(w *world) {
			server = newListener()
			serving := &http.Server{Handler: w.record(answers(200))}
			go func() { _ = serving.Serve(server) }()
			defer func() { _ = serving.Close() }()
			var ctx context.Context
			ctx, cancel = context.WithCancelCause(w.t.Context())
			r := ask("http://api.test/x")
			r.GoodOnce = true
			_, err := w.call(ctx, pipeline.Call{Job: "users"}, r, nil)
			w.handling.Wait()
			if (len(w.hits) > 0) != (err == nil) {
				t.Errorf("%d requests were seen, %v", len(w.hits), err)
			}
		})
	}
}
