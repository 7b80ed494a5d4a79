package view

import (
	"fmt"
	"log/slog"
	"time"

	"sluice/pipeline"
)

const (
	watchEvery = 500 * time.Millisecond
	// After so long without a line one is written.
	silentFor = 9500 * time.Millisecond
)

// Watch writes a line when something does not answer, and without a live view at least every 10 s, until stop is called:
// how far the run of the jobs is.
func (l *Log) Watch(jobs []pipeline.Outline, live bool) (stop func()) {
	l.mu.Lock()
	now := time.Now()
	l.waits = waits{began: now, summedUp: now, last: now}
	l.extents = newExtents(jobs, now)
	l.mu.Unlock()
	// It looks between the full seconds, when other things happen in tests.
	return every(watchEvery/2, watchEvery, func() { l.look(time.Now(), live) })
}

// look writes how far the run is and what it waits for, if that is to be said now.
func (l *Log) look(now time.Time, live bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.waits
	reason, stuck := w.reason(now, live)
	news := stuck && !w.stuck
	due := !live && now.Sub(w.last) >= silentFor
	w.stuck = stuck
	if !news && !due {
		return
	}
	if reason != "" {
		reason = "; " + reason
	}
	took := now.Sub(w.began).Round(time.Second)
	rate := perSecond(float64(w.items-w.summedItems) / now.Sub(w.summedUp).Seconds())
	whole := l.extents.whole(now).String()
	if whole != "" {
		whole = ", " + whole
	}
	came := Count(w.items, "item")
	l.write(slog.LevelInfo, fmt.Sprintf("so far %s in %s, now %s%s%s", came, took, rate, whole, reason))
	w.summedUp = now
	w.summedItems = w.items
}
