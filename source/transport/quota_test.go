package transport_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/source/transport/quota"
)

// An arrival is a request that an API counts.
type arrival struct {
	at  time.Time
	url *url.URL
}

// A tallied API answers after a while, sometimes with a failure that is temporary or a redirect, and notes what came.
type tallied struct {
	mu   sync.Mutex
	rnd  *rand.Rand
	came []arrival
}

func (c *tallied) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.came = append(c.came, arrival{time.Now(), r.URL})
	latency := time.Duration(c.rnd.IntN(40)) * time.Millisecond
	kind := c.rnd.IntN(40)
	c.mu.Unlock()
	time.Sleep(latency)
	switch {
	case kind == 0:
		rw.WriteHeader(http.StatusBadGateway)
	case kind == 1 && !strings.HasSuffix(r.URL.Path, "/again"):
		http.Redirect(rw, r, r.URL.Path+"/again", http.StatusFound)
	}
}

// drawRules draws what an API allows, so that a run is through after some windows.
func drawRules(rnd *rand.Rand) (rules []quota.Rule) {
	windows := []time.Duration{time.Second, 10 * time.Second, time.Minute}
	for i := range 1 + rnd.IntN(3) {
		r := quota.Rule{Text: fmt.Sprint("rule ", i), Limit: 3 + rnd.IntN(40), Window: windows[rnd.IntN(3)], Cost: 1}
		if rnd.IntN(3) == 0 {
			r.Cost = 1 + rnd.IntN(min(r.Limit, 5))
			r.Applies = func(u *url.URL) bool { return strings.HasPrefix(u.Path, "/search") }
		}
		rules = append(rules, r)
	}
	return rules
}

// drawShards draws how many processes share the rules.
func drawShards(rnd *rand.Rand, rules []quota.Rule) int {
	shards := 1 + rnd.IntN(4)
	for _, r := range rules {
		if _, ok := r.Among(shards); !ok {
			return 1
		}
	}
	return shards
}

// most is how much of the rule the fullest of its windows took.
func most(r quota.Rule, came []arrival) (most int) {
	var times []time.Time
	for _, a := range came {
		if r.Applies == nil || r.Applies(a.url) {
			times = append(times, a.at)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	begin := 0
	for end := range times {
		for times[end].Sub(times[begin]) >= r.Window {
			begin++
		}
		most = max(most, (end-begin+1)*r.Cost)
	}
	return most
}

func TestNoWindowHasMoreRequestsThanItsRuleAllows(t *testing.T) {
	runs := 50
	if os.Getenv("WHOLE") != "" {
		runs = 1000
	}
	for seed := range runs {
		rnd := rand.New(rand.NewPCG(uint64(seed), 0))
		api := &tallied{rnd: rnd}
		rules := drawRules(rnd)
		shards, workers, each := drawShards(rnd, rules), 1+rnd.IntN(8), 5+rnd.IntN(30)
		synctest.Test(t, func(t *testing.T) {
			var asking sync.WaitGroup
			for range shards {
				var share []quota.Rule
				for _, r := range rules {
					part, _ := r.Among(shards)
					share = append(share, part)
				}
				o := wide(workers)
				o.Quotas = quota.New(share)
				w := newWorld(t, o, api.ServeHTTP)
				for i := range workers {
					asking.Go(func() {
						address := [...]string{"http://api.test/search", "http://api.test/users"}[i%2]
						for range each {
							_, err := w.do(ask(address), nil)
							if err == nil && i == 0 {
								// A login goes before the next request.
								_, err = w.call(t.Context(), pipeline.Call{Job: "users"}, ask(address), nil)
							}
							if err != nil {
								t.Errorf("seed %d: %v", seed, err)
							}
						}
					})
				}
			}
			asking.Wait()
		})
		for _, r := range rules {
			if n := most(r, api.came); n > r.Limit {
				t.Errorf("seed %d: %d in a window of %s that allows %d", seed, n, r.Window, r.Limit)
			}
		}
	}
}

func TestARuleIsUsedUp(t *testing.T) {
	for _, r := range []quota.Rule{
		{Text: "10/s", Limit: 10, Window: time.Second, Cost: 1},
		{Text: "100/min", Limit: 100, Window: time.Minute, Cost: 5},
		{Text: "20000/hour", Limit: 20_000, Window: time.Hour, Cost: 1},
	} {
		for _, shards := range []int{1, 3} {
			t.Run(fmt.Sprint(r.Text, " of ", shards), func(t *testing.T) {
				const windows = 20
				share, _ := r.Among(shards)
				rules := quota.New([]quota.Rule{share})
				began := time.Unix(0, 0)
				now := began
				for range windows * (share.Limit / share.Cost) {
					for {
						wait, _ := rules.Take(nil, now)
						if wait == 0 {
							break
						}
						now = now.Add(wait)
					}
				}
				least := (windows - 1) * r.Window
				if share := least.Seconds() / now.Sub(began).Seconds(); share < 0.95 {
					t.Errorf("%.3f of what is allowed was used", share)
				}
			})
		}
	}
}

// The whole client, where the API is fast: its workers ask as soon as a window lets them.
func TestAFastAPIIsAskedAsOftenAsItsRuleAllows(t *testing.T) {
	const windows = 20
	for _, r := range []quota.Rule{
		{Text: "10/s", Limit: 10, Window: time.Second, Cost: 1},
		{Text: "100/min", Limit: 100, Window: time.Minute, Cost: 5},
	} {
		for _, workers := range []int{1, 8} {
			o := wide(workers)
			o.Quotas = quota.New([]quota.Rule{r})
			bubble(t, o, answers(200), func(w *world) {
				var asking sync.WaitGroup
				requests := windows * r.Limit / r.Cost
				for i := range workers {
					asking.Go(func() {
						for n := i; n < requests; n += workers {
							if _, err := w.do(ask("http://api.test/users"), nil); err != nil {
								t.Error(err)
							}
						}
					})
				}
				asking.Wait()
				least := (windows - 1) * r.Window
				if share := least.Seconds() / time.Since(w.began).Seconds(); share < 0.95 {
					t.Errorf("%s, %d workers: %.3f of what is allowed was used", r.Text, workers, share)
				}
			})
		}
	}
}

func TestARequestThatHasToWaitHoldsUpNoOther(t *testing.T) {
	o := wide(2)
	isSearch := func(u *url.URL) bool { return u.Path == "/search" }
	o.Quotas = quota.New([]quota.Rule{{Text: "1/min for search", Limit: 1, Window: time.Minute, Cost: 1, Applies: isSearch}})
	bubble(t, o, answers(200), func(w *world) {
		var asking sync.WaitGroup
		for range 3 {
			asking.Go(func() { _, _ = w.do(ask("http://api.test/search"), nil) })
		}
		synctest.Wait()
		for range 100 {
			if _, err := w.do(ask("http://api.test/users"), nil); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(w.began); took > time.Second {
			t.Errorf("users took %s", took)
		}
		asking.Wait()
		if took := time.Since(w.began); took < 2*time.Minute {
			t.Errorf("three searches took %s", took)
		}
	})
}
