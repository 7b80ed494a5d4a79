// Package cli is the command line: it reads commands and flags, makes a source and a
// sink of them, moves everything, and turns an error into the exit status.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/source/config"
)

// collectAt is GOGC where the environment does not set it: what lives is a few buffers, so collecting costs little.
const collectAt = 40

// Main runs the program and returns its exit status.
func Main() int {
	// In which secrets would be.
	withoutCore()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
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
	go func() { done <- run(ctx, w, os.Args) }()
	return w.attend(cancel, signals, done)
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
	var signal *interrupted
	var notReady *sink.NotReady
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &signal):
		return signal.status()
	case errors.As(err, new(*pipeline.Panic)):
		return statusPanicked
	case errors.As(err, &notReady):
		return cmp.Or(notReady.Status, statusTemporary)
	case errors.Is(err, errReaderGone):
		return statusReaderGone
	case errors.As(err, new(*usageError)),
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

// usageError is a mistake in how the program was called: nothing was requested.
type usageError struct{ error }

// Error is one line, whatever a value in it holds.
func (u *usageError) Error() string { return view.OneLine(u.error.Error()) }

func (u *usageError) Unwrap() error { return u.error }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// interrupted is the cause of the cancellation when a signal came.
type interrupted struct{ signal os.Signal }

func (i *interrupted) Error() string {
	if i.status() == statusTerminated {
		return "terminated"
	}
	return "interrupted"
}

func (i *interrupted) status() int {
	if i.signal == os.Interrupt {
		return statusInterrupted
	}
	return statusTerminated
}

// cause prefers what cancelled ctx to what a cancelled part says about it, but for what is left.
func cause(ctx context.Context, err error) error {
	c := context.Cause(ctx)
	if err == nil || c == nil {
		return err
	}
	if left := (*pipeline.Left)(nil); errors.As(err, &left) {
		return errors.Join(c, left)
	}
	return c
}
