package transport_test

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"sluice/pipeline"
)

// A limited API allows so many requests in each window of ten seconds, and says so by say.
type limited struct {
	say func(h http.Header, left int, reset time.Duration)

	mu      sync.Mutex
	began   time.Time // the window
	used    int
	refused int
}

const (
	perWindow = 40
	inWindow  = 10 * time.Second
)

func (l *limited) ServeHTTP(rw http.ResponseWriter, _ *http.Request) {
	time.Sleep(20 * time.Millisecond)
	l.mu.Lock()
	if now := time.Now(); l.began.IsZero() || now.Sub(l.began) >= inWindow {
		l.began, l.used = now.Truncate(inWindow), 0
	}
	l.used++
	status, left := http.StatusOK, perWindow-l.used
	if left < 0 {
		status, left = http.StatusTooManyRequests, 0
		l.refused++
	}
	l.say(rw.Header(), left, time.Until(l.began.Add(inWindow)))
	l.mu.Unlock()
	time.Sleep(time.Duration(left%7) * 10 * time.Millisecond) // answers overtake each other
	rw.WriteHeader(status)
}

func TestAStatedLimitIsUsedUpAndNotExceeded(t *testing.T) {
	seconds := func(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
	for name, say := range map[string]func(h http.Header, left int, reset time.Duration){
		"Unix time": func(h http.Header, left int, reset time.Duration) {
			h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
			h.Set("X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(reset).Unix(), 10))
		},
		"milliseconds": func(h http.Header, left int, reset time.Duration) {
			h.Set("X-Rate-Limit-Remaining", strconv.Itoa(left))
			h.Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Add(reset).UnixMilli(), 10))
		},
		"seconds": func(h http.Header, left int, reset time.Duration) {
			h.Set("RateLimit-Remaining", strconv.Itoa(left))
			h.Set("RateLimit-Reset", strconv.Itoa(seconds(reset)))
		},
		"together": func(h http.Header, left int, reset time.Duration) {
			h.Set("RateLimit", fmt.Sprintf("limit=%d, remaining=%d, reset=%d", perWindow, left, seconds(reset)))
		},
		"structured": func(h http.Header, left int, reset time.Duration) {
			h.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, left, seconds(reset)))
		},
		"another clock": func(h http.Header, left int, reset time.Duration) {
			at := time.Now().Add(-time.Hour)
			h.Set("Date", at.UTC().Format(http.TimeFormat))
			h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
			h.Set("X-RateLimit-Reset", strconv.FormatInt(at.Add(reset).Unix(), 10))
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := &limited{say: say}
			bubble(t, wide(16), api.ServeHTTP, func(w *world) {
				const windows = 6
				var asking sync.WaitGroup
				for range 16 {
					asking.Go(func() {
						for range windows * perWindow / 16 {
							if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
								t.Error(err)
							}
						}
					})
				}
				asking.Wait()
				least, took := (windows-1)*inWindow, time.Since(w.began)
				if share := least.Seconds() / took.Seconds(); share < 0.9 || api.refused > 0 {
					t.Errorf("%d requests were refused, and %.0f %% of the limit was used: %s", api.refused, 100*share, took)
				}
				if len(events[pipeline.BudgetSpent](w)) == 0 {
					t.Error("nobody was told")
				}
			})
		})
	}
}

func TestABudgetThatIsAlwaysZeroOrOfADayHoldsNobodyForLong(t *testing.T) {
	for name, c := range map[string]struct {
		left func(n int) int
		most time.Duration
	}{
		"always zero": {func(int) int { return 0 }, 0},
		"of a day":    {func(n int) int { return max(2-n, 0) }, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			bubble(t, wide(1), func(rw http.ResponseWriter, _ *http.Request) {
				n++
				rw.Header().Set("X-RateLimit-Remaining", strconv.Itoa(c.left(n)))
				rw.Header().Set("X-RateLimit-Reset", "40000")
			}, func(w *world) {
				for range 10 {
					if _, err := w.do(ask("http://api.test/x"), nil); err != nil {
						t.Error(err)
					}
				}
				if took := time.Since(w.began); took != c.most {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}
