package transport_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/source/transport"
)

func TestTheProgramsHeadersGiveWayToTheConfiguration(t *testing.T) {
	for _, c := range []struct {
		name, set, value, want string
	}{
		{"the program's own", "", "", "map[Accept:[application/json] Accept-Encoding:[gzip, zstd] User-Agent:[sluice/test]]"},
		{"another agent", "user-agent", "me", "map[Accept:[application/json] Accept-Encoding:[gzip, zstd] User-Agent:[me]]"},
		{"another type", "Accept", "text/csv", "map[Accept:[text/csv] Accept-Encoding:[gzip, zstd] User-Agent:[sluice/test]]"},
		{"another encoding", "ACCEPT-ENCODING", "identity", "map[Accept:[application/json] Accept-Encoding:[identity] User-Agent:[sluice/test]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, retries(0), answers(200), func(w *world) {
				r := ask("http://api.test/x")
				if c.set != "" {
					r.Header.Set(c.set, c.value)
				}
				if _, err := w.do(r, nil); err != nil || fmt.Sprint(w.hits[0].Header) != c.want {
					t.Errorf("%v, headers %v", err, w.hits[0].Header)
				}
			})
		})
	}
}

func TestReadSeesStatusAndHeader(t *testing.T) {
	bubble(t, retries(0), func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("X-Total", "12")
		rw.WriteHeader(http.StatusNonAuthoritativeInfo)
	}, func(w *world) {
		err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), nil, func(r *transport.Response) error {
			if r.Status != 203 || r.Header.Get("X-Total") != "12" {
				t.Errorf("%+v", r)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestEveryExchangeIsObserved(t *testing.T) {
	next := answers(503, 200)
	bubble(t, retries(1), func(rw http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Second)
		next(rw, r)
	}, func(w *world) {
		w.secrets.Add("hush-hush")
		if _, err := w.do(ask("http://api.test/x?key=hush-hush"), nil); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range w.events {
			switch e := e.(type) {
			case pipeline.RequestSent:
				got = append(got, fmt.Sprintf("sent %+v", e.Call))
			case pipeline.ResponseDone:
				got = append(got, fmt.Sprintf("done %d: %d, %d bytes, %s, %v", e.ID, e.Status, e.Bytes, e.FirstByte, e.Err))
			case pipeline.Retrying:
				got = append(got, fmt.Sprintf("again after %d: %s", e.ID, e.Reason))
			}
		}
		want := `sent {ID:1 Job:users Page:7 Walk: Attempt:1 Method:GET URL:http://api.test/x?key=[secret]}
done 1: 503, 3 bytes, 3s, <nil>
again after 1: 503 Service Unavailable
sent {ID:2 Job:users Page:7 Walk: Attempt:2 Method:GET URL:http://api.test/x?key=[secret]}
done 2: 200, 3 bytes, 3s, <nil>`
		if strings.Join(got, "\n") != want {
			t.Errorf("got\n%s", strings.Join(got, "\n"))
		}
	})
}

func TestTheBudgetIsWaitedForBeforeEveryRequest(t *testing.T) {
	o := retries(1)
	o.Retry.Header = "Wait"
	o.Limiter = rate.NewLimiter(rate.Every(10*time.Second), 1)
	calls := 0
	bubble(t, o, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Wait", "0")
		switch calls++; calls {
		case 1:
			rw.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			http.Redirect(rw, r, "/y", http.StatusFound)
		}
	}, func(w *world) {
		if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
			t.Fatal(err)
		}
		for i, h := range w.hits {
			if h.At != time.Duration(i)*10*time.Second {
				t.Errorf("request %d was sent after %s", i+1, h.At)
			}
		}
		ctx, cancel := context.WithCancel(w.t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := w.call(ctx, pipeline.Call{Page: 1}, ask("http://api.test/x"), nil); err != context.Canceled || len(w.hits) != 3 {
			t.Errorf("%v, %d requests", err, len(w.hits))
		}
	})
}

func TestConnectionsAreKeptForAsManyRequestsAsAreInFlight(t *testing.T) {
	o := retries(0)
	o.Connections = 4
	bubble(t, o, func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) }, func(w *world) {
		for range 3 {
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		if w.dials != 4 {
			t.Errorf("%d connections", w.dials)
		}
	})
}

func TestHTTP2IsSpokenOverADialerOfOnesOwn(t *testing.T) {
	o := retries(0)
	o.TLS, o.Version = certified(t), "auto"
	bubble(t, o, first(stalled, answers(200)), func(w *world) {
		_, err := w.do(ask("https://api.test/x"), nil)
		contains(t, err, "the body stalled at 3 bytes: no byte came within 5m0s after 1 attempt")
		if got, err := w.do(ask("https://api.test/x"), nil); got != "[1]" || err != nil || w.hits[1].Proto != "HTTP/2.0" || w.dials != 2 {
			t.Errorf("%q, %v, %+v", got, err, w.hits[1])
		}
	})
}

func TestACertificateThatIsNotTrustedIsFinal(t *testing.T) {
	o := retries(3)
	o.TLS = certified(t)
	o.TLS.RootCAs = certified(t).RootCAs // another one's
	bubble(t, o, answers(200), func(w *world) {
		_, err := w.do(ask("https://api.test/x"), nil)
		contains(t, err, "GET https://api.test/x: the server's certificate is not trusted: x509: ")
		if pipeline.IsTemporary(err) || w.dials != 1 {
			t.Errorf("%d dials", w.dials)
		}
	})
}

// The server answers whatever it reads. One of net/http waits for the end of a line, which the random bytes of a handshake may lack.
func TestAServerWithoutTLSIsFinal(t *testing.T) {
	o := retries(3)
	dials := 0
	o.Dial = func(context.Context, string, string) (net.Conn, error) {
		dials++
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			_, _ = theirs.Read(make([]byte, 64<<10))
			_, _ = io.WriteString(theirs, "HTTP/1.1 400 Bad Request\r\n\r\n")
		}()
		return ours, nil
	}
	bubble(t, o, answers(200), func(w *world) {
		_, err := w.do(ask("https://api.test/x"), nil)
		contains(t, err, "GET https://api.test/x: ", "the server does not speak TLS")
		if pipeline.IsTemporary(err) || dials != 1 {
			t.Errorf("%d dials", dials)
		}
	})
}
