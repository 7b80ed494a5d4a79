package cli

import (
	"context"
	"os"
	"runtime/pprof"
	"syscall"
	"time"

	"sluice/pipeline"
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
func (w *world) attend(cancel context.CancelCauseFunc, signals <-chan os.Signal, done <-chan int) int {
	var got *interrupted
	var at time.Time
	var late, over <-chan time.Time
	giveUp := func() {
		late, over = nil, time.After(lastWords)
		close(w.hurry)
	}
	for {
		select {
		case status := <-done:
			return status
		case s := <-signals:
			switch {
			case s == syscall.SIGQUIT || s == syscall.SIGABRT:
				// There is nobody to tell.
				_ = pprof.Lookup("goroutine").WriteTo(w.stderr, 2)
				return statusAborted
			case got == nil:
				got, at = &interrupted{s}, w.now()
				late = time.After(grace)
				cancel(got)
			case w.now().Sub(at) <= together || over != nil:
				// It is the first signal again, or nothing is waited for already.
			case w.stage.Load() == working:
				w.say(
					"a second signal: ending at once; hidden files and open uploads that stay are for sluice sweep",
				)
				giveUp()
			}
		case <-late:
			switch w.stage.Load() {
			case published:
				return statusOK
			case publishing:
				return got.status()
			}
			giveUp()
		case <-over:
			return got.status()
		}
	}
}

// unlessStuck does something, and waits for it until the world is in a hurry.
func unlessStuck[T any](ctx context.Context, w *world, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = pipeline.Guard(func() (err error) {
			o.value, err = do()
			return err
		})
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-w.hurry:
		return *new(T), context.Cause(ctx)
	}
}
