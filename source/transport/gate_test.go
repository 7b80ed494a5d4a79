package transport_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport"
)

// wide is an option with so many requests in flight.
func wide(n int) transport.Options {
	o := retries(10)
	o.Connections = n
	return o
}

// busy answers the first request with status, and asks for a wait; all others
// are good.
func busy(status int, after string) http.HandlerFunc {
	var mu sync.Mutex
	first := true
	return func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if first {
			first = false
			rw.Header().Set("Retry-After", after)
			rw.WriteHeader(status)
		}
	}
}

// askAt sends requests side by side, each at its second, and waits for all.
func (w *world) askAt(addresses map[string]time.Duration) {
	w.t.Helper()
	var asking sync.WaitGroup
	for address, at := range addresses {
		asking.Go(func() {
			time.Sleep(at)
			if _, err := w.do(ask(address), nil); err != nil {
				w.t.Errorf("%s: %v", address, err)
			}
		})
	}
	asking.Wait()
}

// arrivals are the requests that the server saw, with the second.
func (w *world) arrivals() []string {
	var all []string
	for _, h := range w.hits {
		all = append(all, h.At.Round(time.Second).String()+" "+h.URL)
	}
	return all
}

func TestABusyHostIsNotAskedUntilRetryAfterHasPassedAndOthersAre(t *testing.T) {
	for _, status := range []int{429, 503} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			bubble(t, wide(4), busy(status, "10"), func(w *world) {
				w.askAt(map[string]time.Duration{
					"http://api.test/a":   0,
					"http://other.test/b": time.Second,
					"http://api.test/c":   2 * time.Second,
					"http://api.test/d":   20 * time.Second,
				})
				got := w.arrivals()
				slices.Sort(got[2:4]) // both at once
				want := []string{"0s http://api.test/a", "1s http://other.test/b", "10s http://api.test/a", "10s http://api.test/c", "20s http://api.test/d"}
				if !slices.Equal(got, want) {
					t.Errorf("got %q\nwant %q", got, want)
				}
			})
		})
	}
}

func TestAGateIsNotHeldByOtherTrouble(t *testing.T) {
	bubble(t, wide(4), busy(500, "10"), func(w *world) {
		w.askAt(map[string]time.Duration{"http://api.test/a": 0, "http://api.test/b": time.Second})
		want := []string{"0s http://api.test/a", "1s http://api.test/b", "10s http://api.test/a"}
		if got := w.arrivals(); !slices.Equal(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	})
}

func TestAHostThatIsHeldLetsNobodyPassAndAllAfterwards(t *testing.T) {
	good := busy(503, "10")
	bubble(t, wide(1), func(rw http.ResponseWriter, r *http.Request) {
		good(rw, r)
		time.Sleep(time.Second)
	}, func(w *world) {
		w.askAt(map[string]time.Duration{
			"http://api.test/a": 0, "http://api.test/b": 2 * time.Second, "http://api.test/c": 3 * time.Second, "http://api.test/d": 12500 * time.Millisecond,
		})
		var got []string
		for i, h := range w.hits {
			got = append(got, h.URL[len("http://api.test/"):])
			if i > 0 && h.At < 10*time.Second {
				t.Errorf("%s passed after %s", h.URL, h.At)
			}
		}
		slices.Sort(got)
		if want := []string{"a", "a", "b", "c", "d"}; !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}

// narrow answers 429 to more than four requests at a time.
type narrow struct {
	mu        sync.Mutex
	now, most int // in flight
	refused   int
}

func (s *narrow) serve(rw http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.now++
	s.most = max(s.most, s.now)
	refuse := s.now > 4
	if refuse {
		s.refused++
	}
	s.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	if refuse {
		rw.Header().Set("Retry-After", "1")
		rw.WriteHeader(http.StatusTooManyRequests)
	}
}

func TestABurstOfRefusalsHalvesWhatIsInFlightOnceAndItGrowsAgain(t *testing.T) {
	s := &narrow{}
	bubble(t, wide(8), s.serve, func(w *world) {
		crowd := func(n int) (most int) {
			s.mu.Lock()
			s.most = 0
			s.mu.Unlock()
			var asking sync.WaitGroup
			for range n {
				asking.Go(func() {
					if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
						t.Error(err)
					}
				})
			}
			asking.Wait()
			return s.most
		}
		if most := crowd(8); most != 8 || s.refused != 4 {
			t.Errorf("at first: %d in flight, %d refused", most, s.refused)
		}
		// Halved once, and then one more for each round of good answers.
		refused := s.refused
		if most := crowd(8); most < 5 || most > 6 {
			t.Errorf("then: %d in flight", most)
		}
		if s.refused == refused {
			t.Error("it did not grow until it was refused again")
		}
	})
}

func TestARequestThatWaitsForAHostIsCancelledAtOnce(t *testing.T) {
	bubble(t, wide(1), busy(503, "600"), func(w *world) {
		ctx, cancel := context.WithCancelCause(w.t.Context())
		stop := errors.New("enough")
		time.AfterFunc(5*time.Second, func() { cancel(stop) })
		var asking sync.WaitGroup
		for range 3 {
			asking.Go(func() {
				if _, err := w.call(ctx, pipeline.Call{Page: 1}, ask("http://api.test/x"), nil); err != stop {
					t.Error(err)
				}
			})
		}
		asking.Wait()
		if took := time.Since(w.began); took != 5*time.Second || len(w.hits) != 1 {
			t.Errorf("took %s, %d requests", took, len(w.hits))
		}
	})
}

func TestARequestIsSignedOnlyWhenItsHostMayBeAsked(t *testing.T) {
	bubble(t, wide(2), busy(503, "10"), func(w *world) {
		var signed []time.Duration
		s := &request.Signer{Apply: func(context.Context, *request.Request) error {
			signed = append(signed, time.Since(w.began))
			return nil
		}}
		go func() { _, _ = w.do(ask("http://api.test/a"), nil) }()
		time.Sleep(time.Second)
		if _, err := w.do(ask("http://api.test/b"), s); err != nil {
			t.Error(err)
		}
		if len(signed) != 1 || signed[0] != 10*time.Second {
			t.Errorf("signed after %v", signed)
		}
	})
}

func TestABudgetHoldsBehindABusyHostToo(t *testing.T) {
	o := wide(8)
	o.Limiter = rate.NewLimiter(1, 1)
	bubble(t, o, busy(429, "10"), func(w *world) {
		all := map[string]time.Duration{}
		for _, path := range []string{"a", "b", "c", "d"} {
			all["http://api.test/"+path] = 0
		}
		w.askAt(all)
		for i, h := range w.hits[1:] {
			if least := 10*time.Second + time.Duration(i-1)*time.Second; h.At < max(least, 10*time.Second) {
				t.Errorf("request %d came after %s: %q", i+1, h.At, w.arrivals())
			}
		}
		if len(w.hits) != 5 {
			t.Errorf("%q", w.arrivals())
		}
	})
}

func TestARejectedRequestGivesItsPlaceToTheLoginThatFollows(t *testing.T) {
	once := first(answers(401), answers(200))
	bubble(t, wide(1), once, func(w *world) {
		logIn := func(*request.Request) bool {
			_, err := w.do(ask("http://api.test/login"), nil)
			return err == nil
		}
		if _, err := w.do(ask("http://api.test/a"), &request.Signer{Rejected: logIn}); err != nil {
			t.Error(err)
		}
		if len(w.hits) != 3 {
			t.Errorf("%d requests, want the rejected one, the login, and one more", len(w.hits))
		}
	})
}

func TestARequestThatIsGivenUpKeepsItsPlaceUntilTheHostIsLikelyToHaveDoneWithIt(t *testing.T) {
	slow := func(http.ResponseWriter, *http.Request) { time.Sleep(5 * time.Second) }
	bubble(t, wide(2), slow, func(w *world) {
		w.askAt(map[string]time.Duration{"http://api.test/first": 0})
		ctx, giveUp := context.WithCancel(w.t.Context())
		time.AfterFunc(time.Second, giveUp)
		if _, err := w.call(ctx, pipeline.Call{}, ask("http://api.test/given-up"), nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.askAt(map[string]time.Duration{"http://api.test/a": 0, "http://api.test/b": time.Second, "http://api.test/c": 2 * time.Second})
		got := w.arrivals()
		want := []string{
			"0s http://api.test/first", "5s http://api.test/given-up", "6s http://api.test/a", "10s http://api.test/b", "11s http://api.test/c",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
