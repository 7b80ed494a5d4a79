package view

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"sluice/pipeline"
)

// What has not answered for slowAfter is told.
const slowAfter = 4500 * time.Millisecond

// waits is what a run waits for.
type waits struct {
	// When the run began, when it was summed up last, and when the last line was written.
	began, summedUp, last time.Time

	// How many items there are, and were when it was summed up.
	items, summedItems int64

	// Requests without an answer, the oldest first.
	asked []pipeline.RequestSent

	// Attempts that are to come, the oldest first.
	pauses []pipeline.Retrying

	// The end of the login under way, where the run is over; zero: it goes on.
	login time.Time

	// What the destination does; empty: it waits.
	storing pipeline.Storing

	// Until then no request may be sent.
	spent pipeline.BudgetSpent

	// Something does not answer, and that was told.
	stuck bool
}

// every does something after a first pause, and again after each further one, until stop is called.
func every(first, pause time.Duration, do func()) (stop func()) {
	done := make(chan struct{})
	var working sync.WaitGroup
	working.Go(func() {
		for next := time.After(first); ; next = time.After(pause) {
			select {
			case <-done:
				return
			case <-next:
				do()
			}
		}
	})
	return func() {
		close(done)
		working.Wait()
	}
}

func (w *waits) note(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.RequestSent:
		w.pauses = slices.DeleteFunc(w.pauses, func(p pipeline.Retrying) bool {
			return p.Job == e.Job && p.Page == e.Page
		})
		w.asked = append(w.asked, e)
	case pipeline.Outlives:
		w.login = e.Until
	case pipeline.ResponseDone:
		w.asked = slices.DeleteFunc(w.asked, func(sent pipeline.RequestSent) bool { return sent.ID == e.ID })
	case pipeline.Retrying:
		w.pauses = append(w.pauses, e)
	case pipeline.BudgetSpent:
		w.spent = e
	case pipeline.PageJudged:
		w.items += int64(e.Items)
		// What an earlier process asked for makes no rate.
		if e.Kept {
			w.summedItems += int64(e.Items)
		}
	case pipeline.Storing:
		w.storing = e
	}
}

// reason says what the run waits for, and whether that does not answer; requests only where no live view shows them.
func (w *waits) reason(now time.Time, live bool) (text string, stuck bool) {
	if w.isStoring(now) {
		waited := now.Sub(w.storing.At).Round(time.Second)
		return fmt.Sprintf("waiting for the destination for %s: %s", waited, w.storing.What), true
	}
	unanswered := len(w.asked) > 0 && now.Sub(w.asked[0].At) >= slowAfter
	switch {
	case unanswered && !live:
		return w.unansweredFor(w.asked[0], now), true
	case now.Before(w.spent.Until):
		return "waiting until " + timeOfDay(w.spent.Until) + ": " + w.spent.Reason, false
	case len(w.pauses) > 0 && !live:
		p := w.pauses[0]
		return "waiting until " + timeOfDay(p.At.Add(p.Delay)) + ": " + p.Reason, false
	}
	return "", false
}

// isStoring tells whether the destination is slow.
func (w *waits) isStoring(now time.Time) bool {
	return w.storing.What != "" && now.Sub(w.storing.At) >= slowAfter
}

// unansweredFor says for how long a request has no answer.
func (w *waits) unansweredFor(e pipeline.RequestSent, now time.Time) string {
	what := fmt.Sprintf("%s page %d", e.Job, e.Page)
	if e.Login() {
		what = "the login"
	}
	waited := now.Sub(e.At).Round(time.Second)
	if e.Login() && !w.login.IsZero() {
		const over = "waiting for %s for %s, until %s at most, since the run is over"
		return fmt.Sprintf(over, what, waited, timeOfDay(w.login))
	}
	return fmt.Sprintf(
		"waiting for %s for %s, whose attempt ends after %s without a byte",
		what,
		waited,
		e.Patience,
	)
}
