package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/source/transport"
)

// retries is an option with so many attempts after the first.
func retries(n int) transport.Options {
	return transport.Options{Retry: transport.Retry{MaxRetries: n}}
}

func TestTemporaryStatusesAreRetriedAndOthersAreNot(t *testing.T) {
	for status, again := range map[int]bool{
		408: true, 420: true, 429: true, 500: true, 502: true, 503: true, 504: true,
		400: false, 401: false, 403: false, 404: false, 409: false, 501: false, 505: false, 304: false,
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			bubble(t, retries(3), answers(status, 200), func(w *world) {
				_, err := w.do(ask("http://api.test/x"), nil)
				if again != (err == nil) || len(w.hits) != map[bool]int{true: 2, false: 1}[again] {
					t.Errorf("%d requests, error %v", len(w.hits), err)
				}
				if pipeline.IsTemporary(err) {
					t.Errorf("a final error is temporary: %v", err)
				}
			})
		})
	}
}

func TestTheConfiguredCodesReplaceTheList(t *testing.T) {
	o := retries(1)
	o.Retry.Codes = []int{404}
	bubble(t, o, answers(404, 200), func(w *world) {
		if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
			t.Error(err)
		}
	})
	for _, codes := range [][]int{{404}, {}} {
		o.Retry.Codes = codes
		bubble(t, o, answers(503, 200), func(w *world) {
			if _, err := w.do(ask("http://api.test/x"), nil); err == nil {
				t.Error("503 was retried with the codes", codes)
			}
		})
	}
}

func TestWaitsDoubleUpToAMinuteWithSomeJitter(t *testing.T) {
	bubble(t, retries(10), answers(503), func(w *world) {
		_, err := w.do(ask("http://api.test/x?limit=2"), nil)
		if want := "GET http://api.test/x?limit=2: 503 Service Unavailable after 11 attempts: [1]"; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if !pipeline.IsTemporary(err) {
			t.Error("exhausted retries are not temporary")
		}
		if len(w.hits) != 11 {
			t.Fatalf("%d requests", len(w.hits))
		}
		for i, want := range []float64{1, 2, 4, 8, 16, 32, 60, 60, 60, 60} {
			got := (w.hits[i+1].At - w.hits[i].At).Seconds()
			if got < 0.9*want || got > min(1.1*want, 60) {
				t.Errorf("wait %d took %gs, want about %gs", i+1, got, want)
			}
		}
	})
}

func TestATemporaryStatusIsTemporaryWithoutRetriesToo(t *testing.T) {
	bubble(t, retries(0), answers(503), func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "503 Service Unavailable after 1 attempt: [1]")
		if !pipeline.IsTemporary(err) || len(w.hits) != 1 {
			t.Errorf("%d requests, temporary: %t", len(w.hits), pipeline.IsTemporary(err))
		}
	})
}

func TestWithIfAskedOnlyWhatAsksForItIsTriedAgain(t *testing.T) {
	for status, again := range map[int]bool{420: true, 429: true, 408: false, 500: false, 503: false} {
		for _, asked := range []string{"", "7"} {
			o := retries(3)
			o.Retry.IfAsked = true
			handler := func(rw http.ResponseWriter, r *http.Request) {
				if asked != "" {
					rw.Header().Set("Retry-After", asked)
				}
				answers(status)(rw, r)
			}
			bubble(t, o, handler, func(w *world) {
				_, err := w.do(ask("http://api.test/x"), nil)
				want := 1
				if again || asked != "" {
					want = 4
				}
				if len(w.hits) != want || !pipeline.IsTemporary(err) {
					t.Errorf("%d, %q: %d requests, %v", status, asked, len(w.hits), err)
				}
			})
		}
	}
}

func TestAnAcceptedStatusIsReadAtOnceIfNothingAsksForAnother(t *testing.T) {
	o := retries(3)
	o.Retry.IfAsked = true
	o.Accept = func(status int) bool { return status == 503 }
	bubble(t, o, answers(503), func(w *world) {
		got, err := w.do(ask("http://api.test/x"), nil)
		if got != "[1]" || err != nil || len(w.hits) != 1 {
			t.Errorf("%d requests, got %q, %v", len(w.hits), got, err)
		}
	})
}

func TestAHostIsUnreachedOnlyWithoutAConnection(t *testing.T) {
	hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	refused := func(context.Context, string, string) (net.Conn, error) { return nil, syscall.ECONNREFUSED }
	for address, want := range map[string]string{"http://api.test/x": "api.test", "http://api.test:81/x": "api.test:81"} {
		bubble(t, retries(0), hangUp, func(w *world) {
			if _, err := w.do(ask(address), nil); err == nil || transport.Unreached(err) != "" {
				t.Errorf("with a connection: %q, %v", transport.Unreached(err), err)
			}
		})
		o := retries(0)
		o.Dial = refused
		bubble(t, o, hangUp, func(w *world) {
			if _, err := w.do(ask(address), nil); transport.Unreached(err) != want {
				t.Errorf("without: %q, %v", transport.Unreached(err), err)
			}
		})
	}
	if got := transport.Unreached(io.EOF); got != "" {
		t.Errorf("of another error: %q", got)
	}
}

func TestTheAPISaysHowLongToWait(t *testing.T) {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // where synctest begins
	for _, c := range []struct {
		name, header, value string
		want                time.Duration
	}{
		{"seconds", "", "120", 2 * time.Minute},
		{"a fraction of a second", "", "0.25", 250 * time.Millisecond},
		{"zero is at once", "", "0", 0},
		{"an hour is the most", "", "3600", time.Hour},
		{"a Unix time", "", fmt.Sprint(epoch.Unix() + 90), 90 * time.Second},
		{"a Unix time in milliseconds", "", fmt.Sprint(epoch.UnixMilli() + 1500), 1500 * time.Millisecond},
		{"a Unix time that is past", "", fmt.Sprint(epoch.Unix() - 90), 0},
		{"an HTTP date", "", epoch.Add(45 * time.Second).Format(http.TimeFormat), 45 * time.Second},
		{"an HTTP date that is past", "", epoch.Add(-time.Hour).Format(http.TimeFormat), 0},
		{"another header", "X-RateLimit-Reset", "7", 7 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := retries(1)
			o.Retry.Header = c.header
			name := c.header
			if name == "" {
				name = "Retry-After"
			}
			next := answers(429, 200)
			bubble(t, o, func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set(name, c.value)
				next(rw, r)
			}, func(w *world) {
				if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
					t.Fatal(err)
				}
				if got := w.hits[1].At - w.hits[0].At; got != c.want {
					t.Errorf("waited %s, want %s", got, c.want)
				}
				waits := events[pipeline.Retrying](w)
				if len(waits) != 1 || waits[0].Delay != c.want || waits[0].Reason != "429 Too Many Requests" || waits[0].Attempt != 1 {
					t.Errorf("events %+v", waits)
				}
			})
		})
	}
}

func TestAHeaderThatSaysNoWaitIsNotOne(t *testing.T) {
	for _, value := range []string{"", "soon", "-5", "NaN", "inf", "2000-01-01", "1e999"} {
		if got := transport.RetryAfter(value, time.Now()); got >= 0 {
			t.Errorf("%q: %s", value, got)
		}
	}
}

// Whatever an API sends, the wait is a time from now on or none.
func FuzzWhatAnAPIAsksToWait(f *testing.F) {
	for _, seed := range []string{"120", "0", "1e300", "-1", "946684900", "946684900000", "Sat, 01 Jan 2000 00:00:45 GMT", "Sat, 01 Jan 9999 00:00:00 GMT", "0x1p-2"} {
		f.Add(seed)
	}
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if d := transport.RetryAfter(text, now); d < -1 {
			t.Errorf("%q: %s", text, d)
		}
	})
}

func TestAWaitOfAYearEndsTheRunAsTemporary(t *testing.T) {
	bubble(t, retries(10), func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", "31536000")
		rw.WriteHeader(http.StatusServiceUnavailable)
	}, func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "GET http://api.test/x: 503 Service Unavailable: the API asks to wait until 2000-12-31T00:00:00Z")
		if !pipeline.IsTemporary(err) || len(w.hits) != 1 {
			t.Errorf("temporary %t, %d requests", pipeline.IsTemporary(err), len(w.hits))
		}
	})
}

func TestCancellingEndsAWaitAtOnceWithItsCause(t *testing.T) {
	bubble(t, retries(10), func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", "600")
		rw.WriteHeader(http.StatusServiceUnavailable)
	}, func(w *world) {
		ctx, cancel := context.WithCancelCause(w.t.Context())
		stop := errors.New("enough")
		time.AfterFunc(5*time.Second, func() { cancel(stop) })
		_, err := w.call(ctx, pipeline.Call{Page: 1}, ask("http://api.test/x"), nil)
		if err != stop || time.Since(w.began) != 5*time.Second {
			t.Errorf("%v after %s", err, time.Since(w.began))
		}
		if _, err := w.call(ctx, pipeline.Call{Page: 1}, ask("http://api.test/x"), nil); err != stop || len(w.hits) != 1 {
			t.Errorf("a cancelled run: %v, %d requests", err, len(w.hits))
		}
	})
}

func TestCancellingEndsAnExchangeAtOnceWithItsCause(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"waiting for the header": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"within the body":        stalled,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(10), serve, func(w *world) {
				ctx, cancel := context.WithCancelCause(w.t.Context())
				stop := errors.New("enough")
				time.AfterFunc(5*time.Second, func() { cancel(stop) })
				_, err := w.call(ctx, pipeline.Call{Page: 1}, ask("http://api.test/x"), nil)
				if err != stop || time.Since(w.began) != 5*time.Second || len(w.hits) != 1 {
					t.Errorf("%v after %s", err, time.Since(w.began))
				}
			})
		})
	}
}

func TestConnectionFailuresAreRetriedUnlessTheyLast(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		again bool
		says  string
	}{
		{"refused", &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}, true, "connection refused after 2 attempts"},
		{"reset", &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}, true, "connection reset by peer (if this is a port for TLS, the address must begin with https://) after 2 attempts"},
		{"a name server that is down", &net.DNSError{Err: "server misbehaving", Name: "api.test", IsTemporary: true}, true, "server misbehaving"},
		{"a host that does not exist", &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "api.test", IsNotFound: true}}, false, `there is no host named "api.test"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dials := 0
			o := retries(1)
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				dials++
				return nil, c.err
			}
			bubble(t, o, answers(200), func(w *world) {
				_, err := w.do(ask("http://api.test/x"), nil)
				contains(t, err, "GET http://api.test/x: ", c.says)
				if pipeline.IsTemporary(err) != c.again || (dials == 2) != c.again {
					t.Errorf("temporary %t, %d dials", pipeline.IsTemporary(err), dials)
				}
				if !errors.Is(err, c.err) {
					t.Error("the cause is not in the chain")
				}
			})
		})
	}
}

func TestAConnectionClosedBeforeTheHeaderIsRetried(t *testing.T) {
	calls := 0
	bubble(t, retries(1), func(rw http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(rw, "[1]")
	}, func(w *world) {
		if got, err := w.do(ask("http://api.test/x"), nil); got != "[1]" || err != nil || len(events[pipeline.Retrying](w)) != 1 {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestARequestThatCannotBeSentIsFinal(t *testing.T) {
	bubble(t, retries(3), answers(200), func(w *world) {
		bad := ask("http://api.test/x")
		bad.Header.Set("X-Key", "two\nlines")
		_, err := w.do(bad, nil)
		contains(t, err, "GET http://api.test/x: ", "invalid header")
		if pipeline.IsTemporary(err) || len(events[pipeline.Retrying](w)) != 0 || w.dials != 0 {
			t.Errorf("temporary or retried: %v", err)
		}
		malformed := ask("http://api.test/x")
		malformed.URL.Host = "api .test"
		_, err = w.do(malformed, nil)
		contains(t, err, "GET http://api", "invalid URL escape")
		if pipeline.IsTemporary(err) || w.dials != 0 {
			t.Errorf("temporary or retried: %v", err)
		}
	})
}

func TestConnectingHasATimeOut(t *testing.T) {
	o := retries(1)
	o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	bubble(t, o, answers(200), func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "GET http://api.test/x: no connection to api.test:80 within 30s after 2 attempts")
		if took := time.Since(w.began); took < 60900*time.Millisecond || took > 61100*time.Millisecond || !pipeline.IsTemporary(err) {
			t.Errorf("took %s", took)
		}
	})
}
