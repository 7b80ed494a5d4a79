//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
