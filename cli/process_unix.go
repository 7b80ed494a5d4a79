//go:build !windows

package cli

import (
	"errors"
	"os"
	"syscall"
)

// brokenPipe tells whether a write failed since nobody reads any more.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// closedAtStart tells whether stdout was closed when the program began. Go has opened
// the null device in its place then: for reading too, as a shell never does that throws
// output away, and for stdout alone, while a daemon shares one with stdin or stderr.
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
	flags := control(stdout, syscall.F_GETFL, 0)
	if flags&syscall.O_ACCMODE != syscall.O_RDWR || flags&syscall.O_APPEND != 0 {
		return false
	}
	// A flag of an opened file shows wherever that is shared.
	control(stdout, syscall.F_SETFL, flags|syscall.O_APPEND)
	shared := (control(stdin, syscall.F_GETFL, 0)|control(stderr, syscall.F_GETFL, 0))&syscall.O_APPEND != 0
	control(stdout, syscall.F_SETFL, flags)
	return !shared
}

// control is fcntl of an open file; an error is no flag at all.
func control(file, command uintptr, flags int) int {
	result, _, failed := syscall.Syscall(syscall.SYS_FCNTL, file, command, uintptr(flags))
	if failed != 0 {
		return 0
	}
	return int(result)
}

// withoutCore makes sure that no file shows the memory of a process that crashes.
func withoutCore() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // to lower it is always allowed
}
