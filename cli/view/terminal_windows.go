package view

import (
	"io"

	"golang.org/x/sys/windows"
)

func isTerminal(fd uintptr) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(fd), &mode) == nil
}

// terminalSize is that of the window: the buffer behind it is longer. It is 0 where it is not known.
func terminalSize(fd uintptr) (width, height int) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(fd), &info); err != nil {
		return 0, 0
	}
	width = int(info.Window.Right) - int(info.Window.Left) + 1
	height = int(info.Window.Bottom) - int(info.Window.Top) + 1
	return width, height
}

// obeyEscapes makes a console obey escapes, which it shows as text by itself, until restore is called.
func obeyEscapes(w io.Writer) (restore func()) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return func() {}
	}
	console := windows.Handle(f.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return func() {}
	}
	_ = windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	return func() { _ = windows.SetConsoleMode(console, mode) }
}
