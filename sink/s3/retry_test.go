package s3_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	fake "sluice/fixtures/s3"
	"sluice/pipeline"
	"sluice/sink/s3"
)

func TestABucketThatIsUnavailableForAWhileIsSurvived(t *testing.T) {
	for name, fault := range map[string]func(r *http.Request) (*http.Response, error){
		"503":     func(r *http.Request) (*http.Response, error) { return answers(r, 503, "SlowDown", "slow down"), nil },
		"500":     func(r *http.Request) (*http.Response, error) { return answers(r, 500, "InternalError", "oops"), nil },
		"429":     func(r *http.Request) (*http.Response, error) { return answers(r, 429, "TooMany", "oops"), nil },
		"refused": func(*http.Request) (*http.Response, error) { return nil, refused },
		"cut":     func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, nil)
				p.options = s3.InParts(p.options, 1000, 100)
				from := time.Now()
				p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
					if time.Since(from)%time.Minute < 30*time.Second {
						return fault(r)
					}
					return nil, nil
				}})
				must(t, p.object(t, "", "x", sample(20_500)))
				must(t, p.object(t, "", "y", sample(10)))
				p.holds(t, "x", "y")
				p.shows(t, "x", sample(20_500))
			})
		})
	}
}

func TestABucketThatGoesAwayIsGivenUpAfterAMinute(t *testing.T) {
	for parts := 2; parts < 12; parts += 3 { // of which 4 are sent at a time
		t.Run(strconv.Itoa(parts), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, nil)
				p.options = s3.InParts(p.options, 1000, 100)
				p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
					if kind == "part" {
						return nil, refused
					}
					return nil, nil
				}})
				to, from := p.open(t, ""), time.Now()
				o, err := to.Create(t.Context(), "x")
				must(t, err)
				err = o.Write(t.Context(), sample(1000*parts-500))
				if err == nil {
					err = o.Seal(t.Context())
				}
				if took := time.Since(from); !pipeline.IsTemporary(err) || took > time.Minute+time.Second {
					t.Errorf("after %s: %v", took, err)
				}
				must(t, o.Close())
				p.holds(t)
			})
		})
	}
}

// Each request may fail, however many there are.
func TestRetriesOfAPartDoNotCountForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 100, 1000)
		var failed sync.Map
		w := p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
			number := r.URL.Query().Get("partNumber")
			if _, before := failed.LoadOrStore(number, true); kind == "part" && !before {
				return answers(r, 503, "SlowDown", "slow down"), nil
			}
			return nil, nil
		}})
		must(t, store(t.Context(), p.open(t, ""), "x", sample(50_000)))
		if n := strings.Count(w.seen(), "part"); n != 1000 {
			t.Errorf("%d requests for 500 parts", n)
		}
		p.shows(t, "x", sample(50_000))
	})
}

var refused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// silent answers nothing, whatever is asked.
type silent struct{}

func (silent) ServeHTTP(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// hole takes connections and reads nothing from them.
func hole(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	context.AfterFunc(ctx, func() { there.Close() })
	return here, nil
}

func TestABucketThatIsGoneIsTemporaryWithinTwoMinutes(t *testing.T) {
	for name, c := range map[string]struct {
		dial func(context.Context, string, string) (net.Conn, error)
		want string
	}{
		"refused":   {func(context.Context, string, string) (net.Conn, error) { return nil, refused }, "is not available: dial tcp: connection refused"},
		"silent":    {nil, "does not answer"},
		"swallowed": {hole, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, silent{})
				if c.dial != nil {
					ctx := t.Context()
					p.options.Dial = func(_ context.Context, network, address string) (net.Conn, error) {
						return c.dial(ctx, network, address)
					}
				}
				from := time.Now()
				err := p.open(t, "").Probe(t.Context(), []string{"x"})
				took := time.Since(from)
				if !pipeline.IsTemporary(err) || err.Error() != "s3://bucket/x: http://s3.test "+c.want {
					t.Errorf("got %v", err)
				}
				if took < 30*time.Second || took > 2*time.Minute {
					t.Errorf("after %s", took)
				}
			})
		})
	}
}

// The body of a part goes into a hole: an HTTP transport alone has no time limit there.
func TestAPartThatNobodyReadsIsTemporary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good, end := fake.New("bucket"), make(chan struct{})
		defer close(end)
		p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if kindOf(r) == "part" {
				<-end // a server that reads no body does not see that its client has gone
				return
			}
			good.ServeHTTP(w, r)
		}))
		p.options.PartSize = s3.MinPartSize
		from := time.Now()
		err := store(t.Context(), p.open(t, ""), "x", sample(s3.MinPartSize))
		if took := time.Since(from); !pipeline.IsTemporary(err) || took > 2*time.Minute {
			t.Errorf("got %v after %s", err, took)
		}
		p.holds(t)
	})
}

func TestPuttingThePartsTogetherMayTakeMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := fake.New("bucket")
		p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if kindOf(r) == "complete" {
				list, _ := io.ReadAll(r.Body)
				r.Body = body(string(list))
				time.Sleep(4 * time.Minute)
			}
			good.ServeHTTP(w, r)
		}))
		p.options = s3.InParts(p.options, 1000, 100)
		w := p.listen(&wire{})
		must(t, store(t.Context(), p.open(t, ""), "x", sample(1500)))
		if got := w.seen(); got != "create part part complete" {
			t.Errorf("requests %s", got)
		}
	})
}

func TestASlowUploadIsNotCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := fake.New("bucket")
		p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = io.NopCloser(bufio.NewReaderSize(slow{r.Body}, 64<<10))
			good.ServeHTTP(w, r)
		}))
		w := p.listen(&wire{})
		p.options.PartSize = s3.MinPartSize
		from := time.Now()
		must(t, store(t.Context(), p.open(t, ""), "x", sample(s3.MinPartSize)))
		if got := w.seen(); got != "create part complete" || time.Since(from) < 2*time.Minute {
			t.Errorf("requests %s in %s", got, time.Since(from))
		}
	})
}

func TestASlowUploadThatFailsIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		p.listen(&wire{before: func(kind string, n int, r *http.Request) (*http.Response, error) {
			if kind == "part" && n <= 2 {
				time.Sleep(3 * time.Minute)
				return nil, errLost
			}
			return nil, nil
		}})
		must(t, store(t.Context(), p.open(t, ""), "x", sample(1000)))
	})
}

// slow is a body that comes in a trickle.
type slow struct{ io.Reader }

func (s slow) Read(p []byte) (int, error) {
	time.Sleep(10 * time.Second)
	n, err := io.ReadFull(s.Reader, p)
	if n > 0 {
		err = nil
	}
	return n, err
}

func TestGivingUpTakesFifteenSecondsForAllObjectsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := fake.New("bucket")
		var gone atomic.Bool
		p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if gone.Load() {
				<-r.Context().Done()
				return
			}
			good.ServeHTTP(w, r)
		}))
		p.options = s3.InParts(p.options, 1000, 100)
		to := p.open(t, "")
		var closing []func() error
		for _, name := range []string{"a", "b", "c"} {
			o, err := to.Create(t.Context(), name)
			must(t, err)
			must(t, errors.Join(o.Write(t.Context(), sample(1500)), o.Seal(t.Context())))
			closing = append(closing, o.Close)
		}
		gone.Store(true)
		from := time.Now()
		for _, closes := range closing {
			must(t, closes())
		}
		err := to.Close()
		want := "s3://bucket/: 3 uploads are still open (no answer within 15s); once no run writes there: sluice sweep 's3://bucket/' --s3-endpoint http://s3.test --abort --older-than 0s"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if took := time.Since(from); took != 15*time.Second {
			t.Errorf("took %s", took)
		}
		gone.Store(false)
		if n := len(sweep(t, p, 0)); n != 3 {
			t.Errorf("%d were open, want 3", n)
		}
	})
}

// Whoever stops waiting for the answer to creation may not forget the upload.
func TestAnUploadThatBeginsWhileTheRunIsCancelledIsAborted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := fake.New("bucket")
		reason := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if kindOf(r) == "create" {
				good.ServeHTTP(w, r)
				cancel(reason)
				time.Sleep(5 * time.Second)
				return
			}
			good.ServeHTTP(w, r)
		}))
		p.options = s3.InParts(p.options, 1000, 100)
		from := time.Now()
		if err := p.open(t, "").Probe(ctx, []string{"x"}); !errors.Is(err, reason) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(from); took > 20*time.Second {
			t.Errorf("took %s", took)
		}
		p.holds(t)
	})
}

func TestTheEnvironmentMayAllowFewerAttempts(t *testing.T) {
	p := embedded(t)
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	w := p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
		return answers(r, 503, "SlowDown", "slow down"), nil
	}})
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	if !pipeline.IsTemporary(err) || w.seen() != "create" {
		t.Errorf("got %v", err)
	}
}
