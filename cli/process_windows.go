package cli

import (
	"errors"

	"golang.org/x/sys/windows"
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED)
}

func withoutCore() {}
