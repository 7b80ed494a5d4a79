// Package cli is the command line and nothing else: commands, flags, help, completion, signals, and the exit status of an
// error. What a command does is in cli/run and cli/discover.
package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"sluice/cli/run"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/source/config"
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

// status is the one place where an error becomes an exit status.
func status(err error) int {
	var signal *run.Interrupted
	var notReady *commit.NotReady
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &signal):
		return signalStatus(signal.Signal)
	case errors.As(err, new(*pipeline.Panic)):
		return statusPanicked
	case errors.As(err, &notReady):
		return cmp.Or(notReady.Status, statusTemporary)
	case errors.Is(err, run.ErrReaderGone):
		return statusReaderGone
	case errors.As(err, new(*run.UsageError)),
		errors.As(err, new(*config.Error)),
		errors.Is(err, s3.ErrNoRegion),
		errors.Is(err, s3.ErrEndpoint):
		return statusUsage
	case errors.Is(err, report.ErrNotComplete):
		return statusIncomplete
	case pipeline.IsTemporary(err):
		return statusTemporary
	}
	return statusFailed
}

// finalStatus is the status of an error that will be the same when a shard is tried again, 0 of any other.
func finalStatus(err error) int {
	s := status(err)
	if slices.Contains([]int{statusFailed, statusUsage, statusIncomplete, statusPanicked}, s) {
		return s
	}
	return 0
}

// interrupted is the cause of the cancellation when a signal came.
func interrupted(s os.Signal) *run.Interrupted {
	word := "interrupted"
	if signalStatus(s) == statusTerminated {
		word = "terminated"
	}
	return &run.Interrupted{Signal: s, Word: word}
}

func signalStatus(s os.Signal) int {
	if s == os.Interrupt {
		return statusInterrupted
	}
	return statusTerminated
}
