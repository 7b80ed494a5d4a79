//go:build !windows

package cli

import "syscall"

// withoutCore makes sure that no file shows the memory of a process that crashes.
func withoutCore() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // to lower it is always allowed
}
