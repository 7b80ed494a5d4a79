// Sluice drains paged HTTP APIs: a JSON configuration says how the API is
// reached, logged into and paged through; every item is streamed as NDJSON or
// CSV to stdout, a file, a folder or a bucket.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// grace is how long a run may take to put things in order after a signal. A
// write to a stuck pipe cannot be cancelled, so there must be an end: before that
// of Kubernetes, which kills after 30 seconds.
const grace = 25 * time.Second

// collectAt is GOGC where the environment does not set it. What lives is a few
// buffers, so that collecting earlier costs next to nothing, and a run of millions
// of items needs hardly more memory than a short one.
const collectAt = 40

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(supervise())
}

// supervise runs the program and turns signals into the cancellation of its
// context: the first ends it in order, the second at once.
func supervise() int {
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error instead
	log.SetOutput(io.Discard)      // net/http would print parts of answers there, secrets and all
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	go func() { done <- run(ctx, realWorld(), os.Args) }()

	var got *interrupted
	var late <-chan time.Time
	for {
		select {
		case status := <-done:
			return status
		case s := <-signals:
			if got != nil {
				return got.status()
			}
			got = &interrupted{s}
			cancel(got)
			late = time.After(grace)
		case <-late:
			return got.status()
		}
	}
}
