package view

// IsTerminal tells whether people look at a stream, or type into it.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && isTerminal(f.Fd())
}

// TerminalSize returns the columns and lines of the terminal that a stream leads to, and usual ones where that is not
// known.
func TerminalSize(stream any) (width, height int) {
	if f, ok := stream.(interface{ Fd() uintptr }); ok {
		width, height = terminalSize(f.Fd())
	}
	if width < 1 {
		return 80, 24
	}
	return width, height
}
