package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/source/config"
)

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
	var usage *usageError
	var configuration *config.Error
	var panicked *pipeline.Panic
	var notReady *sink.NotReady
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &signal):
		return signal.status()
	case errors.As(err, &panicked):
		return statusPanicked
	case errors.As(err, &notReady):
		return cmp.Or(notReady.Status, statusTemporary)
	case errors.Is(err, errReaderGone):
		return statusReaderGone
	case errors.As(err, &usage), errors.As(err, &configuration), errors.Is(err, s3.ErrNoRegion), errors.Is(err, s3.ErrEndpoint):
		return statusUsage
	case errors.Is(err, pipeline.ErrNotComplete):
		return statusIncomplete
	case pipeline.IsTemporary(err):
		return statusTemporary
	}
	return statusFailed
}

// usageError is a mistake in how the program was called: nothing was requested.
type usageError struct{ err error }

func (u *usageError) Error() string { return u.err.Error() }
func (u *usageError) Unwrap() error { return u.err }

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
