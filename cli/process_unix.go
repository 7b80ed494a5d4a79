//go:build !windows

package cli

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// closedAtStart tells whether stdout was closed at the start. Go has opened the null device in its place then: for reading
// too, which no shell does, and for stdout alone, while a daemon shares one with stdin or stderr.
func closedAtStart() bool {
	const stdin, stdout, stderr = 0, 1, 2
	here, err := os.Stdout.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(here, null) {
		return false
	}
	flags, err := unix.FcntlInt(stdout, unix.F_GETFL, 0)
	isForBoth := flags&unix.O_ACCMODE == unix.O_RDWR && flags&unix.O_APPEND == 0
	if err != nil || !isForBoth {
		return false
	}
	// A flag of an opened file shows wherever that is shared.
	_, _ = unix.FcntlInt(stdout, unix.F_SETFL, flags|unix.O_APPEND)
	in, failed := unix.FcntlInt(stdin, unix.F_GETFL, 0)
	out, wrong := unix.FcntlInt(stderr, unix.F_GETFL, 0)
	_, _ = unix.FcntlInt(stdout, unix.F_SETFL, flags)
	sharedWithStdin := failed == nil && in&unix.O_APPEND != 0
	sharedWithStderr := wrong == nil && out&unix.O_APPEND != 0
	return !sharedWithStdin && !sharedWithStderr
}

// withoutCore makes sure that no file shows the memory of a process that crashes.
func withoutCore() {
	// To lower it is always allowed.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}
