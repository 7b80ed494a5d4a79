package view

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"sluice/pipeline"
)

const (
	watchEvery = 500 * time.Millisecond
	slowAfter  = 4500 * time.Millisecond // what has not answered for so long is told
	silentFor  = 9500 * time.Millisecond // after so long a line is written whatever happens
)

// waits is what a run waits for.
type waits struct {
	began, summedUp, last time.Time // when the run began, when it was summed up, and of the last line
	items, summedItems    int64     // how many items there are, and were then

	asked   map[uint64]pipeline.RequestSent // in flight
	told    map[uint64]bool                 // of them, that they are slow
	pauses  []pipeline.Retrying             // before another attempt
	storing pipeline.Storing                // what the destination does; nothing: it waits
	spent   time.Time                       // until then the API allows no request
	stuck   bool                            // it was told that it takes long
}

// Watch writes a line about whatever does not answer for 5 seconds, and where no live
// view shows how far the run is, a line at least every 10 seconds, until stop is called.
func (l *Log) Watch(live bool) (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	l.mu.Lock()
	now := time.Now()
	l.waits = waits{began: now, summedUp: now, last: now, asked: map[uint64]pipeline.RequestSent{}, told: map[uint64]bool{}}
	l.mu.Unlock()
	watching.Go(func() {
		// It looks between the full seconds, when other things happen in tests.
		timer := time.NewTimer(watchEvery / 2)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
				l.look(time.Now(), live)
				timer.Reset(watchEvery)
			}
		}
	})
	return func() {
		close(done)
		watching.Wait()
	}
}

// note keeps what is waited for up to date.
func (w *waits) note(e pipeline.Event) {
	if w.asked == nil {
		return // nobody watches
	}
	switch e := e.(type) {
	case pipeline.RequestSent:
		w.pauses = slices.DeleteFunc(w.pauses, func(p pipeline.Retrying) bool { return p.Job == e.Job && p.Page == e.Page })
		w.asked[e.ID] = e
	case pipeline.ResponseDone:
		delete(w.asked, e.ID)
		delete(w.told, e.ID)
	case pipeline.Retrying:
		w.pauses = append(w.pauses, e)
	case pipeline.BudgetSpent:
		w.spent = e.Until
	case pipeline.PageJudged:
		w.items += int64(e.Items)
	case pipeline.Storing:
		w.storing, w.stuck = e, false
	}
}

// look writes what is to be said now.
func (l *Log) look(now time.Time, live bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.waits
	if took := now.Sub(w.storing.At); w.storing.What != "" && !w.stuck && took >= slowAfter {
		w.stuck = true
		l.write(slog.LevelInfo, "waiting for the destination for "+seconds(took)+": "+w.storing.What)
	}
	if live {
		return
	}
	l.slow(now)
	if now.Sub(w.last) < silentFor {
		return
	}
	rate := perSecond(float64(w.items-w.summedItems) / now.Sub(w.summedUp).Seconds())
	l.write(slog.LevelInfo, fmt.Sprintf("so far %s in %s, of late %s%s", Count(w.items, "item"), seconds(now.Sub(w.began)), rate, w.reason(now)))
	w.summedUp, w.summedItems, w.last = now, w.items, now
}

// slow tells the first of the requests that have no answer for long, with the number of
// the others, and tells each once.
func (l *Log) slow(now time.Time) {
	w := &l.waits
	var all []pipeline.RequestSent
	for id, sent := range w.asked {
		if !w.told[id] && now.Sub(sent.At) >= slowAfter {
			all = append(all, sent)
			w.told[id] = true
		}
	}
	if len(all) == 0 {
		return
	}
	first := slices.MinFunc(all, oldest)
	others := ""
	if n := len(all) - 1; n > 0 {
		others = " (and " + Count(n, "other request") + ")"
	}
	what := "no whole answer"
	if first.Login() {
		what += " to the login"
	}
	l.write(slog.LevelInfo, fmt.Sprintf("%s for %s%s; after %s without a byte the attempt ends", what, seconds(now.Sub(first.At)), others, first.Patience),
		"job", first.Job, "page", first.Page)
}

// oldest orders requests by the time since when they are waited for.
func oldest(a, b pipeline.RequestSent) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}

// reason says what the run waits for.
func (w *waits) reason(now time.Time) string {
	switch {
	case w.storing.What != "" && now.Sub(w.storing.At) >= slowAfter:
		return "; waiting for the destination: " + w.storing.What
	case len(w.told) > 0:
		first := slices.MinFunc(slices.Collect(maps.Values(w.asked)), oldest)
		what := fmt.Sprintf("%s page %d", first.Job, first.Page)
		if first.Login() {
			what = "the login"
		}
		return fmt.Sprintf("; waiting for %s for %s", what, seconds(now.Sub(first.At)))
	case now.Before(w.spent):
		return "; waiting until " + timeOfDay(w.spent) + ": no request is left of the API's rate limit"
	case len(w.pauses) > 0:
		p := w.pauses[0]
		return fmt.Sprintf("; waiting until %s: %s", timeOfDay(p.At.Add(p.Delay)), p.Reason)
	}
	return ""
}

func seconds(d time.Duration) string { return d.Round(time.Second).String() }
