// Package cli is the command line: it reads commands and flags, makes a source and a
// sink of them, moves everything, and turns an error into the exit status.
package cli

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"time"
)

// grace is how long a run may take to end after a signal: a write to a stuck pipe cannot be cancelled, and
// Kubernetes kills after 30 seconds.
const grace = 25 * time.Second

// collectAt is GOGC where the environment does not set it: what lives is a few buffers, so collecting costs little.
const collectAt = 40

// Main runs the program and returns its exit status. The first signal ends it in order; the second ends it at once,
// unless it is publishing, since half of it visible serves nobody. SIGQUIT and SIGABRT end it at once too, and show
// what it was doing.
func Main() int {
	withoutCore() // in which secrets would be
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error instead
	log.SetOutput(io.Discard)      // net/http would print parts of answers there, secrets and all
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	debug.SetTraceback("crash") // a fatal error ends with SIGABRT, not with the status of a usage error; before now SIGABRT would take seconds

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	w := realWorld()
	go func() { done <- run(ctx, w, os.Args) }()

	var got *interrupted
	var late <-chan time.Time
	for {
		select {
		case status := <-done:
			return status
		case s := <-signals:
			if s == syscall.SIGQUIT || s == syscall.SIGABRT {
				_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2) // there is nobody to tell
				return statusAborted
			}
			switch {
			case got == nil:
				got = &interrupted{s}
				cancel(got)
				late = time.After(grace)
			case w.stage.Load() == working:
				return got.status()
			}
		case <-late:
			if w.stage.Load() == published {
				return statusOK
			}
			return got.status()
		}
	}
}
