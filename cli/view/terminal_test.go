//go:build !windows

package view_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"sluice/cli/view"
)

func TestATerminalHasTheSizeOfNow(t *testing.T) {
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer ptmx.Close()
	if !view.IsTerminal(ptmx) {
		t.Error("it is no terminal")
	}
	for _, size := range []unix.Winsize{{Col: 132, Row: 43}, {Col: 40, Row: 10}} {
		if err := unix.IoctlSetWinsize(int(ptmx.Fd()), unix.TIOCSWINSZ, &size); err != nil {
			t.Fatal(err)
		}
		width, height := view.TerminalSize(ptmx)
		if width != int(size.Col) || height != int(size.Row) {
			t.Errorf("%d x %d, want %d x %d", width, height, size.Col, size.Row)
		}
	}
}

func TestWhatIsNoTerminalHasTheUsualSize(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, stream := range map[string]any{"a file": file, "memory": &terminal{}} {
		if view.IsTerminal(stream) {
			t.Errorf("%s is a terminal", name)
		}
		if width, height := view.TerminalSize(stream); width != 80 || height != 24 {
			t.Errorf("%s: %d x %d", name, width, height)
		}
	}
}
