//go:build !windows

package view

import (
	"io"

	"golang.org/x/sys/unix"
)

// isTerminal asks for the size, which nothing but a terminal has.
func isTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	return err == nil
}

// terminalSize is 0 where it is not known.
func terminalSize(fd uintptr) (width, height int) {
	size, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Col), int(size.Row)
}

// obeyEscapes has nothing to do: every terminal obeys them.
func obeyEscapes(io.Writer) (restore func()) { return func() {} }
