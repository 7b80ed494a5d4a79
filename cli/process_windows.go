package cli

import (
	"errors"
	"syscall"
)

// Errors of a pipe that the syscall package does not name.
const (
	noData       = syscall.Errno(232) // ERROR_NO_DATA: it is being closed
	notConnected = syscall.Errno(233) // ERROR_PIPE_NOT_CONNECTED
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, noData) || errors.Is(err, notConnected)
}

// closedAtStart is not needed here, where every write to a closed stdout fails.
func closedAtStart() bool { return false }

func withoutCore() {}
