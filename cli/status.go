package cli

import (
	"cmp"
	"errors"
	"os"
	"slices"

	"sluice/cli/run"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
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
	case errors.Is(err, report.ErrNotComplete), errors.Is(err, report.ErrUnexpected):
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
