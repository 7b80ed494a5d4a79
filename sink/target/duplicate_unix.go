//go:build !windows

package target

import (
	"os"
	"syscall"
)

// duplicate returns a second handle on what is open under the number n: they
// share the place of the next write, and each is closed for itself.
func duplicate(n int, name string) (*os.File, error) {
	second, err := syscall.Dup(n)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(second)
	return os.NewFile(uintptr(second), name), nil
}
