//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// withoutCore makes sure that no file shows the memory of a process that crashes.
func withoutCore() {
	// To lower it is always allowed.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}
