//go:build !windows

package target

import (
	"os"
	"syscall"
)

// duplicate returns a second handle on what is open under the number n, with the same place of the next write.
func duplicate(n int, name string) (*os.File, error) {
	second, err := syscall.Dup(n)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(second)
	return os.NewFile(uintptr(second), name), nil
}
