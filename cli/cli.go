// Package cli is the command line and nothing else: commands, flags, help, completion, signals, and the exit status of an
// error. What a command does is in cli/run and cli/discover.
package cli

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// Main runs the program and returns its exit status.
func Main() int {
	version = versionOf(version)
	// In which secrets would be.
	withoutCore()
	// A write to a closed pipe is an error instead.
	signal.Ignore(syscall.SIGPIPE)
	// net/http would print parts of answers there, secrets and all.
	log.SetOutput(io.Discard)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT)
	// As nohup has it.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	// A fatal error ends with SIGABRT, not with the status of a usage error; before now SIGABRT would take
	// seconds.
	debug.SetTraceback("crash")

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	w := realWorld()
	w.Pace = newPace(os.Getenv)
	go func() { done <- invoke(ctx, w, os.Args) }()
	return attend(w, cancel, signals, done)
}

// The exit statuses (cli.md).
const (
	statusOK          = 0
	statusFailed      = 1
	statusUsage       = 2
	statusIncomplete  = 3
	statusPanicked    = 70
	statusTemporary   = 75
	statusInterrupted = 130
	statusAborted     = 134
	statusTerminated  = 143
	statusReaderGone  = 141
)
