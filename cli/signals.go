package cli

import (
	"context"
	"os"
	"runtime/pprof"
	"syscall"
	"time"

	"sluice/cli/run"
)

const (
	// grace is how long a run may take to end after a signal, before Kubernetes kills: a stuck write cannot be cancelled.
	grace = 25 * time.Second

	// lastWords is how long a run that is not waited for any more may take to leave its report.
	lastWords = 2 * time.Second

	// together is how close two signals are that count as one.
	// GNU timeout sends its signal to its child, and then to the group in which the child is.
	together = time.Second
)

// attend waits for the end of what is done, and returns its exit status. The first signal ends it in order. A later one
// ends it at once, unless it is publishing, since half of it visible serves nobody. SIGQUIT and SIGABRT show what it
// was doing, too.
func attend(w *world, cancel context.CancelCauseFunc, signals <-chan os.Signal, done <-chan int) int {
	var got *run.Interrupted
	var at time.Time
	var late, over <-chan time.Time
	giveUp := func() {
		if w.LoggingIn.Load() {
			w.Say("a login was sent, and its answer is not awaited any more: the token that it was sent with " +
				"may be used up; if it is, a person must log in again")
		}
		late, over = nil, time.After(lastWords)
		close(w.Hurry)
	}
	for {
		select {
		case status := <-done:
			return status
		case s := <-signals:
			switch {
			case s == syscall.SIGQUIT || s == syscall.SIGABRT:
				// There is nobody to tell.
				_ = pprof.Lookup("goroutine").WriteTo(w.Stderr, 2)
				return statusAborted
			case got == nil:
				got, at = interrupted(s), w.Now()
				late = time.After(grace)
				cancel(got)
			case w.Now().Sub(at) <= together || over != nil:
				// It is the first signal again, or nothing is waited for already.
			case w.Stage.Now() == run.Working:
				w.Say(
					"a second signal: ending at once; sluice sweep lists and removes the hidden files and open " +
						"uploads that remain",
				)
				giveUp()
			}
		case <-late:
			switch w.Stage.Now() {
			case run.Published:
				return statusOK
			case run.Publishing:
				return signalStatus(got.Signal)
			}
			giveUp()
		case <-over:
			return signalStatus(got.Signal)
		}
	}
}
